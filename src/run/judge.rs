//! One case put to a session, and its answers held against what the case expects.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Detail, Outcome};
use crate::{
    diagnostics::brief,
    engine::{Answer, EngineError, Refusal, Session, guarded},
    operations::Operations,
    suite::{Bindings, Case, Expectation, Step},
};

/// Where a fault was met that came before the first step.
pub(super) const RESETTING: &str = "reset: ";

/// What became of a case, why, and whether the session can be asked again.
pub(crate) struct Verdict {
    pub(crate) outcome: Outcome,
    pub(crate) detail: Option<Box<Detail>>,
    pub(crate) session_is_good: bool,
}

/// Puts one case to a session, which is reset first. A panic of the engine is an error of the case.
pub(crate) fn put_case(case: &Case, session: &mut dyn Session, operations: &Operations) -> Verdict {
    put_case_until(case, session, operations, None)
}

/// As [`put_case`]; no step is put after the deadline.
pub(super) fn put_case_until(
    case: &Case,
    session: &mut dyn Session,
    operations: &Operations,
    deadline: Option<Instant>,
) -> Verdict {
    let mut bound = Bindings::new();
    let mut verdict = put_steps(case, session, operations, &mut bound, deadline);
    if let Some(detail) = verdict
        .detail
        .as_mut()
        .filter(|_| verdict.outcome.is_failure())
    {
        detail.tell_question(case, &bound);
    }
    verdict
}

fn put_steps(
    case: &Case,
    session: &mut dyn Session,
    operations: &Operations,
    bound: &mut Bindings,
    deadline: Option<Instant>,
) -> Verdict {
    session.begin(&case.name);
    if let Err(error) = guarded(|| session.reset()) {
        return failed(0, RESETTING, error);
    }
    for (i, step) in case.steps.iter().enumerate() {
        let number = i + 1;
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return failed(number, "", EngineError::Timeout(Duration::ZERO));
        }
        let params = step.given.fill(bound);
        let answer = match guarded(|| session.ask(&step.operation, &params)) {
            Ok(answer) => answer,
            Err(error) => return failed(number, "", error),
        };
        if let Err((outcome, mut detail)) = judge(step, answer, operations, bound) {
            detail.step = number;
            return Verdict {
                outcome,
                detail: Some(detail),
                session_is_good: true,
            };
        }
    }
    Verdict {
        outcome: Outcome::Pass,
        detail: None,
        session_is_good: true,
    }
}

impl Detail {
    /// Notes what was asked at the step that decided.
    pub(super) fn tell_question(&mut self, case: &Case, bound: &Bindings) {
        if let Some(step) = self.step.checked_sub(1).and_then(|i| case.steps.get(i)) {
            self.asked = Some((step.operation.clone(), step.given.fill(bound).into_owned()));
        }
    }
}

fn failed(step: usize, context: &str, error: EngineError) -> Verdict {
    let (outcome, detail) = outcome_of(step, context, &error);
    Verdict {
        outcome,
        detail,
        session_is_good: error.is_survivable(),
    }
}

/// What a case comes to that has met this error.
pub(super) fn outcome_of(
    step: usize,
    context: &str,
    error: &EngineError,
) -> (Outcome, Option<Box<Detail>>) {
    let outcome = match error {
        EngineError::Timeout(_) | EngineError::Unended { .. } => Outcome::Timeout,
        EngineError::Interrupted => Outcome::Skipped,
        _ => Outcome::Error,
    };
    let mut detail = Detail::says(format!("{context}{error}"));
    detail.step = step;
    (outcome, Some(detail))
}

/// Holds one answer against what its step expects, and binds what the step names in it.
pub(super) fn judge(
    step: &Step,
    answer: Answer,
    operations: &Operations,
    bound: &mut Bindings,
) -> Result<(), (Outcome, Box<Detail>)> {
    let answer = match answer {
        Answer::Declined => {
            let detail = Detail::declines(vec![step.operation.clone()]);
            return Err((Outcome::Unsupported, detail));
        }
        answer => answer,
    };
    match (&step.expectation, answer) {
        (Expectation::Refused(expected), Answer::Refused(refusal)) => {
            let told = Value::Object(refusal.data.clone()).to_string();
            let unnamed = expected.naming.iter().find(|word| {
                !refusal.message.contains(word.as_str()) && !told.contains(word.as_str())
            });
            let message = if refusal.reason != expected.reason {
                format!(
                    "refused with `{}`, expected `{}`",
                    refusal.reason, expected.reason
                )
            } else if let Some(word) = unnamed {
                format!("the refusal does not name `{word}`: {}", refusal.message)
            } else {
                return Ok(());
            };
            let (outcome, mut detail) =
                wrong(message, Some(refusal_expected(expected)), refused(&refusal));
            // With another reason it would have passed, whatever else it tells.
            detail.nearest = unnamed.is_none().then(|| {
                refused(&Refusal {
                    reason: expected.reason.clone(),
                    ..refusal
                })
            });
            Err((outcome, detail))
        }
        (Expectation::Refused(expected), Answer::Value(value)) => {
            let message = format!(
                "expected a refusal, `{}`, got {}",
                expected.reason,
                brief(&value)
            );
            Err(wrong(message, Some(refusal_expected(expected)), value))
        }
        (expectation, Answer::Refused(refusal)) => {
            let message = format!("refused with `{}`: {}", refusal.reason, refusal.message);
            let expected = match expectation {
                Expectation::Answer(e) => Some(e.template.fill(bound).into_owned()),
                _ => None,
            };
            Err(wrong(message, expected, refused(&refusal)))
        }
        (Expectation::Answer(expected), Answer::Value(value)) => {
            let Some(mismatch) = expected.mismatch(&value, bound) else {
                return bind(step, value, operations, bound);
            };
            let (value, mismatch) = match objects_read(step, &value, operations) {
                None => (value, mismatch),
                Some(read) => match expected.mismatch(&read, bound) {
                    None => return bind(step, read, operations, bound),
                    Some(mismatch) => (read, mismatch),
                },
            };
            let at = match mismatch.pointer.as_str() {
                "" => String::new(),
                pointer => format!("{pointer}: "),
            };
            let (outcome, mut detail) = wrong(
                format!("{at}{}", mismatch.message),
                Some(expected.template.fill(bound).into_owned()),
                value,
            );
            detail.pointer = Some(mismatch.pointer);
            detail.nearest = Some(mismatch.nearest);
            Err((outcome, detail))
        }
        (Expectation::Anything, Answer::Value(value)) => bind(step, value, operations, bound),
        (_, Answer::Declined) => Ok(()), // dealt with above
    }
}

/// The answer with `{}` where `[]` stands for it: some languages cannot tell the two apart.
fn objects_read(step: &Step, value: &Value, operations: &Operations) -> Option<Value> {
    let schema = operations.get(&step.operation)?.result_schema();
    crate::operations::objects_for_lists(&schema, value)
}

fn bind(
    step: &Step,
    value: Value,
    operations: &Operations,
    bound: &mut Bindings,
) -> Result<(), (Outcome, Box<Detail>)> {
    if step.bind.is_empty() {
        return Ok(());
    }
    let value = objects_read(step, &value, operations).unwrap_or(value);
    for (name, pointer) in &step.bind {
        match value.pointer(pointer) {
            Some(part) => {
                bound.insert(name.clone(), part.clone());
            }
            None => {
                let message = format!(
                    "the answer of `{}` has nothing at `{pointer}`, which later steps use as `${name}`",
                    step.operation
                );
                return Err(wrong(message, None, value));
            }
        }
    }
    Ok(())
}

fn wrong(message: String, expected: Option<Value>, actual: Value) -> (Outcome, Box<Detail>) {
    let mut detail = Detail::says(message);
    detail.expected = expected;
    detail.actual = Some(actual);
    (Outcome::Fail, detail)
}

fn refused(refusal: &Refusal) -> Value {
    json!({ "refused": refusal })
}

fn refusal_expected(expected: &crate::suite::Refused) -> Value {
    match expected.naming.as_slice() {
        [] => json!({ "refused": { "reason": expected.reason } }),
        naming => json!({ "refused": { "reason": expected.reason, "naming": naming } }),
    }
}
