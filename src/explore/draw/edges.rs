//! Edges and handles: of every kind, and nearly so.

use serde_json::{Map, Value, json};

use crate::explore::{Dice, Input};

/// What a handle has after its node, for the end that an edge arrives at.
const ARRIVES: &[&str] = &[
    "input-text",
    "input-trigger",
    "input-trigger-2",
    "input-Trigger",
    "input-my_trigger",
    "input-loop_back",
    "input-loopback",
    "input-loop_back-x",
    "input-tool",
    "input-toolbox",
    "output-trigger",
];
/// And for the end that it leaves by.
const LEAVES: &[&str] = &[
    "output-text",
    "output-error",
    "output-error_log",
    "output-Error",
    "output-trigger",
    "output-trigger_on",
    "output-on_trigger",
    "output-Trigger",
    "output-loop_back",
    "output-True",
    "output-a-output-b",
    "input-error",
    "input-trigger",
];

fn handle(dice: &mut Dice, ports: &[&str]) -> String {
    let node = dice.pick(&["n", "my-node", "a.1"]);
    format!("{node}-{}", dice.pick(ports))
}

/// An edge with handles and with what is declared on it, but without a kind.
fn edge(dice: &mut Dice) -> Map<String, Value> {
    let mut edge = Map::new();
    if dice.percent(40) {
        edge.insert("id".into(), json!("e1"));
    }
    edge.insert("source".into(), json!("s"));
    edge.insert("target".into(), json!("n"));
    if dice.percent(55) {
        edge.insert("sourceHandle".into(), json!(handle(dice, LEAVES)));
    }
    if dice.percent(70) {
        edge.insert("targetHandle".into(), json!(handle(dice, ARRIVES)));
    }
    let mut data = Map::new();
    if dice.percent(30) {
        let declared = match dice.below(4) {
            0 => json!("tool_availability"),
            1 => json!("data"),
            2 => json!(""),
            _ => Value::Null,
        };
        data.insert("edgeType".into(), declared);
    }
    if dice.percent(20) {
        data.insert(
            "condition".into(),
            json!(dice.pick(&["false", "true", "x > 1"])),
        );
    }
    if dice.percent(15) {
        data.insert("colour".into(), json!("red"));
    }
    if !data.is_empty() {
        edge.insert("data".into(), data.into());
    }
    edge
}

pub(super) fn classify(dice: &mut Dice) -> Input {
    Input::one("edge.classify", json!({ "edge": edge(dice) }))
}

pub(super) fn record(dice: &mut Dice) -> Input {
    Input::one("edge.record", json!({ "edge": edge(dice) }))
}

pub(super) fn transport(dice: &mut Dice) -> Input {
    let mut edge = edge(dice);
    if dice.percent(30) {
        edge.insert("animated".into(), json!(true));
    }
    for end in ["source", "target"] {
        if dice.percent(10) {
            edge.shift_remove(end);
        }
    }
    Input::one("edge.transport", json!({ "edge": edge }))
}

pub(super) fn branch(dice: &mut Dice) -> Input {
    Input::one(
        "edge.branch",
        json!({ "sourceHandle": handle(dice, LEAVES) }),
    )
}

pub(super) fn port(dice: &mut Dice) -> Input {
    let (side, ports) = dice.weighted(&[(1, ("input", ARRIVES)), (1, ("output", LEAVES))]);
    let mut handle = handle(dice, ports);
    if dice.percent(20) {
        handle = format!("{handle}-{}", dice.pick(&["input-x", "output-y"]));
    }
    if dice.percent(10) {
        handle = dice
            .pick(&["", "n", "n-input", "n-output-", "input-x"])
            .to_owned();
    }
    Input::one("handle.port", json!({ "handle": handle, "side": side }))
}

pub(super) fn follow(dice: &mut Dice) -> Input {
    let mut edge = Map::new();
    if dice.percent(85) {
        let port = dice.pick(&["yes", "Yes", "no", "trigger", "result", "on_trigger"]);
        edge.insert("sourceHandle".into(), json!(format!("g-output-{port}")));
    }
    edge.insert("targetHandle".into(), json!(handle(dice, ARRIVES)));
    if dice.percent(25) {
        edge.insert(
            "data".into(),
            json!({ "condition": dice.pick(&["true", "false"]) }),
        );
    }
    let branches = ["yes", "no", "trigger"].map(|name| json!({ "name": name, "value": name }));
    let mut params = json!({ "edge": edge, "branches": &branches[..dice.from_to(0, 3)] });
    let emitted = match dice.below(7) {
        0 => None,
        1 => Some(json!([])),
        2 => Some(json!("no")),
        3 => Some(json!(["yes", "no"])),
        4 => Some(json!([" YES "])),
        5 => Some(json!(["trigger"])),
        _ => Some(json!(["yes"])),
    };
    if let Some(emitted) = emitted {
        params["emitted"] = emitted;
    }
    Input::one("edge.follow", params)
}

pub(super) fn validate(dice: &mut Dice) -> Input {
    let edges = (0..dice.from_to(1, 4)).map(|_| {
        let mut edge = edge(dice);
        for end in ["source", "target"] {
            if dice.percent(20) {
                edge.shift_remove(end);
            }
        }
        if dice.percent(25) {
            edge.insert("data".into(), json!({ "edgeType": "zebra_crossing" }));
        } else if edge.get("data").is_some_and(|d| d["edgeType"] == "data") {
            // Which words are types is open.
            edge.shift_remove("data");
        }
        Value::Object(edge)
    });
    let edges: Vec<Value> = edges.collect();
    Input::one(
        "workflow.validate",
        json!({ "workflow": { "edges": edges } }),
    )
}
