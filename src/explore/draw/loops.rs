//! Graphs with loops: nested, tangled, of one head, of one node; and nearly loops.

use serde_json::{Map, Value, json};

use crate::explore::{Dice, Input};

/// Graphs are drawn over these, in any order, so that names and places say nothing of each other.
/// Two end in a number, of which the greater one comes first by letters.
const NODES: &[&str] = &["a", "b", "c", "d", "n9", "n10", "s", "t"];
/// Ports whose names nearly say what reserved ones do.
const NEARLY_BACK: &[&str] = &[
    "input-loop_back-old",
    "input-my_loop_back",
    "input-loopback",
    "input-loop-back",
    "input-loop_back_2",
];
const NEARLY_TOOL: &[&str] = &["input-toolbox", "input-my_tool", "input-tool-2"];

pub(super) fn resolve(dice: &mut Dice) -> Input {
    Input::one("loops.resolve", json!({ "edges": edges(dice) }))
}

pub(super) fn reach(dice: &mut Dice) -> Input {
    Input::one("loops.reach", json!({ "edges": edges(dice) }))
}

/// The edges of a graph: forward edges from earlier nodes to later ones, and some that go back.
pub(super) fn edges(dice: &mut Dice) -> Vec<Value> {
    let mut nodes = NODES.to_vec();
    dice.shuffle(&mut nodes);
    if dice.percent(8) {
        return one_head_two_tails(dice, &nodes);
    }
    nodes.truncate(dice.weighted(&[(2, 2), (4, 3), (5, 4), (5, 5), (4, 6), (2, 7)]));
    let last = nodes.len() - 1;
    // What is usual is a chain with short cuts; a graph without one has head-only loops.
    let (next, further) = dice.weighted(&[(3, (95, 10)), (3, (80, 25)), (2, (50, 25))]);
    let mut edges = Vec::new();
    for from in 0..last {
        for to in from + 1..=last {
            if dice.percent(if to == from + 1 { next } else { further }) {
                edges.push(forward(dice, nodes[from], nodes[to]));
            }
        }
    }
    let mut head = dice.below(last.max(1));
    for _ in 0..dice.weighted(&[(4, 1), (5, 2), (4, 3), (1, 4)]) {
        if dice.percent(70) {
            head = dice.below(last.max(1));
        }
        // Now and then the wrong way round.
        let tail = match dice.percent(12) {
            true => dice.below(head.max(1)),
            false => dice.from_to(head + 1, last),
        };
        edges.push(back(dice, nodes[tail], nodes[head]));
    }
    dice.shuffle(&mut edges);
    edges
}

/// A loop whose two tails have little in common, tangled with a loop of about its size.
fn one_head_two_tails(dice: &mut Dice, nodes: &[&str]) -> Vec<Value> {
    let [h, a, b, x, y, z, ..] = *nodes else {
        return Vec::new();
    };
    let plain = |from, to| Value::from(edge(from, to));
    let mut edges = vec![plain(h, a), plain(h, b), plain(a, x)];
    edges.extend([back(dice, a, h), back(dice, b, h)]);
    // The other loop begins at one of the tails, and ends behind it.
    let mut last = x;
    for next in [y, z].into_iter().take(dice.below(3)) {
        edges.push(plain(last, next));
        last = next;
    }
    edges.push(back(dice, last, a));
    dice.shuffle(&mut edges);
    edges
}

fn edge(source: &str, target: &str) -> Map<String, Value> {
    let mut edge = Map::new();
    edge.insert("source".into(), json!(source));
    edge.insert("target".into(), json!(target));
    edge
}

/// A loopback edge.
fn back(dice: &mut Dice, tail: &str, head: &str) -> Value {
    let mut edge = edge(tail, head);
    if dice.percent(30) {
        edge.insert("kind".into(), json!("loopback"));
        return edge.into();
    }
    let handle = format!("{head}-input-loop_back");
    edge.insert("targetHandle".into(), json!(handle));
    if dice.percent(20) {
        let port = dice.pick(&["again", "loop_back"]);
        edge.insert(
            "sourceHandle".into(),
            json!(format!("{tail}-output-{port}")),
        );
    }
    edge.into()
}

/// An edge of any other kind, or one that is nearly of another kind.
fn forward(dice: &mut Dice, source: &str, target: &str) -> Value {
    #[derive(Clone, Copy)]
    enum Sort {
        Data,
        Trigger,
        Error,
        Tool,
        DeclaredTool,
        DeclaredData,
        AgentResult,
        Condition,
        NearlyBack,
        LoopBackOut,
        NearlyTool,
    }
    let mut edge = edge(source, target);
    let mut handle = |name: &str, node: &str, port: &str| {
        edge.insert(name.into(), json!(format!("{node}-{port}")));
    };
    match dice.weighted(&[
        (10, Sort::Data),
        (3, Sort::Trigger),
        (3, Sort::Error),
        (2, Sort::Tool),
        (1, Sort::DeclaredTool),
        (1, Sort::DeclaredData),
        (2, Sort::AgentResult),
        (2, Sort::Condition),
        (2, Sort::NearlyBack),
        (1, Sort::LoopBackOut),
        (1, Sort::NearlyTool),
    ]) {
        Sort::Data => {}
        Sort::Trigger => handle("targetHandle", target, "input-trigger"),
        Sort::Error => handle("sourceHandle", source, "output-error"),
        Sort::Tool => handle("targetHandle", target, "input-tool"),
        Sort::DeclaredTool => {
            edge.insert("data".into(), json!({"edgeType": "tool_availability"}));
        }
        Sort::DeclaredData => {
            handle("targetHandle", target, "input-tool");
            edge.insert("data".into(), json!({"edgeType": "data"}));
        }
        Sort::AgentResult => {
            edge.insert("kind".into(), json!("agent_result"));
        }
        Sort::Condition => {
            let says = dice.pick(&["false", "x > 1"]);
            edge.insert("data".into(), json!({"condition": says}));
        }
        Sort::NearlyBack => handle("targetHandle", target, dice.pick(NEARLY_BACK)),
        Sort::LoopBackOut => handle("sourceHandle", source, "output-loop_back"),
        Sort::NearlyTool => handle("targetHandle", target, dice.pick(NEARLY_TOOL)),
    }
    edge.into()
}

pub(super) fn reenter(dice: &mut Dice) -> Input {
    let branch = dice.pick(&[
        "again",
        "Again",
        "more",
        "trigger",
        "trigger_again",
        "my_trigger",
    ]);
    let mut edge = edge("t", "h");
    edge.insert("targetHandle".into(), json!("h-input-loop_back"));
    if dice.percent(75) {
        edge.insert("sourceHandle".into(), json!(format!("t-output-{branch}")));
    }
    if dice.percent(15) {
        let says = dice.pick(&["true", "false"]);
        edge.insert("data".into(), json!({ "condition": says }));
    }
    let active: &[&[&str]] = &[
        &[],
        &["again"],
        &["done"],
        &["done", "again"],
        &["AGAIN"],
        &["more"],
    ];
    let active = active[dice.weighted(&[(3, 0), (4, 1), (3, 2), (2, 3), (1, 4), (1, 5)])];
    let max = dice.from_to(3, 5);
    let mut params = json!({
        "edge": edge,
        "active_branches": active,
        "rounds_run": {},
        "executions": {},
        "max_rounds": max,
    });
    if dice.percent(35) {
        params["iterator"] = json!({ "remaining": dice.weighted(&[(3, 0), (3, 1), (1, 2)]) });
    }
    // Around the maximum is where the readings part.
    let near = |dice: &mut Dice| {
        dice.weighted(&[(2, 0), (3, max - 2), (4, max - 1), (4, max), (2, max + 2)])
    };
    for loop_ in ["h", "t", "o"] {
        if dice.percent(if loop_ == "h" { 90 } else { 30 }) {
            params["rounds_run"][loop_] = json!(near(dice));
        }
    }
    for node in ["h", "t", "x"] {
        if dice.percent(50) {
            params["executions"][node] = json!(near(dice));
        }
    }
    Input::one("loops.reenter", params)
}
