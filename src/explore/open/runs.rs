//! Open ground in workflows that are carried out.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Ground, Ground::*, graphs};
use crate::{
    operations::edge::{Edge, EdgeKind},
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
        .or_else(|| conditions(workflow, &edges))
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
            if !super::values::are_messages(update) {
                return Some(Open(super::MESSAGES_NO_LIST));
            }
            if ["data", "metadata"]
                .iter()
                .any(|m| update.get(m).is_some_and(|v| !v.is_object()))
            {
                return Some(Open(super::ACCUMULATING_NULL));
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
            let mut named = update.as_object().into_iter().flat_map(|u| u.keys());
            if named.any(|name| !MEMBERS.contains(&name.as_str())) {
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
    let maximum = match maximum {
        None | Some(0) => return Some(Open(super::NO_MAXIMUM)),
        Some(maximum) => maximum,
    };
    let back: Vec<&Edge> = edges
        .iter()
        .filter(|e| AsWritten.kind(e) == EdgeKind::Loopback)
        .collect();
    if back.len() > 1 {
        return Some(Open(super::TWO_TAILS));
    }
    for edge in back {
        let (source, port) = (
            text(&edge.source),
            AsWritten.branch(text(&edge.source_handle)),
        );
        if !has_branch(workflow, source, port) {
            return Some(Open(super::PORT_NO_BRANCH));
        }
        // What a source says once its script is at an end opens every branch.
        let items = list(&given["script"], source);
        let is_active = |item: &&Value| {
            let branches = &item["branches"];
            branches.is_null()
                || *branches == port
                || list(item, "branches").iter().any(|b| b == port)
                || list(item, "branches").is_empty() && branches.is_array()
        };
        let turns = items.iter().take_while(is_active).count();
        if turns == items.len() || turns as u64 + 1 >= maximum {
            return Some(Open(super::BUDGET_OF_1));
        }
    }
    for (_, body) in &drawn.bodies {
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
            let is_gated = has_branch(workflow, text(&edge.source), branch)
                && AsWritten.kind(edge) == EdgeKind::Trigger;
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
            return Some(Open(super::HANDLER));
        }
        if edges.iter().any(|e| e.source == edge.target) {
            return Some(Open(super::WHOSE_ERROR_EDGE));
        }
    }
    None
}

fn conditions(workflow: &Value, edges: &[Edge]) -> Option<Ground> {
    edges.iter().find_map(|edge| {
        edge.data.as_ref()?.condition.as_ref()?;
        let branch = AsWritten.branch(text(&edge.source_handle));
        let is_gated = has_branch(workflow, text(&edge.source), branch);
        let is_default = node(workflow, text(&edge.source))
            .is_some_and(|n| n["data"]["config"]["default_branch"] == branch);
        match (is_gated, is_default) {
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
            return Some(Open(super::SEVERAL_GATEWAYS));
        }
        if triggers == 1 && beside.len() > 1 {
            return Some(Open(super::NEVER_DONE));
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
