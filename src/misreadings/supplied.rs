//! Misreadings of what becomes of a program that the caller supplies at a resume.

use crate::{
    engine::Refusal,
    operations::resume::{Program, TopologyDifference},
    reference::{
        AsWritten,
        programs::{Progress, Topology, topology},
        resume::{Record, ResumeReading, compare},
    },
};

misreadings! {
    /// A supplied program is carried out as it is.
    "supplied-graph-goes-unchecked" misreads "RESUME-5":1 as ResumeReading {
        fn difference(
            &self,
            _recorded: &Topology,
            _supplied: &Topology,
            _drift_allowed: bool,
        ) -> Option<TopologyDifference> {
            None
        }
    }

    /// A supplied program fits if it has the same steps.
    "supplied-names-are-enough" misreads "RESUME-5":1 as ResumeReading {
        fn difference(
            &self,
            recorded: &Topology,
            supplied: &Topology,
            _drift_allowed: bool,
        ) -> Option<TopologyDifference> {
            let difference = compare(recorded, supplied);
            let same = difference.added.is_empty() && difference.removed.is_empty();
            (!same).then_some(difference)
        }
    }

    /// A supplied program fits if it has as many steps.
    "supplied-number-is-enough" misreads "RESUME-5":1 as ResumeReading {
        fn difference(
            &self,
            recorded: &Topology,
            supplied: &Topology,
            _drift_allowed: bool,
        ) -> Option<TopologyDifference> {
            (recorded.len() != supplied.len()).then(|| compare(recorded, supplied))
        }
    }

    /// A supplied program may have gained steps at its end.
    "supplied-graph-may-be-longer" misreads "RESUME-5":1 as ResumeReading {
        fn difference(
            &self,
            recorded: &Topology,
            supplied: &Topology,
            _drift_allowed: bool,
        ) -> Option<TopologyDifference> {
            let difference = compare(recorded, supplied);
            let same = difference.removed.is_empty() && difference.rewired.is_empty();
            (!same).then_some(difference)
        }
    }

    /// A supplied program may have lost steps at its end.
    "supplied-graph-may-be-shorter" misreads "RESUME-5":1 as ResumeReading {
        fn difference(
            &self,
            recorded: &Topology,
            supplied: &Topology,
            _drift_allowed: bool,
        ) -> Option<TopologyDifference> {
            let difference = compare(recorded, supplied);
            let same = difference.added.is_empty() && difference.rewired.is_empty();
            (!same).then_some(difference)
        }
    }

    /// Whoever allows drift may supply another program.
    "allowed-drift-fits-any-graph" misreads "RESUME-5":1 as ResumeReading {
        fn difference(
            &self,
            recorded: &Topology,
            supplied: &Topology,
            drift_allowed: bool,
        ) -> Option<TopologyDifference> {
            let as_written = || AsWritten.difference(recorded, supplied, drift_allowed);
            if drift_allowed { None } else { as_written() }
        }
    }

    /// A supplied program of another shape is drift, and refused as that unless it is allowed.
    "another-graph-is-drift" misreads "RESUME-5":1 as ResumeReading {
        fn mismatch(&self, difference: TopologyDifference, drift_allowed: bool) -> Refusal {
            let refusal = AsWritten.mismatch(difference, drift_allowed);
            let reason = if drift_allowed { refusal.reason } else { "source_drift".into() };
            Refusal { reason, ..refusal }
        }
    }

    /// That the programs differ is enough to say.
    "difference-goes-unsaid" misreads "RESUME-5":2 as ResumeReading {
        fn mismatch(&self, _difference: TopologyDifference, drift_allowed: bool) -> Refusal {
            AsWritten.mismatch(TopologyDifference::default(), drift_allowed)
        }
    }

    /// Steps that were gained are named, and no others.
    "only-gained-steps-are-named" misreads "RESUME-5":2 as ResumeReading {
        fn mismatch(&self, difference: TopologyDifference, drift_allowed: bool) -> Refusal {
            let named = TopologyDifference {
                added: difference.added,
                ..TopologyDifference::default()
            };
            AsWritten.mismatch(named, drift_allowed)
        }
    }

    /// Steps that were lost are named, and no others.
    "only-lost-steps-are-named" misreads "RESUME-5":2 as ResumeReading {
        fn mismatch(&self, difference: TopologyDifference, drift_allowed: bool) -> Refusal {
            let named = TopologyDifference {
                removed: difference.removed,
                ..TopologyDifference::default()
            };
            AsWritten.mismatch(named, drift_allowed)
        }
    }

    /// Steps that come after others than before are not named: they are still there.
    "moved-steps-go-unsaid" misreads "RESUME-5":2 as ResumeReading {
        fn mismatch(&self, difference: TopologyDifference, drift_allowed: bool) -> Refusal {
            let named = TopologyDifference {
                rewired: Vec::new(),
                ..difference
            };
            AsWritten.mismatch(named, drift_allowed)
        }
    }

    /// A run is over once a program was supplied that does not fit.
    "refused-graph-ends-the-run" misreads "RESUME-5":3 as ResumeReading {
        fn after_refusal(&self, record: &mut Record, _at: &str, supplied: Option<&Program>) {
            record.ended = supplied.is_some();
        }
    }

    /// The program that was refused is the one that is compared with from then on.
    "refused-graph-is-remembered" misreads "RESUME-5":3 as ResumeReading {
        fn after_refusal(&self, record: &mut Record, _at: &str, supplied: Option<&Program>) {
            if let Some(supplied) = supplied {
                record.topology = topology(supplied);
            }
        }
    }

    /// A supplied program runs until it comes to the first step that does not fit.
    "run-until-graphs-differ" misreads "RESUME-5":3 as ResumeReading {
        fn after_refusal(&self, record: &mut Record, at: &str, supplied: Option<&Program>) {
            let steps = supplied.map_or(&[][..], |program| &program.steps);
            let Some(progress) = record.checkpoints.get_mut(at) else {
                return;
            };
            for step in steps {
                if record.topology.get(&step.name) != Some(&step.after.iter().cloned().collect()) {
                    break;
                }
                if progress.done.insert(step.name.clone()) {
                    progress.log.push_str(step.emit.as_deref().unwrap_or_default());
                }
            }
        }
    }

    /// Steps that do not fit together are a dependency cycle.
    "another-graph-is-a-cycle" misreads "RESUME-5":4 as ResumeReading {
        fn mismatch(&self, _difference: TopologyDifference, _drift_allowed: bool) -> Refusal {
            Refusal::new("invalid_program", "some steps come after each other")
        }
    }

    /// A program of another shape is as good as none.
    "another-graph-is-no-source" misreads "RESUME-5":4 as ResumeReading {
        fn mismatch(&self, _difference: TopologyDifference, _drift_allowed: bool) -> Refusal {
            Refusal::new("no_source", "the run has no recorded source to go on with")
        }
    }

    /// Where no source is stored, no supplied program can be known to be the one that ran.
    "own-graph-is-refused" misreads "RESUME-5":5 as ResumeReading {
        fn difference(
            &self,
            recorded: &Topology,
            supplied: &Topology,
            _drift_allowed: bool,
        ) -> Option<TopologyDifference> {
            Some(compare(recorded, supplied))
        }
    }

    /// To supply a program is drift, and has to be allowed.
    "supplied-graph-is-drift" misreads "RESUME-5":5 as ResumeReading {
        fn refuses_drift(&self, record: &Record, drift: bool, allowed: bool) -> bool {
            !allowed && (drift || record.source.is_none())
        }
    }

    /// A run under a supplied program starts over.
    "supplied-graph-starts-over" misreads "RESUME-5":5 as ResumeReading {
        fn goes_on_from(&self, checkpoint: &Progress, supplied: bool, _drift: bool) -> Progress {
            if supplied { Progress::default() } else { checkpoint.clone() }
        }
    }
}
