//! The failures of the last run, for `--failed`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{failure::Done, output::write_whole};
use crate::{
    diagnostics::{Code, Diagnostic, plain},
    run::Outcome,
    standing::Record,
    suite::{Selection, Suite},
};

/// A folder beside the configuration, or in the current folder.
const FOLDER: &str = ".standing";

fn file(beside: Option<&Path>) -> PathBuf {
    beside
        .unwrap_or(Path::new(""))
        .join(FOLDER)
        .join("failed.txt")
}

/// Remembers which cases failed. One that failed before and was not put this time is still
/// remembered; known failures are not. A run in which none did leaves no trace, unless there was one.
pub(super) fn remember(record: &Record, suite: &Suite, beside: Option<&Path>) -> io::Result<()> {
    let before = remembered(beside)?;
    let put = |name: &str| {
        record
            .cases()
            .find(|(_, c)| c.case == name && c.outcome != Outcome::Skipped)
    };
    let is_failed = |name: &str| match put(name) {
        Some((_, case)) => case.outcome.is_failure() && case.known.is_none(),
        None => before.iter().any(|b| b == name),
    };
    // Names of cases that are gone are forgotten.
    let failed: Vec<&str> = suite
        .cases()
        .iter()
        .map(|c| c.name.as_str())
        .filter(|name| is_failed(name))
        .collect();
    let file = file(beside);
    if failed.is_empty() && !file.exists() {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
        // The folder is of no concern to whoever keeps the sources.
        fs::write(folder.join(".gitignore"), "*\n")?;
    }
    let mut text = failed.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    write_whole(&file, &text)
}

/// The names of the cases that failed the last time that they were put.
fn remembered(beside: Option<&Path>) -> io::Result<Vec<String>> {
    match fs::read_to_string(file(beside)) {
        Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The cases that failed the last time that they were put, those that are gone left out. `None`:
/// there is none.
pub(super) fn failed(beside: Option<&Path>, suite: &Suite) -> Done<Option<Selection>> {
    let mut cases = remembered(beside).map_err(|error| {
        let message = format!(
            "cannot read `{}`: {}",
            file(beside).display(),
            plain(&error)
        );
        Diagnostic::error(Code::Unreadable, message)
    })?;
    cases.retain(|name| suite.case(name).is_some());
    match cases.is_empty() {
        true => Ok(None),
        false => Ok(Some(Selection::new(suite, &cases)?)),
    }
}
