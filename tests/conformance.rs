//! The suite that the project carries, as tests of the reference engine.

use std::process::ExitCode;

fn main() -> ExitCode {
    standing::reference::engine().harness()
}
