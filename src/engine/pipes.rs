//! Threads at the pipes of an engine that is a program: one writes questions, so that a program that
//! does not read cannot stop the harness; one reads answers into a queue; one reads standard error
//! and keeps its end.

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, Read, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use super::transcript::Scribe;
use crate::diagnostics::excerpt;

/// How much of standard error is kept.
const STDERR_KEPT: usize = 64 * 1024;
/// How much of a line that has no end yet is kept to be shown.
const BEGUN_KEPT: usize = 128;

/// What came over standard output.
pub(super) enum Line {
    Whole(Vec<u8>),
    /// Longer than any answer may be.
    TooLong,
    /// The output ended, perhaps in the middle of a line.
    End(Vec<u8>),
}

/// The harness's ends of the pipes.
pub(super) struct Pipes {
    questions: Option<Sender<String>>,
    pub(super) answers: Receiver<Line>,
    heard: Arc<Heard>,
}

/// What the reading threads share with the session.
#[derive(Debug, Default)]
struct Heard {
    /// Bytes of answers that were read and not taken yet.
    waiting: AtomicUsize,
    /// The start of a line whose end has not come.
    begun: Mutex<Vec<u8>>,
    /// Nobody listens any more.
    is_over: AtomicBool,
    stderr: Mutex<VecDeque<u8>>,
    stderr_ended: AtomicBool,
}

impl Pipes {
    /// Starts the threads. An answer of more than `most` bytes is too long.
    pub(super) fn new(
        stdin: impl Write + Send + 'static,
        stdout: impl Read + Send + 'static,
        stderr: impl Read + Send + 'static,
        most: usize,
        scribe: Option<Scribe>,
    ) -> io::Result<Self> {
        let heard = Arc::new(Heard::default());
        let (questions, to_write) = mpsc::channel();
        let (to_tell, answers) = mpsc::channel();
        start("questions", move || write(stdin, &to_write))?;
        start("answers", {
            let heard = Arc::clone(&heard);
            move || read(stdout, most, &to_tell, &heard)
        })?;
        start("stderr", {
            let heard = Arc::clone(&heard);
            move || drain(stderr, &heard, scribe.as_ref())
        })?;
        Ok(Self {
            questions: Some(questions),
            answers,
            heard,
        })
    }

    /// Writes a line, without waiting until it is read. A child that reads no more is found out by
    /// what it does not answer.
    pub(super) fn say(&self, line: String) {
        if let Some(questions) = &self.questions {
            let _ = questions.send(line);
        }
    }

    /// Ends the child's input, once all that was said is written.
    pub(super) fn say_no_more(&mut self) {
        self.questions = None;
    }

    pub(super) fn is_open(&self) -> bool {
        self.questions.is_some()
    }

    /// Makes room for more answers.
    pub(super) fn taken(&self, line: &[u8]) {
        self.heard.waiting.fetch_sub(line.len(), Ordering::Relaxed);
    }

    /// The start of a line whose end has not come, for a message.
    pub(super) fn begun(&self) -> Option<String> {
        let begun = self.heard.begun.lock();
        let begun = begun.unwrap_or_else(PoisonError::into_inner);
        (!begun.is_empty()).then(|| excerpt(&String::from_utf8_lossy(&begun)))
    }

    /// The end of what was written to standard error. A child that has ended has said all that it
    /// will, but that may still be on its way.
    pub(super) fn stderr(&self) -> String {
        let deadline = Instant::now() + Duration::from_millis(200);
        while !self.heard.stderr_ended.load(Ordering::Relaxed) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        let kept = self.heard.stderr.lock();
        let kept = kept.unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.heard.is_over.store(true, Ordering::Relaxed);
    }
}

fn start(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map(drop)
}

fn write(mut stdin: impl Write, questions: &Receiver<String>) {
    while let Ok(mut text) = questions.recv() {
        // What has gathered meanwhile goes in one piece.
        while let Ok(more) = questions.try_recv() {
            text.push_str(&more);
        }
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
        while heard.waiting.load(Ordering::Relaxed) > most && !heard.is_over.load(Ordering::Relaxed)
        {
            thread::sleep(Duration::from_millis(1));
        }
        let line = read_line(&mut stdout, most, heard);
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

/// Reads up to the end of a line, piece by piece: what there is of it can be told meanwhile.
fn read_line(stdout: &mut impl BufRead, most: usize, heard: &Heard) -> Line {
    let mut line = Vec::new();
    loop {
        let piece = match stdout.fill_buf() {
            Ok(piece) => piece,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        if piece.is_empty() {
            return Line::End(line);
        }
        let end = piece.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(piece.len(), |end| end + 1);
        line.extend_from_slice(&piece[..taken]);
        stdout.consume(taken);
        if line.len() - usize::from(end.is_some()) > most {
            return Line::TooLong;
        }
        let mut begun = heard.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.clear();
        if end.is_some() {
            return Line::Whole(line);
        }
        begun.extend_from_slice(&line[..line.len().min(BEGUN_KEPT)]);
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
