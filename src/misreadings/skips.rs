//! Misreadings of what is told of nodes that were skipped.

use serde_json::{Map, Value};

use crate::{
    operations::workflow::{Announced, RunStatus, Skip},
    reference::{AsWritten, records::RecordReading},
};

misreadings! {
    /// The reason of a skip is a sentence.
    "reason-is-a-sentence" misreads "BR-7":2 as RecordReading {
        fn skip(&self, node: &str) -> Skip {
            because(node, "The branch of the node was not active.")
        }
    }

    /// The reason of a skip is that the node was skipped.
    "reason-is-skipped" misreads "BR-7":2 as RecordReading {
        fn skip(&self, node: &str) -> Skip {
            because(node, "skipped")
        }
    }

    /// The snapshot of the run tells of a skip, and nobody announces it.
    "skip-is-in-the-snapshot-alone" misreads "BR-7":2 as RecordReading {
        fn skip(&self, node: &str) -> Skip {
            let skip = AsWritten.skip(node);
            let announced = Announced { event: None, update: None, ..skip.announced };
            Skip { announced, ..skip }
        }
    }

    /// A skip is announced while the run lives, and no snapshot tells why.
    "skip-is-not-in-the-snapshot" misreads "BR-7":2 as RecordReading {
        fn skip(&self, node: &str) -> Skip {
            let skip = AsWritten.skip(node);
            let announced = Announced { snapshot: None, ..skip.announced };
            Skip { announced, ..skip }
        }
    }

    /// The metadata tells how many nodes were skipped, and not which.
    "skips-are-counted-and-not-named" misreads "BR-7":2 as RecordReading {
        fn skips_in_metadata(&self, skipped: &[String]) -> Map<String, Value> {
            let mut metadata = AsWritten.skips_in_metadata(skipped);
            metadata.shift_remove("skipped_node_ids");
            metadata
        }
    }

    /// The metadata names the nodes that were skipped, so that nobody need count them.
    "skips-are-named-and-not-counted" misreads "BR-7":2 as RecordReading {
        fn skips_in_metadata(&self, skipped: &[String]) -> Map<String, Value> {
            let mut metadata = AsWritten.skips_in_metadata(skipped);
            metadata.shift_remove("nodes_skipped");
            metadata
        }
    }

    /// A node that had been made ready is not skipped when the run ends; it is left as it is.
    "what-was-ready-is-not-skipped" misreads "BR-7":4 as RecordReading {
        fn is_collected(&self, _status: RunStatus, dispatched: bool) -> bool {
            !dispatched
        }
    }

    /// Only a run that completes has skipped nodes: where it fails, the others were not reached.
    "failed-run-has-skipped-nothing" misreads "BR-7":4 as RecordReading {
        fn is_collected(&self, status: RunStatus, _dispatched: bool) -> bool {
            status == RunStatus::Completed
        }
    }
}

fn because(node: &str, reason: &str) -> Skip {
    let reason = || reason.to_owned();
    Skip {
        reason: reason(),
        announced: Announced {
            event: Some(reason()),
            update: Some(reason()),
            snapshot: Some(reason()),
        },
        ..AsWritten.skip(node)
    }
}
