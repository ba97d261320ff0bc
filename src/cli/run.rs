//! `standing run`: puts cases to an engine and reports where it stands.

use std::{
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
    known, known_update, last,
    progress::Progress,
    reports::{self, Format, ReportArgs, Subject},
    shard,
    sources::{ConfigArgs, SourceArgs, select},
};
use crate::{
    diagnostics::{Code, Diagnostic, closest, plain, render},
    engine::kill_all,
    report::{Human, quoted},
    run::{CaseOutcome, Options, Outcome, Outcomes, run as put},
    standing::{KnownFailures, Record},
    suite::{Selection, Shard, Suite},
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
    /// Put one of so many parts of the cases, 2/5: which one a case is in follows from its name [env: TEST_SHARD_INDEX from 0, and TEST_TOTAL_SHARDS].
    #[arg(long, value_name = "M/N", help_heading = "Running")]
    shard: Option<Shard>,
    /// A list of failures that are known: they do not fail the run.
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    known_failures: Option<PathBuf>,
    /// Only warn of entries of that list that pass, name nothing or stand twice.
    #[arg(long, help_heading = "Running")]
    allow_stale_known: bool,
    /// Rewrite that list: what passes is taken off, what fails is put on; order, comments and reasons stay.
    #[arg(long, help_heading = "Running", conflicts_with = "failed")]
    update_known: bool,
    #[command(flatten)]
    reports: ReportArgs,
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

pub(super) fn run(args: &RunArgs) -> Done {
    let config = args.config.read()?;
    let suite = Arc::new(args.sources.suite(&config)?);
    let Some(mut selection) = args.selection(&suite, &config)? else {
        sayln!("nothing failed in the last run");
        return Ok(ExitCode::SUCCESS);
    };
    let list = args.known_failures.as_deref();
    let list = list.or(config.known_failures.as_deref());
    let allow = args.allow_stale_known || config.allow_stale_known;
    let mut known = match list {
        // The list that is about to be rewritten need not be up to date, nor be there.
        Some(_) if args.update_known => KnownFailures::none(),
        Some(path) => known::read(path, &suite, allow)?,
        None if args.update_known => {
            let fault = Diagnostic::error(
                Code::BadCall,
                "there is no list of known failures to update",
            );
            let help =
                "name one: `--known-failures known-failures.toml`; it is made if it is not there";
            return Err(fault.help(help).into());
        }
        None => KnownFailures::none(),
    };
    let shard = shard::of(args.shard)?.map(|shard| shard::take(shard, &mut selection, &suite));
    let everything = args.is_of_everything() && shard.is_none();
    // Nobody shall wait for a run whose report then goes nowhere.
    for (format, path) in args.reports(&config, everything) {
        reports::is_writable(format, path)?;
    }
    let interrupt = interrupt::flag()?;
    let connected = args.connect.connect(&config, &interrupt)?;
    let options = args.options(&config, &connected, &interrupt);
    let progress = Progress::new(selection.cases().count(), args.quiet);
    let outcomes = put(
        &suite,
        &selection,
        Arc::clone(&connected.engine),
        &options,
        &|outcome| progress.tell(outcome),
    )?;
    progress.end();
    warn_of_claims(&outcomes, &suite);
    let mut record = Record::new(&suite, &selection, &outcomes);
    if !args.no_timing {
        record = timed(record, &suite, &outcomes, &connected);
    }
    record.shard = shard;
    if let Some(path) = list.filter(|_| args.update_known && outcomes.gave_up.is_none()) {
        known_update::update(path, &suite, &record)?;
        known = known::read(path, &suite, false)?;
    }
    known.mark(&mut record);
    args.write(record.clone(), &suite, &config, &connected, everything)?;
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
    let mut out_of_date = known.out_of_date(&record);
    if allow {
        out_of_date = out_of_date.into_iter().map(known::as_warning).collect();
    }
    for fault in &out_of_date {
        say!("{}", render(fault, true));
    }
    Ok(if interrupt.load(Ordering::Relaxed) {
        // An engine that took no notice while it was started is not waited for.
        kill_all();
        ExitCode::from(INTERRUPTED)
    } else if known.fell_short(&record) || !(allow || out_of_date.is_empty()) {
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
        let own = self.reports.report.iter();
        own.map(|(f, path)| (*f, path.as_path())).chain(configured)
    }

    /// Writes every report that is asked for.
    fn write(
        &self,
        record: Record,
        suite: &Suite,
        config: &Config,
        connected: &Connected,
        everything: bool,
    ) -> Done<()> {
        let everything = everything && !record.interrupted;
        if !everything && !config.reports.is_empty() {
            let name = config::NAME;
            sayln!("the reports of {name} are left as they are: this run is not of everything");
        }
        let command = self.again(connected);
        let subject = Subject {
            records: &[record],
            suite: Some(suite),
            how: Human {
                command: &command,
                quiet: self.quiet,
            },
            differences: false,
            annotate: self.reports.annotate.as_deref(),
        };
        subject.write_all(self.reports(config, everything), self.reports.format)
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
