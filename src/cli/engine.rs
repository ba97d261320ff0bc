//! `standing engine`: the reference, asked over the wire.

use std::{io, process::ExitCode};

use clap::Args;

use super::failure::Done;
use crate::{
    diagnostics::{Code, Diagnostic},
    engine::serve,
    reference,
};

#[derive(Debug, Args)]
pub(super) struct EngineArgs {
    /// Which engine answers.
    #[arg(value_name = "ENGINE", default_value = "reference")]
    name: String,
}

pub(super) fn engine(args: &EngineArgs) -> Done {
    if args.name != "reference" {
        let message = format!("there is no built-in engine `{}`", args.name);
        return Err(Diagnostic::error(Code::BadCall, message)
            .help("`reference` is")
            .into());
    }
    serve(
        &reference::engine(),
        io::stdin().lock(),
        io::BufWriter::new(io::stdout().lock()),
    )?;
    Ok(ExitCode::SUCCESS)
}
