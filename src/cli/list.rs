//! `standing list`: the rules, or the cases of those that are named.

use std::{fmt::Write as _, process::ExitCode};

use clap::Args;
use serde_json::{Value, json};

use super::{
    failure::Done,
    output::{Listing, print, print_json},
    sources::{ConfigArgs, SourceArgs, select},
};
use crate::{
    diagnostics::printable,
    report::count,
    suite::{Selection, Suite},
};

#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// A rule, clause, case, family or glob: its cases are listed. Without one, all rules are.
    #[arg(value_name = "SELECTOR")]
    selectors: Vec<String>,
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    config: ConfigArgs,
    /// How to write the list.
    #[arg(long, value_enum, default_value_t)]
    format: Listing,
}

pub(super) fn list(args: &ListArgs) -> Done {
    let suite = args.sources.suite(&args.config.read()?)?;
    let selection = select(&suite, &args.selectors)?;
    match args.format {
        Listing::Json => print_json(&as_json(&suite, &selection))?,
        Listing::Human if args.selectors.is_empty() => print(&rules(&suite, &selection))?,
        Listing::Human => print(&cases(&suite, &selection))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A column is no wider, whatever is in it.
const WIDEST: usize = 40;

fn rules(suite: &Suite, selection: &Selection) -> String {
    let mut text = String::new();
    let rules = suite.corpus().rules();
    let width = rules
        .iter()
        .map(|r| r.id.as_str().len())
        .max()
        .unwrap_or(0)
        .min(WIDEST);
    let (mut examples, mut unbound) = (0, 0);
    for position in selection.rules() {
        let rule = &rules[position];
        let cases = count(suite.cases_of(position).len(), "case");
        examples += rule.examples.len();
        unbound += suite.unbound(position).count();
        let _ = writeln!(
            text,
            "{:width$}  {:8}  {cases:>9}  {}",
            rule.id.as_str(),
            rule.level,
            printable(&rule.title)
        );
    }
    let rules = count(selection.rules().count(), "rule");
    let cases = count(selection.cases().count(), "case");
    let examples = match unbound {
        0 => format!("{}, all bound to a case", count(examples, "example")),
        n => format!(
            "{}, {n} of them bound to no case",
            count(examples, "example")
        ),
    };
    let _ = writeln!(text, "\n{rules}, {cases}, {examples}");
    text
}

fn cases(suite: &Suite, selection: &Selection) -> String {
    let mut text = String::new();
    for index in selection.cases() {
        let case = &suite.cases()[index];
        let clauses: Vec<String> = case.clauses.iter().map(|n| format!("¶{n}")).collect();
        let _ = writeln!(text, "{}  {}", case.name, clauses.join(" "));
    }
    if text.is_empty() {
        text.push_str("no cases\n");
    }
    text
}

fn as_json(suite: &Suite, selection: &Selection) -> Value {
    selection
        .rules()
        .map(|position| {
            let rule = &suite.corpus().rules()[position];
            let cases: Vec<Value> = selection
                .cases_of(position)
                .map(|index| {
                    let case = &suite.cases()[index];
                    let operations: Vec<&str> =
                        case.steps.iter().map(|s| s.operation.as_str()).collect();
                    json!({
                        "case": case.name,
                        "clauses": case.clauses,
                        "operations": operations,
                        "examples": case.examples,
                        "source": case.place.to_string(),
                    })
                })
                .collect();
            json!({
                "id": rule.id,
                "family": rule.family,
                "title": rule.title,
                "level": rule.level,
                "profiles": rule.profiles,
                "posture": rule.posture,
                "rule_hash": rule.hash,
                "document": rule.source.path(),
                "clauses": rule.clauses.len(),
                "examples": rule.examples.len(),
                "unbound": suite.unbound(position).map(|e| e.number).collect::<Vec<_>>(),
                "cases": cases,
            })
        })
        .collect()
}
