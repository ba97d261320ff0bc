//! The failures of the last run, for `--failed`.
//!
//! The folder comes with whatever repository a run is made in, so nothing is written through a link in it,
//! and what is there is not trusted to be what was written.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, OpenOptions},
    io::{self, Write},
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
/// Far more than the names of any suite's cases.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

fn file(beside: Option<&Path>) -> PathBuf {
    beside
        .unwrap_or(Path::new(""))
        .join(FOLDER)
        .join("failed.txt")
}

/// Remembers which cases failed. One that failed before and was not put this time is still
/// remembered; known failures are not. A run in which none did leaves no trace, unless there was one.
pub(super) fn remember(record: &Record, suite: &Suite, beside: Option<&Path>) -> io::Result<()> {
    // What cannot be read is written anew.
    let before: HashSet<String> = remembered(beside).unwrap_or_default().into_iter().collect();
    let put: HashMap<&str, bool> = record
        .cases()
        .filter(|(_, case)| case.outcome != Outcome::Skipped)
        .map(|(_, case)| {
            let failed = case.outcome.is_failure() && case.known.is_none();
            (case.case.as_str(), failed)
        })
        .collect();
    let is_failed = |name: &str| match put.get(name) {
        Some(&failed) => failed,
        None => before.contains(name),
    };
    // Names of cases that are gone are forgotten.
    let failed: Vec<&str> = suite
        .cases()
        .iter()
        .map(|c| c.name.as_str())
        .filter(|name| is_failed(name))
        .collect();
    let file = file(beside);
    if failed.is_empty() && fs::symlink_metadata(&file).is_err() {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        make_folder(folder)?;
    }
    let mut text = failed.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    if fs::symlink_metadata(&file).is_ok_and(|there| !there.is_file()) {
        fs::remove_file(&file)?;
    }
    write_whole(&file, &text)
}

/// The folder, which is of no concern to whoever keeps the sources.
fn make_folder(folder: &Path) -> io::Result<()> {
    match fs::symlink_metadata(folder) {
        Ok(there) if there.is_dir() => {}
        Ok(_) => {
            let why = format!("`{}` is there and is no folder", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotADirectory, why));
        }
        Err(_) => fs::create_dir_all(folder)?,
    }
    let ignore = folder.join(".gitignore");
    match OpenOptions::new().write(true).create_new(true).open(ignore) {
        Ok(mut ignore) => ignore.write_all(b"*\n"),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// The names of the cases that failed the last time that they were put.
fn remembered(beside: Option<&Path>) -> io::Result<Vec<String>> {
    let file = file(beside);
    match fs::symlink_metadata(&file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
        Ok(there) if !there.is_file() => return Err(io::Error::other("it is no regular file")),
        Ok(there) if there.len() > MOST_BYTES => return Err(io::Error::other("it is too large")),
        Ok(_) => {}
    }
    Ok(fs::read_to_string(file)?
        .lines()
        .map(str::to_owned)
        .collect())
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
        Diagnostic::error(Code::Unreadable, message).help("delete it; the next run writes it anew")
    })?;
    cases.retain(|name| suite.case(name).is_some());
    match cases.is_empty() {
        true => Ok(None),
        false => Ok(Some(Selection::new(suite, &cases)?)),
    }
}
