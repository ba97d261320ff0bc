//! Misreadings of what a loop is, and of what becomes of loops that share nodes.

use std::{cmp::Ordering, collections::VecDeque};

use crate::{
    operations::{
        edge::{Edge, EdgeKind},
        loops::LoopDiagnostic,
    },
    reference::{
        AsWritten,
        edges::EdgeReading,
        graph::{ForwardGraph, Node, Nodes},
        loops::{LoopReading, union},
    },
};

misreadings! {
    /// Execution follows tool edges.
    "walk-tool-edges" misreads "SG-16":1 as LoopReading {
        fn is_forward(&self, edge: &Edge) -> bool {
            !matches!(self.kind(edge), EdgeKind::Loopback | EdgeKind::AgentResult)
        }
    }

    /// Execution follows agent-result edges.
    "walk-agent-result-edges" misreads "SG-16":1 as LoopReading {
        fn is_forward(&self, edge: &Edge) -> bool {
            !matches!(self.kind(edge), EdgeKind::Loopback | EdgeKind::Tool)
        }
    }

    /// Loopback edges are walked like any other.
    "walk-loopback-edges" misreads "SG-16":1 as LoopReading {
        fn is_forward(&self, edge: &Edge) -> bool {
            !matches!(self.kind(edge), EdgeKind::Tool | EdgeKind::AgentResult)
        }
    }

    /// Only data makes a way: trigger and error edges are not walked.
    "walk-data-edges-alone" misreads "SG-16":1 as LoopReading {
        fn is_forward(&self, edge: &Edge) -> bool {
            self.kind(edge) == EdgeKind::Data
        }
    }

    /// Error edges lead out of the regular course and are not walked.
    "leave-error-edges-out" misreads "SG-16":1 as LoopReading {
        fn is_forward(&self, edge: &Edge) -> bool {
            matches!(self.kind(edge), EdgeKind::Data | EdgeKind::Trigger)
        }
    }

    /// A body is the shortest way from head to tail.
    "shortest-way-is-the-body" misreads "SG-16":1 as LoopReading {
        fn body(&self, graph: &ForwardGraph<'_>, head: Node, tail: Node) -> Nodes {
            shortest_way(graph, head, tail, None)
        }
    }

    /// A body is all that leads to the tail.
    "body-is-all-before-the-tail" misreads "SG-16":1 as LoopReading {
        fn body(&self, graph: &ForwardGraph<'_>, head: Node, tail: Node) -> Nodes {
            let before = graph.and_ancestors(tail);
            if before.contains(&head) { before } else { Nodes::new() }
        }
    }

    /// The head is where a loop is entered and not part of its body.
    "head-is-outside" misreads "SG-16":1 as LoopReading {
        fn body(&self, graph: &ForwardGraph<'_>, head: Node, tail: Node) -> Nodes {
            let mut body = graph.between(head, tail);
            body.retain(|&node| node != head || head == tail);
            body
        }
    }

    /// The tail is where a loop is left and not part of its body.
    "tail-is-outside" misreads "SG-16":1 as LoopReading {
        fn body(&self, graph: &ForwardGraph<'_>, head: Node, tail: Node) -> Nodes {
            let mut body = graph.between(head, tail);
            body.retain(|&node| node != tail || head == tail);
            body
        }
    }

    /// Every tail makes a loop of its own.
    "loop-per-tail" misreads "SG-16":2 as LoopReading {
        fn key(&self, _head: Node, tail: Node) -> Node {
            tail
        }
    }

    /// Of several loopback edges into one head the last is the one that counts.
    "last-tail-counts" misreads "SG-16":2 as LoopReading {
        fn united(&self, bodies: Vec<Nodes>) -> Nodes {
            bodies.into_iter().next_back().unwrap_or_default()
        }
    }

    /// Of several loopback edges into one head the first is the one that counts.
    "first-tail-counts" misreads "SG-16":2 as LoopReading {
        fn united(&self, bodies: Vec<Nodes>) -> Nodes {
            bodies.into_iter().next().unwrap_or_default()
        }
    }

    /// Of several loopback edges into one head the one with the largest body counts.
    "largest-tail-counts" misreads "SG-16":2 as LoopReading {
        fn united(&self, bodies: Vec<Nodes>) -> Nodes {
            bodies.into_iter().max_by_key(Vec::len).unwrap_or_default()
        }
    }

    /// The body of a loop with several tails is what they have in common.
    "tails-have-a-common-body" misreads "SG-16":2 as LoopReading {
        fn united(&self, bodies: Vec<Nodes>) -> Nodes {
            common(bodies)
        }
    }

    /// What the head leads to belongs to the loop, wherever it ends.
    "dead-ends-belong" misreads "SG-16":3 as LoopReading {
        fn body(&self, graph: &ForwardGraph<'_>, head: Node, tail: Node) -> Nodes {
            let body = graph.between(head, tail);
            if body.is_empty() {
                return body;
            }
            let past = graph.and_descendants(tail);
            let mut all = graph.and_descendants(head);
            all.retain(|node| body.contains(node) || !past.contains(node));
            all
        }
    }

    /// What follows the tail belongs to the loop.
    "past-the-tail-belongs" misreads "SG-16":3 as LoopReading {
        fn body(&self, graph: &ForwardGraph<'_>, head: Node, tail: Node) -> Nodes {
            let body = graph.between(head, tail);
            if body.is_empty() {
                return body;
            }
            union(vec![body, graph.and_descendants(tail)])
        }
    }

    /// A node that a round can do without is not a member.
    "conditional-arms-are-outside" misreads "SG-16":3 as LoopReading {
        fn body(&self, graph: &ForwardGraph<'_>, head: Node, tail: Node) -> Nodes {
            let mut body = graph.between(head, tail);
            body.retain(|&node| {
                [head, tail].contains(&node)
                    || shortest_way(graph, head, tail, Some(node)).is_empty()
            });
            body
        }
    }

    /// An edge with a condition may not be followed, so it is not walked.
    "edges-with-a-condition-are-not-walked" misreads "SG-16":3 as LoopReading {
        fn is_forward(&self, edge: &Edge) -> bool {
            let condition = edge.data.as_ref().and_then(|data| data.condition.as_ref());
            condition.is_none() && AsWritten.is_forward(edge)
        }
    }

    /// A loopback edge that closes no cycle makes no loop.
    "drop-head-only-loop" misreads "SG-16":4 as LoopReading {
        fn body_without_cycle(&self, _head: Node, _tail: Node) -> Option<Nodes> {
            None
        }
    }

    /// A loopback edge that closes no cycle makes a loop of its two ends.
    "both-ends-without-a-cycle" misreads "SG-16":4 as LoopReading {
        fn body_without_cycle(&self, head: Node, tail: Node) -> Option<Nodes> {
            Some(union(vec![vec![head], vec![tail]]))
        }
    }

    /// A loopback edge that closes no cycle is drawn the wrong way round.
    "turn-the-edge-round" misreads "SG-16":4 as LoopReading {
        fn body(&self, graph: &ForwardGraph<'_>, head: Node, tail: Node) -> Nodes {
            let body = graph.between(head, tail);
            if body.is_empty() { graph.between(tail, head) } else { body }
        }
    }

    /// A loop that shares nodes with another is merged with it, also if it lies inside it.
    "merge-nested-loops" misreads "SG-18":1 as LoopReading {
        fn is_tangled(&self, shared: usize, _one: usize, _other: usize, _head: bool) -> bool {
            shared > 0
        }
    }

    /// A loop lies inside another if it is smaller and touches it.
    "smaller-is-nested" misreads "SG-18":1 as LoopReading {
        fn is_nested(&self, shared: usize, inner: usize, outer: usize) -> bool {
            shared > 0 && inner < outer
        }
    }

    /// Of the loops around a node the innermost is named first.
    "innermost-loop-first" misreads "SG-18":1 as LoopReading {
        fn outermost_first(&self, one: (usize, &str), other: (usize, &str)) -> Ordering {
            one.0.cmp(&other.0).then(one.1.cmp(other.1))
        }
    }

    /// The loops around a node are named in the order of their heads' names.
    "loops-by-name" misreads "SG-18":1 as LoopReading {
        fn outermost_first(&self, one: (usize, &str), other: (usize, &str)) -> Ordering {
            one.1.cmp(other.1)
        }
    }

    /// Tangled loops are two loops all the same.
    "keep-tangled-loops" misreads "SG-18":3 as LoopReading {
        fn is_tangled(&self, _shared: usize, _one: usize, _other: usize, _head: bool) -> bool {
            false
        }
    }

    /// Loops that have a single node in common are not tangled.
    "one-common-node-is-no-tangle" misreads "SG-18":3 as LoopReading {
        fn is_tangled(&self, shared: usize, one: usize, other: usize, head: bool) -> bool {
            shared > 1 && AsWritten.is_tangled(shared, one, other, head)
        }
    }

    /// A loop whose head is in another loop is nested in it, and not tangled with it.
    "head-inside-is-nested" misreads "SG-18":3 as LoopReading {
        fn is_tangled(&self, shared: usize, one: usize, other: usize, head: bool) -> bool {
            !head && AsWritten.is_tangled(shared, one, other, head)
        }
    }

    /// Of a loop with several tails the largest part counts when loops are merged.
    "size-is-that-of-one-tail" misreads "SG-18":3 as LoopReading {
        fn size(&self, by_tail: &[usize], in_all: usize) -> usize {
            by_tail.iter().copied().max().unwrap_or(in_all)
        }
    }

    /// Of two tangled loops the larger stays as it is, and the other is given up.
    "larger-of-tangled-loops-stays" misreads "SG-18":3 as LoopReading {
        fn merged(&self, bodies: Vec<Nodes>) -> Nodes {
            bodies.into_iter().next().unwrap_or_default()
        }
    }

    /// Two tangled loops become one of the nodes that they have in common.
    "tangled-loops-are-what-they-share" misreads "SG-18":3 as LoopReading {
        fn merged(&self, bodies: Vec<Nodes>) -> Nodes {
            common(bodies)
        }
    }

    /// A merged loop has the head whose name comes first, whichever is larger.
    "merged-head-by-name" misreads "SG-18":3 as LoopReading {
        fn survivor_first(&self, one: (usize, &str), other: (usize, &str)) -> Ordering {
            one.1.cmp(other.1)
        }
    }

    /// A merged loop has the head of the smaller one.
    "merged-head-of-the-smaller" misreads "SG-18":3 as LoopReading {
        fn survivor_first(&self, one: (usize, &str), other: (usize, &str)) -> Ordering {
            one.0.cmp(&other.0).then(one.1.cmp(other.1))
        }
    }

    /// Of tangled loops that are equally large the head whose name comes last is kept.
    "last-name-wins-a-tie" misreads "SG-18":3 as LoopReading {
        fn survivor_first(&self, one: (usize, &str), other: (usize, &str)) -> Ordering {
            other.0.cmp(&one.0).then(other.1.cmp(one.1))
        }
    }

    /// Among heads that end in a number the lower number comes first.
    "tie-by-number" misreads "SG-18":3 as LoopReading {
        fn survivor_first(&self, one: (usize, &str), other: (usize, &str)) -> Ordering {
            other.0.cmp(&one.0).then(numbered(one.1).cmp(&numbered(other.1)))
        }
    }

    /// That loops were merged is not told before something runs.
    "merge-goes-unsaid" misreads "SG-18":5 as LoopReading {
        fn is_reported(&self, diagnostic: &LoopDiagnostic, _size: usize) -> bool {
            !matches!(diagnostic, LoopDiagnostic::Merged { .. })
        }
    }

    /// A loopback edge that closes no cycle is not told before something runs.
    "edge-without-cycle-goes-unsaid" misreads "SG-18":5 as LoopReading {
        fn is_reported(&self, diagnostic: &LoopDiagnostic, _size: usize) -> bool {
            !matches!(diagnostic, LoopDiagnostic::NoCycle { .. })
        }
    }

    /// A loopback edge that closes no cycle does no harm where another one into its head does.
    "stray-edge-beside-a-good-one-goes-unsaid" misreads "SG-18":5 as LoopReading {
        fn is_reported(&self, diagnostic: &LoopDiagnostic, size: usize) -> bool {
            !matches!(diagnostic, LoopDiagnostic::NoCycle { .. }) || size == 1
        }
    }
}

/// The nodes of one shortest way that spares a node; none where there is no way.
fn shortest_way(graph: &ForwardGraph<'_>, from: Node, to: Node, spared: Option<Node>) -> Nodes {
    let mut before = vec![None; graph.len()];
    let mut open = VecDeque::from([from]);
    before[from] = Some(from);
    while let Some(node) = open.pop_front() {
        for &next in graph.successors(node) {
            if before[next].is_none() && Some(next) != spared {
                before[next] = Some(node);
                open.push_back(next);
            }
        }
    }
    let mut way = Nodes::new();
    let mut at = to;
    while let Some(node) = before[at] {
        way.push(at);
        if at == from {
            break;
        }
        at = node;
    }
    way.sort_unstable();
    way
}

/// The nodes that are in all of these.
fn common(bodies: Vec<Nodes>) -> Nodes {
    let mut bodies = bodies.into_iter();
    let mut common = bodies.next().unwrap_or_default();
    for body in bodies {
        common.retain(|node| body.contains(node));
    }
    common
}

/// A name without the number at its end, and that number.
fn numbered(name: &str) -> (&str, u64) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem, name[stem.len()..].parse().unwrap_or(0))
}
