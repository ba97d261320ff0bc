//! Loops held against their definition: bodies, reachability and merging worked out by transitive
//! closure, which is slow and plain, over every small graph and over larger ones drawn at random.

use std::collections::{BTreeMap, BTreeSet};

use super::find;
use crate::{
    operations::{
        edge::{Edge, EdgeKind},
        loops::LoopDiagnostic,
    },
    reference::AsWritten,
};

type Set = BTreeSet<usize>;

/// Who can come to whom, no step included.
fn closure(nodes: usize, forward: &[(usize, usize)]) -> Vec<Vec<bool>> {
    let mut leads = vec![vec![false; nodes]; nodes];
    for &(from, to) in forward {
        leads[from][to] = true;
    }
    for via in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                leads[from][to] |= leads[from][via] && leads[via][to];
            }
        }
    }
    leads
}

fn is_tangled(a: &Set, b: &Set) -> bool {
    !a.is_disjoint(b) && (a == b || !a.is_subset(b) && !b.is_subset(a))
}

/// Merged loops: the heads in it, that of the largest drawn body first, and all their nodes.
fn merge(drawn: &BTreeMap<usize, Set>) -> Vec<(Vec<usize>, Set)> {
    let mut groups: Vec<(Vec<usize>, Set)> =
        drawn.iter().map(|(&h, b)| (vec![h], b.clone())).collect();
    loop {
        // Which groups hang together, by walking from each to all that it is tangled with.
        let mut label: Vec<usize> = (0..groups.len()).collect();
        for _ in 0..groups.len() {
            for a in 0..groups.len() {
                for b in 0..groups.len() {
                    if is_tangled(&groups[a].1, &groups[b].1) {
                        let low = label[a].min(label[b]);
                        label[a] = low;
                        label[b] = low;
                    }
                }
            }
        }
        let mut next: BTreeMap<usize, (Vec<usize>, Set)> = BTreeMap::new();
        for (group, label) in groups.iter().zip(&label) {
            let (heads, body) = next.entry(*label).or_default();
            heads.extend(&group.0);
            body.extend(&group.1);
        }
        let done = next.len() == groups.len();
        groups = next.into_values().collect();
        if done {
            for (heads, _) in &mut groups {
                heads.sort_by_key(|h| (usize::MAX - drawn[h].len(), *h));
            }
            return groups;
        }
    }
}

fn name(node: usize) -> String {
    format!("n{node:02}")
}

fn names(nodes: impl IntoIterator<Item = usize>) -> Vec<String> {
    nodes.into_iter().map(name).collect()
}

fn check(nodes: usize, forward: &[(usize, usize)], back: &[(usize, usize)]) {
    let mut edges: Vec<Edge> = forward
        .iter()
        .map(|&(from, to)| Edge::between(name(from), name(to)))
        .collect();
    edges
        .extend(back.iter().map(|&(tail, head)| {
            Edge::between(name(tail), name(head)).of_kind(EdgeKind::Loopback)
        }));
    let found = find(&AsWritten, &edges);
    let resolved = found.resolved(&AsWritten);

    let leads = closure(nodes, forward);
    let mut drawn: BTreeMap<usize, Set> = BTreeMap::new();
    let mut expected_diagnostics = BTreeSet::new();
    for &(tail, head) in back {
        let below = |n: usize| n == head || leads[head][n];
        let above = |n: usize| n == tail || leads[n][tail];
        let mut body: Set = (0..nodes).filter(|&n| below(n) && above(n)).collect();
        if body.is_empty() {
            body.insert(head);
            expected_diagnostics.insert(LoopDiagnostic::NoCycle {
                head: name(head),
                tail: name(tail),
            });
        }
        drawn.entry(head).or_default().extend(body);
    }

    let mut expected_loops = BTreeMap::new();
    let mut expected_reach = BTreeMap::new();
    for (heads, body) in merge(&drawn) {
        for &node in &body {
            let reach = (0..nodes).filter(|&n| n == node || leads[n][node]);
            expected_reach.insert(name(node), names(reach));
        }
        if heads.len() > 1 {
            let mut absorbed = names(heads[1..].to_vec());
            absorbed.sort();
            expected_diagnostics.insert(LoopDiagnostic::Merged {
                head: name(heads[0]),
                absorbed,
            });
        }
        expected_loops.insert(name(heads[0]), names(body));
    }

    let shown = format!("{forward:?} {back:?}");
    assert_eq!(resolved.loops, expected_loops, "{shown}");
    assert_eq!(found.reach(&AsWritten), expected_reach, "{shown}");
    let diagnostics: BTreeSet<_> = resolved.diagnostics.iter().cloned().collect();
    assert_eq!(diagnostics, expected_diagnostics, "{shown}");
    assert_eq!(diagnostics.len(), resolved.diagnostics.len(), "{shown}");

    // Of a node's loops each holds the next one, and there are no others.
    for node in (0..nodes).map(name) {
        let heads = resolved.memberships.get(&node).cloned().unwrap_or_default();
        for pair in heads.windows(2) {
            let [outer, inner] = [&resolved.loops[&pair[0]], &resolved.loops[&pair[1]]];
            assert!(inner.len() < outer.len(), "{shown}");
            assert!(inner.iter().all(|n| outer.contains(n)), "{shown}");
        }
        let of = resolved.loops.values().filter(|body| body.contains(&node));
        assert_eq!(of.count(), heads.len(), "{shown}");
    }
}

/// Every pair of nodes, or only those that go forward.
fn pairs(nodes: usize, forward_only: bool) -> Vec<(usize, usize)> {
    let all = (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b)));
    all.filter(|(a, b)| !forward_only || a < b).collect()
}

/// Every forward graph over this many nodes in a fixed order, with up to this many loopback edges.
fn check_all(nodes: usize, most_back: usize) {
    let forward = pairs(nodes, true);
    let back = pairs(nodes, false);
    for chosen in 0..1_u32 << forward.len() {
        let forward: Vec<(usize, usize)> = (0..forward.len())
            .filter(|n| chosen & 1 << n != 0)
            .map(|n| forward[n])
            .collect();
        check(nodes, &forward, &[]);
        for (n, &one) in back.iter().enumerate() {
            check(nodes, &forward, &[one]);
            for (m, &two) in back.iter().enumerate().skip(n + 1) {
                check(nodes, &forward, &[one, two]);
                for &three in back[m + 1..].iter().filter(|_| most_back > 2) {
                    check(nodes, &forward, &[one, two, three]);
                }
            }
        }
    }
}

#[test]
fn all_graphs_of_four_nodes_with_three_loopbacks() {
    check_all(4, 3);
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "takes half a minute: cargo test by_definition -- --include-ignored"
)]
fn all_graphs_of_five_nodes_with_two_loopbacks() {
    check_all(5, 2);
}

/// Numbers that look random and are the same each time: xorshift64.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[test]
fn random_graphs_of_up_to_forty_nodes() {
    let mut drawn = Drawn(0x5eed);
    for _ in 0..300 {
        let nodes = 6 + drawn.below(35);
        // From a few edges to several a node.
        let edges = nodes / 2 + drawn.below(nodes * 3);
        let forward: BTreeSet<(usize, usize)> = (0..edges)
            .map(|_| (drawn.below(nodes), drawn.below(nodes)))
            .filter(|(from, to)| from != to)
            .map(|(a, b)| (a.min(b), a.max(b)))
            .collect();
        let forward: Vec<(usize, usize)> = forward.into_iter().collect();
        let backs = 1 + drawn.below(2);
        let back: BTreeSet<(usize, usize)> = (0..backs)
            .map(|_| (drawn.below(nodes), drawn.below(nodes)))
            .collect();
        check(nodes, &forward, &back.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn small_graphs_with_cycles() {
    let forward = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 0)];
    let back = pairs(4, false);
    for left_out in 0..forward.len() {
        let mut forward = forward.to_vec();
        forward.remove(left_out);
        for &one in &back {
            for &two in &back {
                check(4, &forward, &[one, two]);
            }
        }
    }
}
