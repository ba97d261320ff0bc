//! Whether two engines say the same, as far as the specification says what is to be said.
//!
//! Parts that it leaves open are not looked at; each is named here by the entry of
//! docs/open-questions.md, or the rule, that leaves it open. What an engine tells beyond the question
//! is not looked at either.

use serde_json::{Map, Value, json};

use super::{ask::Said, input::Input};
use crate::{
    engine::Refusal,
    operations::objects_for_lists,
    suite::{Shapes, same},
};

/// Where two engines differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The question, counted from 0.
    pub question: usize,
    /// What is wrong, on one line.
    pub message: String,
    /// What was expected: a value, `{"refused": …}`, or nothing in particular.
    pub expected: Option<Value>,
    /// What came instead; nothing where no answer came.
    pub actual: Option<Value>,
}

/// The first difference between what is expected and what an engine said to an input. An engine that
/// declines a question does not differ in it, nor in what comes after.
pub fn difference(
    shapes: &Shapes,
    input: &Input,
    expected: &[Said],
    actual: &[Said],
) -> Option<Difference> {
    for (question, (asked, said)) in input.questions.iter().zip(actual).enumerate() {
        let expected = expected.get(question)?;
        let differs = |message: String, expected: Option<Value>, actual: Option<Value>| {
            Some(Difference {
                question,
                message,
                expected,
                actual,
            })
        };
        match (expected, said) {
            (_, Said::Declined) | (Said::Declined, _) => return None,
            // A fault of what is compared with says nothing of this engine.
            (Said::Fault(_), _) => return None,
            (_, Said::Fault(error)) => return differs(error.to_string(), None, None),
            (Said::Refused(no), Said::Refused(other)) => {
                if let Some(message) = refusals_differ(&asked.operation, no, other) {
                    return differs(
                        message,
                        Some(json!({ "refused": no })),
                        Some(json!({ "refused": other })),
                    );
                }
            }
            (Said::Refused(no), Said::Value(value)) => {
                let message = format!("expected a refusal, `{}`", no.reason);
                return differs(message, Some(json!({ "refused": no })), Some(value.clone()));
            }
            (Said::Value(value), Said::Refused(no)) => {
                let message = format!("refused with `{}`: {}", no.reason, no.message);
                return differs(message, Some(value.clone()), Some(json!({ "refused": no })));
            }
            (Said::Value(expected), Said::Value(actual)) => {
                if same(expected, actual) {
                    continue;
                }
                let read = shapes
                    .result(&asked.operation)
                    .and_then(|schema| objects_for_lists(&schema, actual));
                let mut actual = read.unwrap_or_else(|| actual.clone());
                if let Some(why) = shapes.result_misfit(&asked.operation, &actual) {
                    return differs(
                        format!("no answer to `{}`: {why}", asked.operation),
                        Some(expected.clone()),
                        Some(actual),
                    );
                }
                let mut expected = expected.clone();
                settle(input, question, &mut expected, &mut actual);
                if !same(&expected, &actual) {
                    return differs("the answers differ".into(), Some(expected), Some(actual));
                }
            }
        }
    }
    None
}

/// Reasons that the operations' own descriptions give: an engine that has another word for a failure
/// of its own says `other`.
fn refusals_differ(operation: &str, expected: &Refusal, actual: &Refusal) -> Option<String> {
    if expected.reason != actual.reason {
        return Some(format!(
            "refused with `{}`, expected `{}`",
            actual.reason, expected.reason
        ));
    }
    // INT-14 has the refusal name the checkpoint. Whether it names the status is open.
    if operation == "run.seed" {
        let told = format!("{} {}", actual.message, Value::Object(actual.data.clone()));
        let named = expected.message.split('`').nth(1);
        if let Some(named) = named.filter(|named| !told.contains(named)) {
            return Some(format!(
                "the refusal does not name `{named}`: {}",
                actual.message
            ));
        }
    }
    expected.data.iter().find_map(|(member, value)| {
        let told = actual.data.get(member);
        let is_same = told.is_some_and(|told| same(&sorted_lists(value), &sorted_lists(told)));
        (!is_same && member != "cause").then(|| format!("the refusal's `{member}` differs"))
    })
}

fn sorted_lists(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut items = items.clone();
            items.sort_by_key(Value::to_string);
            items.into()
        }
        Value::Object(members) => members
            .iter()
            .map(|(k, v)| (k.clone(), sorted_lists(v)))
            .collect(),
        other => other.clone(),
    }
}

/// Takes out of both answers what is not to be compared, and puts in order what has none.
fn settle(input: &Input, question: usize, expected: &mut Value, actual: &mut Value) {
    let operation = input.questions[question].operation.as_str();
    let params = &input.questions[question].params;
    // What an answer has beside what is asked for is the engine's own affair.
    only_known(expected, actual);
    match operation {
        "loops.resolve" => {
            for answer in [&mut *expected, &mut *actual] {
                diagnostics(answer);
            }
        }
        // SG-17: which nodes have a recorded set.
        "loops.reach" => only_known(&mut expected["reach"], &mut actual["reach"]),
        // EDGE-9: what names the nodes of a recorded edge.
        "edge.record" => only_known(&mut expected["record"], &mut actual["record"]),
        // EDGE-2: what an edge has of collections.
        "edge.transport" => {
            for answer in [&mut *expected, &mut *actual] {
                let edge = answer["edge"].as_object_mut();
                if let Some(edge) = edge
                    && edge.get("data").is_some_and(|d| {
                        d.as_object().is_some_and(Map::is_empty)
                            || d.as_array().is_some_and(Vec::is_empty)
                    })
                {
                    edge.shift_remove("data");
                }
            }
        }
        "foreach.run" => {
            if let (Some(expected), Some(actual)) = (
                expected["outputs"].as_array_mut(),
                actual["outputs"].as_array_mut(),
            ) {
                for (expected, actual) in expected.iter_mut().zip(actual) {
                    only_known(expected, actual);
                }
            }
        }
        // A state may have members that nobody gave it.
        "state.merge" => {
            for part in ["state", "before"] {
                only_known(&mut expected[part], &mut actual[part]);
            }
        }
        "run.seed" => seeded(params, expected, actual),
        "port.resolve" => {
            for answer in [&mut *expected, &mut *actual] {
                answer["warnings"] = sorted_lists(&answer["warnings"]);
            }
        }
        "workflow.validate" => {
            for answer in [&mut *expected, &mut *actual] {
                answer["errors"] = sorted_lists(&answer["errors"]);
            }
        }
        // A name that the engine makes up.
        "resume.run" | "workflow.launch" => {
            for answer in [&mut *expected, &mut *actual] {
                answer["run"] = Value::Null;
            }
        }
        _ => super::traces::settle(operation, input, expected, actual),
    }
}

/// Leaves of `actual` only the members that `expected` has.
pub(super) fn only_known(expected: &mut Value, actual: &mut Value) {
    if let (Some(expected), Some(actual)) = (expected.as_object(), actual.as_object_mut()) {
        actual.retain(|member, _| expected.contains_key(member));
    }
}

/// Puts diagnostics in order: none comes first.
pub(super) fn diagnostics(answer: &mut Value) {
    if let Some(list) = answer.get_mut("diagnostics") {
        if let Some(list) = list.as_array_mut() {
            for one in list.iter_mut() {
                if let Some(absorbed) = one.get_mut("absorbed") {
                    *absorbed = sorted_lists(absorbed);
                }
            }
        }
        *list = sorted_lists(list);
    }
}

fn seeded(params: &Value, expected: &mut Value, actual: &mut Value) {
    let is_fresh = expected["origin"] == "fresh";
    // Told only if the engine tells.
    for told in ["origin", "warnings"] {
        if actual.get(told).is_none_or(Value::is_null) {
            for answer in [&mut *expected, &mut *actual] {
                if let Some(answer) = answer.as_object_mut() {
                    answer.shift_remove(told);
                }
            }
        }
    }
    if is_fresh {
        // SG-12: what a fresh state holds; save that it holds nothing of what is stored.
        for answer in [&mut *expected, &mut *actual] {
            let data = answer["state"]["data"]
                .as_object()
                .is_some_and(|d| !d.is_empty());
            answer["state"] = data.into();
        }
        return;
    }
    // Only members that any of the given states has.
    let mut given: Vec<&Map<String, Value>> = Vec::new();
    given.extend(params["snapshot"].as_object());
    for stored in ["checkpoints", "threads"] {
        let states = params[stored].as_object().into_iter().flatten();
        given.extend(states.filter_map(|(_, state)| state.as_object()));
    }
    for answer in [&mut *expected, &mut *actual] {
        if let Some(state) = answer["state"].as_object_mut() {
            state.retain(|member, _| given.iter().any(|state| state.contains_key(member)));
        }
    }
    only_known(&mut expected["state"], &mut actual["state"]);
}
