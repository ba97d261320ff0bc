//! Questions that are on their way.

use std::time::Duration;

use serde_json::Value;

use super::{Answer, EngineError};

/// A session that takes questions before earlier answers have come, and answers in order.
///
/// Every [`send`](Self::send) and [`send_reset`](Self::send_reset) that succeeds is answered by one
/// [`receive`](Self::receive).
pub trait Pipeline {
    /// How many questions may be on their way at once, at least 1.
    fn window(&self) -> usize;

    /// Says which case the questions that are sent next belong to, as
    /// [`Session::begin`](super::Session::begin) does.
    fn begin(&mut self, _case: &str) {}

    /// Sends a question without waiting for its answer.
    ///
    /// # Errors
    ///
    /// The session is of no more use.
    fn send(&mut self, operation: &str, params: &Value) -> Result<(), EngineError>;

    /// Sends the wish that all that earlier cases left behind be forgotten. `false`: the engine is
    /// known to keep nothing, and nothing was sent.
    ///
    /// # Errors
    ///
    /// The session is of no more use.
    fn send_reset(&mut self) -> Result<bool, EngineError>;

    /// Waits for the answer to the oldest question that has none.
    ///
    /// # Errors
    ///
    /// The fault, and whose it is.
    fn receive(&mut self, limit: Duration) -> Result<Answer, Fault>;

    /// Says that no more questions come, and waits a little for what the engine still says.
    ///
    /// # Errors
    ///
    /// A fault of the question that was answered last.
    fn finish(&mut self) -> Result<(), Fault>;

    /// What the engine has written to its standard error so far: the end of it.
    fn stderr(&mut self) -> String;
}

/// Why an answer did not come, and which question is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub error: EngineError,
    /// The question that was answered last is to blame, not the oldest unanswered: it was
    /// answered twice.
    pub is_of_the_last: bool,
}

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Self {
        Self {
            error,
            is_of_the_last: false,
        }
    }
}
