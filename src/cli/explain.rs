//! `standing explain`: the page of a code.

use std::{fmt::Write as _, process::ExitCode};

use clap::Args;

use super::{failure::Done, output::print};
use crate::{
    check::{explanation, headline},
    diagnostics::{Code, Diagnostic},
};

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A code, `R105`, or its name, `unknown-level`. Without one, all are listed.
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

pub(super) fn explain(args: &ExplainArgs) -> Done {
    let Some(word) = &args.code else {
        print(&list())?;
        return Ok(ExitCode::SUCCESS);
    };
    let Some(code) = Code::find(word) else {
        let names: Vec<String> = Code::ALL.iter().map(|c| c.name()).collect();
        let known = Code::ALL.iter().map(|c| c.id());
        let known = known.chain(names.iter().map(String::as_str));
        return Err(
            Diagnostic::error(Code::BadCall, format!("there is no code `{word}`"))
                .help("`standing explain` lists them")
                .suggest(word, known)
                .into(),
        );
    };
    print(&format!("{}\n", explanation(code).unwrap_or_default()))?;
    Ok(ExitCode::SUCCESS)
}

fn list() -> String {
    let mut text = String::new();
    let width = Code::ALL.iter().map(|c| c.name().len()).max().unwrap_or(0);
    for code in Code::ALL {
        let says = headline(*code).unwrap_or_default();
        let _ = writeln!(text, "{}  {:width$}  {says}", code.id(), code.name());
    }
    text
}
