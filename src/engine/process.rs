//! An engine that is a program in any language, asked over its standard input and output.
//!
//! The child leads a process group of its own, which ends with it. `pipes.rs` reads and writes.

use std::{
    collections::VecDeque,
    env, io,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::RecvTimeoutError,
    },
    thread,
    time::{Duration, Instant},
};

use process_wrap::std::{ChildWrapper, CommandWrap, ProcessGroup};
use serde_json::{Value, json};

use super::{
    About, Answer, Engine, EngineError, Fault, Limits, Pipeline, Session, Variable,
    environment::environment,
    groups,
    pipes::{Line, Pipes},
    transcript::{Scribe, Transcript},
    wire,
};
use crate::diagnostics::{closest, excerpt, plain};

/// How many questions are on their way at once, where the engine allows it.
const WINDOW: usize = 256;
/// How long an engine that was asked to stop may take to do so.
const GRACE: Duration = Duration::from_secs(2);
/// How long it may take until a child that closed its output is known to have ended, and until all
/// is read that one which has ended had written.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How often a wait looks whether the run was interrupted or the child has ended.
const GLANCE: Duration = Duration::from_millis(20);

/// A program as an engine. Each session is a process of its own.
#[derive(Debug)]
pub struct ProcessEngine {
    command: Vec<String>,
    folder: Option<PathBuf>,
    variables: Vec<Variable>,
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
            variables: Vec::new(),
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

    /// What it is given of the environment beyond the common variables.
    #[must_use]
    pub fn variables(mut self, variables: Vec<Variable>) -> Self {
        self.variables = variables;
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

    /// What it is called as long as it has not said: the name of its program.
    fn name(&self) -> String {
        let name = self.command.first().map(String::as_str).unwrap_or_default();
        let file = Path::new(name).file_name();
        file.map_or(name.to_owned(), |n| n.to_string_lossy().into_owned())
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
                .env_clear()
                .envs(environment(env::vars_os(), &self.variables))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            if let Some(folder) = &self.folder {
                command.current_dir(folder);
            }
        });
        command.wrap(ProcessGroup::leader());
        let mut child = groups::start(|| command.spawn())
            .map_err(|error| EngineError::Start(not_spawned(program, &error)))?;
        let scribe = self.transcript.as_ref().map(Transcript::session);
        let ends = (
            child.stdin().take(),
            child.stdout().take(),
            child.stderr().take(),
        );
        let pipes = match ends {
            (Some(stdin), Some(stdout), Some(stderr)) => Pipes::new(
                stdin,
                stdout,
                stderr,
                self.limits.max_answer,
                scribe.clone(),
            ),
            _ => Err(io::Error::other("it has no pipes")),
        };
        let pipes = pipes.map_err(|error| {
            groups::end(child.as_mut());
            EngineError::Start(format!(
                "`{program}` cannot be listened to: {}",
                plain(&error)
            ))
        })?;
        Ok(ProcessSession {
            child,
            pipes,
            scribe,
            next_id: 0,
            unanswered: VecDeque::new(),
            last: None,
            pipeline: false,
            resets: true,
            reset_ids: VecDeque::new(),
            limits: self.limits.clone(),
            interrupt: Arc::clone(&self.interrupt),
            is_broken: false,
        })
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

impl Engine for ProcessEngine {
    fn about(&self) -> About {
        let about = self.about.lock().unwrap_or_else(PoisonError::into_inner);
        about.clone().unwrap_or_else(|| About {
            name: self.name(),
            ..About::default()
        })
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
            Err(EngineError::Interrupted) => return Err(EngineError::Interrupted),
            Err(error) if !error.is_survivable() => {
                return Err(session.not_started(&error.to_string()));
            }
            other => other,
        };
        let hello = wire::hello(answer, &self.name())?;
        session.pipeline = hello.pipeline;
        session.last = None; // what `initialize` was answered is behind us
        let mut about = self.about.lock().unwrap_or_else(PoisonError::into_inner);
        about.get_or_insert(hello.about);
        Ok(Box::new(session))
    }
}

struct ProcessSession {
    child: Box<dyn ChildWrapper>,
    pipes: Pipes,
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
        self.pipes.say(line);
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
        let mut deadline = Instant::now() + limit;
        let mut has_ended = false;
        let line = loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.pipes.answers.recv_timeout(left.min(GLANCE)) {
                Ok(line) => break line,
                Err(RecvTimeoutError::Disconnected) => break Line::End(Vec::new()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.interrupt.load(Ordering::Relaxed) {
                self.is_broken = true;
                return Err(EngineError::Interrupted);
            }
            if !has_ended && matches!(self.child.try_wait(), Ok(Some(_))) {
                // What it started may hold its output open. Without that it ends, after all that
                // the child itself has written.
                let _ = self.child.start_kill();
                has_ended = true;
                deadline = Instant::now() + LAST_WORDS;
            } else if left <= GLANCE && has_ended {
                break Line::End(Vec::new());
            } else if left <= GLANCE {
                self.is_broken = true;
                return Err(match self.pipes.begun() {
                    None => EngineError::Timeout(limit),
                    Some(begun) => EngineError::Unended { limit, begun },
                });
            }
        };
        match line {
            Line::Whole(line) => {
                self.pipes.taken(&line);
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
        match self.wait(LAST_WORDS) {
            Some(status) => {
                self.note("--", &format!("ended: {status}"));
                format!("the engine ended ({status})")
            }
            None => "the engine closed its output".to_owned(),
        }
    }

    /// Waits until the child is gone, looking often at first.
    fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        let mut pause = Duration::from_micros(200);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline || self.interrupt.load(Ordering::Relaxed) {
                return None;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(GLANCE);
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
            if self.pipes.is_open() {
                let _ = self.question("shutdown", &json!({}));
            }
            // The end of its input is the second hint.
            self.pipes.say_no_more();
            self.wait(GRACE);
        }
        groups::end(self.child.as_mut());
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
                let why = match oldest {
                    Some(oldest) if self.unanswered.contains(&id) => {
                        format!("question {id} was answered before question {oldest}")
                    }
                    _ if id < self.next_id => {
                        format!("question {id} was answered before, and once more now")
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
        self.pipes.say_no_more();
        let heard = self.receive(GRACE);
        self.last = last;
        match heard {
            Err(fault) if fault.is_of_the_last => Err(fault),
            _ => Ok(()),
        }
    }

    fn stderr(&mut self) -> String {
        self.pipes.stderr()
    }
}
