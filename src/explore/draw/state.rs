//! States: with every kind of member and value, of runs that live, are paused or have ended.

use serde_json::{Map, Value, json};

use crate::explore::{Dice, Input};

/// A value that a key of data may have.
fn value(dice: &mut Dice) -> Value {
    match dice.below(12) {
        0 => Value::Null,
        1 => json!(0),
        2 => json!(false),
        3 => json!(""),
        4 => json!([]),
        5 => json!({}),
        6 => json!(["x"]),
        7 => json!(["y", "z"]),
        8 => json!({"p": 1}),
        9 => json!({"q": 2, "p": [3]}),
        10 => json!("text"),
        _ => json!(7),
    }
}

/// A map of what a thread gathers.
fn gathered(dice: &mut Dice, keys: &[&str]) -> Value {
    let mut map = Map::new();
    for key in keys {
        if dice.percent(40) {
            map.insert((*key).to_owned(), value(dice));
        }
    }
    map.into()
}

const KEYS: &[&str] = &["k", "l", "0", "7", "messages", "status", "iterator"];

fn message(dice: &mut Dice) -> Value {
    let content = dice.pick(&["a", "b"]);
    match dice.below(4) {
        0 => json!({ "id": dice.pick(&["m1", "m2"]), "role": "user", "content": content }),
        1 => json!({ "role": "assistant", "content": content }),
        _ => json!({ "role": "user", "content": content }),
    }
}

fn messages(dice: &mut Dice) -> Value {
    (0..dice.below(3)).map(|_| message(dice)).collect()
}

fn iterator(dice: &mut Dice) -> Value {
    match dice.below(4) {
        0 => Value::Null,
        1 => json!({ "items": ["a", "b"], "current_index": 0, "collected_results": [] }),
        2 => json!({ "items": ["a", "b", "c"], "current_index": 1, "collected_results": ["A"] }),
        _ => json!({ "items": ["d"] }),
    }
}

/// What a member of a state may be.
fn member(dice: &mut Dice, name: &str) -> Value {
    match name {
        "status" => dice
            .weighted(&[(2, None), (1, Some("completed")), (1, Some("failed"))])
            .into(),
        "isComplete" => dice.percent(50).into(),
        "error" => dice
            .weighted(&[(1, None), (1, Some("")), (2, Some("out of paper"))])
            .into(),
        "data" | "metadata" => gathered(dice, KEYS),
        "messages" => messages(dice),
        "threadId" => dice.weighted(&[(1, None), (3, Some("t"))]).into(),
        "currentNodeId" => dice.pick(&["", "draft", "publish"]).into(),
        "iterationCount" => dice.weighted(&[(2, 0), (2, 3), (1, 4)]).into(),
        _ => iterator(dice),
    }
}

const MEMBERS: &[&str] = &[
    "status",
    "isComplete",
    "error",
    "data",
    "metadata",
    "messages",
    "threadId",
    "currentNodeId",
    "iterationCount",
    "iterator",
];

pub(super) fn merge(dice: &mut Dice) -> Input {
    let (mut state, mut update) = (Map::new(), Map::new());
    let often = dice.weighted(&[(3, 20), (2, 45)]);
    for name in MEMBERS {
        if dice.percent(often) {
            state.insert((*name).to_owned(), member(dice, name));
            if dice.percent(70) {
                update.insert((*name).to_owned(), member(dice, name));
            }
        }
    }
    Input::one("state.merge", json!({ "state": state, "update": update }))
}

#[derive(Clone, Copy, PartialEq)]
enum Life {
    Ended(&'static str),
    Paused,
}

/// The state of a run on a thread. `mark` is in its data, so that it can be known again.
fn of_run(dice: &mut Dice, life: Life, thread: Option<&str>, mark: &str) -> Value {
    let mut state = Map::new();
    let (status, is_complete) = match life {
        Life::Ended(status) => (Some(status), true),
        Life::Paused => (None, false),
    };
    state.insert("status".into(), json!(status));
    state.insert("isComplete".into(), json!(is_complete));
    if dice.percent(30) {
        state.insert("error".into(), json!("out of paper"));
    }
    let mut data = gathered(dice, &["status", "iterator", "messages"]);
    if dice.percent(85) {
        data["k"] = json!(mark);
    }
    state.insert("data".into(), data);
    if dice.percent(40) {
        state.insert("metadata".into(), gathered(dice, &["source"]));
    }
    if dice.percent(40) {
        state.insert("messages".into(), messages(dice));
    }
    if let Some(thread) = thread {
        state.insert("threadId".into(), json!(thread));
    }
    let position = match life == Life::Paused || dice.percent(50) {
        true => dice.pick(&["draft", "publish"]),
        false => "",
    };
    state.insert("currentNodeId".into(), json!(position));
    if dice.percent(50) {
        state.insert("iterationCount".into(), json!(dice.from_to(1, 4)));
    }
    if dice.percent(40) {
        state.insert("iterator".into(), iterator(dice));
    }
    state.into()
}

pub(super) fn seed(dice: &mut Dice) -> Input {
    const ENDS: &[&str] = &["completed", "failed", "cancelled"];
    let life = |dice: &mut Dice, ended: usize| match dice.percent(ended) {
        true => Life::Ended(ENDS[dice.below(3)]),
        false => Life::Paused,
    };
    let mut params = Map::new();
    let thread = dice.percent(65).then_some("t");
    if dice.percent(25) {
        let snapshot = match dice.percent(20) {
            true => json!({}),
            false => of_run(dice, Life::Paused, thread, "snapshot"),
        };
        params.insert("snapshot".into(), snapshot);
    }
    // Beside a checkpoint of a live run nothing has ended.
    let asks = dice.percent(50);
    let mut all_live = false;
    if asks || dice.percent(30) {
        let mut checkpoints = Map::new();
        let named = dice.weighted(&[(6, "cp_1"), (2, "cp_2"), (2, "cp_10"), (2, "cp")]);
        all_live = asks && dice.percent(60);
        for id in ["cp_1", "cp_2", "cp_10"] {
            if dice.percent(50) {
                let life = life(dice, if all_live { 0 } else { 70 });
                checkpoints.insert(id.to_owned(), of_run(dice, life, thread.or(Some("t")), id));
            }
        }
        if asks {
            params.insert("checkpoint".into(), json!(named));
        }
        params.insert("checkpoints".into(), checkpoints.into());
    }
    if let Some(thread) = thread {
        params.insert("thread".into(), json!(thread));
    }
    let mut threads = Map::new();
    for id in ["t", "u"] {
        if dice.percent(if id == "t" { 80 } else { 35 }) {
            let life = life(dice, if all_live { 0 } else { 60 });
            threads.insert(id.to_owned(), of_run(dice, life, Some(id), id));
        }
    }
    if !threads.is_empty() {
        params.insert("threads".into(), threads.into());
    }
    Input::one("run.seed", params.into())
}
