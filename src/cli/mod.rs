//! The command line: one file a subcommand. Arguments are read and stages are called; nothing else
//! is done here. What several subcommands share: `config.rs` and `known.rs` read their files
//! (`known_update.rs` rewrites the second), `progress.rs` shows how far a run is,
//! `sources.rs` the suite, `built_in.rs` and `connect.rs` find the engine, `output.rs` and
//! `failure.rs` tell how it went, `records.rs` reads records back and `reports.rs` writes what is made
//! from them, `shard.rs` finds which part is asked for, `last.rs` remembers what failed.
//!
//! Exit status: 0 all well, 1 the engine fell short, 2 the call or the input is wrong, 3 the
//! engine could not be started; 130 where the run was interrupted.

/// Writes to standard error. Where that cannot be written there is nobody to tell.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(anstream::stderr(), $($text)*);
    }};
}

/// As `say`, with the end of a line.
macro_rules! sayln {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(anstream::stderr(), $($text)*);
    }};
}

mod adequacy;
mod ask;
mod built_in;
mod check;
mod compare;
mod completions;
mod config;
mod connect;
mod engine;
mod explain;
mod explore;
mod failure;
mod interrupt;
mod known;
mod known_update;
mod last;
mod list;
mod new;
mod operations;
mod output;
mod progress;
mod records;
mod report;
mod reports;
mod run;
mod shard;
mod show;
mod sources;
mod trace;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

use self::failure::Failure;
use crate::{
    diagnostics::{Code, closest},
    engine::kill_all,
};

/// What `standing --help` says.
#[derive(Debug, Parser)]
#[command(
    name = "standing",
    version,
    about = "Says where a workflow engine stands against a specification, rule by rule and clause by clause.",
    long_about = "Says where a workflow engine stands against a specification, rule by rule and clause by clause.\n\n\
        Without a subcommand it is `standing run`: every case of the embedded suite is put to the \
        reference engine.",
    args_conflicts_with_subcommands = true,
    after_help = "Exit status: 0 all well, 1 the engine fell short, 2 the call or the input is wrong, \
        3 the engine could not be started, 130 the run was interrupted."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run::RunArgs,
    /// When to use colour.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: Color,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Put cases to an engine and report where it stands (the default).
    Run(run::RunArgs),
    /// List rules, or the cases of the rules that are named.
    List(list::ListArgs),
    /// Show a rule: its clauses, and the cases and examples that bear on each; or show a case.
    Show(show::ShowArgs),
    /// Write reports of records of runs; put parts together; hold engines beside each other.
    Report(report::ReportCommand),
    /// Say what changed from one record to the next: better, worse, appeared, vanished.
    Compare(compare::CompareArgs),
    /// Check a specification: its documents, and what cases make of its examples.
    Check(check::CheckArgs),
    /// Explain the code of a diagnostic, or list all codes.
    Explain(explain::ExplainArgs),
    /// Say which misreadings of the rules the cases catch, and which survive them.
    Adequacy(adequacy::AdequacyArgs),
    /// Draw inputs that no case has, and look for the smallest on which an engine differs.
    Explore(explore::ExploreArgs),
    /// Put one question to an engine and print its answer.
    Ask(ask::AskArgs),
    /// Show where an engine's source cites the clauses, and how their cases came out.
    Trace(trace::TraceArgs),
    /// Write an adapter to start from: rust, python, node or php.
    New(new::NewArgs),
    /// List what an engine can be asked to do, or print the JSON Schemas of one operation.
    Operations(operations::OperationsArgs),
    /// Answer questions on standard input as the reference, or as a misreading: newline-delimited JSON-RPC 2.0.
    Engine(engine::EngineArgs),
    /// Print completions for a shell: bash, elvish, fish, powershell or zsh.
    Completions(completions::CompletionsArgs),
    /// Print the manual page, or write those of all subcommands to a folder.
    Man(completions::ManArgs),
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Color {
    /// Where the output is a terminal and NO_COLOR is not set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Reads the command line and does what it says.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
    let done = match &cli.command {
        None => run::run(&cli.run).map_err(|failure| meant(failure, &cli.run.selectors)),
        Some(Command::Run(args)) => run::run(args),
        Some(Command::List(args)) => list::list(args),
        Some(Command::Show(args)) => show::show(args),
        Some(Command::Report(args)) => report::report(args),
        Some(Command::Compare(args)) => compare::compare(args),
        Some(Command::Check(args)) => check::check(args),
        Some(Command::Explain(args)) => explain::explain(args),
        Some(Command::Adequacy(args)) => adequacy::adequacy(args),
        Some(Command::Explore(args)) => explore::explore(args),
        Some(Command::Ask(args)) => ask::ask(args),
        Some(Command::Trace(args)) => trace::trace(args),
        Some(Command::New(args)) => new::new(args),
        Some(Command::Operations(args)) => operations::operations(args),
        Some(Command::Engine(args)) => engine::engine(args),
        Some(Command::Completions(args)) => completions::completions(args, Cli::command()),
        Some(Command::Man(args)) => completions::man(args, Cli::command()),
    };
    // Sessions have ended their engines. What those have left is nobody's.
    kill_all();
    done.unwrap_or_else(Failure::report)
}

/// Without a subcommand, a selector that fits nothing may be a subcommand misspelled.
fn meant(mut failure: Failure, selectors: &[String]) -> Failure {
    let command = Cli::command();
    let commands = command.get_subcommands().map(clap::Command::get_name);
    if let Failure::Input(faults) = &mut failure
        && let Some(fault) = faults.first_mut()
        && fault.code == Code::UnknownSelector
        && let Some(close) = selectors.first().and_then(|word| closest(word, commands))
    {
        fault.help = Some(format!("did you mean the command `standing {close}`?"));
    }
    failure
}
