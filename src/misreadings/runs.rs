//! Misreadings of what a run keeps while its workflow is edited, and across a pause.

use crate::{
    operations::{
        loops::{LoopDiagnostic, Resolved},
        rounds::Rounds,
    },
    reference::runs::{Extent, RunReading},
};

misreadings! {
    /// A resumed run has its whole budget again.
    "pause-renews-the-budget" misreads "SG-7":4 as RunReading {
        fn rounds_after_pause(&self, _replayed: Rounds) -> Rounds {
            Rounds::new()
        }
    }

    /// Resuming a run begins another round.
    "pause-counts-as-a-round" misreads "SG-7":4 as RunReading {
        fn rounds_after_pause(&self, replayed: Rounds) -> Rounds {
            replayed.into_iter().map(|(head, round)| (head, round.saturating_add(1))).collect()
        }
    }

    /// A workflow with a loopback edge that closes no cycle is refused.
    "refuse-an-edge-without-cycle" misreads "SG-16":4 as RunReading {
        fn refuses(&self, resolved: &Resolved) -> bool {
            let mut diagnostics = resolved.diagnostics.iter();
            diagnostics.any(|d| matches!(d, LoopDiagnostic::NoCycle { .. }))
        }
    }

    /// An edit of the workflow changes the loops of its runs.
    "edit-redraws-loops" misreads "SG-17":1 as RunReading {
        fn extent_after_edit(
            &self,
            _before: Extent,
            _rounds: &Rounds,
            edited: &dyn Fn() -> Extent,
        ) -> Extent {
            edited()
        }
    }

    /// An edit changes the loops of a run in which no loop has gone on yet.
    "edit-in-round-0-redraws-loops" misreads "SG-17":1 as RunReading {
        fn extent_after_edit(
            &self,
            before: Extent,
            rounds: &Rounds,
            edited: &dyn Fn() -> Extent,
        ) -> Extent {
            if rounds.values().all(|&round| round == 0) { edited() } else { before }
        }
    }

    /// The loops of a workflow are worked out once for all of its runs.
    "loops-once-a-workflow" misreads "SG-17":1 as RunReading {
        fn extent_at_launch(&self, found: Extent, earlier: Option<&Extent>) -> Extent {
            earlier.cloned().unwrap_or(found)
        }
    }

    /// An edit takes effect with the next round of a loop.
    "next-round-redraws-loops" misreads "SG-17":1 as RunReading {
        fn extent_in_next_round(&self, _before: Extent, edited: &dyn Fn() -> Extent) -> Extent {
            edited()
        }
    }

    /// A resumed run has the loops of the workflow as it is then.
    "resume-redraws-loops" misreads "SG-17":1 as RunReading {
        fn extent_after_pause(&self, _before: Extent, edited: &dyn Fn() -> Extent) -> Extent {
            edited()
        }
    }

    /// An edit leaves the bodies of a run as they are, but not what can reach their nodes.
    "edit-redraws-reach" misreads "SG-17":1 as RunReading {
        fn extent_after_edit(
            &self,
            before: Extent,
            _rounds: &Rounds,
            edited: &dyn Fn() -> Extent,
        ) -> Extent {
            Extent {
                reach: edited().reach,
                ..before
            }
        }
    }

    /// A workflow with tangled loops is refused.
    "refuse-tangled-loops" misreads "SG-18":4 as RunReading {
        fn refuses(&self, resolved: &Resolved) -> bool {
            let mut diagnostics = resolved.diagnostics.iter();
            diagnostics.any(|d| matches!(d, LoopDiagnostic::Merged { .. }))
        }
    }
}
