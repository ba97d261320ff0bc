//! Making an input small, on its JSON, until nothing makes it smaller.
//!
//! A candidate is smaller if its text is shorter, or as long and earlier by letters; so this ends. It
//! counts only if it fits the schemas of its operations, is not open, and still shows what is
//! looked for.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{input::Input, open};
use crate::suite::Shapes;

/// The smallest input that can be come to from this one and for which `shows` holds. Ends early, with
/// what it has, where `shows` gives nothing.
pub fn shrink(
    shapes: &Shapes,
    input: &Input,
    mut shows: impl FnMut(&Input) -> Option<bool>,
) -> Input {
    let mut best = input.to_json();
    let mut seen = BTreeSet::new();
    'again: loop {
        let size = measure(&best);
        for candidates in PASSES {
            for candidate in candidates(&best) {
                if measure(&candidate) >= size || !seen.insert(candidate.to_string()) {
                    continue;
                }
                let Some(input) = Input::from_json(&candidate).filter(|i| is_allowed(shapes, i))
                else {
                    continue;
                };
                match shows(&input) {
                    Some(true) => {
                        best = candidate;
                        continue 'again;
                    }
                    Some(false) => {}
                    None => break 'again,
                }
            }
        }
        break;
    }
    Input::from_json(&best).unwrap_or_else(|| input.clone())
}

/// Whether an input may be asked: it fits the schemas, its names are bound, and it is not open.
pub fn is_allowed(shapes: &Shapes, input: &Input) -> bool {
    input.is_bound()
        && input
            .questions
            .iter()
            .all(|q| shapes.params_fit(&q.operation, &q.params))
        && open::touched(input).is_none()
}

fn measure(input: &Value) -> (usize, String) {
    let text = input.to_string();
    (text.len(), text)
}

/// From what takes most away to what takes least.
const PASSES: &[fn(&Value) -> Vec<Value>] = &[
    without_steps,
    without_nodes,
    without_parts,
    with_nodes_joined,
    with_smaller_values,
    with_shorter_names,
];

fn without_steps(input: &Value) -> Vec<Value> {
    let steps = input.as_array().map_or(&[][..], Vec::as_slice);
    if steps.len() < 2 {
        return Vec::new();
    }
    let without = |out: usize| {
        let left = steps.iter().enumerate().filter(|(i, _)| *i != out);
        left.map(|(_, step)| step.clone()).collect()
    };
    (0..steps.len()).map(without).collect()
}

/// The places of all parts below the params of the questions, outer before inner.
fn places(input: &Value) -> Vec<String> {
    fn below(value: &Value, at: &str, places: &mut Vec<String>) {
        places.push(at.to_owned());
        match value {
            Value::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    below(item, &format!("{at}/{i}"), places);
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    below(member, &format!("{at}/{name}"), places);
                }
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    for (i, step) in input.as_array().into_iter().flatten().enumerate() {
        below(&step["given"], &format!("/{i}/given"), &mut all);
    }
    all
}

/// The input with a part changed.
fn with(input: &Value, at: &str, change: impl FnOnce(&mut Value)) -> Value {
    let mut input = input.clone();
    if let Some(part) = input.pointer_mut(at) {
        change(part);
    }
    input
}

/// Without some items of a list, or a member of an object.
fn without_parts(input: &Value) -> Vec<Value> {
    let mut candidates = Vec::new();
    for at in places(input) {
        match input.pointer(&at) {
            Some(Value::Array(items)) => {
                let mut length = items.len();
                while length > 0 {
                    for start in (0..items.len()).step_by(length) {
                        candidates.push(with(input, &at, |list| {
                            if let Some(list) = list.as_array_mut() {
                                list.drain(start..(start + length).min(list.len()));
                            }
                        }));
                    }
                    length /= 2;
                }
                // A chain loses a link and holds together.
                for (i, item) in items.iter().enumerate() {
                    candidates.extend(without_link(input, &at, i, item));
                }
            }
            Some(Value::Object(members)) => {
                for name in members.keys() {
                    candidates.push(with(input, &at, |object| {
                        if let Some(object) = object.as_object_mut() {
                            object.shift_remove(name);
                        }
                    }));
                }
            }
            _ => {}
        }
    }
    candidates
}

/// Without a step of a program: in it and in its other versions what came after the step comes after what was
/// before it.
fn without_link(input: &Value, _list: &str, _i: usize, item: &Value) -> Option<Value> {
    let name = item.get("name")?.as_str()?;
    item.get("after")?;
    let mut candidate = input.clone();
    for step in candidate.as_array_mut()? {
        let Some(steps) = step["given"]["program"]["steps"].as_array_mut() else {
            continue;
        };
        let Some(at) = steps.iter().position(|s| s["name"] == name) else {
            continue;
        };
        let after = steps[at].get("after").cloned();
        steps.remove(at);
        if let Some(next) = steps.get_mut(at).and_then(Value::as_object_mut) {
            match after {
                Some(after) => next.insert("after".into(), after),
                None => next.shift_remove("after"),
            };
        }
    }
    Some(candidate)
}

/// The names in an input: of nodes, loops, steps.
pub(super) fn names(input: &Value) -> BTreeSet<String> {
    fn gather(value: &Value, names: &mut BTreeSet<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|v| gather(v, names)),
            Value::Object(members) => {
                for (member, value) in members {
                    match (member.as_str(), value) {
                        (
                            "source" | "target" | "loop" | "node" | "id" | "name" | "stop_at"
                            | "thread" | "threadId" | "checkpoint",
                            Value::String(name),
                        ) => {
                            names.insert(name.clone());
                        }
                        ("nesting" | "after", Value::Array(heads)) => {
                            names.extend(heads.iter().filter_map(Value::as_str).map(str::to_owned));
                        }
                        (
                            "loops" | "rounds" | "rounds_run" | "executions" | "script"
                            | "node_types" | "checkpoints" | "threads" | "initial_data",
                            Value::Object(by_name),
                        ) => {
                            names.extend(by_name.keys().cloned());
                            if member == "loops" {
                                let bodies = by_name.values().filter_map(Value::as_array).flatten();
                                names.extend(bodies.filter_map(Value::as_str).map(str::to_owned));
                            }
                        }
                        _ => {}
                    }
                    gather(value, names);
                }
            }
            _ => {}
        }
    }
    let mut all = BTreeSet::new();
    for step in input.as_array().into_iter().flatten() {
        gather(&step["given"], &mut all);
    }
    all.retain(|name| !name.is_empty() && !name.starts_with('$'));
    all
}

/// Without a node, and all that names it.
fn without_nodes(input: &Value) -> Vec<Value> {
    fn names_it(value: &Value, name: &str) -> bool {
        match value {
            Value::String(text) => text == name,
            Value::Object(members) => ["source", "target", "id", "node"]
                .iter()
                .any(|m| members.get(*m).is_some_and(|v| v == name)),
            _ => false,
        }
    }
    fn prune(value: &mut Value, name: &str) {
        match value {
            Value::Array(items) => {
                items.retain(|item| !names_it(item, name));
                items.iter_mut().for_each(|v| prune(v, name));
            }
            Value::Object(members) => {
                members.shift_remove(name);
                members.values_mut().for_each(|v| prune(v, name));
            }
            _ => {}
        }
    }
    names(input)
        .iter()
        .map(|name| {
            let mut candidate = input.clone();
            for step in candidate.as_array_mut().into_iter().flatten() {
                prune(&mut step["given"], name);
            }
            candidate
        })
        .collect()
}

/// A name changed wherever it stands, in handles too.
fn renamed(input: &Value, from: &str, to: &str) -> Value {
    fn text(text: &str, from: &str, to: &str) -> String {
        if text == from {
            return to.to_owned();
        }
        if let Some(rest) = text.strip_prefix(from)
            && (rest.starts_with("-input-") || rest.starts_with("-output-"))
        {
            return format!("{to}{rest}");
        }
        text.to_owned()
    }
    fn rename(value: &Value, from: &str, to: &str) -> Value {
        match value {
            Value::String(s) => text(s, from, to).into(),
            Value::Array(items) => items.iter().map(|v| rename(v, from, to)).collect(),
            Value::Object(members) => members
                .iter()
                .map(|(k, v)| {
                    (
                        if k == from { to.to_owned() } else { k.clone() },
                        rename(v, from, to),
                    )
                })
                .collect(),
            other => other.clone(),
        }
    }
    let steps = input.as_array().into_iter().flatten().map(|step| {
        let mut step = step.clone();
        step["given"] = rename(&step["given"], from, to);
        step
    });
    steps.collect()
}

/// Two nodes made one.
fn with_nodes_joined(input: &Value) -> Vec<Value> {
    fn without_loose(value: &mut Value) {
        match value {
            Value::Array(items) => {
                items.retain(|i| i.get("source").is_none() || i["source"] != i["target"]);
                items.iter_mut().for_each(without_loose);
                let mut seen = BTreeSet::new();
                items.retain(|i| i.get("source").is_none() || seen.insert(i.to_string()));
            }
            Value::Object(members) => members.values_mut().for_each(without_loose),
            _ => {}
        }
    }
    if !input.to_string().contains("\"edges\"") {
        return Vec::new();
    }
    let names = names(input);
    let mut candidates = Vec::new();
    for from in &names {
        for to in names.iter().filter(|to| *to != from) {
            let mut candidate = renamed(input, from, to);
            without_loose(&mut candidate);
            candidates.push(candidate);
        }
    }
    candidates
}

/// Values that say less.
fn with_smaller_values(input: &Value) -> Vec<Value> {
    let mut candidates = Vec::new();
    for at in places(input) {
        let Some(value) = input.pointer(&at) else {
            continue;
        };
        let smaller: Vec<Value> = match value {
            Value::Number(n) => match n.as_u64() {
                Some(n) => [0, 1, n / 2, n.saturating_sub(1)]
                    .iter()
                    .map(|n| json!(n))
                    .collect(),
                None => vec![json!(0), json!(1)],
            },
            Value::String(text) if !text.is_empty() && !text.starts_with('$') => {
                let mut shorter = vec![json!(""), json!("a"), json!("x")];
                let half: String = text.chars().take(text.chars().count() / 2).collect();
                shorter.push(json!(half));
                // A handle loses the end of its port, or its node's name.
                let mut chars = text.chars();
                chars.next_back();
                shorter.push(json!(chars.as_str()));
                let is_handle = text.contains("-input-") || text.contains("-output-");
                let mut chars = text.chars();
                if chars.next().is_some() && !is_handle {
                    shorter.push(json!(chars.as_str()));
                }
                shorter
            }
            Value::Bool(false) => vec![json!(true)],
            Value::Object(members) if !members.is_empty() && at.matches('/').count() > 2 => {
                vec![json!({}), json!(1)]
            }
            Value::Array(items) if !items.is_empty() && at.matches('/').count() > 2 => {
                vec![json!(1), items[0].clone()]
            }
            _ => Vec::new(),
        };
        for value in smaller {
            candidates.push(with(input, &at, |part| *part = value));
        }
    }
    candidates
}

/// Names of one letter, the same wherever they stand.
fn with_shorter_names(input: &Value) -> Vec<Value> {
    let names = names(input);
    let free: Vec<String> = ('a'..='z')
        .map(String::from)
        .filter(|l| !names.contains(l))
        .collect();
    let mut candidates = Vec::new();
    for name in &names {
        for letter in free.iter().take(3) {
            candidates.push(renamed(input, name, letter));
        }
    }
    candidates
}
