//! What is under test, and how it is asked.
//!
//! [`Engine`] says who answers and opens [`Session`]s; a session is asked one question at a time
//! and gives an [`Answer`]: a value, a refusal, or that it does not do this. `rust.rs` makes an
//! engine of a Rust type; `process.rs` and `http.rs` reach engines in other languages over the
//! wire, whose messages `wire.rs` reads and writes; `serve.rs` lets any engine be asked from
//! outside; `pipeline.rs` is about questions that are sent ahead, and `transcript.rs` writes down
//! what was said. `environment.rs`, `pipes.rs`, `groups.rs` and `orphans.rs` are about programs: what
//! they see of the environment, what goes in and out, and that none is left.

#[cfg(feature = "cli")]
mod environment;
#[cfg(feature = "cli")]
mod groups;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "cli")]
mod orphans;
mod pipeline;
#[cfg(feature = "cli")]
mod pipes;
#[cfg(feature = "cli")]
mod process;
mod rust;
mod serve;
#[cfg(any(feature = "cli", feature = "http"))]
mod transcript;
#[cfg(any(feature = "cli", feature = "http"))]
mod wire;

use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cfg(feature = "cli")]
pub use environment::Variable;
#[cfg(feature = "cli")]
pub use groups::kill_all;
#[cfg(feature = "http")]
pub use http::HttpEngine;
#[cfg(feature = "cli")]
pub use orphans::adopt_orphans;
pub use pipeline::{Fault, Pipeline};
#[cfg(feature = "cli")]
pub use process::ProcessEngine;
pub use rust::RustEngine;
pub use serve::{PROTOCOL, serve};
#[cfg(any(feature = "cli", feature = "http"))]
pub use transcript::Transcript;

/// Who answers, and what it claims to do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The engine's own name.
    pub name: String,
    /// The engine's own version, in whatever form it uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The programming language it is written in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The profiles it claims. Empty claims all.
    #[serde(default)]
    pub profiles: Vec<String>,
    /// The operations it claims. `None`: not said, so everything is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations: Option<BTreeSet<String>>,
}

impl About {
    /// Whether this operation is to be asked.
    pub fn claims_operation(&self, name: &str) -> bool {
        self.operations.as_ref().is_none_or(|o| o.contains(name))
    }

    /// Whether any of these profiles is claimed.
    pub fn claims_any_profile<'a>(&self, profiles: impl IntoIterator<Item = &'a str>) -> bool {
        self.profiles.is_empty()
            || profiles
                .into_iter()
                .any(|wanted| self.profiles.iter().any(|p| p == wanted))
    }
}

/// What came of one question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A result.
    Value(Value),
    /// The engine does this, and says no to this input.
    Refused(Refusal),
    /// The engine does not do this, or not with this input.
    Declined,
}

/// The engine's own no: what it answers to an input that it must not carry out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// A word that cases can name, `run_ended`; `other` where none fits.
    pub reason: String,
    /// What the engine says to people.
    pub message: String,
    /// Whatever else it tells, `difference` of a `topology_mismatch`.
    #[serde(flatten)]
    pub data: serde_json::Map<String, Value>,
}

impl Refusal {
    /// A refusal with a reason and a message.
    ///
    /// ```
    /// let no = standing::engine::Refusal::new("run_ended", "checkpoint cp_1 belongs to a run that has ended");
    /// assert_eq!(no.reason, "run_ended");
    /// ```
    pub fn new(reason: impl Into<String>, message: impl std::fmt::Display) -> Self {
        Self {
            reason: reason.into(),
            message: message.to_string(),
            data: serde_json::Map::new(),
        }
    }

    /// Adds a member to what the refusal tells.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.data.insert(key.into(), value.into());
        self
    }
}

/// Why no answer came.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The engine could not be started, or does not speak the protocol.
    #[error("the engine could not be started: {0}")]
    Start(String),
    /// The engine failed at this question, and can be asked the next.
    #[error("{0}")]
    Failed(String),
    /// The session is of no more use: the process is gone, or talks nonsense.
    #[error("{0}")]
    Broken(String),
    /// No answer within the time limit; the session is of no more use.
    #[error("no answer within {0:?}")]
    Timeout(Duration),
    /// As a timeout, and an answer had begun: most often a line whose newline was not written.
    #[error("no answer within {limit:?}: a line began and did not end: {begun}")]
    Unended {
        /// The time limit.
        limit: Duration,
        /// What had come.
        begun: String,
    },
    /// The run was interrupted while the answer was awaited.
    #[error("the run was interrupted")]
    Interrupted,
}

impl EngineError {
    /// Whether the session that gave this error can be asked again.
    pub fn is_survivable(&self) -> bool {
        matches!(self, Self::Failed(_))
    }

    /// The same, where the time was what was left of this limit.
    pub(crate) fn within(self, limit: Duration) -> Self {
        match self {
            Self::Timeout(_) => Self::Timeout(limit),
            Self::Unended { begun, .. } => Self::Unended { limit, begun },
            other => other,
        }
    }
}

/// What an engine that is reached over the wire may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How long an answer may take.
    pub answer: Duration,
    /// How long starting may take, up to the answer to `initialize`.
    pub start: Duration,
    /// How long an answer may be, in bytes.
    pub max_answer: usize,
}

impl Default for Limits {
    /// 5 seconds, 10 seconds, 64 MiB.
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(5),
            start: Duration::from_secs(10),
            max_answer: 64 * 1024 * 1024,
        }
    }
}

/// What is under test.
pub trait Engine: Send + Sync {
    /// Who answers, and which profiles and operations it claims.
    fn about(&self) -> About;

    /// A fresh session to ask: one for each worker, and another after a crash.
    ///
    /// # Errors
    ///
    /// [`EngineError::Start`] where the engine cannot be had.
    fn session(&self) -> Result<Box<dyn Session>, EngineError>;
}

/// Runs engine code; a panic in it is an error, and the session is lost.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, EngineError>) -> Result<T, EngineError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<&str>()
            .map(|s| (*s).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no message".to_owned());
        Err(EngineError::Broken(format!(
            "the engine panicked: {message}"
        )))
    })
}

/// A conversation with an engine, one question at a time.
pub trait Session: Send {
    /// Says which case the next questions belong to, for a transcript; the engine is told nothing.
    fn begin(&mut self, _case: &str) {}

    /// Forgets all that earlier cases left behind. An engine that keeps nothing need not say so.
    ///
    /// # Errors
    ///
    /// Any [`EngineError`]; after one that is not survivable the session is dropped.
    fn reset(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    /// Puts one question: an operation's name and its params, a JSON object.
    ///
    /// # Errors
    ///
    /// Any [`EngineError`]; after one that is not survivable the session is dropped.
    fn ask(&mut self, operation: &str, params: &Value) -> Result<Answer, EngineError>;

    /// The session as one that questions can be sent ahead to, if it is such a one.
    fn pipeline(&mut self) -> Option<&mut dyn Pipeline> {
        None
    }
}
