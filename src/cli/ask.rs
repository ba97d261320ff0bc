//! `standing ask`: one question.

use std::{
    io::{self, Read},
    process::ExitCode,
};

use clap::Args;
use serde_json::json;

use super::{
    config::Config,
    connect::ConnectArgs,
    failure::{Done, tell},
    interrupt::{self, INTERRUPTED},
    output::{print, print_json},
    sources::ConfigArgs,
};
use crate::{
    corpus::parse_json,
    diagnostics::{Code, Diagnostic, Place, Source, printable, render},
    engine::{Answer, EngineError},
    operations::Operations,
};

#[derive(Debug, Args)]
pub(super) struct AskArgs {
    /// What is asked: `standing operations` lists what there is.
    #[arg(value_name = "OPERATION")]
    operation: String,
    /// The params, a JSON object; `-` reads them from standard input.
    #[arg(value_name = "JSON", default_value = "{}")]
    params: String,
    #[command(flatten)]
    connect: ConnectArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Prints the answer: a value as JSON, a refusal as `{"refused": …}`. Exit status 0 for a value, 1
/// for anything else that the engine said, 3 where it said nothing.
pub(super) fn ask(args: &AskArgs) -> Done {
    let config: Config = args.config.read()?;
    let mut text = args.params.clone();
    if text == "-" {
        text.clear();
        io::stdin().read_to_string(&mut text)?;
    }
    let source = Source::new("JSON", text);
    let params = parse_json(source.text()).map_err(|error| {
        Diagnostic::error(
            Code::BadCall,
            format!("the params are not JSON: {}", error.message),
        )
        .at(Place::new(&source, error.offset..error.offset + 1))
    })?;
    if !params.is_object() {
        return Err(Diagnostic::error(Code::BadCall, "the params are a JSON object").into());
    }
    let operations = Operations::standard();
    if operations.get(&args.operation).is_none() {
        let message = format!(
            "there is no operation `{}`; it is asked all the same",
            args.operation
        );
        let names = operations.iter().map(|o| o.name);
        tell(&[
            Diagnostic::warning(Code::UnknownOperation, message).suggest(&args.operation, names)
        ]);
    }
    let interrupt = interrupt::flag()?;
    let connected = args.connect.connect(&config, &interrupt)?;
    let mut session = match connected.engine.session() {
        Err(EngineError::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
        session => session?,
    };
    let answer = session.ask(&args.operation, &params);
    if let (Ok(_), Some(pipeline)) = (&answer, session.pipeline()) {
        // What the engine still says of the end is no answer.
        let _ = pipeline.finish();
        say!("{}", printable(&pipeline.stderr()));
    }
    match answer {
        Ok(Answer::Value(value)) => {
            print_json(&value)?;
            Ok(ExitCode::SUCCESS)
        }
        Ok(Answer::Refused(refusal)) => {
            print_json(&json!({ "refused": refusal }))?;
            Ok(ExitCode::FAILURE)
        }
        Ok(Answer::Declined) => {
            print(&format!(
                "the engine declines `{}`\n",
                printable(&args.operation)
            ))?;
            Ok(ExitCode::FAILURE)
        }
        Err(EngineError::Failed(message)) => {
            print(&format!("the engine failed: {}\n", printable(&message)))?;
            Ok(ExitCode::FAILURE)
        }
        Err(EngineError::Interrupted) => Ok(ExitCode::from(INTERRUPTED)),
        Err(error) => {
            let fault = Diagnostic::error(Code::NoAnswer, error.to_string());
            let stderr = session.pipeline().map(|program| program.stderr());
            let fault = match stderr.as_deref().map(str::trim_end) {
                None | Some("") => fault,
                Some(said) => fault.note(format!("its standard error ends with:\n{said}")),
            };
            say!("{}", render(&fault, true));
            Ok(ExitCode::from(3))
        }
    }
}
