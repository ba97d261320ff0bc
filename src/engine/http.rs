//! An engine that is a server: every question is one POST, its answer the body.

use std::{
    io::Read,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use serde_json::{Value, json};
use ureq::{Agent, http::StatusCode};

use super::{
    About, Answer, Engine, EngineError, Limits, Session,
    transcript::{Scribe, Transcript},
    wire,
};
use crate::diagnostics::{excerpt, plain};

/// A server as an engine. Sessions share its connections; they cannot share its state, so cases
/// that span several questions need a server that keeps runs apart by their names.
#[derive(Debug)]
pub struct HttpEngine {
    url: String,
    limits: Limits,
    transcript: Option<Transcript>,
    agent: Agent,
    about: Mutex<Option<About>>,
}

impl HttpEngine {
    /// The server at this address, `http://localhost:8080/rpc`.
    pub fn new(url: impl Into<String>, limits: Limits) -> Self {
        let config = Agent::config_builder()
            // No proxy of the environment's, and no other host than the one that was named.
            .proxy(None)
            .max_redirects(0)
            .http_status_as_error(false)
            // A connection for each worker, however many there are.
            .max_idle_connections(usize::MAX)
            .max_idle_connections_per_host(usize::MAX)
            .user_agent(concat!(
                env!("CARGO_PKG_NAME"),
                "/",
                env!("CARGO_PKG_VERSION")
            ))
            .build();
        Self {
            url: url.into(),
            limits,
            transcript: None,
            agent: config.into(),
            about: Mutex::default(),
        }
    }

    /// Writes every message to a transcript.
    #[must_use]
    pub fn transcript(mut self, transcript: Option<Transcript>) -> Self {
        self.transcript = transcript;
        self
    }
}

impl Engine for HttpEngine {
    fn about(&self) -> About {
        let about = self.about.lock().unwrap_or_else(PoisonError::into_inner);
        about.clone().unwrap_or_default()
    }

    fn session(&self) -> Result<Box<dyn Session>, EngineError> {
        let mut session = HttpSession {
            url: self.url.clone(),
            agent: self.agent.clone(),
            limits: self.limits.clone(),
            scribe: self.transcript.as_ref().map(Transcript::session),
            next_id: 0,
            resets: true,
        };
        let answer = session.post("initialize", &wire::initialize_params(), self.limits.start);
        let answer = match answer {
            Err(error @ (EngineError::Timeout(_) | EngineError::Broken(_))) => {
                return Err(EngineError::Start(format!("{}: {error}", self.url)));
            }
            other => other,
        };
        let hello = wire::hello(answer, &self.url)?;
        let mut about = self.about.lock().unwrap_or_else(PoisonError::into_inner);
        about.get_or_insert(hello.about);
        Ok(Box::new(session))
    }
}

struct HttpSession {
    url: String,
    agent: Agent,
    limits: Limits,
    scribe: Option<Scribe>,
    next_id: u64,
    /// Whether a reset is worth sending: an engine that declined one keeps nothing.
    resets: bool,
}

impl HttpSession {
    fn post(
        &mut self,
        method: &str,
        params: &Value,
        limit: Duration,
    ) -> Result<Answer, EngineError> {
        let id = self.next_id;
        self.next_id += 1;
        let question = wire::question(id, method, params);
        if let Some(scribe) = &self.scribe {
            scribe.note("->", &question);
        }
        let may_repeat = method == "reset";
        let body = self.exchange(&question, limit, may_repeat);
        let body = body.inspect_err(|error| {
            if let Some(scribe) = &self.scribe {
                scribe.note("--", &error.to_string());
            }
        })?;
        if let Some(scribe) = &self.scribe {
            scribe.note("<-", &String::from_utf8_lossy(&body));
        }
        let message = wire::message(&body).map_err(EngineError::Broken)?;
        match message.id {
            Some(other) if other != id => Err(EngineError::Broken(format!(
                "question {id} was answered with the id {other}"
            ))),
            _ => message.answer,
        }
    }

    /// Sends a question and reads what comes back. One that may be put twice is sent again where the
    /// connection is lost: a server may close one that it holds unused for long.
    fn exchange(
        &self,
        question: &str,
        limit: Duration,
        may_repeat: bool,
    ) -> Result<Vec<u8>, EngineError> {
        let fault = |error: ureq::Error| match error {
            ureq::Error::Timeout(_) => EngineError::Timeout(limit),
            ureq::Error::Io(error) => {
                EngineError::Broken(format!("the server cannot be asked: {}", plain(&error)))
            }
            error => EngineError::Broken(format!("the server cannot be asked: {error}")),
        };
        let send = || {
            self.agent
                .post(&self.url)
                .config()
                .timeout_global(Some(limit))
                .build()
                .content_type("application/json")
                .header("accept", "application/json")
                .send(question)
        };
        let sent = match send() {
            Err(ureq::Error::Io(_)) if may_repeat => send(),
            sent => sent,
        };
        let mut response = sent.map_err(fault)?;
        let status = response.status();
        if status.is_redirection() {
            let to = response
                .headers()
                .get("location")
                .and_then(|l| l.to_str().ok())
                .unwrap_or("another address");
            let message = format!("the server redirects ({status}) to {to}, which is not followed");
            return Err(EngineError::Broken(message));
        }
        if status != StatusCode::OK {
            // What it says, if anything: a page for people, more often than not.
            let mut said = Vec::new();
            let _ = response
                .body_mut()
                .as_reader()
                .take(1024)
                .read_to_end(&mut said);
            let said = match said.trim_ascii() {
                [] => String::new(),
                said => format!(": {}", excerpt(&String::from_utf8_lossy(said))),
            };
            return Err(EngineError::Broken(format!(
                "the server answered with the status {status}{said}"
            )));
        }
        let most = self.limits.max_answer;
        let mut body = Vec::new();
        let mut reader = response
            .body_mut()
            .with_config()
            .limit((most as u64).saturating_add(1))
            .reader();
        reader
            .by_ref()
            .take((most as u64).saturating_add(1))
            .read_to_end(&mut body)
            .map_err(|error| {
                let is_late = error.kind() == std::io::ErrorKind::TimedOut
                    || error
                        .get_ref()
                        .and_then(|e| e.downcast_ref())
                        .is_some_and(|e| matches!(e, ureq::Error::Timeout(_)));
                match is_late {
                    true => EngineError::Timeout(limit),
                    false => {
                        let why = plain(&error);
                        EngineError::Broken(format!("the answer cannot be read: {why}"))
                    }
                }
            })?;
        if body.len() > most {
            return Err(EngineError::Broken(format!(
                "the answer is longer than {most} bytes (--max-answer)"
            )));
        }
        Ok(body)
    }
}

impl Session for HttpSession {
    fn begin(&mut self, case: &str) {
        if let Some(scribe) = &self.scribe {
            scribe.note("--", case);
        }
    }

    fn reset(&mut self) -> Result<(), EngineError> {
        if self.resets {
            let answer = self.post("reset", &json!({}), self.limits.answer)?;
            self.resets = answer != Answer::Declined;
        }
        Ok(())
    }

    fn ask(&mut self, operation: &str, params: &Value) -> Result<Answer, EngineError> {
        self.post(operation, params, self.limits.answer)
    }
}
