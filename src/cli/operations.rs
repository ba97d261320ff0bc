//! `standing operations`: what an engine can be asked to do.

use std::{fmt::Write as _, process::ExitCode};

use clap::Args;
use serde_json::{Value, json};

use super::{
    failure::Done,
    output::{Listing, print},
};
use crate::{
    diagnostics::{Code, Diagnostic},
    operations::{OperationInfo, Operations},
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
            let all: Value = chosen.iter().map(|o| as_json(o)).collect();
            format!("{all:#}\n")
        }
        (Listing::Human, true) => chosen.iter().map(|o| whole(o)).collect(),
        (Listing::Human, false) => {
            let width = chosen.iter().map(|o| o.name.len()).max().unwrap_or(0);
            chosen.iter().fold(String::new(), |mut text, o| {
                let _ = writeln!(text, "{:width$}  {}", o.name, o.about);
                text
            })
        }
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn as_json(operation: &OperationInfo) -> Value {
    json!({
        "operation": operation.name,
        "about": operation.about,
        "params": operation.params_schema(),
        "result": operation.result_schema(),
    })
}

fn whole(operation: &OperationInfo) -> String {
    format!(
        "{}: {}\n\nparams\n{:#}\n\nresult\n{:#}\n",
        operation.name,
        operation.about,
        operation.params_schema(),
        operation.result_schema()
    )
}
