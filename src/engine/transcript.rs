//! Every message between the harness and an engine, for those who write adapters.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::diagnostics::printable;

/// A file that every message is written to, a line each: the number of the session, `->` for a
/// question, `<-` for an answer, `!!` for a line of standard error, `--` for what else happened.
#[derive(Clone, Debug)]
pub struct Transcript {
    file: Arc<Mutex<BufWriter<File>>>,
    sessions: Arc<AtomicUsize>,
}

/// The transcript of one session.
#[derive(Clone, Debug)]
pub(super) struct Scribe {
    transcript: Transcript,
    session: usize,
}

impl Transcript {
    /// Starts a transcript; a file that is there is written over.
    ///
    /// # Errors
    ///
    /// Those of creating the file.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: Arc::new(Mutex::new(BufWriter::new(File::create(path)?))),
            sessions: Arc::default(),
        })
    }

    /// Numbers another session.
    pub(super) fn session(&self) -> Scribe {
        Scribe {
            transcript: self.clone(),
            session: self.sessions.fetch_add(1, Ordering::Relaxed) + 1,
        }
    }
}

impl Scribe {
    /// Writes a line. A transcript that cannot be written does not end a run.
    pub(super) fn note(&self, sign: &str, text: &str) {
        let mut file = self
            .transcript
            .file
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(
            file,
            "{} {sign} {}",
            self.session,
            printable(text.trim_end())
        );
        let _ = file.flush();
    }
}
