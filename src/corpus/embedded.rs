//! The documents and case files that the library carries: the folders `rules/` and `cases/`.

use std::sync::Arc;

use crate::diagnostics::Source;

// `RULES` and `CASES`: paths and texts, ordered by path. Written by build.rs.
include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The rule documents and registries.
pub(crate) fn embedded_rules() -> Vec<Arc<Source>> {
    RULES
        .iter()
        .map(|(path, text)| Source::new(*path, *text))
        .collect()
}

/// The case files.
pub(crate) fn embedded_cases() -> Vec<Arc<Source>> {
    CASES
        .iter()
        .map(|(path, text)| Source::new(*path, *text))
        .collect()
}
