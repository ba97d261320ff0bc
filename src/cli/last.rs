//! The failures of the last run, for `--failed`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::shared::{Done, write_whole};
use crate::{
    diagnostics::{Code, Diagnostic, plain},
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

/// Remembers which cases failed. A run in which none did leaves no trace, unless there was one.
pub(super) fn remember(record: &Record, beside: Option<&Path>) -> io::Result<()> {
    let failed: Vec<&str> = record
        .cases()
        .filter(|(_, case)| case.outcome.is_failure())
        .map(|(_, case)| case.case.as_str())
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

/// The cases that failed last time. `None`: none did.
pub(super) fn failed(beside: Option<&Path>, suite: &Suite) -> Done<Option<Selection>> {
    let file = file(beside);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            let message = format!("cannot read `{}`: {}", file.display(), plain(&error));
            return Err(Diagnostic::error(Code::Unreadable, message).into());
        }
    };
    let cases: Vec<&str> = text.lines().collect();
    if cases.is_empty() {
        return Ok(None);
    }
    let gone = |fault: Diagnostic| fault.note("it failed in the last run");
    match Selection::new(suite, &cases) {
        Ok(selection) => Ok(Some(selection)),
        Err(faults) => Err(faults.into_iter().map(gone).collect::<Vec<_>>().into()),
    }
}
