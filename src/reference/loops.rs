//! What loops a workflow has: their bodies, which of them are one, and what can reach them.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use super::{
    edges::EdgeReading,
    graph::{ForwardGraph, Node, Nodes},
    tangles,
};
use crate::operations::{
    edge::{Edge, EdgeKind},
    loops::{LoopDiagnostic, Reachability, Resolved},
};

/// What the rules about loops decide.
pub trait LoopReading: EdgeReading {
    /// Whether execution follows an edge. Only such edges make the forward graph.
    //= SG-16:1
    fn is_forward(&self, edge: &Edge) -> bool {
        !matches!(
            self.kind(edge),
            EdgeKind::Loopback | EdgeKind::Tool | EdgeKind::AgentResult
        )
    }

    /// The nodes that one loopback edge turns: those on a way from its head to its tail. What
    /// lies behind the tail, and what cannot come to it, is not among them; whether a node runs
    /// in a given round makes no difference. None where head does not lead to tail.
    // open: an edge from a node to itself closes a cycle of that one node.
    //= SG-16:1
    //= SG-16:3
    fn body(&self, graph: &ForwardGraph<'_>, head: Node, tail: Node) -> Nodes {
        graph.between(head, tail)
    }

    /// The nodes that a loopback edge turns which closes no cycle: its head. It is a loop still.
    //= SG-16:4
    fn body_without_cycle(&self, head: Node, _tail: Node) -> Option<Nodes> {
        Some(vec![head])
    }

    /// What a loop is known by: edges that agree in this are one loop.
    //= SG-16:2
    fn key(&self, head: Node, _tail: Node) -> Node {
        head
    }

    /// The body of a loop with several tails.
    //= SG-16:2
    fn united(&self, bodies: Vec<Nodes>) -> Nodes {
        union(bodies)
    }

    /// Whether a loop lies inside another, given how many nodes they share and how many each has.
    //= SG-18:1
    fn is_nested(&self, shared: usize, inner: usize, outer: usize) -> bool {
        shared == inner && inner < outer
    }

    /// How many nodes a loop counts when it is compared with others, given how many each of its tails
    /// gives and how many it has in all.
    //= SG-18:3
    fn size(&self, _by_tail: &[usize], in_all: usize) -> usize {
        in_all
    }

    /// Whether two loops cannot both stand, given how many nodes they share, how many each has, and
    /// whether the head of either is in the other.
    //= SG-18:3
    fn is_tangled(&self, shared: usize, one: usize, other: usize, _head_inside: bool) -> bool {
        shared > 0 && !self.is_nested(shared, one, other) && !self.is_nested(shared, other, one)
    }

    /// Which of two tangled loops, each given as its size and its head, gives the merged one its
    /// head: that is [`Ordering::Less`].
    //= SG-18:3
    fn survivor_first(&self, one: (usize, &str), other: (usize, &str)) -> Ordering {
        other.0.cmp(&one.0).then(one.1.cmp(other.1))
    }

    /// The body of a merged loop. The first of the bodies is that of the survivor.
    //= SG-18:3
    fn merged(&self, bodies: Vec<Nodes>) -> Nodes {
        union(bodies)
    }

    /// Which of two loops around a node, each given as its size and its head, is named before
    /// the other.
    //= SG-18:1
    fn outermost_first(&self, one: (usize, &str), other: (usize, &str)) -> Ordering {
        other.0.cmp(&one.0).then(one.1.cmp(other.1))
    }

    /// Whether an author is told this about a workflow, given how many nodes the loop has that it
    /// is about.
    //= SG-18:5
    fn is_reported(&self, _diagnostic: &LoopDiagnostic, _size: usize) -> bool {
        true
    }

    /// The nodes that can reach a node of a loop, itself among them, wherever they are.
    /// `in_loops` are the nodes of all loops.
    //= SG-17:2
    //= SG-17:3
    fn reach(&self, graph: &ForwardGraph<'_>, node: Node, _in_loops: &[Node]) -> Nodes {
        graph.and_ancestors(node)
    }
}

/// A loop, in terms of a graph.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Loop {
    pub head: Node,
    pub body: Nodes,
    /// How many nodes the loop of this head had before any merging.
    pub drawn: usize,
    /// The heads of the loops that have become part of it.
    pub absorbed: Nodes,
}

/// The loops of a workflow together with the graph that they are in.
pub struct Found<'e> {
    graph: ForwardGraph<'e>,
    loops: Vec<Loop>,
    diagnostics: Vec<LoopDiagnostic>,
}

/// Finds the loops of a workflow.
pub fn find<'e>(reading: &dyn LoopReading, edges: &'e [Edge]) -> Found<'e> {
    let mut forward = Vec::new();
    let mut back = Vec::new();
    for edge in edges {
        let Some((source, target)) = reading.ends(edge) else {
            continue;
        };
        if reading.is_forward(edge) {
            forward.push((source, target));
        }
        if reading.kind(edge) == EdgeKind::Loopback {
            back.push((target, source));
        }
    }

    let graph = ForwardGraph::new(&forward, back.iter().flat_map(|&(head, tail)| [head, tail]));
    let mut found = Found {
        graph,
        loops: Vec::new(),
        diagnostics: Vec::new(),
    };
    let back: BTreeSet<(Node, Node)> = back
        .into_iter()
        .filter_map(|(head, tail)| Some((found.graph.node(head)?, found.graph.node(tail)?)))
        .collect();
    found.draw(reading, back);
    found.merge(reading);
    found.report(reading);
    found
}

impl Found<'_> {
    /// Adds the loops that these loopback edges close, each edge given as its head and its tail.
    fn draw(&mut self, reading: &dyn LoopReading, back: BTreeSet<(Node, Node)>) {
        let mut bodies: BTreeMap<Node, Vec<Nodes>> = BTreeMap::new();
        for (head, tail) in back {
            let mut body = Some(reading.body(&self.graph, head, tail)).filter(|b| !b.is_empty());
            if body.is_none() {
                self.diagnostics.push(LoopDiagnostic::NoCycle {
                    head: self.graph.name(head).to_owned(),
                    tail: self.graph.name(tail).to_owned(),
                });
                body = reading.body_without_cycle(head, tail);
            }
            let key = reading.key(head, tail);
            bodies.entry(key).or_default().extend(body);
        }
        bodies.retain(|_, bodies| !bodies.is_empty());
        self.loops.extend(bodies.into_iter().map(|(head, bodies)| {
            let by_tail: Vec<usize> = bodies.iter().map(Vec::len).collect();
            let body = reading.united(bodies);
            Loop {
                head,
                drawn: reading.size(&by_tail, body.len()),
                body,
                absorbed: Nodes::new(),
            }
        }));
    }

    /// Makes one of the loops that cannot stand beside each other.
    fn merge(&mut self, reading: &dyn LoopReading) {
        self.loops = tangles::merge(reading, &self.graph, std::mem::take(&mut self.loops));
        for l in self.loops.iter().filter(|l| !l.absorbed.is_empty()) {
            self.diagnostics.push(LoopDiagnostic::Merged {
                head: self.graph.name(l.head).to_owned(),
                absorbed: self.graph.names(&l.absorbed),
            });
        }
    }

    /// Leaves out what the author is not told.
    fn report(&mut self, reading: &dyn LoopReading) {
        let sizes: BTreeMap<&str, usize> = self
            .loops
            .iter()
            .map(|l| (self.graph.name(l.head), l.body.len()))
            .collect();
        self.diagnostics.retain(|diagnostic| {
            let (LoopDiagnostic::NoCycle { head, .. } | LoopDiagnostic::Merged { head, .. }) =
                diagnostic;
            reading.is_reported(diagnostic, sizes.get(head.as_str()).copied().unwrap_or(0))
        });
    }

    /// The loops, which of them each node is in, and what the author is told.
    pub fn resolved(&self, reading: &dyn LoopReading) -> Resolved {
        let name = |l: &Loop| self.graph.name(l.head).to_owned();
        let mut ordered: Vec<&Loop> = self.loops.iter().collect();
        ordered.sort_by(|a, b| {
            let size_and_head = |l: &Loop| (l.body.len(), self.graph.name(l.head));
            reading.outermost_first(size_and_head(a), size_and_head(b))
        });

        let mut resolved = Resolved {
            diagnostics: self.diagnostics.clone(),
            ..Resolved::default()
        };
        for l in ordered {
            for &node in &l.body {
                let node = self.graph.name(node).to_owned();
                resolved.memberships.entry(node).or_default().push(name(l));
            }
            resolved.loops.insert(name(l), self.graph.names(&l.body));
        }
        resolved
    }

    /// For each node of a loop, the nodes that can reach it.
    pub fn reach(&self, reading: &dyn LoopReading) -> Reachability {
        let in_loops = union(self.loops.iter().map(|l| l.body.clone()).collect());
        in_loops
            .iter()
            .map(|&node| {
                let reach = reading.reach(&self.graph, node, &in_loops);
                (self.graph.name(node).to_owned(), self.graph.names(&reach))
            })
            .collect()
    }
}

/// All nodes of any of these.
pub(crate) fn union(sets: Vec<Nodes>) -> Nodes {
    let mut all = sets.concat();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
#[path = "loops_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "loops_by_definition.rs"]
mod by_definition;
