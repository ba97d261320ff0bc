//! The suite, put to this project's own reference: as any implementer would test an engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    standing::reference::engine().harness()
}
