//! Why a subcommand could not do its work, and how that is told.

use std::{io, process::ExitCode};

use crate::{
    diagnostics::{Code, Diagnostic, Severity, render},
    engine::EngineError,
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
                    sayln!("\n{errors} errors");
                }
                ExitCode::from(2)
            }
            Self::Engine(error) => {
                say!(
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
                say!(
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
pub(super) fn tell(faults: &[Diagnostic]) {
    for (i, fault) in faults.iter().enumerate() {
        let gap = if i > 0 { "\n" } else { "" };
        say!("{gap}{}", render(fault, true));
    }
}

pub(super) type Done<T = ExitCode> = Result<T, Failure>;
