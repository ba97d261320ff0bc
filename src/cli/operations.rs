//! `standing operations`: what an engine can be asked to do.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    process::ExitCode,
};

use clap::Args;
use serde_json::{Value, json};

use super::{
    failure::Done,
    output::{Listing, print},
};
use crate::{
    diagnostics::{Code, Diagnostic},
    operations::{OperationInfo, Operations},
    report::count,
    suite::Suite,
};

#[derive(Debug, Args)]
pub(super) struct OperationsArgs {
    /// The operation whose JSON Schemas are to be printed.
    #[arg(value_name = "OPERATION")]
    name: Option<String>,
    /// How to write it.
    #[arg(long, value_enum, default_value_t)]
    format: Listing,
}

pub(super) fn operations(args: &OperationsArgs) -> Done {
    let operations = Operations::standard();
    let asked = asked()?;
    let chosen: Vec<&OperationInfo> = match &args.name {
        None => operations.iter().collect(),
        Some(name) => vec![operations.get(name).ok_or_else(|| {
            Diagnostic::error(
                Code::UnknownOperation,
                format!("there is no operation `{name}`"),
            )
            .help("`standing operations` lists them")
            .suggest(name, operations.iter().map(|o| o.name))
        })?],
    };
    let text = match (args.format, args.name.is_some()) {
        (Listing::Json, _) => {
            let all: Value = chosen
                .iter()
                .map(|o| as_json(o, asked.get(o.name)))
                .collect();
            format!("{all:#}\n")
        }
        (Listing::Human, true) => chosen.iter().map(|o| whole(o, asked.get(o.name))).collect(),
        (Listing::Human, false) => {
            let width = chosen.iter().map(|o| o.name.len()).max().unwrap_or(0);
            chosen.iter().fold(String::new(), |mut text, o| {
                let cases: usize = asked.get(o.name).map_or(0, |rules| rules.values().sum());
                let _ = writeln!(
                    text,
                    "{:width$}  {:>9}  {}",
                    o.name,
                    count(cases, "case"),
                    o.about
                );
                text
            })
        }
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// By operation: the rules whose cases ask it, and how many of their cases do.
type Asked = BTreeMap<String, BTreeMap<String, usize>>;

fn asked() -> Done<Asked> {
    let (suite, faults) = Suite::embedded();
    if !faults.is_empty() {
        return Err(faults.into());
    }
    let mut asked = Asked::new();
    for rule in 0..suite.corpus().rules().len() {
        for case in &suite.cases()[suite.cases_of(rule)] {
            let operations: BTreeSet<&str> =
                case.steps.iter().map(|s| s.operation.as_str()).collect();
            for operation in operations {
                let rules = asked.entry(operation.to_owned()).or_default();
                *rules.entry(suite.rule_of(case).id.to_string()).or_default() += 1;
            }
        }
    }
    Ok(asked)
}

fn as_json(operation: &OperationInfo, asked: Option<&BTreeMap<String, usize>>) -> Value {
    json!({
        "operation": operation.name,
        "about": operation.about,
        "asked": asked.cloned().unwrap_or_default(),
        "params": operation.params_schema(),
        "result": operation.result_schema(),
    })
}

fn whole(operation: &OperationInfo, asked: Option<&BTreeMap<String, usize>>) -> String {
    let asked = match asked {
        None => "asked by no case yet".to_owned(),
        Some(rules) => {
            let rules = rules.iter().map(|(rule, n)| format!("{rule} ({n})"));
            format!("asked by cases of {}", rules.collect::<Vec<_>>().join(", "))
        }
    };
    format!(
        "{}: {}\n{asked}\n\nparams\n{:#}\n\nresult\n{:#}\n",
        operation.name,
        operation.about,
        operation.params_schema(),
        operation.result_schema()
    )
}
