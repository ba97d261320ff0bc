//! A program that is run and stopped, a file that changes, and the resume.

use serde_json::{Map, Value, json};

use crate::explore::{Dice, Input};

/// The steps of a program, without what comes after what: they are a chain.
type Steps = Vec<(String, Map<String, Value>)>;

fn step(name: &str, emit: Option<&str>) -> (String, Map<String, Value>) {
    let mut members = Map::new();
    if let Some(emit) = emit {
        members.insert("emit".into(), json!(emit));
    }
    (name.to_owned(), members)
}

fn program(steps: &Steps) -> Value {
    let mut before: Option<&str> = None;
    let steps = steps.iter().map(|(name, members)| {
        let mut step = Map::new();
        step.insert("name".into(), json!(name));
        if let Some(before) = before {
            step.insert("after".into(), json!([before]));
        }
        step.extend(members.clone());
        before = Some(name);
        Value::Object(step)
    });
    let steps: Vec<Value> = steps.collect();
    json!({ "name": "w", "steps": steps })
}

/// The program with one change. `shape` says whether steps may come, go and change places, or else
/// one only emits something else.
fn edited(dice: &mut Dice, steps: &Steps, mark: usize, shape: bool) -> Steps {
    let mut steps = steps.clone();
    let last = steps.len() - 1;
    // Mostly behind the checkpoint, or nothing of it is seen.
    let at = dice.from_to(mark + 1, last);
    let kind = if shape { dice.below(7) } else { 6 };
    match kind {
        0 | 1 => steps.push(step("foxtrot", Some("F"))),
        2 => steps.insert(at, step("charlie", Some("C"))),
        3 => {
            steps.remove(if dice.percent(50) { last } else { at });
        }
        4 if last > mark + 1 => {
            let other = dice.from_to(mark + 1, last - 1);
            steps.swap(other, other + 1);
        }
        5 => steps[at] = step("golf", Some("G")),
        _ => {
            let at = if dice.percent(30) { 0 } else { at };
            steps[at].1.insert("emit".into(), json!("X"));
        }
    }
    steps
}

/// A run that stops, perhaps an edit of its file, and one or two resumes.
pub(super) fn resume(dice: &mut Dice) -> Input {
    let mut steps: Steps = vec![step("alpha", Some("A"))];
    if dice.percent(20) {
        steps.push(step("beta", Some("B0")));
    }
    let mark = steps.len();
    let mut checkpoint = step("mark", None);
    checkpoint.1.insert("checkpoint".into(), json!("cp"));
    steps.push(checkpoint);
    for (name, emit) in [("bravo", "B"), ("delta", "D"), ("echo", "E")]
        .iter()
        .take(dice.from_to(2, 3))
    {
        steps.push(step(name, Some(emit)));
    }
    let last = steps.len() - 1;
    let stop = if dice.percent(75) {
        mark + 1
    } else {
        dice.from_to(mark + 1, last)
    };
    let keeps = dice.percent(60);
    let mut run = json!({
        "program": program(&steps),
        "entry": dice.pick(&["file", "embedded"]),
        "stop_at": steps[stop].0,
    });
    if !keeps {
        run["keep_source"] = json!(false);
    }
    let mut input = Input::default().then("resume.run", run).bind("run", "/run");
    if dice.percent(if keeps { 80 } else { 45 }) {
        let now = match dice.below(10) {
            0 => Value::Null,
            // Written again, and the same.
            1 | 2 => program(&steps),
            _ => program(&edited(dice, &steps, mark, true)),
        };
        input = input.then("resume.edit", json!({ "program": now }));
    }
    let supplies = !keeps && dice.percent(75);
    for _ in 0..dice.weighted(&[(3, 1), (2, 2)]) {
        let mut params = json!({ "run": "$run", "checkpoint": "cp" });
        if dice.percent(55) {
            params["allow_source_drift"] = json!(true);
        }
        if supplies {
            params["program"] = match dice.percent(35) {
                true => program(&steps),
                false => program(&edited(dice, &steps, mark, true)),
            };
        }
        input = input.then("resume.resume", params);
    }
    input
}
