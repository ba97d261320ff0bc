//! Open ground in workflows that are carried out.

use serde_json::Value;

use super::Ground;

pub(super) fn touch(_given: &Value) -> Option<Ground> {
    None
}
