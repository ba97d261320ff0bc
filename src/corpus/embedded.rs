//! The documents and case files that the library carries: the folders `rules/` and `cases/`.

use std::sync::Arc;

use super::RuleId;
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

/// The page of one rule.
pub(crate) fn embedded_page(id: &RuleId) -> Option<Arc<Source>> {
    let name = format!("/{}.md", id.slug());
    let mut pages = RULES.iter().filter(|(path, _)| path.ends_with(&name));
    pages.next().map(|(path, text)| Source::new(*path, *text))
}
