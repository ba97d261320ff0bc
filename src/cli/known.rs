//! `known-failures.toml`.

use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::{config, failure::Done};
use crate::{
    corpus::read_file,
    diagnostics::Place,
    standing::{Expectation, KnownFailure, KnownFailures},
    suite::Suite,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    failure: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    select: Spanned<String>,
    outcome: Expectation,
    reason: String,
    /// For people; nothing is read from it.
    #[serde(rename = "link")]
    _link: Option<String>,
}

/// Reads a list, and finds the cases that it names.
pub(super) fn read(path: &Path, suite: &Suite) -> Done<KnownFailures> {
    let mut faults = Vec::new();
    let Some(source) = read_file(path, &mut faults) else {
        return Err(faults.into());
    };
    let list: List =
        toml::from_str(source.text()).map_err(|error| config::not_readable(&source, &error))?;
    let entries = list.failure.into_iter().map(|entry| KnownFailure {
        place: Place::new(&source, entry.select.span()),
        select: entry.select.into_inner(),
        outcome: entry.outcome,
        reason: entry.reason,
    });
    Ok(KnownFailures::new(entries.collect(), suite)?)
}
