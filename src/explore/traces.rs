//! What is compared of runs.

use serde_json::Value;

pub(super) fn settle(
    _operation: &str,
    _params: &Value,
    _expected: &mut Value,
    _actual: &mut Value,
) {
}
