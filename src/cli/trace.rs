//! `standing trace`: where an engine's source cites the clauses.

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, ValueEnum};

use super::{
    failure::{Done, tell},
    output::print,
    records::read_record,
    sources::{ConfigArgs, SourceArgs, select},
};
use crate::{
    diagnostics::{Code, Diagnostic},
    report::{trace_human, trace_json, trace_lcov},
    trace::Trace,
};

#[derive(Debug, Args)]
pub(super) struct TraceArgs {
    /// Sources: files, or folders and all that is in them. What version control ignores is left out.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// The record of a run, as --format json writes it: how the cases of each clause came out.
    #[arg(long, value_name = "FILE")]
    standing: Option<PathBuf>,
    /// Only these rules, clauses' rules or families (may be repeated).
    #[arg(long, value_name = "SELECTOR")]
    select: Vec<String>,
    /// Fail where a clause is cited nowhere.
    #[arg(long)]
    deny_uncited: bool,
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    config: ConfigArgs,
    /// How to write it.
    #[arg(long, value_enum, default_value_t)]
    format: TraceFormat,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum TraceFormat {
    /// For people.
    #[default]
    Human,
    /// For programs.
    Json,
    /// For editors and coverage tools: cited lines, and how many of their cases passed.
    Lcov,
}

/// Exit status 1 where a citation is of no clause or of another text, or, with `--deny-uncited`,
/// where a clause is cited nowhere.
pub(super) fn trace(args: &TraceArgs) -> Done {
    let config = args.config.read()?;
    let suite = args.sources.suite(&config)?;
    let selection = select(&suite, &args.select)?;
    if let Some(missing) = args.paths.iter().find(|path| !path.exists()) {
        let message = format!(
            "cannot read `{}`: no such file or directory",
            missing.display()
        );
        return Err(Diagnostic::error(Code::Unreadable, message).into());
    }
    let record = match &args.standing {
        Some(path) => Some(read_record(path)?),
        None => None,
    };
    let trace = Trace::new(&suite, &selection, record.as_ref(), &args.paths);
    print(&match args.format {
        TraceFormat::Human => trace_human(&trace),
        TraceFormat::Json => format!("{:#}\n", trace_json(&trace)),
        TraceFormat::Lcov => trace_lcov(&trace),
    })?;
    tell(&trace.faults);
    let uncited = args.deny_uncited && trace.uncited().next().is_some();
    Ok(match trace.faults.is_empty() && !uncited {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
