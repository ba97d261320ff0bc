//! What several subcommands share: reading a suite, choosing an engine, printing.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, ValueEnum};
use serde::Deserialize;
use tempfile::NamedTempFile;

use super::config::Config;
use crate::{
    corpus::Corpus,
    diagnostics::{Code, Diagnostic, Severity, render},
    engine::EngineError,
    operations::Operations,
    suite::{Selection, Suite},
};

/// Why a subcommand could not do its work.
#[derive(Debug)]
pub(super) enum Failure {
    /// The call or the input is wrong.
    Input(Vec<Diagnostic>),
    /// The engine could not be started.
    Engine(EngineError),
    /// Nobody reads the output any more, or it cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Tells what is wrong, on standard error.
    pub(super) fn report(self) -> ExitCode {
        match self {
            Self::Input(faults) => {
                tell(&faults);
                let errors = faults
                    .iter()
                    .filter(|f| f.severity == Severity::Error)
                    .count();
                if errors > 1 {
                    anstream::eprintln!("\n{errors} errors");
                }
                ExitCode::from(2)
            }
            Self::Engine(error) => {
                anstream::eprint!(
                    "{}",
                    render(
                        &Diagnostic::error(Code::EngineStart, error.to_string()),
                        true
                    )
                );
                ExitCode::from(3)
            }
            // As with every program in a pipe: `standing list | head` is no mistake.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(error) => {
                let message = format!("the output cannot be written: {error}");
                anstream::eprint!(
                    "{}",
                    render(&Diagnostic::error(Code::BadCall, message), true)
                );
                ExitCode::from(2)
            }
        }
    }
}

impl From<Diagnostic> for Failure {
    fn from(fault: Diagnostic) -> Self {
        Self::Input(vec![fault])
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(faults: Vec<Diagnostic>) -> Self {
        Self::Input(faults)
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Shows faults on standard error, with a line between them.
fn tell(faults: &[Diagnostic]) {
    for (i, fault) in faults.iter().enumerate() {
        let gap = if i > 0 { "\n" } else { "" };
        anstream::eprint!("{gap}{}", render(fault, true));
    }
}

pub(super) type Done<T = ExitCode> = Result<T, Failure>;

/// Where rules and cases come from.
#[derive(Debug, Args)]
pub(super) struct SourceArgs {
    /// Read rule documents from this file or folder instead of the embedded ones (may be repeated).
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(super) rules: Vec<PathBuf>,
    /// Read case files from this file or folder instead of the embedded ones (may be repeated).
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(super) cases: Vec<PathBuf>,
}

impl SourceArgs {
    /// Reads the suite. All faults are told at once.
    pub(super) fn suite(&self, config: &Config) -> Done<Suite> {
        let or = |own: &Vec<PathBuf>, else_: &Vec<PathBuf>| match own.is_empty() {
            true => else_.clone(),
            false => own.clone(),
        };
        let (rules, cases) = (
            or(&self.rules, &config.rules),
            or(&self.cases, &config.cases),
        );
        let (corpus, mut faults) = match rules.as_slice() {
            [] => Corpus::embedded(),
            paths => Corpus::read(paths),
        };
        let suite = match cases.as_slice() {
            [] => Suite::with_embedded_cases(corpus, Operations::standard(), &mut faults),
            paths => Suite::read(corpus, Operations::standard(), paths, &mut faults),
        };
        if faults.iter().any(|f| f.severity == Severity::Error) {
            return Err(faults.into());
        }
        tell(&faults);
        Ok(suite)
    }
}

/// Where the configuration is.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// The configuration [default: conformance.toml in the current folder or above].
    #[arg(long, value_name = "FILE", help_heading = "Sources")]
    config: Option<PathBuf>,
}

impl ConfigArgs {
    /// Reads it; there may be none.
    pub(super) fn read(&self) -> Done<Config> {
        Config::find(self.config.as_deref())
    }
}

/// The selectors of a subcommand, carried out.
pub(super) fn select(suite: &Suite, selectors: &[String]) -> Done<Selection> {
    Ok(Selection::new(suite, selectors)?)
}

/// How a subcommand writes what it has to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Listing {
    /// For people.
    #[default]
    Human,
    /// For programs.
    Json,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// For people, on a terminal.
    #[default]
    Human,
    /// The record, which every other report is made from.
    Json,
    /// A statement to put into an engine's documentation.
    Markdown,
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

/// Writes to standard output; styles are taken out where they would not be seen.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
