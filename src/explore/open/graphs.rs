//! Open ground among edges.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Ground, Ground::*};
use crate::{
    operations::edge::{Edge, EdgeKind},
    reference::{
        AsWritten,
        edges::EdgeReading,
        graph::{ForwardGraph, Node, Nodes},
        loops::LoopReading,
    },
};

/// The edges of a workflow or of a question about edges, as far as they can be read.
pub(super) fn edges(given: &Value) -> Vec<Edge> {
    let edges = given.get("edges").and_then(Value::as_array);
    let read = |edge: &Value| serde_json::from_value(edge.clone()).ok();
    edges.into_iter().flatten().filter_map(read).collect()
}

fn text(text: &Option<String>) -> &str {
    text.as_deref().unwrap_or_default()
}

/// A member of an edge's data.
fn stored<'e>(edge: &'e Value, member: &str) -> Option<&'e Value> {
    edge.get("data")?.get(member)
}

/// One edge, whatever it leads between.
pub(super) fn edge(edge: &Value) -> Option<Ground> {
    if stored(edge, "condition").is_some_and(|c| !c.is_string()) {
        return Some(Open(super::CONDITION));
    }
    let declared = stored(edge, "edgeType").and_then(Value::as_str);
    if declared == Some("agent_result") {
        return Some(Open(super::DECLARED_RESULT));
    }
    const OF_RECORD: &[&str] = &[
        "edge_id",
        "source_handle",
        "target_handle",
        "is_trigger",
        "is_loopback",
        "is_tool",
        "branch_name",
    ];
    if OF_RECORD.iter().any(|key| edge.get(key).is_some()) {
        return Some(Open(super::RECORD_KEY));
    }
    let read: Edge = serde_json::from_value(edge.clone()).ok()?;
    let claims = [
        AsWritten.is_tool(&read),
        AsWritten.is_loopback(&read),
        AsWritten.is_trigger(&read),
        AsWritten.is_error(&read),
    ];
    let two = read.kind.is_none() && claims.iter().filter(|claims| **claims).count() > 1;
    two.then_some(Open(super::TWO_CLAIMS))
}

/// All edges of a question, and the loops that they make.
pub(super) fn touch(given: &Value) -> Option<Ground> {
    let written = given.get("edges").and_then(Value::as_array);
    if let Some(ground) = written.into_iter().flatten().find_map(edge) {
        return Some(ground);
    }
    let edges = edges(given);
    for edge in &edges {
        if AsWritten.kind(edge) != EdgeKind::Loopback {
            continue;
        }
        if text(&edge.source).is_empty() || text(&edge.target).is_empty() {
            return Some(Open(super::NO_ENDPOINT));
        }
        if edge.source == edge.target {
            return Some(Open(super::TO_ITSELF));
        }
    }
    let drawn = Drawn::of(&edges);
    if drawn.has_cycle() {
        return Some(Barred("CMP-5: a workflow whose forward edges make a cycle"));
    }
    let is_plain = |c: char| !c.is_uppercase() && c.is_ascii();
    if !drawn.bodies.is_empty()
        && !(0..drawn.graph.len()).all(|n| drawn.graph.name(n).chars().all(is_plain))
    {
        return Some(Open(super::LEXICOGRAPHIC));
    }
    drawn.is_chain().then_some(Open(super::CHAIN_OF_TANGLES))
}

/// The loops that edges draw, before any of them are merged.
pub(super) struct Drawn<'e> {
    pub(super) graph: ForwardGraph<'e>,
    /// The bodies, by head.
    pub(super) bodies: BTreeMap<Node, Nodes>,
}

impl<'e> Drawn<'e> {
    pub(super) fn of(edges: &'e [Edge]) -> Self {
        let mut forward = Vec::new();
        let mut back = Vec::new();
        for edge in edges {
            let Some((source, target)) = AsWritten.ends(edge) else {
                continue;
            };
            if AsWritten.is_forward(edge) {
                forward.push((source, target));
            } else if AsWritten.kind(edge) == EdgeKind::Loopback {
                back.push((target, source));
            }
        }
        let graph = ForwardGraph::new(&forward, back.iter().flat_map(|&(h, t)| [h, t]));
        let mut bodies: BTreeMap<Node, Nodes> = BTreeMap::new();
        for (head, tail) in back {
            if let (Some(head), Some(tail)) = (graph.node(head), graph.node(tail)) {
                let body = bodies.entry(head).or_default();
                body.push(head);
                body.extend(graph.between(head, tail));
                body.sort_unstable();
                body.dedup();
            }
        }
        Self { graph, bodies }
    }

    fn has_cycle(&self) -> bool {
        let reaches = |node: Node| {
            let mut next = self.graph.successors(node).iter();
            next.any(|&next| self.graph.and_descendants(next).contains(&node))
        };
        (0..self.graph.len()).any(reaches)
    }

    /// Whether one loop is tangled with two others, as drawn or by merging.
    fn is_chain(&self) -> bool {
        let mut bodies: Vec<&Nodes> = self.bodies.values().collect();
        bodies.sort_by_key(|body| body.len());
        let pairs: Vec<(usize, usize)> = (0..bodies.len())
            .flat_map(|i| (0..i).map(move |j| (j, i)))
            .filter(|&(i, j)| is_tangled(bodies[i], bodies[j]))
            .collect();
        let in_both = |n: &usize| pairs.iter().filter(|(i, j)| i == n || j == n).count() > 1;
        if (0..bodies.len()).any(|n| in_both(&n)) {
            return true;
        }
        // A merged pair may be tangled with a third that neither is tangled with.
        pairs.iter().any(|&(i, j)| {
            let merged: Nodes = [bodies[i].as_slice(), bodies[j]].concat();
            let others = (0..bodies.len()).filter(|n| *n != i && *n != j);
            let mut others = others.map(|n| bodies[n]);
            others.any(|other| is_tangled(other, &sorted(merged.clone())))
        })
    }
}

fn sorted(mut nodes: Nodes) -> Nodes {
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Whether two bodies share nodes and neither holds the other and more.
pub(super) fn is_tangled(one: &[Node], other: &[Node]) -> bool {
    let shared = one.iter().filter(|n| other.contains(n)).count();
    let nested = one.len() != other.len() && shared == one.len().min(other.len());
    shared > 0 && !nested
}

/// A workflow, whatever is done with it.
pub(super) fn workflow(workflow: &Value) -> Option<Ground> {
    let mut seen: Vec<&str> = Vec::new();
    for node in workflow
        .get("nodes")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        if let Some(id) = node.get("id").and_then(Value::as_str) {
            if seen.contains(&id) {
                return Some(Barred("two nodes have one identifier"));
            }
            seen.push(id);
        }
    }
    touch(workflow)
}

/// A workflow that is to be saved. Its edges may lack ends, which is what validation is about.
pub(super) fn validate(workflow: &Value) -> Option<Ground> {
    let edges = workflow.get("edges").and_then(Value::as_array);
    edges.into_iter().flatten().find_map(|written| {
        let declared = stored(written, "edgeType").and_then(Value::as_str);
        const NEAR: &[&str] = &[
            "data",
            "trigger",
            "error",
            "loopback",
            "loop_back",
            "tool",
            "agent_result",
            "default",
        ];
        let is_near = |word: &str| NEAR.contains(&word);
        match declared {
            Some("tool_availability") | None => edge(written),
            Some(word) if is_near(word) => Some(Open(super::DECLARED_TYPES)),
            Some(_) => edge(written),
        }
    })
}

/// Whether a loop is entered again.
pub(super) fn reenter(given: &Value) -> Option<Ground> {
    if given["max_rounds"] == 0 {
        return Some(Open(super::NO_MAXIMUM));
    }
    let written = &given["edge"];
    if let Some(ground) = edge(written) {
        return Some(ground);
    }
    let read: Edge = serde_json::from_value(written.clone()).ok()?;
    if AsWritten.kind(&read) != EdgeKind::Loopback {
        return Some(Barred("only loopback edges are asked about"));
    }
    if text(&read.source).is_empty() || text(&read.target).is_empty() {
        return Some(Open(super::NO_ENDPOINT));
    }
    // The params do not say which ports are branches. These names are never meant to be.
    let port = AsWritten.branch(text(&read.source_handle));
    let is_plain = ["result", "output", "value", "data", "text"].contains(&port);
    let active = given["active_branches"]
        .as_array()
        .is_some_and(|a| !a.is_empty());
    (is_plain && active).then_some(Open(super::PORT_NO_BRANCH))
}

/// What an edge does to its consumer.
pub(super) fn barrier(given: &Value) -> Option<Ground> {
    if let Some(ground) = edge(&given["edge"]) {
        return Some(ground);
    }
    let read: Edge = serde_json::from_value(given["edge"].clone()).ok()?;
    let kinds = [EdgeKind::Data, EdgeKind::Trigger, EdgeKind::Error];
    (!kinds.contains(&AsWritten.kind(&read))).then_some(Open(super::LOOPBACK_BEHIND))
}
