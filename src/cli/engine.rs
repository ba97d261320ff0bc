//! `standing engine`: the reference, asked over the wire.

use std::{io, process::ExitCode};

use clap::Args;

use super::shared::{Done, engine as engine_named};
use crate::engine::serve;

#[derive(Debug, Args)]
pub(super) struct EngineArgs {
    /// Which engine answers.
    #[arg(value_name = "ENGINE", default_value = "reference")]
    name: String,
}

pub(super) fn engine(args: &EngineArgs) -> Done {
    let engine = engine_named(&args.name)?;
    serve(
        engine.as_ref(),
        io::stdin().lock(),
        io::BufWriter::new(io::stdout().lock()),
    )?;
    Ok(ExitCode::SUCCESS)
}
