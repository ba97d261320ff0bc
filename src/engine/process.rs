//! An engine that is a program in any language, asked over its standard input and output.
//!
//! Three threads serve a child: one writes questions, so that a child that does not read cannot
//! stop the harness; one reads answers into a queue; one reads standard error and keeps its end.
//! The child leads a process group of its own, which ends with it.

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::Stdio,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};
use serde_json::{Value, json};

use super::{
    About, Answer, Engine, EngineError, Fault, Limits, Pipeline, Session,
    transcript::{Scribe, Transcript},
    wire,
};
use crate::diagnostics::{closest, excerpt};

/// How many questions are on their way at once, where the engine allows it.
const WINDOW: usize = 256;
/// How long an engine that was asked to stop may take to do so.
const GRACE: Duration = Duration::from_secs(2);
/// How often a wait looks whether the run was interrupted.
const GLANCE: Duration = Duration::from_millis(20);
/// How much of standard error is kept.
const STDERR_KEPT: usize = 64 * 1024;

/// A program as an engine. Each session is a process of its own.
#[derive(Debug)]
pub struct ProcessEngine {
    command: Vec<String>,
    folder: Option<PathBuf>,
    limits: Limits,
    transcript: Option<Transcript>,
    interrupt: Arc<AtomicBool>,
    about: Mutex<Option<About>>,
}

impl ProcessEngine {
    /// The program and its arguments. It is started without a shell.
    pub fn new(command: Vec<String>, limits: Limits) -> Self {
        Self {
            command,
            folder: None,
            limits,
            transcript: None,
            interrupt: Arc::default(),
            about: Mutex::default(),
        }
    }

    /// Where it is started; a relative path of the program is relative to that, too.
    #[must_use]
    pub fn folder(mut self, folder: Option<PathBuf>) -> Self {
        self.folder = folder;
        self
    }

    /// Writes every message to a transcript.
    #[must_use]
    pub fn transcript(mut self, transcript: Option<Transcript>) -> Self {
        self.transcript = transcript;
        self
    }

    /// Gives up waiting once the flag is set.
    #[must_use]
    pub fn interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupt = flag;
        self
    }

    fn spawn(&self) -> Result<ProcessSession, EngineError> {
        let (program, arguments) = self
            .command
            .split_first()
            .ok_or_else(|| EngineError::Start("the command line is empty".to_owned()))?;
        let mut path = PathBuf::from(program);
        if let Some(folder) = self.folder.as_ref().filter(|_| program.contains('/')) {
            path = folder.join(path);
        }
        let mut command = CommandWrap::with_new(&path, |command| {
            command
                .args(arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            if let Some(folder) = &self.folder {
                command.current_dir(folder);
            }
        });
        let mut child = command
            .wrap(ProcessGroup::leader())
            .spawn()
            .map_err(|error| EngineError::Start(not_spawned(program, &error)))?;
        let scribe = self.transcript.as_ref().map(Transcript::session);
        let heard = Arc::new(Heard::default());
        let (to_child, questions) = mpsc::channel();
        let (answers, from_child) = mpsc::channel();
        let (stdin, stdout, stderr) = (
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        );
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(EngineError::Start(format!(
                "`{program}`: its input and output cannot be had"
            )));
        };
        let session = ProcessSession {
            child,
            to_child: Some(to_child),
            from_child,
            heard: Arc::clone(&heard),
            scribe: scribe.clone(),
            next_id: 0,
            unanswered: VecDeque::new(),
            last: None,
            pipeline: false,
            resets: true,
            reset_ids: VecDeque::new(),
            limits: self.limits.clone(),
            interrupt: Arc::clone(&self.interrupt),
            is_broken: false,
        };
        let most = self.limits.max_answer;
        let started = start("questions", move || write(stdin, &questions))
            .and_then(|()| {
                start("answers", {
                    let heard = Arc::clone(&heard);
                    move || read(stdout, most, &answers, &heard)
                })
            })
            .and_then(|()| start("stderr", move || drain(stderr, &heard, scribe.as_ref())));
        started
            .map_err(|error| EngineError::Start(format!("no thread could be started: {error}")))?;
        Ok(session)
    }
}

/// Why a program could not be started, and what was perhaps meant.
fn not_spawned(program: &str, error: &io::Error) -> String {
    let why = format!("`{program}`: {}", plain(error));
    let is_missing = error.kind() == io::ErrorKind::NotFound && !program.contains('/');
    match is_missing {
        true if Path::new(program).exists() => {
            format!("{why}; the one in this folder is started with `./{program}`")
        }
        true if closest(program, ["reference"]).is_some() => {
            format!("{why}; the engine that is built in is `reference`")
        }
        _ => why,
    }
}

/// What the system says, without its error number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or(&text)
        .to_lowercase()
}

fn start(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map(drop)
}

impl Engine for ProcessEngine {
    fn about(&self) -> About {
        let about = self.about.lock().unwrap_or_else(PoisonError::into_inner);
        about.clone().unwrap_or_default()
    }

    fn session(&self) -> Result<Box<dyn Session>, EngineError> {
        let mut session = self.spawn()?;
        session.note("--", &format!("started {}", self.command.join(" ")));
        let begun = session.question("initialize", &wire::initialize_params());
        let answer = begun.and_then(|()| session.next_answer(self.limits.start));
        let answer = match answer {
            Err(EngineError::Timeout(limit)) => {
                return Err(
                    session.not_started(&format!("no answer to `initialize` within {limit:?}"))
                );
            }
            Err(error @ EngineError::Broken(_)) => {
                return Err(session.not_started(&error.to_string()));
            }
            other => other,
        };
        let name = self.command.first().map(String::as_str).unwrap_or_default();
        let name = Path::new(name)
            .file_name()
            .map_or(name.to_owned(), |n| n.to_string_lossy().into_owned());
        let hello = wire::hello(answer, &name)?;
        session.pipeline = hello.pipeline;
        session.last = None; // what `initialize` was answered is behind us
        let mut about = self.about.lock().unwrap_or_else(PoisonError::into_inner);
        about.get_or_insert(hello.about);
        Ok(Box::new(session))
    }
}

/// What the reading threads share with the session.
#[derive(Debug, Default)]
struct Heard {
    /// Bytes of answers that were read and not taken yet.
    waiting: AtomicUsize,
    stderr: Mutex<VecDeque<u8>>,
    stderr_ended: AtomicBool,
}

/// What came over the child's standard output.
enum Line {
    Whole(Vec<u8>),
    /// Longer than any answer may be.
    TooLong,
    /// The output ended, perhaps in the middle of a line.
    End(Vec<u8>),
}

fn write(mut stdin: impl Write, questions: &Receiver<String>) {
    while let Ok(mut text) = questions.recv() {
        // What has gathered meanwhile goes in one piece.
        while let Ok(more) = questions.try_recv() {
            text.push_str(&more);
        }
        // A child that reads no more is found out by what it does not answer.
        if stdin
            .write_all(text.as_bytes())
            .and_then(|()| stdin.flush())
            .is_err()
        {
            return;
        }
    }
}

fn read(stdout: impl Read, most: usize, answers: &Sender<Line>, heard: &Heard) {
    let mut stdout = BufReader::with_capacity(64 * 1024, stdout);
    loop {
        // A child that talks faster than it is listened to has to wait.
        while heard.waiting.load(Ordering::Relaxed) > most {
            thread::sleep(Duration::from_millis(1));
        }
        let mut line = Vec::new();
        let read = stdout
            .by_ref()
            .take(most as u64 + 1)
            .read_until(b'\n', &mut line);
        let is_whole = line.last() == Some(&b'\n');
        let line = match read {
            Ok(_) if is_whole => Line::Whole(line),
            Ok(_) if line.len() > most => Line::TooLong,
            Ok(_) | Err(_) => Line::End(line),
        };
        if let Line::Whole(line) = &line {
            heard.waiting.fetch_add(line.len(), Ordering::Relaxed);
        }
        let is_last = !matches!(line, Line::Whole(_));
        if answers.send(line).is_err() || is_last {
            // Whatever still comes is of no concern, but the child must be able to write it.
            let _ = io::copy(&mut stdout, &mut io::sink());
            return;
        }
    }
}

fn drain(stderr: impl Read, heard: &Heard, scribe: Option<&Scribe>) {
    let mut stderr = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        match stderr.by_ref().take(8 * 1024).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        if let Some(scribe) = scribe {
            scribe.note("!!", &String::from_utf8_lossy(&line));
        }
        let mut kept = heard.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&line);
        let excess = kept.len().saturating_sub(STDERR_KEPT);
        kept.drain(..excess);
    }
    heard.stderr_ended.store(true, Ordering::Relaxed);
}

struct ProcessSession {
    child: Box<dyn ChildWrapper>,
    to_child: Option<Sender<String>>,
    from_child: Receiver<Line>,
    heard: Arc<Heard>,
    scribe: Option<Scribe>,
    next_id: u64,
    unanswered: VecDeque<u64>,
    /// The question that was answered last.
    last: Option<u64>,
    pipeline: bool,
    /// Whether a reset is worth sending: an engine that declined one keeps nothing.
    resets: bool,
    reset_ids: VecDeque<u64>,
    limits: Limits,
    interrupt: Arc<AtomicBool>,
    is_broken: bool,
}

impl ProcessSession {
    fn note(&self, sign: &str, text: &str) {
        if let Some(scribe) = &self.scribe {
            scribe.note(sign, text);
        }
    }

    fn question(&mut self, method: &str, params: &Value) -> Result<(), EngineError> {
        let id = self.next_id;
        let mut line = wire::question(id, method, params);
        self.note("->", &line);
        line.push('\n');
        // A child that reads no more is found out by what it does not answer.
        if let Some(to_child) = &self.to_child {
            let _ = to_child.send(line);
        }
        self.next_id += 1;
        self.unanswered.push_back(id);
        Ok(())
    }

    fn broken(&mut self, why: String) -> EngineError {
        self.is_broken = true;
        EngineError::Broken(why)
    }

    fn next_answer(&mut self, limit: Duration) -> Result<Answer, EngineError> {
        self.receive(limit).map_err(|fault| fault.error)
    }

    /// Takes the next line from the child.
    fn line(&mut self, limit: Duration) -> Result<Vec<u8>, EngineError> {
        let deadline = Instant::now() + limit;
        let line = loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.from_child.recv_timeout(left.min(GLANCE)) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Timeout) if self.interrupt.load(Ordering::Relaxed) => {
                    self.is_broken = true;
                    return Err(EngineError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if left > GLANCE => {}
                Err(RecvTimeoutError::Timeout) => {
                    self.is_broken = true;
                    return Err(EngineError::Timeout(limit));
                }
                Err(RecvTimeoutError::Disconnected) => break Line::End(Vec::new()),
            }
        };
        match line {
            Line::Whole(line) => {
                self.heard.waiting.fetch_sub(line.len(), Ordering::Relaxed);
                Ok(line)
            }
            Line::TooLong => {
                let most = self.limits.max_answer;
                Err(self.broken(format!(
                    "the answer is longer than {most} bytes (--max-answer)"
                )))
            }
            Line::End(rest) => {
                let how = self.how_it_ended();
                Err(self.broken(match rest.is_empty() {
                    true => how,
                    false => format!(
                        "{how}, in the middle of a line: {}",
                        excerpt(&String::from_utf8_lossy(&rest))
                    ),
                }))
            }
        }
    }

    /// What became of a child that says nothing more.
    fn how_it_ended(&mut self) -> String {
        match wait(self.child.as_mut(), Duration::from_millis(300)) {
            Some(status) => {
                self.note("--", &format!("ended: {status}"));
                format!("the engine ended ({status})")
            }
            None => "the engine closed its output".to_owned(),
        }
    }

    fn not_started(&mut self, why: &str) -> EngineError {
        let said = self.stderr();
        EngineError::Start(match said.trim_end() {
            "" => why.to_owned(),
            said => format!("{why}; its standard error ends with:\n{said}"),
        })
    }

    /// Ends the child, and what it started in its process group.
    fn end(&mut self) {
        if !self.is_broken {
            self.is_broken = true;
            if self.to_child.is_some() {
                let _ = self.question("shutdown", &json!({}));
            }
            // The end of its input is the second hint.
            self.to_child = None;
            wait(self.child.as_mut(), GRACE);
        }
        self.to_child = None;
        // Also where the child itself is gone: what it started may not be.
        let _ = self.child.start_kill();
        let _ = self.child.wait();
    }
}

/// Waits until a child is gone, looking often at first.
fn wait(child: &mut dyn ChildWrapper, limit: Duration) -> Option<std::process::ExitStatus> {
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_micros(200);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if Instant::now() >= deadline {
            return None;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(GLANCE);
    }
}

impl Drop for ProcessSession {
    fn drop(&mut self) {
        self.end();
    }
}

impl Session for ProcessSession {
    fn reset(&mut self) -> Result<(), EngineError> {
        if self.send_reset()? {
            self.next_answer(self.limits.answer)?;
        }
        Ok(())
    }

    fn ask(&mut self, operation: &str, params: &Value) -> Result<Answer, EngineError> {
        self.send(operation, params)?;
        self.next_answer(self.limits.answer)
    }

    fn pipeline(&mut self) -> Option<&mut dyn Pipeline> {
        Some(self)
    }
}

impl Pipeline for ProcessSession {
    fn window(&self) -> usize {
        if self.pipeline { WINDOW } else { 1 }
    }

    fn send(&mut self, operation: &str, params: &Value) -> Result<(), EngineError> {
        self.question(operation, params)
    }

    fn send_reset(&mut self) -> Result<bool, EngineError> {
        if !self.resets {
            return Ok(false);
        }
        self.reset_ids.push_back(self.next_id);
        self.question("reset", &json!({}))?;
        Ok(true)
    }

    fn receive(&mut self, limit: Duration) -> Result<Answer, Fault> {
        let line = self.line(limit)?;
        if self.scribe.is_some() {
            self.note("<-", &String::from_utf8_lossy(&line));
        }
        let message = wire::message(&line).map_err(|why| self.broken(why))?;
        let oldest = self.unanswered.front().copied();
        match message.id {
            Some(id) if Some(id) == self.last => {
                let why = format!("question {id} was answered twice");
                return Err(Fault {
                    error: self.broken(why),
                    is_of_the_last: true,
                });
            }
            Some(id) if Some(id) != oldest => {
                let is_later = self.unanswered.contains(&id);
                let why = match (is_later, oldest) {
                    (true, Some(oldest)) => {
                        format!("question {id} was answered before question {oldest}")
                    }
                    _ => format!("no question has the id {id}"),
                };
                return Err(self.broken(why).into());
            }
            // An answer without an id is about a question that could not be read: the oldest.
            _ => {}
        }
        self.last = self.unanswered.pop_front();
        if self
            .reset_ids
            .front()
            .is_some_and(|id| Some(*id) == self.last)
        {
            self.reset_ids.pop_front();
            if message.answer == Ok(Answer::Declined) {
                self.resets = false;
            }
        }
        message.answer.map_err(Fault::from)
    }

    fn finish(&mut self) -> Result<(), Fault> {
        if self.is_broken {
            return Ok(());
        }
        let last = self.last;
        if self.question("shutdown", &json!({})).is_err() {
            return Ok(());
        }
        self.to_child = None;
        let heard = self.receive(GRACE);
        self.last = last;
        match heard {
            Err(fault) if fault.is_of_the_last => Err(fault),
            _ => Ok(()),
        }
    }

    fn stderr(&mut self) -> String {
        // A child that has ended has said all that it will; what it said may still be on its way.
        let deadline = Instant::now() + Duration::from_millis(200);
        while !self.heard.stderr_ended.load(Ordering::Relaxed) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        let kept = self
            .heard
            .stderr
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
