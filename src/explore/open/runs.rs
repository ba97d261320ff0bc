//! Open ground in workflows that are carried out.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Ground, Ground::*, graphs};
use crate::{
    operations::{
        edge::{Edge, EdgeKind},
        state::has_member,
    },
    reference::{AsWritten, edges::EdgeReading},
};

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

fn text(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or_default()
}

/// A workflow with a script and options.
pub(super) fn touch(given: &Value) -> Option<Ground> {
    let workflow = &given["workflow"];
    let options = &given["options"];
    if options.get("max_passes").is_some() {
        return Some(Open(super::ONE_PASS));
    }
    if let Some(snapshot) = options.get("snapshot") {
        let seeding = serde_json::json!({ "snapshot": snapshot });
        if let Some(ground) = super::values::seed(&seeding) {
            return Some(ground);
        }
    }
    let wanted = workflow["settings"]["max_iterations"].as_u64();
    let allowed = options["max_iterations"].as_u64();
    if allowed.is_some_and(|a| wanted.is_some_and(|w| a > w)) {
        return Some(Open(super::ALLOWS_MORE));
    }
    let most = allowed.or(wanted);
    let begun = options["snapshot"]["iterationCount"].as_u64();
    if most.is_some_and(|m| begun.is_some_and(|b| b > m)) {
        return Some(Open(super::BEYOND_ALREADY));
    }
    let edges = graphs::edges(workflow);
    let looped = edges
        .iter()
        .any(|e| AsWritten.kind(e) == EdgeKind::Loopback);
    let counts = given["script"].to_string().contains("iterationCount");
    if most.is_some() && looped && !counts {
        return Some(Open(super::WHO_COUNTS));
    }
    script(given)
        .or_else(|| turning(given, &edges))
        .or_else(|| handlers(given, &edges))
        .or_else(|| conditions(workflow, &given["script"], &edges))
        .or_else(|| ordered(workflow, &edges))
        .or_else(|| ports(&edges))
        .or_else(|| foreaches(given, &edges))
}

/// What nodes do.
fn script(given: &Value) -> Option<Ground> {
    for items in given["script"]
        .as_object()
        .into_iter()
        .flat_map(|s| s.values())
    {
        for item in items.as_array().into_iter().flatten() {
            if let Some(ground) = item.get("branches").and_then(super::values::emitted) {
                return Some(ground);
            }
            let Some(update) = item.get("state_update") else {
                continue;
            };
            if let Some(ground) = super::values::messages(update) {
                return Some(ground);
            }
            if ["data", "metadata"]
                .iter()
                .any(|m| update.get(m).is_some_and(|v| !v.is_object()))
            {
                return Some(Open(super::ACCUMULATING_NULL));
            }
            let mut named = update.as_object().into_iter().flat_map(|u| u.keys());
            if named.any(|name| !has_member(name)) {
                return Some(Open(super::NO_SUCH_MEMBER));
            }
        }
    }
    None
}

fn node<'w>(workflow: &'w Value, id: &str) -> Option<&'w Value> {
    list(workflow, "nodes").iter().find(|n| n["id"] == id)
}

fn has_branch(workflow: &Value, id: &str, port: &str) -> bool {
    let config = node(workflow, id).map(|n| &n["data"]["config"]);
    config.is_some_and(|c| list(c, "branches").iter().any(|b| b["name"] == port))
}

/// The loops: how often they turn, and what is behind them.
fn turning(given: &Value, edges: &[Edge]) -> Option<Ground> {
    let workflow = &given["workflow"];
    let drawn = graphs::Drawn::of(edges);
    if drawn.bodies.is_empty() {
        return None;
    }
    let maximum = given["options"]["max_rounds"]
        .as_u64()
        .or(workflow["settings"]["max_rounds"].as_u64());
    let types = given["node_types"].as_object();
    let is_foreach = |t: &Value| t["behaviour"] == "foreach";
    if types.is_some_and(|types| types.values().any(is_foreach)) {
        return Some(Barred("the loop of a ForEach node, which its items end"));
    }
    let maximum = match maximum {
        None | Some(0) => return Some(Open(super::NO_MAXIMUM)),
        Some(maximum) => maximum,
    };
    let back: Vec<&Edge> = edges
        .iter()
        .filter(|e| AsWritten.kind(e) == EdgeKind::Loopback)
        .collect();
    if let [one, other, ..] = back.as_slice() {
        return Some(
            match one.target == other.target && one.source != other.source {
                true => Open(super::TWO_TAILS),
                false => Barred("more than one loopback edge"),
            },
        );
    }
    for edge in back {
        let source = text(&edge.source);
        let port = AsWritten.branch(text(&edge.source_handle));
        let items = list(&given["script"], source);
        let emits = items.iter().any(|item| item.get("branches").is_some());
        if !has_branch(workflow, source, port) {
            return Some(match emits && !port.is_empty() {
                true => Open(super::PORT_NO_BRANCH),
                false => Barred("a loop that no branch ends"),
            });
        }
        // What a source says once its script is at an end opens every branch.
        let is_active = |item: &&Value| {
            let branches = &item["branches"];
            branches.is_null()
                || *branches == port
                || branches
                    .as_array()
                    .is_some_and(|b| b.is_empty() || b.iter().any(|b| b == port))
        };
        let turns = items.iter().take_while(is_active).count();
        if turns == items.len() || turns as u64 + 1 >= maximum {
            return Some(match given.to_string().contains("max_iterations") {
                true => Barred("a loop that only the iteration budget ends"),
                false => Open(super::BUDGET_OF_1),
            });
        }
    }
    for body in drawn.bodies.values() {
        for edge in edges
            .iter()
            .filter(|e| AsWritten.kind(e) != EdgeKind::Loopback)
        {
            let place = |end: &Option<String>| drawn.graph.node(text(end));
            let (Some(from), Some(to)) = (place(&edge.source), place(&edge.target)) else {
                continue;
            };
            let leaves = body.contains(&from) && !body.contains(&to);
            let branch = AsWritten.branch(text(&edge.source_handle));
            let is_gated = has_branch(workflow, text(&edge.source), branch);
            if leaves && !is_gated && AsWritten.kind(edge) != EdgeKind::Error {
                return Some(Open(super::BEHIND_A_LOOP));
            }
        }
    }
    None
}

/// Edges that failures take.
fn handlers(given: &Value, edges: &[Edge]) -> Option<Ground> {
    for edge in edges
        .iter()
        .filter(|e| AsWritten.kind(e) == EdgeKind::Error)
    {
        if edges.iter().filter(|e| e.target == edge.target).count() > 1 {
            return Some(Open(super::ERROR_AND_DATA));
        }
        let items = list(&given["script"], text(&edge.source));
        if !items.iter().any(|item| item.get("fail").is_some()) {
            // A run may fail for other reasons than its script.
            let whole = given.to_string();
            let others = [
                "\"fail\"",
                "max_iterations",
                "gateway",
                "loop_back",
                "foreach",
            ];
            return Some(match others.iter().any(|word| whole.contains(word)) {
                true => Barred("an error edge whose source may not fail"),
                false => Open(super::HANDLER),
            });
        }
        if edges.iter().any(|e| e.source == edge.target) {
            return Some(Barred("work behind a handler"));
        }
    }
    None
}

fn conditions(workflow: &Value, script: &Value, edges: &[Edge]) -> Option<Ground> {
    edges.iter().find_map(|edge| {
        edge.data.as_ref()?.condition.as_ref()?;
        let branch = AsWritten.branch(text(&edge.source_handle));
        let is_gated = has_branch(workflow, text(&edge.source), branch);
        let is_default = node(workflow, text(&edge.source))
            .is_some_and(|n| n["data"]["config"]["default_branch"] == branch);
        let items = list(script, text(&edge.source));
        let is_closed = |item: &Value| {
            let branches = list(item, "branches");
            !branches.is_empty() && !branches.iter().any(|b| b == branch)
        };
        match (is_gated && items.iter().any(is_closed), is_default) {
            (true, _) => Some(Open(super::NOT_FOLLOWED)),
            (_, true) => Some(Open(super::DEFAULT_PORT)),
            _ => None,
        }
    })
}

/// Where two nodes are not ordered by the edges either may come first (CMP-8), and what has an effect
/// has it sooner or later.
fn ordered(workflow: &Value, edges: &[Edge]) -> Option<Ground> {
    let drawn = graphs::Drawn::of(edges);
    let handlers: BTreeSet<&str> = edges
        .iter()
        .filter(|e| AsWritten.kind(e) == EdgeKind::Error)
        .map(|e| text(&e.target))
        .collect();
    let nodes: Vec<&str> = list(workflow, "nodes")
        .iter()
        .filter_map(|n| n["id"].as_str())
        .filter(|id| !handlers.contains(id))
        .collect();
    let place = |id: &&str| drawn.graph.node(id);
    let all: Option<Vec<usize>> = nodes.iter().map(place).collect();
    let Some(all) = all else {
        return (nodes.len() > 1).then_some(Barred("CMP-8: nodes that no edge orders"));
    };
    let leads = |a: usize, b: usize| drawn.graph.and_descendants(a).contains(&b);
    let is_ordered = |a: usize, b: usize| a == b || leads(a, b) || leads(b, a);
    let apart = all.iter().any(|&a| all.iter().any(|&b| !is_ordered(a, b)));
    apart.then_some(Barred("CMP-8: nodes that no edge orders"))
}

/// Which edges a node has in front of it: a trigger that may not come beside data (SG-20) is open in
/// several ways, and so is data behind a branch.
fn ports(edges: &[Edge]) -> Option<Ground> {
    let forward: Vec<&Edge> = edges
        .iter()
        .filter(|e| AsWritten.kind(e) != EdgeKind::Loopback)
        .collect();
    for edge in &forward {
        let beside: Vec<&&Edge> = forward.iter().filter(|e| e.target == edge.target).collect();
        let triggers = beside
            .iter()
            .filter(|e| AsWritten.kind(e) == EdgeKind::Trigger)
            .count();
        if triggers > 1 {
            return Some(Barred("more than one trigger at a node"));
        }
        if triggers == 1 && beside.len() > 1 {
            return Some(Barred("a trigger beside data at one node"));
        }
        let same = beside
            .iter()
            .filter(|e| e.source == edge.source && e.target_handle == edge.target_handle);
        if same.count() > 1 {
            return Some(Open(super::TWO_EDGES));
        }
        let port = AsWritten.branch(text(&edge.source_handle));
        if AsWritten.kind(edge) == EdgeKind::Data && ["again", "done"].contains(&port) {
            return Some(Open(super::GATED_OFF));
        }
    }
    None
}

/// ForEach nodes.
fn foreaches(given: &Value, edges: &[Edge]) -> Option<Ground> {
    let types = given["node_types"].as_object();
    let is_foreach = |n: &&Value| {
        n["type"]
            .as_str()
            .and_then(|t| types?.get(t))
            .is_some_and(|t| t["behaviour"] == "foreach")
    };
    let each: Vec<&Value> = list(&given["workflow"], "nodes")
        .iter()
        .filter(is_foreach)
        .collect();
    match each.len() {
        0 => None,
        1 if edges
            .iter()
            .all(|e| e.source.as_deref() != each[0]["id"].as_str()) =>
        {
            Some(Open(super::LAST_VISIT))
        }
        1 => Some(Open(super::AFTER_FOREACH)),
        _ => Some(Open(super::ONE_ITERATOR)),
    }
}
