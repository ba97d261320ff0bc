//! `standing compare`: what changed from one record to the next.

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, ValueEnum};

use super::{
    failure::Done,
    output::{print, print_plain},
    records::read_record,
};
use crate::{
    diagnostics::{Code, Diagnostic},
    report::{comparison_human, comparison_json, comparison_markdown},
    run::Outcome,
    standing::{Change, Comparison, Record},
};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 nothing got worse, 1 a case did that counts and is not known to fail, \
    or something that --deny names happened, 2 the records cannot be compared."
)]
pub(super) struct CompareArgs {
    /// The record to hold the other against: the base branch's, or that of the last release.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The record of now.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// How to write it.
    #[arg(long, value_enum, default_value_t)]
    format: CompareFormat,
    /// Fail for this, too (may be repeated).
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Vec<Deny>,
    /// Exit with 0 whatever changed.
    #[arg(long)]
    exit_zero: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum CompareFormat {
    /// For people.
    #[default]
    Human,
    /// For programs.
    Json,
    /// For a comment on a pull request.
    Markdown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// A case that appeared and fails.
    Appeared,
    /// A case or a rule that vanished.
    Vanished,
    /// A rule whose text has changed since.
    Changed,
}

pub(super) fn compare(args: &CompareArgs) -> Done {
    let (old, new) = (read_record(&args.old)?, read_record(&args.new)?);
    let (a, b) = (args.old.display(), args.new.display());
    let not = |message: String| Diagnostic::error(Code::NotComparable, message);
    for (record, path) in [(&old, &a), (&new, &b)] {
        if record.interrupted {
            return Err(not(format!(
                "`{path}` is of a run that ended before it was done"
            ))
            .into());
        }
        if record.shard.is_some() {
            let fault = not(format!("`{path}` is a part of a record"));
            return Err(fault
                .help("`standing report --format json` puts parts together")
                .into());
        }
    }
    if old.selection != new.selection {
        let chosen = |record: &Record| match record.selection.is_empty() {
            true => "everything".to_owned(),
            false => record.selection.join(" "),
        };
        let fault = not(format!("`{a}` and `{b}` are of different selections")).note(format!(
            "`{a}` is of {}, `{b}` of {}",
            chosen(&old),
            chosen(&new)
        ));
        return Err(fault.into());
    }
    let comparison = Comparison::new(&old, &new);
    match args.format {
        CompareFormat::Human => print(&comparison_human(&comparison))?,
        CompareFormat::Json => {
            print_plain(&comparison_json(&comparison).map_err(std::io::Error::from)?)?;
        }
        CompareFormat::Markdown => print_plain(&comparison_markdown(&comparison))?,
    }
    let fails = comparison.regressed || args.deny.iter().any(|what| happened(*what, &comparison));
    Ok(match fails && !args.exit_zero {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

fn happened(what: Deny, comparison: &Comparison) -> bool {
    let fails = |outcome: Option<Outcome>| outcome.is_some_and(Outcome::is_failure);
    match what {
        Deny::Appeared => comparison
            .cases(Change::Appeared)
            .any(|(rule, case)| rule.counts && fails(case.new) && !case.known),
        Deny::Vanished => {
            comparison.cases(Change::Vanished).next().is_some()
                || comparison
                    .rules
                    .iter()
                    .any(|r| r.change == Change::Vanished)
        }
        Deny::Changed => comparison.rules.iter().any(|r| r.text_changed),
    }
}
