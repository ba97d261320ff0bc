//! Open ground among rounds, states, branches and items.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{Ground, Ground::*};

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Two stamps and the nesting of the loops that they name.
pub(super) fn stamps(given: &Value) -> Option<Ground> {
    let nesting: Vec<&Value> = items(&given["nesting"]).collect();
    let mut heads = members(&given["source"]).chain(members(&given["consumer"]));
    if heads.any(|(head, _)| !nesting.iter().any(|h| *h == head)) {
        return Some(Barred("a stamp names a loop that the nesting lacks"));
    }
    let different: BTreeSet<String> = nesting.iter().map(|h| h.to_string()).collect();
    (different.len() < nesting.len()).then_some(Barred("a loop is nested in itself"))
}

pub(super) fn restore(given: &Value) -> Option<Ground> {
    let mut executions: Vec<&Value> = items(&given["executions"]).collect();
    let ids: Vec<Option<u64>> = executions.iter().map(|e| e["id"].as_u64()).collect();
    let named = ids.iter().flatten().count();
    let different: BTreeSet<&u64> = ids.iter().flatten().collect();
    let texts = executions.iter().any(|e| e["id"].is_string());
    if texts || different.len() < named || (named > 0 && named < ids.len()) {
        return Some(Open(super::IDENTIFIERS));
    }
    if named > 0 {
        executions.sort_by_key(|e| e["id"].as_u64());
    }
    let mut newest: BTreeMap<&str, &Map<String, Value>> = BTreeMap::new();
    for stamp in executions.iter().filter_map(|e| e["rounds"].as_object()) {
        newest.extend(stamp.keys().map(|head| (head.as_str(), stamp)));
    }
    // A loop whose newest stamp names another that has gone on since.
    let is_behind = |stamp: &Map<String, Value>| {
        stamp
            .iter()
            .any(|(other, round)| newest[other.as_str()].get(other) != Some(round))
    };
    newest
        .values()
        .any(|stamp| is_behind(stamp))
        .then_some(Open(super::OUTER_LAST))
}

/// Bodies of loops and their counters.
pub(super) fn bodies(given: &Value) -> Option<Ground> {
    let bodies: BTreeMap<&String, BTreeSet<String>> = members(&given["loops"])
        .map(|(head, body)| (head, items(body).map(Value::to_string).collect()))
        .collect();
    for (head, body) in &bodies {
        if !body.contains(&Value::from(head.as_str()).to_string()) {
            return Some(Barred("a loop without its own head"));
        }
        for (other_head, other) in bodies.iter().filter(|(other, _)| *other != head) {
            let shared = body.intersection(other).count();
            if body.contains(&Value::from(other_head.as_str()).to_string())
                && other.contains(&Value::from(head.as_str()).to_string())
                && body.len() == other.len()
                || shared > 0 && (body.len() == other.len() || shared < body.len().min(other.len()))
            {
                return Some(Barred("loops that are tangled and were not merged"));
            }
        }
    }
    let advanced = given.get("loop").and_then(Value::as_str)?;
    let Some(body) = bodies
        .iter()
        .find(|(head, _)| head.as_str() == advanced)
        .map(|(_, b)| b)
    else {
        return Some(Barred("a loop that is not there goes on"));
    };
    let has_counter = |head: &str| given["rounds"].get(head).is_some();
    if !has_counter(advanced) {
        return Some(Barred("a loop goes on that has no counter"));
    }
    let rounds = members(&given["rounds"]);
    if rounds
        .into_iter()
        .any(|(head, _)| !bodies.contains_key(head))
    {
        return Some(Barred("a counter of no loop"));
    }
    let mut nested = bodies.iter().filter(|(_, other)| other.is_subset(body));
    nested
        .any(|(head, _)| !has_counter(head))
        .then_some(Open(super::NOT_BEGUN))
}

/// The messages of a state, where it has any: a list of what every engine takes for a message, since the
/// rule does not say what one is.
pub(super) fn messages(state: &Value) -> Option<Ground> {
    let is_message = |message: &Value| {
        ["user", "assistant"]
            .iter()
            .any(|role| message["role"] == *role)
            && message["content"].is_string()
    };
    match state.get("messages")? {
        Value::Array(messages) if messages.iter().all(is_message) => None,
        Value::Array(_) => Some(Barred("a message without role and content")),
        _ => Some(Open(super::MESSAGES_NO_LIST)),
    }
}

pub(super) fn merge(given: &Value) -> Option<Ground> {
    let update = &given["update"];
    if let Some(ground) = messages(update).or_else(|| messages(&given["state"])) {
        return Some(ground);
    }
    if ["data", "metadata"]
        .iter()
        .any(|m| update.get(m).is_some_and(|v| !v.is_object()))
    {
        return Some(Open(super::ACCUMULATING_NULL));
    }
    if given["state"].is_string() {
        // What an earlier answer has bound.
        return None;
    }
    let mut named = members(update);
    named
        .any(|(member, _)| given["state"].get(member).is_none())
        .then_some(Open(super::NO_SUCH_MEMBER))
}

/// What a state says of its run.
#[derive(Clone, Copy, PartialEq)]
enum Life {
    Ended,
    Paused,
    Fresh,
}

fn life(state: &Value) -> Result<Life, Ground> {
    if state.is_string() {
        // What an earlier answer has bound.
        return Ok(Life::Paused);
    }
    if let Some(ground) = messages(state) {
        return Err(ground);
    }
    let complete = state["isComplete"] == true;
    match state["status"].as_str() {
        Some("completed" | "failed" | "cancelled") if complete => Ok(Life::Ended),
        Some("completed" | "failed" | "cancelled") => Err(Open(super::DISAGREE)),
        Some(_) => Err(Open(super::NEITHER)),
        None if complete => Err(Open(super::DISAGREE)),
        None => match state["currentNodeId"].as_str() {
            Some(node) if !node.is_empty() => Ok(Life::Paused),
            _ => Ok(Life::Fresh),
        },
    }
}

pub(super) fn seed(given: &Value) -> Option<Ground> {
    let empty = |member: &str| {
        given
            .get(member)
            .is_some_and(|v| v.as_str().is_none_or(str::is_empty))
    };
    if empty("checkpoint") || empty("thread") {
        return Some(Open(super::NAMED_BY_NOTHING));
    }
    if let Some(snapshot) = given.get("snapshot") {
        match life(snapshot) {
            Ok(Life::Ended) => return Some(Open(super::ENDED_SNAPSHOT)),
            Err(ground) => return Some(ground),
            Ok(_) => {}
        }
    }
    let mut ended = false;
    for (_, state) in members(&given["threads"]) {
        match life(state) {
            Ok(Life::Fresh) => return Some(Open(super::NEITHER)),
            Ok(life) => ended |= life == Life::Ended,
            Err(ground) => return Some(ground),
        }
    }
    for (_, state) in members(&given["checkpoints"]) {
        match life(state) {
            Ok(Life::Fresh) => return Some(Open(super::NEITHER)),
            Ok(life) => ended |= life == Life::Ended,
            Err(ground) => return Some(ground),
        }
    }
    let named = given["checkpoint"]
        .as_str()
        .and_then(|id| given["checkpoints"].get(id));
    let named = named?;
    if life(named) == Ok(Life::Paused) && ended {
        return Some(Open(super::OLD_CHECKPOINT));
    }
    let thread = given.get("thread");
    let other = thread.is_some_and(|t| named.get("threadId").is_some_and(|own| own != t));
    other.then_some(Open(super::OTHER_THREAD))
}

pub(super) fn foreach(given: &Value) -> Option<Ground> {
    let visits: Vec<&Value> = items(&given["rounds"]).collect();
    let begins = visits.first()?;
    let given_items = begins.get("items");
    if visits
        .iter()
        .filter_map(|v| v.get("items"))
        .any(|i| i.is_object() || i.is_null())
    {
        return Some(Open(super::ITEMS_NO_LIST));
    }
    let Some(given_items) = given_items else {
        return (visits.len() > 1).then_some(Barred("a visit after the one that was refused"));
    };
    let count = given_items.as_array().map_or(1, Vec::len);
    if visits.len() > count.max(1) + usize::from(count > 0) {
        return Some(Open(super::VISITED_AGAIN));
    }
    for visit in &visits[1..] {
        if visit.get("item_result").is_some_and(Value::is_null) {
            return Some(Open(super::NULL_RESULT));
        }
        if visit
            .get("item_result")
            .or(visit.get("loop_back"))
            .is_none()
        {
            return Some(Open(super::NO_RESULT));
        }
    }
    None
}

fn is_blank(name: &Value) -> bool {
    name.as_str()
        .is_some_and(|n| !n.is_empty() && n.trim().is_empty())
}

pub(super) fn parse(given: &Value) -> Option<Ground> {
    emitted(&given["value"])
}

/// What a node emits as its active branches.
pub(super) fn emitted(value: &Value) -> Option<Ground> {
    if !(value.is_array() || value.is_string()) {
        return Some(Open(super::NO_LIST_NO_STRING));
    }
    (is_blank(value) || items(value).any(is_blank)).then_some(Open(super::WHITE_SPACE))
}

pub(super) fn follow(given: &Value) -> Option<Ground> {
    given.get("emitted").and_then(emitted)
}

/// Whether a value reads as a truth, for a gateway that is given one.
fn denotes(value: &Value) -> Option<bool> {
    match value.to_string().to_lowercase().trim_matches('"') {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

pub(super) fn decide(given: &Value) -> Option<Ground> {
    let outcome = &given["value"];
    let has_name = |b: &&Value| b["name"].as_str().is_some_and(|n| !n.is_empty());
    let branches: Vec<&Value> = items(&given["branches"]).filter(has_name).collect();
    let values: Vec<&Value> = branches.iter().map(|b| &b["value"]).collect();
    if values.iter().any(|v| {
        v.is_number()
            && outcome.is_number()
            && v.is_f64() != outcome.is_f64()
            && v.as_f64() == outcome.as_f64()
    }) {
        return Some(Open(super::EQUAL_IN_TYPE));
    }
    let matches = |value: &&&Value| match outcome {
        Value::Bool(truth) => denotes(value) == Some(*truth),
        Value::String(text) => value
            .as_str()
            .is_some_and(|v| v.to_lowercase() == text.to_lowercase()),
        other => **value == other,
    };
    (values.iter().filter(matches).count() > 1).then_some(Open(super::TWO_MATCH))
}

pub(super) fn port(given: &Value) -> Option<Ground> {
    let sources: Vec<&Value> = items(&given["sources"]).collect();
    let nodes: BTreeSet<String> = sources.iter().map(|s| s["node"].to_string()).collect();
    let orders: BTreeSet<String> = sources
        .iter()
        .filter_map(|s| Some(s.get("order")?.to_string()))
        .collect();
    if nodes.len() < sources.len() {
        return Some(Open(super::TWO_EDGES));
    }
    let ordered = sources.iter().filter(|s| s.get("order").is_some()).count();
    if orders.len() < ordered {
        return Some(Open(super::TWO_EDGES));
    }
    let plain = |s: &Value| {
        s["node"]
            .as_str()
            .is_some_and(|n| n.chars().all(|c| c.is_ascii() && !c.is_uppercase()))
    };
    (!sources.iter().all(|s| plain(s))).then_some(Open(super::LEXICOGRAPHIC))
}
