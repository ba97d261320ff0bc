use std::collections::BTreeMap;

use super::*;
use crate::{
    operations::edge::{Edge, EdgeKind},
    reference::AsWritten,
};

/// Forward edges `a>b`, loopback edges from tail to head `t~h`, and tool wires `a=b`.
fn edges(drawn: &str) -> Vec<Edge> {
    drawn
        .split_whitespace()
        .map(|edge| {
            for (sign, kind) in [
                ('>', None),
                ('~', Some(EdgeKind::Loopback)),
                ('=', Some(EdgeKind::Tool)),
            ] {
                if let Some((source, target)) = edge.split_once(sign) {
                    let edge = Edge::between(source, target);
                    return kind.map_or(edge.clone(), |kind| edge.of_kind(kind));
                }
            }
            panic!("no edge: {edge}")
        })
        .collect()
}

fn resolve(drawn: &str) -> Resolved {
    find(&AsWritten, &edges(drawn)).resolved(&AsWritten)
}

/// The loops as `head: nodes`, one after another.
fn loops(drawn: &str) -> String {
    let loops = resolve(drawn).loops.into_iter();
    let shown: Vec<String> = loops
        .map(|(head, body)| format!("{head}: {}", body.join(" ")))
        .collect();
    shown.join("; ")
}

fn merged(head: &str, absorbed: &[&str]) -> LoopDiagnostic {
    LoopDiagnostic::Merged {
        head: head.into(),
        absorbed: absorbed.iter().map(|h| h.to_string()).collect(),
    }
}

fn no_cycle(head: &str, tail: &str) -> LoopDiagnostic {
    LoopDiagnostic::NoCycle {
        head: head.into(),
        tail: tail.into(),
    }
}

#[test]
fn a_body_is_what_lies_between_head_and_tail() {
    // `in` leads into the loop, `out` lies behind its tail, `dead` cannot come to the tail.
    assert_eq!(loops("in>h h>a a>t t>out a>dead in>a t~h"), "h: a h t");
}

#[test]
fn a_node_on_an_arm_is_in_the_loop() {
    assert_eq!(loops("h>g g>arm arm>t g>t t~h"), "h: arm g h t");
}

#[test]
fn edges_that_are_not_executed_widen_nothing() {
    assert_eq!(loops("h>t h=tool tool>t t~h"), "h: h t");
    assert_eq!(loops("h>t t=u u>h t~h"), "h: h t");
    // What only another loopback edge leads to is not reached.
    assert_eq!(loops("a>b b>c c~a c~b"), "a: a b c; b: b c");
}

#[test]
fn two_tails_are_one_loop() {
    let resolved = resolve("h>g g>a g>b a~h b~h");
    assert_eq!(resolved.loops["h"], ["a", "b", "g", "h"]);
    assert_eq!(resolved.loops.len(), 1);
    assert!(resolved.diagnostics.is_empty());
}

#[test]
fn a_loopback_without_a_cycle_is_a_loop_of_its_head() {
    let resolved = resolve("a>b elsewhere~h");
    assert_eq!(
        resolved.loops,
        BTreeMap::from([("h".into(), vec!["h".into()])])
    );
    assert_eq!(resolved.diagnostics, [no_cycle("h", "elsewhere")]);
    // Also where the tail comes before the head.
    let resolved = resolve("t>h t~h t~h");
    assert_eq!(resolved.loops["h"], ["h"]);
    assert_eq!(resolved.diagnostics, [no_cycle("h", "t")]);
}

#[test]
fn one_tail_may_close_a_cycle_and_another_none() {
    let resolved = resolve("h>t t~h x~h");
    assert_eq!(resolved.loops["h"], ["h", "t"]);
    assert_eq!(resolved.diagnostics, [no_cycle("h", "x")]);
}

#[test]
fn a_node_can_go_back_to_itself() {
    let resolved = resolve("a>h h>b h~h");
    assert_eq!(resolved.loops["h"], ["h"]);
    assert!(resolved.diagnostics.is_empty());
}

#[test]
fn nested_loops_stand_and_are_named_outermost_first() {
    let resolved = resolve("o>i i>j j>t j~i t~o");
    assert_eq!(resolved.loops["i"], ["i", "j"]);
    assert_eq!(resolved.loops["o"], ["i", "j", "o", "t"]);
    assert_eq!(resolved.memberships["j"], ["o", "i"]);
    assert_eq!(resolved.memberships["t"], ["o"]);
    assert!(resolved.diagnostics.is_empty());
}

#[test]
fn a_loop_that_shares_the_outer_head_or_tail_is_nested_all_the_same() {
    assert_eq!(loops("a>b b>c c~a c~b"), "a: a b c; b: b c");
    // The same head is the same loop, however far its tails are.
    assert_eq!(loops("a>b b>c b~a c~a"), "a: a b c");
}

#[test]
fn overlapping_loops_are_one_and_the_larger_gives_its_head() {
    // a: a b c d   c: c d e
    let resolved = resolve("a>b b>c c>d d>e d~a e~c");
    assert_eq!(resolved.loops.len(), 1);
    assert_eq!(resolved.loops["a"], ["a", "b", "c", "d", "e"]);
    assert_eq!(resolved.diagnostics, [merged("a", &["c"])]);
    // The other way round: z: z b c d against c: c d e
    assert_eq!(loops("z>b b>c c>d d>e d~z e~c"), "z: b c d e z");
}

#[test]
fn equal_sizes_go_by_name() {
    let drawn = "ha>s hb>s s>ta s>tb ta~ha tb~hb";
    let resolved = resolve(drawn);
    assert_eq!(resolved.loops["ha"], ["ha", "hb", "s", "ta", "tb"]);
    assert_eq!(resolved.diagnostics, [merged("ha", &["hb"])]);
    // Capitals sort before small letters: it is the order of the characters.
    let resolved = resolve("ha>s Hb>s s>ta s>tb ta~ha tb~Hb");
    assert_eq!(resolved.diagnostics, [merged("Hb", &["ha"])]);
}

#[test]
fn loops_with_the_same_nodes_are_one() {
    // Only a cyclic forward graph gives two heads the same body.
    let resolved = resolve("a>b b>a b~a a~b");
    assert_eq!(
        resolved.loops,
        BTreeMap::from([("a".into(), vec!["a".into(), "b".into()])])
    );
    assert_eq!(resolved.diagnostics, [merged("a", &["b"])]);
}

#[test]
fn a_merged_loop_still_has_its_nested_ones() {
    // a: a b c d   c: c d e   inside the first b: b
    let resolved = resolve("a>b b>c c>d d>e d~a e~c b~b");
    assert_eq!(resolved.loops["b"], ["b"]);
    assert_eq!(resolved.memberships["b"], ["a", "b"]);
}

#[test]
fn a_merged_loop_that_fills_a_third_becomes_one_with_it() {
    // Only a cyclic forward graph gives this. x: o t1 x y   y: o t2 x y   o: all of these
    let resolved = resolve("o>x x>y y>o y>t1 y>t2 t1~o t2~o t1~x t2~y");
    assert_eq!(resolved.loops.len(), 1);
    assert_eq!(resolved.loops["o"], ["o", "t1", "t2", "x", "y"]);
    assert_eq!(resolved.diagnostics, [merged("o", &["x", "y"])]);
}

#[test]
fn an_edge_without_an_end_is_no_loop() {
    let loose = Edge {
        target: Some("h".into()),
        ..Edge::default()
    };
    let edges = [loose.of_kind(EdgeKind::Loopback), Edge::between("", "h")];
    let found = find(&AsWritten, &edges);
    assert_eq!(found.resolved(&AsWritten), Resolved::default());
    assert!(found.reach(&AsWritten).is_empty());
    assert_eq!(resolve(""), Resolved::default());
}

#[test]
fn reach_goes_beyond_the_loop() {
    let edges = edges("h>f corpus>f f>t t~h far>corpus t>out wire=f");
    let reach = find(&AsWritten, &edges).reach(&AsWritten);
    assert_eq!(reach["f"], ["corpus", "f", "far", "h"]);
    assert_eq!(reach["h"], ["h"]);
    assert_eq!(reach.keys().collect::<Vec<_>>(), ["f", "h", "t"]);
}

#[test]
fn many_loops_in_a_long_chain_are_found_quickly() {
    // A chain of 30000 nodes, a loop around every tenth pair, and one around all.
    let name = |n: usize| format!("n{n:05}");
    let mut edges: Vec<Edge> = (1..30_000)
        .map(|n| Edge::between(name(n - 1), name(n)))
        .collect();
    edges.extend(
        (0..30_000)
            .step_by(10)
            .map(|n| Edge::between(name(n + 1), name(n + 1)).of_kind(EdgeKind::Loopback)),
    );
    edges.push(Edge::between(name(29_999), name(0)).of_kind(EdgeKind::Loopback));
    let resolved = find(&AsWritten, &edges).resolved(&AsWritten);
    assert_eq!(resolved.loops.len(), 3001);
    assert_eq!(resolved.memberships[&name(1)], [name(0), name(1)]);
    assert!(resolved.diagnostics.is_empty());
}

/// The definitions, by transitive closure and by pairs, for a graph of a few nodes.
mod by_definition {
    use super::*;

    const NODES: usize = 4;
    type Set = BTreeSet<usize>;

    /// Who can come to whom, no step included.
    fn closure(forward: &[(usize, usize)]) -> [[bool; NODES]; NODES] {
        let mut leads = [[false; NODES]; NODES];
        for &(from, to) in forward {
            leads[from][to] = true;
        }
        for via in 0..NODES {
            for from in 0..NODES {
                for to in 0..NODES {
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
                    heads.sort_by_key(|h| (NODES - drawn[h].len(), *h));
                }
                return groups;
            }
        }
    }

    fn name(node: usize) -> String {
        ["a", "b", "c", "d"][node].to_owned()
    }

    fn names(nodes: impl IntoIterator<Item = usize>) -> Vec<String> {
        nodes.into_iter().map(name).collect()
    }

    fn check(forward: &[(usize, usize)], back: &[(usize, usize)]) {
        let mut edges: Vec<Edge> = forward
            .iter()
            .map(|&(from, to)| Edge::between(name(from), name(to)))
            .collect();
        edges.extend(back.iter().map(|&(tail, head)| {
            Edge::between(name(tail), name(head)).of_kind(EdgeKind::Loopback)
        }));
        let found = find(&AsWritten, &edges);
        let resolved = found.resolved(&AsWritten);

        let leads = closure(forward);
        let mut drawn: BTreeMap<usize, Set> = BTreeMap::new();
        let mut expected_diagnostics = BTreeSet::new();
        for &(tail, head) in back {
            let below = |n: usize| n == head || leads[head][n];
            let above = |n: usize| n == tail || leads[n][tail];
            let mut body: Set = (0..NODES).filter(|&n| below(n) && above(n)).collect();
            if body.is_empty() {
                body.insert(head);
                expected_diagnostics.insert(no_cycle(&name(head), &name(tail)));
            }
            drawn.entry(head).or_default().extend(body);
        }

        let mut expected_loops = BTreeMap::new();
        let mut expected_reach = BTreeMap::new();
        for (heads, body) in merge(&drawn) {
            for &node in &body {
                let reach = (0..NODES).filter(|&n| n == node || leads[n][node]);
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
        for node in (0..NODES).map(name) {
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

    #[test]
    fn all_small_graphs() {
        let forward: Vec<(usize, usize)> = (0..NODES)
            .flat_map(|from| (from + 1..NODES).map(move |to| (from, to)))
            .collect();
        let back: Vec<(usize, usize)> = (0..NODES)
            .flat_map(|tail| (0..NODES).map(move |head| (tail, head)))
            .collect();
        for chosen in 0..1_u32 << forward.len() {
            let forward: Vec<(usize, usize)> = (0..forward.len())
                .filter(|n| chosen & 1 << n != 0)
                .map(|n| forward[n])
                .collect();
            check(&forward, &[]);
            for (n, &one) in back.iter().enumerate() {
                check(&forward, &[one]);
                for (m, &two) in back.iter().enumerate().skip(n + 1) {
                    check(&forward, &[one, two]);
                    for &three in &back[m + 1..] {
                        check(&forward, &[one, two, three]);
                    }
                }
            }
        }
    }

    #[test]
    fn small_graphs_with_cycles() {
        let forward = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 0)];
        let back: Vec<(usize, usize)> = (0..NODES)
            .flat_map(|tail| (0..NODES).map(move |head| (tail, head)))
            .collect();
        for left_out in 0..forward.len() {
            let mut forward = forward.to_vec();
            forward.remove(left_out);
            for &one in &back {
                for &two in &back {
                    check(&forward, &[one, two]);
                }
            }
        }
    }
}
