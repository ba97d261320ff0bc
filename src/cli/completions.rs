//! `standing completions` and `standing man`: what clap makes of the command line.

use std::{fs, path::PathBuf, process::ExitCode};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use super::{failure::Done, output::print_plain};
use crate::diagnostics::{Code, Diagnostic, plain};

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Where to write the pages of the command and of each subcommand.
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

pub(super) fn completions(args: &CompletionsArgs, mut command: Command) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "standing", &mut script);
    print_plain(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn man(args: &ManArgs, mut command: Command) -> Done {
    let Some(folder) = &args.folder else {
        print_plain(&page(command)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    let unwritten = |error: std::io::Error| {
        let message = format!("cannot write to `{}`: {}", folder.display(), plain(&error));
        Diagnostic::error(Code::BadCall, message)
    };
    fs::create_dir_all(folder).map_err(unwritten)?;
    command.build();
    clap_mangen::generate_to(command, folder).map_err(unwritten)?;
    Ok(ExitCode::SUCCESS)
}

fn page(command: Command) -> std::io::Result<String> {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
