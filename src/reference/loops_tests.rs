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
