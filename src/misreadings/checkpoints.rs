//! Misreadings of what checkpoints a run writes, and where they are kept.

use crate::{
    operations::workflow::{Checkpoint, Configuration, RunOptions, RunStatus},
    reference::{AsWritten, records::RecordReading},
};

misreadings! {
    /// A run writes its checkpoint when it ends, and none before.
    "checkpoint-at-the-end-alone" misreads "SG-11":1 as RecordReading {
        fn writes_after(&self, _node: &str) -> bool {
            false
        }
    }

    /// Every checkpoint follows the first one.
    "first-checkpoint-is-every-parent" misreads "SG-11":1 as RecordReading {
        fn parent(&self, written: &[Checkpoint]) -> Option<String> {
            written.first().map(|checkpoint| checkpoint.id.clone())
        }
    }

    /// A checkpoint stands for itself and has no parent.
    "checkpoints-have-no-parent" misreads "SG-11":1 as RecordReading {
        fn parent(&self, _written: &[Checkpoint]) -> Option<String> {
            None
        }
    }

    /// The checkpoint of the last node is the last one of the run.
    "no-checkpoint-at-the-end" misreads "SG-11":1 as RecordReading {
        fn last_checkpoint(&self) -> Option<&'static str> {
            None
        }
    }

    /// The last checkpoint of a run has the name of the others' sort.
    "last-checkpoint-without-its-name" misreads "SG-11":1 as RecordReading {
        fn last_checkpoint(&self) -> Option<&'static str> {
            Some("checkpoint")
        }
    }

    /// A run that fails writes no last checkpoint.
    "failed-run-has-no-last-checkpoint" misreads "SG-11":1 as RecordReading {
        fn writes_at_end(&self, status: RunStatus) -> bool {
            status != RunStatus::Failed
        }
    }

    /// A run that is cancelled writes no last checkpoint.
    "cancelled-run-has-no-last-checkpoint" misreads "SG-11":1 as RecordReading {
        fn writes_at_end(&self, status: RunStatus) -> bool {
            status != RunStatus::Cancelled
        }
    }

    /// All checkpoints of a run hold the one state that it goes on to change.
    "checkpoints-share-their-state" misreads "SG-11":1 as RecordReading {
        fn keeps_its_moment(&self) -> bool {
            false
        }
    }

    /// An ephemeral store keeps its content as a durable one does.
    "ephemeral-store-is-durable" misreads "SG-11":2 as RecordReading {
        fn outlives_request(&self, _store: &str) -> bool {
            true
        }
    }

    /// A durable store lives as long as the process that has it, and so no longer than a request.
    "durable-store-is-ephemeral" misreads "SG-11":2 as RecordReading {
        fn outlives_request(&self, _store: &str) -> bool {
            false
        }
    }

    /// One checkpoint store is enough if it is durable.
    "no-ephemeral-store" misreads "SG-11":2 as RecordReading {
        fn knows_store(&self, name: &str) -> bool {
            name == "durable"
        }
    }

    /// A durable checkpoint store is an extra.
    "no-durable-store" misreads "SG-11":2 as RecordReading {
        fn knows_store(&self, name: &str) -> bool {
            name == "ephemeral"
        }
    }

    /// A store that nobody knows is taken for one that will be there when it is written to.
    "any-store-will-do" misreads "SG-11":3 as RecordReading {
        fn knows_store(&self, _name: &str) -> bool {
            true
        }
    }

    /// A run that wants a store that nobody knows has the ephemeral one.
    "unknown-store-is-the-ephemeral-one" misreads "SG-11":3 as RecordReading {
        fn configure(
            &self,
            options: &RunOptions,
            settings: &Configuration,
            run: &str,
        ) -> Configuration {
            let mut made = AsWritten.configure(options, settings, run);
            made.checkpoint_store = made
                .checkpoint_store
                .filter(|name| AsWritten.knows_store(name))
                .or_else(|| Some("ephemeral".to_owned()));
            made
        }
    }

    /// A caller is refused a store that nobody knows, and a workflow that wants one has the durable one.
    "unknown-store-in-settings-is-passed-over" misreads "SG-11":3 as RecordReading {
        fn configure(
            &self,
            options: &RunOptions,
            settings: &Configuration,
            run: &str,
        ) -> Configuration {
            let mut known = settings.clone();
            known.checkpoint_store = known.checkpoint_store.filter(|name| AsWritten.knows_store(name));
            AsWritten.configure(options, &known, run)
        }
    }
}
