//! Round counters and stamps: of some loops, of all, of none, and of loops inside loops.

use serde_json::{Map, Value, json};

use crate::explore::{Dice, Input};

/// Loops inside one another have these heads, the outermost first; by name the order is another.
const NESTED: &[&str] = &["m", "b", "x"];

/// A round: mostly a small one, now and then one whose digits mislead.
fn round(dice: &mut Dice) -> usize {
    dice.weighted(&[(4, 0), (4, 1), (3, 2), (2, 3), (2, 9), (2, 10)])
}

/// The stamp of a node that is in some of these loops.
fn stamp(dice: &mut Dice, loops: &[&str]) -> Map<String, Value> {
    let mut stamp = Map::new();
    for head in loops {
        if dice.percent(75) {
            stamp.insert((*head).to_owned(), json!(round(dice)));
        }
    }
    stamp
}

pub(super) fn restore(dice: &mut Dice) -> Input {
    // Loops apart from one another share no stamp.
    let apart = dice.percent(40);
    let mut counters = [0, 0, 0];
    let mut executions = Vec::new();
    for _ in 0..dice.weighted(&[(1, 1), (4, 2), (4, 3), (3, 4), (1, 6)]) {
        let mut execution = Map::new();
        if dice.percent(85) {
            let mut stamp = Map::new();
            let this = dice.below(3);
            // An outer loop goes on: what is inside it starts over.
            if dice.percent(60) {
                counters[this] = round(dice);
                if !apart {
                    counters[this + 1..].fill(0);
                }
            }
            let from = if apart { this } else { 0 };
            for (head, counter) in NESTED.iter().zip(counters).take(this + 1).skip(from) {
                stamp.insert((*head).to_owned(), json!(counter));
            }
            if dice.percent(8) {
                stamp.clear();
            }
            execution.insert("rounds".into(), stamp.into());
        }
        executions.push(execution);
    }
    if dice.percent(65) {
        let mut id = dice.pick(&[&1_u64, &7, &8, &97]).to_owned();
        for execution in &mut executions {
            execution.insert("id".into(), json!(id));
            id += 1 + dice.below(3) as u64;
        }
        if dice.percent(60) {
            dice.shuffle(&mut executions);
        }
    }
    Input::one("rounds.restore", json!({ "executions": executions }))
}

/// Bodies of loops: some inside one another, some beside, none tangled. Every loop has a counter,
/// save some where that is asked for.
fn bodies(dice: &mut Dice) -> (Map<String, Value>, Vec<&'static str>) {
    let depth = dice.from_to(1, 3);
    let mut bodies = Map::new();
    let mut nodes: Vec<&str> = Vec::new();
    for head in NESTED[..depth].iter().rev() {
        nodes.push(head);
        for extra in ["i", "j"] {
            if dice.percent(40) {
                nodes.push(match (extra, *head) {
                    ("i", "m") => "mi",
                    ("i", "b") => "bi",
                    ("i", _) => "xi",
                    (_, "m") => "mj",
                    (_, "b") => "bj",
                    _ => "xj",
                });
            }
        }
        let mut body = nodes.clone();
        body.sort_unstable();
        bodies.insert((*head).to_owned(), json!(body));
    }
    let mut heads = NESTED[..depth].to_vec();
    if dice.percent(60) {
        let body = match dice.percent(50) {
            true => json!(["s"]),
            false => json!(["s", "sa", "sb", "sc", "sd"]),
        };
        bodies.insert("s".into(), body);
        heads.push("s");
    }
    // One that lies beside another inside the outermost.
    if depth > 1 && dice.percent(40) {
        bodies.insert("q".into(), json!(["q"]));
        if let Some(Value::Array(outer)) = bodies.get_mut("m") {
            outer.push(json!("q"));
            outer.sort_by_key(Value::to_string);
        }
        heads.push("q");
    }
    (bodies, heads)
}

pub(super) fn advance(dice: &mut Dice) -> Input {
    let (loops, heads) = bodies(dice);
    let mut rounds = Map::new();
    for head in &heads {
        rounds.insert((*head).to_owned(), json!(round(dice)));
    }
    let advanced = dice.pick(&heads);
    let params = json!({ "loops": loops, "rounds": rounds, "loop": advanced });
    Input::one("rounds.advance", params)
}

pub(super) fn stamped(dice: &mut Dice) -> Input {
    let (loops, heads) = bodies(dice);
    let mut rounds = Map::new();
    for head in &heads {
        if dice.percent(80) {
            rounds.insert((*head).to_owned(), json!(round(dice)));
        }
    }
    let mut nodes: Vec<&str> = loops
        .values()
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    nodes.push("out");
    let node = dice.pick(&nodes).to_owned();
    Input::one(
        "rounds.stamp",
        json!({ "loops": loops, "rounds": rounds, "node": node }),
    )
}

/// Two stamps of nodes in loops inside one another, and the nesting.
fn two_stamps(dice: &mut Dice) -> (Map<String, Value>, Map<String, Value>, Vec<&'static str>) {
    let nesting = NESTED[..dice.from_to(1, 3)].to_vec();
    let source = stamp(dice, &nesting);
    let mut consumer = stamp(dice, &nesting);
    // Equal on some loops, or the question is settled by the first.
    for (head, round) in &source {
        if dice.percent(40) && consumer.contains_key(head) {
            consumer.insert(head.clone(), round.clone());
        }
    }
    (source, consumer, nesting)
}

pub(super) fn freshness(dice: &mut Dice) -> Input {
    let (source, consumer, nesting) = two_stamps(dice);
    let params = json!({ "source": source, "consumer": consumer, "nesting": nesting });
    Input::one("edge.freshness", params)
}

pub(super) fn barrier(dice: &mut Dice) -> Input {
    let (source, consumer, nesting) = two_stamps(dice);
    let edge = match dice.below(5) {
        0 => json!({ "kind": "data" }),
        1 => json!({ "targetHandle": "c-input-draft" }),
        2 => json!({ "targetHandle": "c-input-trigger" }),
        3 => json!({ "sourceHandle": "s-output-error" }),
        _ => json!({ "kind": dice.pick(&["trigger", "error"]) }),
    };
    let params = json!({
        "edge": edge, "source": source, "consumer": consumer, "nesting": nesting,
    });
    Input::one("edge.barrier", params)
}
