//! Inputs put to an engine, many at a time where the engine takes questions ahead.

use std::time::Duration;

use serde_json::{Map, Value};

use super::input::{Input, filled};
use crate::engine::{Answer, Engine, EngineError, Pipeline, Refusal, Session, guarded};

/// What came of one question.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A result.
    Value(Value),
    /// The engine's own no.
    Refused(Refusal),
    /// The engine does not do this.
    Declined,
    /// No answer could be had: a crash, a hang, or what is no message.
    Fault(EngineError),
}

impl From<Answer> for Said {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Value(value) => Self::Value(value),
            Answer::Refused(refusal) => Self::Refused(refusal),
            Answer::Declined => Self::Declined,
        }
    }
}

/// What an engine said to an input: an item for each question that was put. After anything but a
/// value or a refusal no more are.
pub type Answers = Vec<Said>;

/// An engine that is being asked.
pub struct Asker<'e> {
    engine: &'e dyn Engine,
    session: Option<Box<dyn Session>>,
    limit: Duration,
}

/// How many inputs are put at a time.
pub(super) const BATCH: usize = 64;

impl<'e> Asker<'e> {
    /// Starts the engine. An answer may take as long as `limit`.
    ///
    /// # Errors
    ///
    /// Where it cannot be started.
    pub fn start(engine: &'e dyn Engine, limit: Duration) -> Result<Self, EngineError> {
        Ok(Self {
            session: Some(engine.session()?),
            engine,
            limit,
        })
    }

    /// One input.
    ///
    /// # Errors
    ///
    /// Where the engine cannot be started again, or the search was interrupted.
    pub fn put(&mut self, input: &Input) -> Result<Answers, EngineError> {
        let answers = self.put_all(&[input])?;
        Ok(answers.into_iter().next().unwrap_or_default())
    }

    /// Several inputs. Each is put to what is as good as new.
    ///
    /// # Errors
    ///
    /// Where the engine cannot be started again, or the search was interrupted.
    pub fn put_all(&mut self, inputs: &[&Input]) -> Result<Vec<Answers>, EngineError> {
        let mut all: Vec<Answers> = Vec::with_capacity(inputs.len());
        while let Some(input) = inputs.get(all.len()) {
            let mut session = match self.session.take() {
                Some(session) => session,
                None => self.engine.session()?,
            };
            let before = all.len();
            let rest = &inputs[before..];
            let ahead = rest.iter().take_while(|i| is_independent(i)).count();
            let is_good = match session.pipeline() {
                Some(pipeline) if ahead > 0 => {
                    put_ahead(pipeline, &rest[..ahead], self.limit, &mut all)?
                }
                _ => {
                    let (answers, is_good) = put_one(session.as_mut(), input)?;
                    all.push(answers);
                    is_good
                }
            };
            if is_good {
                self.session = Some(session);
            }
        }
        Ok(all)
    }
}

/// Whether no question of an input needs an earlier answer.
fn is_independent(input: &Input) -> bool {
    input.questions.iter().all(|q| q.bind.is_none())
}

/// Asks questions one after the other. Says whether the session can be asked again.
fn put_one(session: &mut dyn Session, input: &Input) -> Result<(Answers, bool), EngineError> {
    let mut answers = Answers::new();
    let mut bound = Map::new();
    if let Err(error) = guarded(|| session.reset()) {
        return faulty(answers, error);
    }
    for question in &input.questions {
        let params = filled(&question.params, &bound);
        let said = match guarded(|| session.ask(&question.operation, &params)) {
            Ok(answer) => Said::from(answer),
            Err(error) => return faulty(answers, error),
        };
        if let (Some((name, pointer)), Said::Value(value)) = (&question.bind, &said)
            && let Some(part) = value.pointer(pointer)
        {
            bound.insert(name.clone(), part.clone());
        }
        let goes_on = match &question.bind {
            Some((name, _)) => bound.contains_key(name),
            None => said != Said::Declined,
        };
        answers.push(said);
        if !goes_on {
            break;
        }
    }
    Ok((answers, true))
}

fn faulty(mut answers: Answers, error: EngineError) -> Result<(Answers, bool), EngineError> {
    if matches!(error, EngineError::Interrupted | EngineError::Start(_)) {
        return Err(error);
    }
    let is_good = error.is_survivable();
    answers.push(Said::Fault(error));
    Ok((answers, is_good))
}

/// Sends questions ahead and takes their answers as they come. Ends early where a fault costs the
/// session; the input that is to blame is the last that is answered.
fn put_ahead(
    pipeline: &mut dyn Pipeline,
    inputs: &[&Input],
    limit: Duration,
    all: &mut Vec<Answers>,
) -> Result<bool, EngineError> {
    // What is to be sent: of each input a reset, and its questions.
    let mut outgoing = inputs.iter().enumerate().flat_map(|(i, input)| {
        let questions = input.questions.iter().map(move |q| (i, Some(q)));
        std::iter::once((i, None)).chain(questions)
    });
    let first = all.len();
    let mut under_way = std::collections::VecDeque::new();
    let window = pipeline.window();
    loop {
        while under_way.len() < window {
            let Some((input, question)) = outgoing.next() else {
                break;
            };
            let sent = match question {
                None => pipeline.send_reset(),
                Some(q) => pipeline.send(&q.operation, &q.params).map(|()| true),
            };
            match sent {
                Ok(true) => under_way.push_back((input, question.is_some())),
                Ok(false) => {}
                // What comes back tells why.
                Err(_) => break,
            }
        }
        let Some((input, is_question)) = under_way.pop_front() else {
            return Ok(true);
        };
        while all.len() <= first + input {
            all.push(Answers::new());
        }
        match pipeline.receive(limit) {
            Ok(answer) if is_question => all[first + input].push(answer.into()),
            Ok(_) => {}
            Err(fault) => {
                let blamed =
                    match fault.is_of_the_last && all[first + input].is_empty() && input > 0 {
                        true => first + input - 1,
                        false => first + input,
                    };
                all.truncate(blamed + 1);
                let answers = std::mem::take(&mut all[blamed]);
                let is_survivable = fault.error.is_survivable();
                let (answers, _) = faulty(answers, fault.error)?;
                all[blamed] = answers;
                if !is_survivable {
                    return Ok(false);
                }
            }
        }
    }
}
