//! Where the output goes: standard output, and files.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use serde_json::Value;
use tempfile::NamedTempFile;

use crate::diagnostics::inert_json;

/// How a subcommand writes what it has to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Listing {
    /// For people.
    #[default]
    Human,
    /// For programs.
    Json,
}

/// Where a file is written before it is put in its place; it is gone if it is not. `None`: the path is
/// a device or a pipe, which is written to and never replaced.
fn beside(path: &Path) -> io::Result<Option<(PathBuf, NamedTempFile)>> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => return Ok(None),
        _ => {}
    }
    // A link stays one.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let file = tempfile::Builder::new()
        .prefix(".standing-")
        .tempfile_in(folder)?;
    Ok(Some((path, file)))
}

/// Whether a file can be written, as far as that can be known before.
pub(super) fn can_write(path: &Path) -> io::Result<()> {
    beside(path).map(drop)
}

/// Writes a file whole or not at all.
pub(super) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let Some((path, mut file)) = beside(path)? else {
        return fs::write(path, text);
    };
    file.write_all(text.as_bytes())?;
    file.flush()?;
    // A temporary file is for its owner alone; a report is not.
    let mode = fs::metadata(&path).map(|m| m.permissions());
    let mode = mode.unwrap_or_else(|_| fs::Permissions::from_mode(0o644));
    file.as_file().set_permissions(mode)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes JSON to standard output: to the letter, as nothing in it is a style.
pub(super) fn print_json(value: &Value) -> io::Result<()> {
    print_plain(&format!("{}\n", inert_json(&format!("{value:#}"))))
}

/// Writes text for programs to standard output, to the letter.
pub(super) fn print_plain(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes to standard output; styles are taken out where they would not be seen.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
