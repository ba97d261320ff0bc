//! What an engine answers, a line for a line, with its state kept from line to line.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use standing::engine::{About, Answer, Engine, EngineError, Session, serve};

/// One session of an engine.
#[derive(Clone)]
pub struct Answers {
    about: About,
    session: Arc<Mutex<Box<dyn Session>>>,
}

impl Answers {
    pub fn new(engine: &dyn Engine) -> Self {
        Self {
            about: engine.about(),
            session: Arc::new(Mutex::new(engine.session().expect("it starts"))),
        }
    }

    /// The answer to a question, without the newline.
    pub fn to(&self, question: &str) -> String {
        let mut answer = Vec::new();
        serve(self, question.as_bytes(), &mut answer).expect("a buffer can be written");
        let text = String::from_utf8(answer).expect("UTF-8");
        text.trim_end().to_owned()
    }

    fn session(&self) -> MutexGuard<'_, Box<dyn Session>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for Answers {
    fn about(&self) -> About {
        self.about.clone()
    }

    fn session(&self) -> Result<Box<dyn Session>, EngineError> {
        Ok(Box::new(self.clone()))
    }
}

impl Session for Answers {
    fn reset(&mut self) -> Result<(), EngineError> {
        Self::session(self).reset()
    }

    fn ask(&mut self, operation: &str, params: &Value) -> Result<Answer, EngineError> {
        Self::session(self).ask(operation, params)
    }
}
