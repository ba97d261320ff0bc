//! What several subcommands share: reading a suite, choosing an engine, printing.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
};

use clap::{Args, ValueEnum};

use crate::{
    corpus::Corpus,
    diagnostics::{Code, Diagnostic, Severity, render},
    engine::{Engine, EngineError},
    operations::Operations,
    reference,
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
    pub(super) fn suite(&self) -> Done<Suite> {
        let (corpus, mut faults) = match self.rules.as_slice() {
            [] => Corpus::embedded(),
            paths => Corpus::read(paths),
        };
        let suite = match self.cases.as_slice() {
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

/// The selectors of a subcommand, carried out.
pub(super) fn select(suite: &Suite, selectors: &[String]) -> Done<Selection> {
    Ok(Selection::new(suite, selectors)?)
}

/// The engine that `--engine` names.
pub(super) fn engine(name: &str) -> Done<Arc<dyn Engine>> {
    match name {
        "reference" => Ok(Arc::new(reference::engine())),
        other => Err(
            Diagnostic::error(Code::BadCall, format!("there is no engine `{other}`"))
                .help("`reference` is the one that there is")
                .into(),
        ),
    }
}

/// How a subcommand writes what it has to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    #[default]
    Human,
    /// For programs.
    Json,
}

/// Writes to standard output; styles are taken out where they would not be seen.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
