//! `standing adequacy`: which misreadings of the rules the cases catch.

use std::{process::ExitCode, sync::Arc};

use clap::Args;

use super::{
    failure::Done,
    output::{Listing, print, print_json},
    sources::{ConfigArgs, SourceArgs, select},
};
use crate::adequacy::{human, measure};

#[derive(Debug, Args)]
pub(super) struct AdequacyArgs {
    /// Whose misreadings and cases: a rule (SG-12), a clause (SG-12:2), a case (SG-12/name), a
    /// family (RT-SG), or a glob over any of them. Everything, where none is given.
    #[arg(value_name = "SELECTOR")]
    selectors: Vec<String>,
    /// Put only the cases that the documents' examples make by themselves.
    #[arg(long)]
    examples_only: bool,
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    config: ConfigArgs,
    /// How to write the outcome.
    #[arg(long, value_enum, default_value_t)]
    format: Listing,
}

pub(super) fn adequacy(args: &AdequacyArgs) -> Done {
    let suite = Arc::new(args.sources.suite(&args.config.read()?)?);
    let selection = select(&suite, &args.selectors)?;
    let adequacy = measure(&suite, &selection, args.examples_only)?;
    match args.format {
        Listing::Human => print(&human(&adequacy))?,
        Listing::Json => print_json(&serde_json::json!(adequacy))?,
    }
    Ok(match adequacy.is_well() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
