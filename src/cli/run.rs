//! `standing run`: puts cases to an engine and reports where it stands.

use std::{
    io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use clap::Args;

use super::{
    config::{self, Config},
    connect::{ConnectArgs, Connected},
    failure::{Done, tell},
    interrupt::{self, INTERRUPTED},
    known, last,
    output::{Format, can_write, print, print_plain, write_whole},
    sources::{ConfigArgs, SourceArgs, select},
};
use crate::{
    diagnostics::{Code, Diagnostic, closest, plain, render},
    engine::kill_all,
    report::{self, Human, quoted},
    run::{CaseOutcome, Options, Outcome, Outcomes, run as put},
    standing::{KnownFailures, Record},
    suite::{Selection, Suite},
};

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// What to put: a rule (SG-12), a clause (SG-12:2), a case (SG-12/name), a family (RT-SG), or a
    /// glob over any of them. Everything, where none is given.
    #[arg(value_name = "SELECTOR")]
    pub(super) selectors: Vec<String>,
    #[command(flatten)]
    connect: ConnectArgs,
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    config: ConfigArgs,
    /// How many cases to put at a time [default: one a processor; 1 for a URL].
    #[arg(long, short, value_name = "N", value_parser = jobs, help_heading = "Running")]
    jobs: Option<NonZeroUsize>,
    /// Stop at the first case that fails.
    #[arg(long, help_heading = "Running")]
    fail_fast: bool,
    /// Put only what failed the last time that it was put.
    #[arg(long, help_heading = "Running", conflicts_with = "selectors")]
    failed: bool,
    /// Put the cases in an order that this number decides: state that leaks from case to case shows.
    #[arg(long, value_name = "SEED", help_heading = "Running")]
    shuffle: Option<u64>,
    /// A list of failures that are known: they do not fail the run.
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    known_failures: Option<PathBuf>,
    /// How to write the report on standard output.
    #[arg(long, value_enum, default_value_t, help_heading = "Reporting")]
    format: Format,
    /// Write a report to a file, too (may be repeated): json=standing.json, markdown=STANDING.md.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = report_file, help_heading = "Reporting")]
    report: Vec<(Format, PathBuf)>,
    /// Leave out what differs from run to run: times and the date.
    #[arg(long, help_heading = "Reporting")]
    no_timing: bool,
    /// Show only what is not well, and the sum.
    #[arg(long, short, help_heading = "Reporting")]
    quiet: bool,
}

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "a whole number above 0 is expected".to_owned())
}

fn report_file(text: &str) -> Result<(Format, PathBuf), String> {
    let wrong = || "FORMAT=FILE is expected, with human, json or markdown for FORMAT".to_owned();
    let (format, file) = text.split_once('=').ok_or_else(wrong)?;
    let format = clap::ValueEnum::from_str(format, false).map_err(|_| wrong())?;
    match file.is_empty() {
        true => Err(wrong()),
        false => Ok((format, PathBuf::from(file))),
    }
}

pub(super) fn run(args: &RunArgs) -> Done {
    let config = args.config.read()?;
    let suite = Arc::new(args.sources.suite(&config)?);
    let Some(selection) = args.selection(&suite, &config)? else {
        sayln!("nothing failed in the last run");
        return Ok(ExitCode::SUCCESS);
    };
    let known = match args
        .known_failures
        .as_ref()
        .or(config.known_failures.as_ref())
    {
        Some(path) => known::read(path, &suite)?,
        None => KnownFailures::none(),
    };
    // Nobody shall wait for a run whose report then goes nowhere.
    for (_, path) in args.reports(&config, args.is_of_everything()) {
        can_write(path).map_err(|error| unwritten(path, &error))?;
    }
    let interrupt = interrupt::flag()?;
    let connected = args.connect.connect(&config, &interrupt)?;
    let options = args.options(&config, &connected, &interrupt);
    let outcomes = put(
        &suite,
        &selection,
        Arc::clone(&connected.engine),
        &options,
        &|_| {},
    )?;
    warn_of_claims(&outcomes, &suite);
    let mut record = Record::new(&suite, &selection, &outcomes);
    if !args.no_timing {
        record = timed(record, &suite, &outcomes, &connected);
    }
    known.mark(&mut record);
    args.write(&record, &config, &connected)?;
    if let Err(error) = last::remember(&record, &suite, config.folder.as_deref()) {
        let message = format!(
            "what failed cannot be kept for `--failed`: {}",
            plain(&error)
        );
        tell(&[Diagnostic::warning(Code::BadCall, message)]);
    }
    if let Some(why) = &outcomes.gave_up {
        let fault = Diagnostic::error(Code::EngineStart, why.clone());
        say!(
            "{}",
            render(
                &fault.note("the report is of what was answered until then"),
                true
            )
        );
        return Ok(ExitCode::from(3));
    }
    let out_of_date = known.out_of_date(&record);
    for fault in &out_of_date {
        say!("{}", render(fault, true));
    }
    Ok(if interrupt.load(Ordering::Relaxed) {
        // An engine that took no notice while it was started is not waited for.
        kill_all();
        ExitCode::from(INTERRUPTED)
    } else if known.fell_short(&record) || !out_of_date.is_empty() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// What an engine claims and nobody can ask, where a word is likely to be misspelled; and a run that
/// says nothing.
fn warn_of_claims(outcomes: &Outcomes, suite: &Suite) {
    let known = || suite.operations().iter().map(|o| o.name);
    let mut warnings = Vec::new();
    for claimed in outcomes.about.operations.iter().flatten() {
        if suite.operations().get(claimed).is_none() && closest(claimed, known()).is_some() {
            let message = format!("the engine claims `{claimed}`, and there is no such operation");
            warnings.push(
                Diagnostic::warning(Code::UnknownOperation, message).suggest(claimed, known()),
            );
        }
    }
    let is_put = |o: &CaseOutcome| !matches!(o.outcome, Outcome::Skipped | Outcome::Unsupported);
    if !outcomes.interrupted && !outcomes.cases.is_empty() && !outcomes.cases.iter().any(is_put) {
        let fault = Diagnostic::warning(Code::NothingPut, "no case was put to the engine");
        warnings.push(
            fault.note("it does not claim the profiles or the operations of what was selected"),
        );
    }
    tell(&warnings);
}

fn unwritten(path: &Path, error: &io::Error) -> Diagnostic {
    let why = plain(error);
    let message = format!(
        "the report cannot be written to `{}`: {why}",
        path.display()
    );
    Diagnostic::error(Code::BadCall, message)
}

fn timed(record: Record, suite: &Suite, outcomes: &Outcomes, connected: &Connected) -> Record {
    let mut record = record.with_timing(suite, outcomes);
    if let Some(timing) = &mut record.timing {
        timing.date = Some(jiff::Timestamp::now().to_string());
        timing.engine = Some(connected.named.clone());
    }
    record
}

impl RunArgs {
    /// What is put. `None`: only what failed last time is wanted, and nothing did.
    fn selection(&self, suite: &Suite, config: &Config) -> Done<Option<Selection>> {
        if self.failed {
            return last::failed(config.folder.as_deref(), suite);
        }
        Ok(Some(match self.selectors.is_empty() {
            true => config.selection(suite)?,
            false => select(suite, &self.selectors)?,
        }))
    }

    fn options(
        &self,
        config: &Config,
        connected: &Connected,
        interrupt: &Arc<AtomicBool>,
    ) -> Options {
        let defaults = Options::default();
        // Sessions of one server share its state: a reset for one would be a reset for all.
        let unless_said = match connected.is_shared {
            true => NonZeroUsize::MIN,
            false => defaults.jobs,
        };
        Options {
            jobs: self
                .jobs
                .or(config.jobs.map(|count| count.0))
                .unwrap_or(unless_said),
            timeout: connected.timeout,
            fail_fast: self.fail_fast,
            shuffle: self.shuffle,
            interrupt: Arc::clone(interrupt),
        }
    }

    /// Whether everything is put that the configuration selects.
    fn is_of_everything(&self) -> bool {
        self.selectors.is_empty() && !self.failed
    }

    /// The files that reports go to. Those of the configuration are about `everything`: a run of less
    /// leaves them as they are.
    fn reports<'a>(
        &'a self,
        config: &'a Config,
        everything: bool,
    ) -> impl Iterator<Item = (Format, &'a Path)> {
        let configured = config.reports.iter().filter(move |_| everything);
        let configured = configured.map(|(f, path)| (*f, path.as_path()));
        let own = self.report.iter().map(|(f, path)| (*f, path.as_path()));
        own.chain(configured)
    }

    /// Writes every report that is asked for.
    fn write(&self, record: &Record, config: &Config, connected: &Connected) -> Done<()> {
        let command = self.again(connected);
        let how = Human {
            command: &command,
            quiet: self.quiet,
        };
        let text = |format| -> io::Result<String> {
            Ok(match format {
                Format::Human => report::human(record, &how),
                Format::Json => report::json(record)?,
                Format::Markdown => report::markdown(record),
            })
        };
        let everything = self.is_of_everything() && !record.interrupted;
        if !everything && !config.reports.is_empty() {
            let name = config::NAME;
            sayln!("the reports of {name} are left as they are: this run is not of everything");
        }
        let mut faults = Vec::new();
        for (format, path) in self.reports(config, everything) {
            let text = match format {
                Format::Human => anstream::adapter::strip_str(&text(format)?).to_string(),
                _ => text(format)?,
            };
            if let Err(error) = write_whole(path, &text) {
                faults.push(unwritten(path, &error));
            }
        }
        // What cannot be had in one place is not withheld in the others.
        let shown = text(self.format)?;
        let printed = match self.format {
            Format::Human => print(&shown),
            Format::Json | Format::Markdown => print_plain(&shown),
        };
        match printed {
            // Nobody reads it any more; how the engine stands is told by the exit status.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            other => other?,
        }
        match faults.is_empty() {
            true => Ok(()),
            false => Err(faults.into()),
        }
    }

    /// The command that this one is, without its selectors and what does not bear on an outcome.
    fn again(&self, connected: &Connected) -> String {
        let mut command = "standing run".to_owned();
        let mut add = |flag: &str, value: &str| {
            command.push_str(&format!(" {flag} {}", quoted(value)));
        };
        if let Some(path) = self.config.path() {
            add("--config", &path.to_string_lossy());
        }
        for path in &self.sources.rules {
            add("--rules", &path.to_string_lossy());
        }
        for path in &self.sources.cases {
            add("--cases", &path.to_string_lossy());
        }
        if self.connect.engine.is_some() {
            add("--engine", &connected.named);
        }
        for variable in &self.connect.env {
            add("--env", &variable.to_string());
        }
        if let Some(timeout) = self.connect.timeout {
            add("--timeout", &timeout.as_secs_f64().to_string());
        }
        command
    }
}
