//! `known-failures.toml`.

use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::{
    config,
    failure::{Done, tell},
};
use crate::{
    corpus::read_file,
    diagnostics::{Code, Diagnostic, Place, Severity},
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
    reason: Spanned<String>,
    link: Option<String>,
}

/// Reads a list, and finds the cases that it names. What is out of date in it is an error, unless
/// `allow` makes it a warning.
pub(super) fn read(path: &Path, suite: &Suite, allow: bool) -> Done<KnownFailures> {
    let (known, faults) = entries(path, suite)?;
    match (faults.is_empty(), allow) {
        (true, _) => {}
        (false, true) => tell(&faults.into_iter().map(as_warning).collect::<Vec<_>>()),
        (false, false) => return Err(faults.into()),
    }
    Ok(known)
}

/// A fault that is allowed.
pub(super) fn as_warning(mut fault: Diagnostic) -> Diagnostic {
    fault.severity = Severity::Warning;
    fault
}

fn entries(path: &Path, suite: &Suite) -> Done<(KnownFailures, Vec<Diagnostic>)> {
    let mut faults = Vec::new();
    let Some(source) = read_file(path, &mut faults) else {
        return Err(faults.into());
    };
    let list: List =
        toml::from_str(source.text()).map_err(|error| config::not_readable(&source, &error))?;
    let empty = list
        .failure
        .iter()
        .find(|e| e.reason.get_ref().trim().is_empty());
    if let Some(entry) = empty {
        return Err(
            Diagnostic::error(Code::Config, "a known failure needs a reason")
                .at(Place::new(&source, entry.reason.span()))
                .help("say why it fails for now")
                .into(),
        );
    }
    let entries = list.failure.into_iter().map(|entry| KnownFailure {
        place: Place::new(&source, entry.select.span()),
        select: entry.select.into_inner(),
        outcome: entry.outcome,
        reason: entry.reason.into_inner(),
        link: entry.link,
    });
    Ok(KnownFailures::new(entries.collect(), suite))
}
