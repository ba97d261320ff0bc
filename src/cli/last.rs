//! The failures of the last run, for `--failed`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{failure::Done, output::write_whole};
use crate::{
    diagnostics::{Code, Diagnostic},
    run::Outcome,
    standing::Record,
    suite::Suite,
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
pub(super) fn remember(record: &Record, suite: &Suite, beside: Option<&Path>) -> Done<()> {
    let before = failed(beside)?;
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
    Ok(write_whole(&file, &text)?)
}

/// The cases that failed last time, as selectors.
pub(super) fn failed(beside: Option<&Path>) -> Done<Vec<String>> {
    let text = match fs::read_to_string(file(beside)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            let message = format!("`{}` cannot be read: {error}", file(beside).display());
            return Err(Diagnostic::error(Code::Unreadable, message).into());
        }
    };
    Ok(text.lines().map(str::to_owned).collect())
}
