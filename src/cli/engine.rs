//! `standing engine`: the reference, or a misreading of the rules, asked over the wire.

use std::{io, process::ExitCode};

use clap::Args;

use super::{
    built_in::built_in,
    failure::{Done, Failure},
};
use crate::{
    diagnostics::{Code, Diagnostic},
    engine::serve,
};

#[derive(Debug, Args)]
pub(super) struct EngineArgs {
    /// Which engine answers: `reference`, or `reference:MISREADING`, which gets just that wrong.
    #[arg(value_name = "ENGINE", default_value = "reference")]
    name: String,
}

pub(super) fn engine(args: &EngineArgs) -> Done {
    let Some(engine) = built_in(&args.name) else {
        let message = format!("there is no built-in engine `{}`", args.name);
        return Err(Diagnostic::error(Code::BadCall, message)
            .help("`reference` is, and `reference:` with the name of a misreading")
            .into());
    };
    serve(
        &engine.map_err(|fault| Failure::from(*fault))?,
        io::stdin().lock(),
        io::BufWriter::new(io::stdout().lock()),
    )?;
    Ok(ExitCode::SUCCESS)
}
