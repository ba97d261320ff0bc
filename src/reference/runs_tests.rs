use super::*;
use crate::{operations::edge::EdgeKind, reference::AsWritten};

/// A chain of nodes, and loopback edges given as tail and head.
fn edges(chain: &[&str], back: &[(&str, &str)]) -> Vec<Edge> {
    let forward = chain.windows(2).map(|pair| Edge::between(pair[0], pair[1]));
    let back = back
        .iter()
        .map(|&(tail, head)| Edge::between(tail, head).of_kind(EdgeKind::Loopback));
    forward.chain(back).collect()
}

fn nested() -> Vec<Edge> {
    edges(&["o", "i", "j", "t"], &[("j", "i"), ("t", "o")])
}

fn rounds<const N: usize>(rounds: [(&str, u64); N]) -> Rounds {
    rounds.map(|(head, n)| (head.to_owned(), n)).into()
}

#[test]
fn every_loop_is_in_round_0_to_begin_with() {
    let mut runs = Runs::default();
    let run = runs.launch(&AsWritten, nested()).unwrap();
    let state = runs.state(&run).unwrap();
    assert_eq!(state.rounds, rounds([("i", 0), ("o", 0)]));
    assert_eq!(state.loops["i"], ["i", "j"]);
    assert_eq!(state.memberships["j"], ["o", "i"]);
    assert_eq!(state.reach["i"], ["i", "o"]);
    assert!(state.diagnostics.is_empty());
}

#[test]
fn an_edit_changes_nothing_of_a_run_that_has_begun() {
    let mut runs = Runs::default();
    let run = runs
        .launch(&AsWritten, edges(&["h", "t"], &[("t", "h")]))
        .unwrap();
    runs.advance(&AsWritten, &run, "h").unwrap();
    let before = runs.state(&run).unwrap();
    runs.edit(
        &AsWritten,
        &run,
        edges(&["h", "new", "t"], &[("t", "h"), ("new", "new")]),
    )
    .unwrap();
    assert_eq!(runs.state(&run).unwrap(), before);
    runs.pause(&run).unwrap();
    runs.resume(&AsWritten, &run).unwrap();
    assert_eq!(runs.state(&run).unwrap(), before);
    assert_eq!(
        runs.advance(&AsWritten, &run, "new").unwrap_err().reason,
        "unknown_loop"
    );

    // Another run of the edited workflow has its loops.
    let other = runs
        .launch(&AsWritten, edges(&["h", "new", "t"], &[("t", "h")]))
        .unwrap();
    assert_ne!(other, run);
    assert_eq!(runs.state(&other).unwrap().loops["h"], ["h", "new", "t"]);
}

#[test]
fn counters_hold_across_a_pause() {
    let mut runs = Runs::default();
    let run = runs.launch(&AsWritten, nested()).unwrap();
    let pause = |runs: &mut Runs| {
        let before = runs.state(&run).unwrap();
        runs.pause(&run).unwrap();
        runs.resume(&AsWritten, &run).unwrap();
        assert_eq!(runs.state(&run).unwrap(), before);
        before.rounds
    };
    for _ in 0..5 {
        runs.advance(&AsWritten, &run, "i").unwrap();
    }
    assert_eq!(pause(&mut runs), rounds([("i", 5), ("o", 0)]));
    runs.advance(&AsWritten, &run, "o").unwrap();
    // The inner loop has no stamp of this outer round yet.
    assert_eq!(pause(&mut runs), rounds([("i", 0), ("o", 1)]));
    runs.advance(&AsWritten, &run, "i").unwrap();
    assert_eq!(pause(&mut runs), rounds([("i", 1), ("o", 1)]));
}

#[test]
fn what_is_not_there_or_not_so_is_refused() {
    let mut runs = Runs::default();
    assert_eq!(runs.state("run_1").unwrap_err().reason, "unknown_run");
    assert_eq!(runs.pause("run_1").unwrap_err().reason, "unknown_run");
    let run = runs.launch(&AsWritten, nested()).unwrap();
    assert_eq!(
        runs.resume(&AsWritten, &run).unwrap_err().reason,
        "run_not_paused"
    );
    runs.pause(&run).unwrap();
    assert_eq!(runs.pause(&run).unwrap_err().reason, "run_paused");
    assert_eq!(
        runs.advance(&AsWritten, &run, "o").unwrap_err().reason,
        "run_paused"
    );
}
