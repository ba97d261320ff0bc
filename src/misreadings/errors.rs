//! Misreadings of error edges, and of a failure that is routed along one.

use serde_json::{Map, Value};

use crate::{
    operations::{
        edge::Edge,
        workflow::{ExecutionStatus, Fail},
    },
    reference::{AsWritten, edges::EdgeReading, failures::FailureReading},
};

misreadings! {
    /// An edge into a port named error is an error edge.
    "error-by-target-port" misreads "EDGE-6":1 as EdgeReading {
        fn is_error(&self, edge: &Edge) -> bool {
            let arrives = edge.target_handle.as_deref().unwrap_or_default();
            AsWritten.is_error(edge) || arrives.ends_with("-input-error")
        }
    }

    /// An edge is an error edge if its source handle holds the error port's suffix.
    "error-anywhere-in-a-source-handle" misreads "EDGE-6":1 as EdgeReading {
        fn is_error(&self, edge: &Edge) -> bool {
            source_handle(edge).contains("-output-error")
        }
    }

    /// An edge is an error edge if the name of its source port ends so.
    "error-at-the-end-of-a-source-port" misreads "EDGE-6":1 as EdgeReading {
        fn is_error(&self, edge: &Edge) -> bool {
            source_handle(edge).ends_with("error")
        }
    }

    /// A failure ends the run, whatever leaves the node that fails.
    "failure-is-always-raised" misreads "EDGE-6":2 as FailureReading {
        fn is_routed(&self, _failure: &Fail, _has_error_edge: bool) -> bool {
            false
        }
    }

    /// A failure is passed on as a value, also where no error edge takes it.
    "failure-is-never-raised" misreads "EDGE-6":2 as FailureReading {
        fn is_routed(&self, failure: &Fail, _has_error_edge: bool) -> bool {
            !failure.escapes
        }
    }

    /// Only a failure that can be tried again is routed.
    "retryable-failures-alone-are-routed" misreads "EDGE-6":2 as FailureReading {
        fn is_routed(&self, failure: &Fail, has_error_edge: bool) -> bool {
            failure.retryable && AsWritten.is_routed(failure, has_error_edge)
        }
    }

    /// A node whose failure is routed has completed.
    "routed-failure-is-undone" misreads "EDGE-6":2 as FailureReading {
        fn status_of_failure(&self, routed: bool) -> ExecutionStatus {
            if routed { ExecutionStatus::Completed } else { ExecutionStatus::Failed }
        }
    }

    /// A failure that is routed is on record as any other.
    "routed-failure-has-no-mark" misreads "EDGE-6":2 as FailureReading {
        fn marks_routed(&self) -> bool {
            false
        }
    }

    /// The payload of a failure is its message.
    "payload-is-the-message" misreads "EDGE-6":2 as FailureReading {
        fn envelope(&self, _node: &str, failure: &Fail) -> Map<String, Value> {
            Map::from_iter([("error".to_owned(), failure.message.clone().into())])
        }
    }

    /// The payload of a failure does not say which node has failed: the edge does.
    "payload-without-its-node" misreads "EDGE-6":2 as FailureReading {
        fn envelope(&self, node: &str, failure: &Fail) -> Map<String, Value> {
            without("node_id", AsWritten.envelope(node, failure))
        }
    }

    /// The payload of a failure has no code: its message says what is wrong.
    "payload-without-a-code" misreads "EDGE-6":2 as FailureReading {
        fn envelope(&self, node: &str, failure: &Fail) -> Map<String, Value> {
            without("code", AsWritten.envelope(node, failure))
        }
    }

    /// The payload of a failure has `retryable` only where it is true.
    "payload-says-retryable-if-true" misreads "EDGE-6":2 as FailureReading {
        fn envelope(&self, node: &str, failure: &Fail) -> Map<String, Value> {
            let envelope = AsWritten.envelope(node, failure);
            if failure.retryable { envelope } else { without("retryable", envelope) }
        }
    }

    /// The members of a failure's payload are the output itself, and not under `error`.
    "payload-is-the-whole-output" misreads "EDGE-6":2 as FailureReading {
        fn envelope(&self, node: &str, failure: &Fail) -> Map<String, Value> {
            match AsWritten.envelope(node, failure).shift_remove("error") {
                Some(Value::Object(payload)) => payload,
                _ => Map::new(),
            }
        }
    }
}

fn source_handle(edge: &Edge) -> &str {
    edge.source_handle.as_deref().unwrap_or_default()
}

fn without(member: &str, mut envelope: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Object(payload)) = envelope.get_mut("error") {
        payload.shift_remove(member);
    }
    envelope
}
