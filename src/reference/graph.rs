//! The forward graph: nodes with their successors and predecessors, and what lies between two.

use std::collections::VecDeque;

use fixedbitset::FixedBitSet;

/// A node of a [`ForwardGraph`]. Nodes are numbered in the order of their names.
pub type Node = usize;

/// Some nodes, in ascending order, each once.
pub type Nodes = Vec<Node>;

/// A graph of the edges that execution follows.
///
/// It ought to have no cycle (CMP-5), but nothing here depends on that.
#[derive(Debug)]
pub struct ForwardGraph<'e> {
    names: Vec<&'e str>,
    successors: Vec<Nodes>,
    predecessors: Vec<Nodes>,
    /// Every edge goes from a lower rank to a higher one, save among the nodes on a cycle or
    /// behind one: all of these have the highest rank there is.
    rank: Vec<usize>,
}

impl<'e> ForwardGraph<'e> {
    /// The graph of these edges, with further nodes that need not be on any of them.
    pub fn new(
        edges: &[(&'e str, &'e str)],
        further: impl IntoIterator<Item = &'e str>,
    ) -> ForwardGraph<'e> {
        let ends = edges.iter().flat_map(|&(from, to)| [from, to]);
        let mut names: Vec<&str> = ends.chain(further).collect();
        names.sort_unstable();
        names.dedup();

        let mut successors = vec![Nodes::new(); names.len()];
        let mut predecessors = vec![Nodes::new(); names.len()];
        for (from, to) in edges {
            if let (Ok(from), Ok(to)) = (names.binary_search(from), names.binary_search(to)) {
                successors[from].push(to);
                predecessors[to].push(from);
            }
        }
        let rank = rank(&successors, &predecessors);
        ForwardGraph {
            names,
            successors,
            predecessors,
            rank,
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no node at all.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// A node's name.
    pub fn name(&self, node: Node) -> &'e str {
        self.names[node]
    }

    /// The names of some nodes, sorted as the nodes are.
    pub fn names(&self, nodes: &[Node]) -> Vec<String> {
        nodes.iter().map(|&n| self.name(n).to_owned()).collect()
    }

    /// The node of this name.
    pub fn node(&self, name: &str) -> Option<Node> {
        self.names.binary_search(&name).ok()
    }

    /// Where a node's edges lead, once for each edge.
    pub fn successors(&self, node: Node) -> &[Node] {
        &self.successors[node]
    }

    /// Where a node's edges come from, once for each edge.
    pub fn predecessors(&self, node: Node) -> &[Node] {
        &self.predecessors[node]
    }

    /// A node and all that it can reach.
    pub fn and_descendants(&self, node: Node) -> Nodes {
        sweep(&self.successors, node, |_| true).ones().collect()
    }

    /// A node and all that can reach it.
    pub fn and_ancestors(&self, node: Node) -> Nodes {
        sweep(&self.predecessors, node, |_| true).ones().collect()
    }

    /// All nodes on any way from one node to another, both included; none if there is no way.
    ///
    /// Of the first node's descendants only those are visited that the second can come after, so
    /// that a short loop in a large graph costs little.
    pub fn between(&self, first: Node, last: Node) -> Nodes {
        let limit = self.rank[last];
        let below = sweep(&self.successors, first, |n| self.rank[n] <= limit);
        if !below.contains(last) {
            return Nodes::new();
        }
        sweep(&self.predecessors, last, |n| below.contains(n))
            .ones()
            .collect()
    }
}

/// Ranks nodes by taking away, again and again, one that no edge leads to.
fn rank(successors: &[Nodes], predecessors: &[Nodes]) -> Vec<usize> {
    let mut rank = vec![usize::MAX; successors.len()];
    let mut waiting_for: Vec<usize> = predecessors.iter().map(Vec::len).collect();
    let mut free: VecDeque<Node> = (0..rank.len()).filter(|&n| waiting_for[n] == 0).collect();
    let mut next = 0;
    while let Some(node) = free.pop_front() {
        rank[node] = next;
        next += 1;
        for &after in &successors[node] {
            waiting_for[after] -= 1;
            if waiting_for[after] == 0 {
                free.push_back(after);
            }
        }
    }
    rank
}

/// A node, and all that can be come to from it through nodes that are allowed.
fn sweep(steps: &[Nodes], from: Node, allowed: impl Fn(Node) -> bool) -> FixedBitSet {
    let mut seen = FixedBitSet::with_capacity(steps.len());
    seen.insert(from);
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &next in &steps[node] {
            if !seen.contains(next) && allowed(next) {
                seen.insert(next);
                open.push(next);
            }
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(edges: &[(&str, &str)], first: &str, last: &str) -> Vec<String> {
        let graph = ForwardGraph::new(edges, [first, last]);
        let (first, last) = (graph.node(first).unwrap(), graph.node(last).unwrap());
        graph.names(&graph.between(first, last))
    }

    #[test]
    fn dead_ends_and_outside_feeds_are_not_between() {
        let edges = [
            ("a", "b"),
            ("b", "c"),
            ("b", "dead"),
            ("feed", "b"),
            ("c", "on"),
        ];
        assert_eq!(between(&edges, "a", "c"), ["a", "b", "c"]);
        assert!(between(&edges, "c", "a").is_empty());
        assert_eq!(between(&edges, "a", "a"), ["a"]);
    }

    #[test]
    fn cycles_and_what_lies_behind_them_are_found_too() {
        let edges = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("x", "c")];
        assert_eq!(between(&edges, "a", "d"), ["a", "b", "c", "d"]);
        assert_eq!(between(&edges, "b", "a"), ["a", "b"]);
        assert!(between(&edges, "d", "x").is_empty());
        assert_eq!(between(&[("a", "a")], "a", "a"), ["a"]);
    }

    #[test]
    fn a_long_chain_is_no_matter() {
        let names: Vec<String> = (0..200_000).map(|n| format!("{n:06}")).collect();
        let edges: Vec<(&str, &str)> = names
            .windows(2)
            .map(|pair| (pair[0].as_str(), pair[1].as_str()))
            .collect();
        let graph = ForwardGraph::new(&edges, []);
        assert_eq!(graph.between(0, 199_999).len(), 200_000);
        assert_eq!(graph.between(10, 12), [10, 11, 12]);
    }
}
