//! Failures of nodes: which are routed, and what stands for the output of one that is.

use serde_json::{Map, Value, json};

use crate::operations::workflow::{ExecutionStatus, Fail};

/// What the rules about failures decide.
pub trait FailureReading {
    /// Whether a failure goes along the node's error edges, given whether it has any.
    //= EDGE-6:2
    //= ERR-1:1
    //= ERR-3:1
    //= SG-20:9
    fn is_routed(&self, failure: &Fail, has_error_edge: bool) -> bool {
        has_error_edge && !failure.escapes
    }

    /// The status that a failure leaves on record, given whether it is routed: failed either way.
    //= EDGE-6:2
    fn status_of_failure(&self, _routed: bool) -> ExecutionStatus {
        ExecutionStatus::Failed
    }

    /// Whether a failure that is routed is marked as such.
    //= EDGE-6:2
    fn marks_routed(&self) -> bool {
        true
    }

    /// The statuses that a failing node itself announces. It has finished, unless the failure
    /// escapes it.
    //= ERR-1:2
    //= ERR-3:1
    fn announced(&self, failure: &Fail) -> [ExecutionStatus; 2] {
        let last = if failure.escapes {
            ExecutionStatus::Failed
        } else {
            ExecutionStatus::Completed
        };
        [ExecutionStatus::Running, last]
    }

    /// What stands for the output of a node whose failure is routed.
    //= EDGE-6:2
    //= ERR-7:1
    //= ERR-7:2
    fn envelope(&self, node: &str, failure: &Fail) -> Map<String, Value> {
        let mut error = json!({
            "message": failure.message,
            "code": code(failure),
            "node_id": node,
            "retryable": failure.retryable,
        });
        if let Some(details) = &failure.details {
            error["details"] = details.clone().into();
        }
        Map::from_iter([("error".to_owned(), error)])
    }

    /// The error output of a node whose failure goes nowhere. None where it escapes the node.
    //= ERR-2:1
    //= ERR-2:2
    //= ERR-3:1
    fn error_output(&self, failure: &Fail) -> Option<Map<String, Value>> {
        if failure.escapes {
            return None;
        }
        let mut output = Map::from_iter([("error".to_owned(), failure.message.clone().into())]);
        if failure.retryable {
            output.insert("error_retryable".into(), true.into());
        }
        Some(output)
    }

    /// What the caller is told of a failure: its own cause.
    //= ERR-3:2
    fn reported(&self, failure: &Fail) -> String {
        failure.message.clone()
    }
}

/// What sort of failure it is.
pub fn code(failure: &Fail) -> String {
    failure.code.clone().unwrap_or_else(|| "node_error".into())
}
