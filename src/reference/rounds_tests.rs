use serde_json::{Value, json};

use super::*;
use crate::{operations::edge::Edge, reference::AsWritten};

fn rounds_of(value: Value) -> Rounds {
    serde_json::from_value(value).unwrap()
}

fn restored(executions: Value) -> Rounds {
    restore(
        &AsWritten,
        &serde_json::from_value::<Vec<Execution>>(executions).unwrap(),
    )
}

#[test]
fn the_newest_stamp_wins_and_not_the_highest() {
    let executions = json!([
        {"rounds": {"o": 0, "i": 0}}, {"rounds": {"o": 0, "i": 5}},
        {"rounds": {"o": 1}}, {"rounds": {"o": 1, "i": 1}},
    ]);
    assert_eq!(restored(executions), rounds_of(json!({"o": 1, "i": 1})));
}

#[test]
fn ids_say_which_is_newest() {
    let executions = json!([
        {"id": 11, "rounds": {"h": 2}}, {"id": 9, "rounds": {"h": 4}}, {"id": 12, "rounds": {"h": 3}},
        {"id": 100}, {"id": 2, "rounds": {"h": 7, "only": 0}},
    ]);
    assert_eq!(restored(executions), rounds_of(json!({"h": 3, "only": 0})));
    let texts = json!([{"id": "b", "rounds": {"h": 1}}, {"id": "a", "rounds": {"h": 2}}]);
    assert_eq!(restored(texts), rounds_of(json!({"h": 1})));
}

#[test]
fn without_all_ids_the_list_is_the_order() {
    let executions =
        json!([{"id": 2, "rounds": {"h": 1}}, {"id": 1, "rounds": {"h": 2}}, {"rounds": {}}]);
    assert_eq!(restored(executions), rounds_of(json!({"h": 2})));
}

#[test]
fn no_execution_restores_nothing() {
    assert_eq!(restored(json!([])), Rounds::new());
    assert_eq!(restored(json!([{}, {"rounds": {}}])), Rounds::new());
}

fn advanced(loops: Value, rounds: Value, head: &str) -> Result<Rounds, String> {
    let loops: Bodies = serde_json::from_value(loops).unwrap();
    advance(&AsWritten, &loops, &rounds_of(rounds), head).map_err(|refusal| refusal.reason)
}

#[test]
fn an_outer_loop_takes_its_inner_ones_to_round_0() {
    let loops = json!({
        "o": ["i", "ii", "o", "t"], "i": ["i", "ii"], "ii": ["ii"],
        "other": ["other"], "around": ["around", "i", "ii", "o", "t"],
    });
    let rounds = json!({"o": 2, "i": 3, "ii": 4, "other": 5, "around": 6});
    assert_eq!(
        advanced(loops.clone(), rounds.clone(), "o"),
        Ok(rounds_of(
            json!({"o": 3, "i": 0, "ii": 0, "other": 5, "around": 6})
        ))
    );
    assert_eq!(
        advanced(loops, rounds, "i"),
        Ok(rounds_of(
            json!({"o": 2, "i": 4, "ii": 0, "other": 5, "around": 6})
        ))
    );
}

#[test]
fn a_loop_with_the_same_nodes_is_not_inside() {
    let loops = json!({"a": ["a", "b"], "b": ["b", "a", "b"], "c": ["b", "c"]});
    let rounds = json!({"a": 1, "b": 2, "c": 3});
    assert_eq!(
        advanced(loops, rounds, "a"),
        Ok(rounds_of(json!({"a": 2, "b": 2, "c": 3})))
    );
}

#[test]
fn a_loop_without_a_counter_is_in_round_0_and_a_counter_without_a_loop_is_none() {
    let loops = json!({"o": ["i", "o"], "i": ["i"]});
    let rounds = json!({"gone": 4});
    assert_eq!(advanced(loops, rounds, "o"), Ok(rounds_of(json!({"o": 1}))));
}

#[test]
fn what_cannot_advance_is_refused() {
    let loops = json!({"l": ["l"]});
    assert_eq!(
        advanced(loops.clone(), json!({}), "x"),
        Err("unknown_loop".into())
    );
    assert_eq!(
        advanced(loops, json!({"l": u64::MAX}), "l"),
        Err("other".into())
    );
}

#[test]
fn a_stamp_has_every_loop_of_its_node_outermost_first() {
    let loops: Bodies = serde_json::from_value(json!({
        "a_inner": ["a_inner", "n"], "m": ["a_inner", "m", "n"], "z": ["a_inner", "m", "n", "z"],
        "apart": ["apart"],
    }))
    .unwrap();
    let rounds = rounds_of(json!({"z": 2, "m": 0, "apart": 7}));
    let stamp_of_n = stamp(&AsWritten, &loops, &rounds, "n");
    assert_eq!(
        stamp_of_n.iter().collect::<Vec<_>>(),
        [("z", 2), ("m", 0), ("a_inner", 0)]
    );
    assert!(stamp(&AsWritten, &loops, &rounds, "outside").is_empty());
}

fn stale(source: Value, consumer: Value, nesting: &[&str]) -> bool {
    let of = |stamp| serde_json::from_value::<RoundStamp>(stamp).unwrap();
    let nesting: Vec<String> = nesting.iter().map(|h| h.to_string()).collect();
    is_stale(&AsWritten, &of(source), &of(consumer), &nesting)
}

#[test]
fn the_outermost_difference_decides() {
    let nesting = ["o", "i"];
    assert!(stale(
        json!({"o": 0, "i": 9}),
        json!({"o": 1, "i": 0}),
        &nesting
    ));
    assert!(!stale(
        json!({"o": 2, "i": 0}),
        json!({"o": 1, "i": 5}),
        &nesting
    ));
    assert!(stale(
        json!({"o": 1, "i": 0}),
        json!({"o": 1, "i": 2}),
        &nesting
    ));
    assert!(!stale(
        json!({"o": 1, "i": 2}),
        json!({"o": 1, "i": 2}),
        &nesting
    ));
    // The order in which a stamp is written does not matter where the nesting is known.
    assert!(stale(
        json!({"i": 9, "o": 0}),
        json!({"i": 0, "o": 1}),
        &nesting
    ));
}

#[test]
fn a_loop_of_one_alone_counts_for_nothing() {
    assert!(!stale(json!({}), json!({"l": 3}), &["l"]));
    assert!(!stale(json!({"l": 0}), json!({}), &["l"]));
    assert!(!stale(json!({"a": 0}), json!({"b": 3}), &["a", "b"]));
    assert!(!stale(
        json!({"o": 1}),
        json!({"o": 1, "i": 4}),
        &["o", "i"]
    ));
    assert!(stale(json!({"o": 1, "i": 4}), json!({"o": 2}), &["o", "i"]));
    assert!(!stale(json!({"a": 0}), json!({"a": 0}), &[]));
}

#[test]
fn a_stale_source_holds_back_trigger_error_and_data() {
    for (kind, stale, passage) in [
        (EdgeKind::Trigger, true, Passage::Waits),
        (EdgeKind::Error, true, Passage::Waits),
        (EdgeKind::Data, true, Passage::Terminates),
        (EdgeKind::Loopback, true, Passage::Passes),
        (EdgeKind::Tool, true, Passage::Passes),
        (EdgeKind::Data, false, Passage::Passes),
        (EdgeKind::Trigger, false, Passage::Passes),
    ] {
        assert_eq!(
            barrier(&AsWritten, kind, stale),
            passage,
            "{kind:?} {stale}"
        );
    }
}

fn reenter(changes: &[(&str, Value)]) -> bool {
    let mut question = json!({
        "edge": {"source": "t", "target": "h", "sourceHandle": "t-output-Again", "kind": "loopback"},
        "active_branches": ["again"],
        "rounds_run": {"h": 2, "other": 9}, "executions": {"h": 9, "t": 1}, "max_rounds": 3,
    });
    for (member, value) in changes {
        question[*member] = value.clone();
    }
    reenters(&AsWritten, &serde_json::from_value(question).unwrap())
}

#[test]
fn a_loop_is_entered_again_while_it_has_budget() {
    assert!(reenter(&[]));
    assert!(!reenter(&[("max_rounds", json!(2))]));
    assert!(!reenter(&[("rounds_run", json!({"h": 3}))]));
    // A loop that was never counted has run no round; then only a budget of 0 is none.
    assert!(reenter(&[
        ("rounds_run", json!({})),
        ("max_rounds", json!(1))
    ]));
    assert!(!reenter(&[
        ("rounds_run", json!({})),
        ("max_rounds", json!(0))
    ]));
}

#[test]
fn an_iterator_with_items_is_budget_enough() {
    let spent = ("max_rounds", json!(2));
    assert!(reenter(&[
        spent.clone(),
        ("iterator", json!({"remaining": 1}))
    ]));
    assert!(!reenter(&[spent, ("iterator", json!({"remaining": 0}))]));
    assert!(reenter(&[("iterator", json!({"remaining": 0}))]));
}

#[test]
fn an_inactive_branch_is_not_followed_whatever_the_budget() {
    let other = ("active_branches", json!(["done"]));
    assert!(!reenter(std::slice::from_ref(&other)));
    assert!(!reenter(&[
        other.clone(),
        ("iterator", json!({"remaining": 1}))
    ]));
    let of_trigger = Edge {
        source_handle: Some("t-output-trigger".into()),
        ..Edge::between("t", "h")
    };
    assert!(reenter(&[
        other,
        ("edge", serde_json::to_value(of_trigger).unwrap())
    ]));
}
