//! `standing ask`: one question.

use std::{
    io::{self, Read},
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
};

use clap::Args;
use serde_json::json;

use super::{
    config::Config,
    connect::ConnectArgs,
    failure::{Done, tell},
    output::print,
    sources::ConfigArgs,
};
use crate::{
    corpus::parse_json,
    diagnostics::{Code, Diagnostic, Place, Source, printable},
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
    let connected = args
        .connect
        .connect(&config, &Arc::new(AtomicBool::new(false)))?;
    let mut session = connected.engine.session()?;
    let answer = session.ask(&args.operation, &params);
    if let Some(pipeline) = session.pipeline() {
        // What the engine still says of the end is no answer.
        let _ = pipeline.finish();
        anstream::eprint!("{}", printable(&pipeline.stderr()));
    }
    match answer {
        Ok(Answer::Value(value)) => {
            print(&format!("{value:#}\n"))?;
            Ok(ExitCode::SUCCESS)
        }
        Ok(Answer::Refused(refusal)) => {
            print(&format!("{:#}\n", json!({ "refused": refusal })))?;
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
        Err(error) => Err(error.into()),
    }
}
