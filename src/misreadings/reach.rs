//! Misreadings of which nodes can still reach a node of a loop.

use crate::reference::{
    graph::{ForwardGraph, Node, Nodes},
    loops::{LoopReading, union},
};

misreadings! {
    /// Only the nodes that an edge leads from to a node can reach it.
    "reach-is-one-step" misreads "SG-17":2 as LoopReading {
        fn reach(&self, graph: &ForwardGraph<'_>, node: Node, _in_loops: &[Node]) -> Nodes {
            union(vec![vec![node], graph.predecessors(node).to_vec()])
        }
    }

    /// A node does not belong to its own set.
    "reach-leaves-the-node-out" misreads "SG-17":2 as LoopReading {
        fn reach(&self, graph: &ForwardGraph<'_>, node: Node, _in_loops: &[Node]) -> Nodes {
            let mut reach = graph.and_ancestors(node);
            reach.retain(|&other| other != node);
            reach
        }
    }

    /// The set of a node is what it leads to.
    "reach-is-downstream" misreads "SG-17":2 as LoopReading {
        fn reach(&self, graph: &ForwardGraph<'_>, node: Node, _in_loops: &[Node]) -> Nodes {
            graph.and_descendants(node)
        }
    }

    /// In a loop every node can reach every other.
    "reach-is-the-body" misreads "SG-17":2 as LoopReading {
        fn reach(&self, graph: &ForwardGraph<'_>, node: Node, in_loops: &[Node]) -> Nodes {
            union(vec![graph.and_ancestors(node), in_loops.to_vec()])
        }
    }

    /// The set of a node is cut down to nodes of loops.
    "reach-within-body" misreads "SG-17":3 as LoopReading {
        fn reach(&self, graph: &ForwardGraph<'_>, node: Node, in_loops: &[Node]) -> Nodes {
            let mut reach = graph.and_ancestors(node);
            reach.retain(|other| in_loops.contains(other));
            reach
        }
    }

    /// Of what is outside, only what feeds the loop directly belongs to a set.
    "reach-one-step-outside" misreads "SG-17":3 as LoopReading {
        fn reach(&self, graph: &ForwardGraph<'_>, node: Node, in_loops: &[Node]) -> Nodes {
            let mut reach = graph.and_ancestors(node);
            reach.retain(|other| {
                let feeds = |&next: &Node| in_loops.contains(&next);
                in_loops.contains(other) || graph.successors(*other).iter().any(feeds)
            });
            reach
        }
    }

    /// What leads to the head of a loop runs before it and is no part of a set.
    "reach-stops-at-the-way-in" misreads "SG-17":3 as LoopReading {
        fn reach(&self, graph: &ForwardGraph<'_>, node: Node, in_loops: &[Node]) -> Nodes {
            let above_all = in_loops.iter().map(|&n| graph.and_ancestors(n));
            let above_all = above_all.reduce(|mut all, above| {
                all.retain(|n| above.contains(n));
                all
            });
            let above_all = above_all.unwrap_or_default();
            let mut reach = graph.and_ancestors(node);
            reach.retain(|other| in_loops.contains(other) || !above_all.contains(other));
            reach
        }
    }
}
