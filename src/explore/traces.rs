//! What is compared of runs.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    compare::{diagnostics, only_known},
    input::Input,
};

/// Takes out of two answers about a run what is not to be compared.
pub(super) fn settle(operation: &str, input: &Input, expected: &mut Value, actual: &mut Value) {
    let launch = input
        .questions
        .iter()
        .find(|q| matches!(q.operation.as_str(), "workflow.run" | "workflow.launch"));
    let none = Value::Null;
    let launched = launch.map_or(&none, |q| &q.params);
    match operation {
        "workflow.run" => trace(launched, expected, actual),
        "workflow.state" => {
            diagnostics(expected);
            diagnostics(actual);
            if expected["trace"].is_object() && actual["trace"].is_object() {
                let mut both = [expected["trace"].take(), actual["trace"].take()];
                let [one, other] = &mut both;
                trace(launched, one, other);
                let [one, other] = both;
                expected["trace"] = one;
                actual["trace"] = other;
            }
            only_known(&mut expected["reach"], &mut actual["reach"]);
        }
        "workflow.step" => {
            for answer in [&mut *expected, &mut *actual] {
                executions(launched, answer);
                in_order(answer, "warnings");
            }
        }
        _ => {}
    }
}

fn in_order(answer: &mut Value, list: &str) {
    if let Some(list) = answer.get_mut(list).and_then(Value::as_array_mut) {
        list.sort_by_key(Value::to_string);
    }
}

fn trace(launched: &Value, expected: &mut Value, actual: &mut Value) {
    only_known(expected, actual);
    let is_spent = expected["status"] == "max_iterations_exceeded";
    only_known(&mut expected["state"], &mut actual["state"]);
    only_known(&mut expected["configuration"], &mut actual["configuration"]);
    for answer in [&mut *expected, &mut *actual] {
        // Names that the engine makes up.
        let run = answer["run"].as_str().unwrap_or_default().to_owned();
        let own = launched["options"]["execution_id"].as_str() == Some(run.as_str());
        answer["run"] = json!(if own { "the caller's" } else { "its own" });
        if let Some(members) = answer.as_object_mut() {
            members.shift_remove("resume_handle");
        }
        checkpoints(launched, answer);
        executions(launched, answer);
        diagnostics(answer);
        in_order(answer, "warnings");
        // BR-7: nodes that no unit of work stands for. How a skip is put is free.
        if let Some(skipped) = answer["skipped"].as_array_mut() {
            for skip in skipped.iter_mut() {
                *skip = json!({ "node": skip["node"] });
            }
        }
        in_order(answer, "skipped");
        // What an engine resolves where nobody says anything is its own affair.
        if let Some(configuration) = answer["configuration"].as_object_mut() {
            let settings = &launched["workflow"]["settings"];
            configuration.retain(|name, _| {
                [&launched["options"], settings]
                    .iter()
                    .any(|said| said.get(name).is_some())
            });
        }
        answer["failure"] = failure(&answer["failure"]);
        // Of what is reported beside results, SG-14 says three members.
        let told = ["max_iterations", "current_iterations", "node_id"];
        match answer["metadata"].as_object_mut() {
            Some(metadata) if is_spent => metadata.retain(|name, _| told.contains(&name.as_str())),
            _ => answer["metadata"] = Value::Null,
        }
        let state = &mut answer["state"];
        if is_spent {
            // SG-14: the state of a run that went past its iteration budget.
            *state = Value::Null;
        } else if let Some(state) = state.as_object_mut() {
            // How an engine words a failure, and what it calls a thread of nobody's.
            if !state.get("error").is_some_and(|e| e == "oh" || e == "") {
                state.shift_remove("error");
            }
            let given = |of: &str| launched[of]["thread"].is_string();
            if !(given("options") || launched["workflow"]["settings"]["thread"].is_string()) {
                state.shift_remove("threadId");
            }
        }
    }
}

/// What is told of a failure: its node, and what can be told of a port.
fn failure(failure: &Value) -> Value {
    match failure.as_object() {
        Some(members) => {
            let told = ["node", "port", "source", "round", "gateway"];
            let kept = members
                .iter()
                .filter(|(name, _)| told.contains(&name.as_str()));
            Value::Object(kept.map(|(k, v)| (k.clone(), v.clone())).collect())
        }
        None => Value::Null,
    }
}

/// Checkpoints are known by their place; the parent of the first may be one of an earlier run.
fn checkpoints(launched: &Value, answer: &mut Value) {
    let Some(list) = answer.get_mut("checkpoints").and_then(Value::as_array_mut) else {
        return;
    };
    let places: BTreeMap<String, usize> = list
        .iter()
        .enumerate()
        .map(|(i, c)| (c["id"].to_string(), i))
        .collect();
    for checkpoint in list.iter_mut() {
        let parent = places.get(&checkpoint["parent"].to_string());
        let key = checkpoint["key"].as_str().unwrap_or_default();
        let node = key.split(':').next().unwrap_or_default();
        let items = launched["script"][node].as_array();
        let changes =
            items.is_some_and(|items| items.iter().any(|i| i.get("state_update").is_some()));
        // SG-11, SG-3: whether a checkpoint holds what its own node has changed.
        let state = match changes {
            true => Value::Null,
            false => {
                json!({ "data": checkpoint["state"]["data"], "iterationCount": checkpoint["state"]["iterationCount"] })
            }
        };
        let is_last = checkpoint["name"] == "workflow_end";
        *checkpoint = json!({ "parent": parent, "key": checkpoint.get("key"), "state": state, "last": is_last });
    }
}

fn executions(launched: &Value, answer: &mut Value) {
    let Some(list) = answer.get_mut("executions").and_then(Value::as_array_mut) else {
        return;
    };
    let mut before = None;
    for execution in list.iter_mut() {
        let Some(members) = execution.as_object_mut() else {
            continue;
        };
        // What counts of orders is which is greater.
        let order = members.get("order").and_then(Value::as_u64);
        if let (Some(before), Some(order)) = (before, order) {
            members.insert(
                "order".into(),
                json!(if order > before { "after" } else { "not after" }),
            );
        } else if order.is_some() {
            members.insert("order".into(), json!("first"));
        }
        before = order.or(before);
        members.shift_remove("error");
        // SG-5: whether a node sees what is delivered on the reserved port.
        let node = members.get("node").cloned().unwrap_or_default();
        if !declares_loop_back(launched, &node) {
            for input in ["input", "recorded_input"] {
                if let Some(input) = members.get_mut(input).and_then(Value::as_object_mut) {
                    input.shift_remove("loop_back");
                }
            }
        }
        for (part, member) in [
            ("live_state", None),
            ("input", Some("__state__")),
            ("recorded_input", Some("__state__")),
        ] {
            let state = match member {
                None => members.get_mut(part),
                Some(name) => members.get_mut(part).and_then(|i| i.get_mut(name)),
            };
            if let Some(state) = state.and_then(Value::as_object_mut) {
                told_of_state(state);
            }
        }
    }
}

/// Of a live state what nodes and callers have put there.
fn told_of_state(state: &mut Map<String, Value>) {
    state.retain(|name, _| {
        ["data", "messages", "metadata", "iterationCount"].contains(&name.as_str())
    });
}

fn declares_loop_back(launched: &Value, node: &Value) -> bool {
    let nodes = launched["workflow"]["nodes"].as_array();
    let kind = nodes
        .into_iter()
        .flatten()
        .find(|n| n["id"] == *node)
        .and_then(|n| n["type"].as_str());
    kind.is_some_and(|kind| {
        launched["node_types"][kind]["parameters"]
            .get("loop_back")
            .is_some()
    })
}
