//! The `standing` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    standing::cli::main()
}
