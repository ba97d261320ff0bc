//! `standing run`: puts cases to an engine and reports where it stands.

use std::{num::NonZeroUsize, process::ExitCode, sync::Arc, time::Duration};

use clap::Args;

use super::shared::{Done, Format, SourceArgs, engine, print, select};
use crate::{
    report::{self, Human, quoted},
    run::{Options, run as put},
    standing::Record,
};

#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// What to put: a rule (SG-12), a clause (SG-12:2), a case (SG-12/name), a family (RT-SG), or a
    /// glob over any of them. Everything, where none is given.
    #[arg(value_name = "SELECTOR")]
    pub(super) selectors: Vec<String>,
    /// What to put it to.
    #[arg(long, value_name = "ENGINE", default_value = "reference")]
    engine: String,
    #[command(flatten)]
    sources: SourceArgs,
    /// How many cases to put at a time; as many as there are processors, unless said otherwise.
    #[arg(long, short, value_name = "N", value_parser = jobs, help_heading = "Running")]
    jobs: Option<NonZeroUsize>,
    /// How long a case may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds, allow_negative_numbers = true, help_heading = "Running")]
    timeout: Duration,
    /// Stop at the first case that fails.
    #[arg(long, help_heading = "Running")]
    fail_fast: bool,
    /// Put the cases in an order that this number decides: state that leaks from case to case shows.
    #[arg(long, value_name = "SEED", help_heading = "Running")]
    shuffle: Option<u64>,
    /// How to write the report.
    #[arg(long, value_enum, default_value_t, help_heading = "Reporting")]
    format: Format,
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

/// A number of seconds, `5` or `0.5`.
fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "a number of seconds above 0 is expected, `5` or `0.5`".to_owned();
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|d| !d.is_zero())
        .ok_or_else(wrong)
}

pub(super) fn run(args: &RunArgs) -> Done {
    let suite = Arc::new(args.sources.suite()?);
    let selection = select(&suite, &args.selectors)?;
    let engine = engine(&args.engine)?;
    let mut options = Options {
        timeout: args.timeout,
        fail_fast: args.fail_fast,
        shuffle: args.shuffle,
        ..Options::default()
    };
    if let Some(jobs) = args.jobs {
        options.jobs = jobs;
    }
    let outcomes = put(&suite, &selection, engine, &options, &|_| {})?;
    let mut record = Record::new(&suite, &selection, &outcomes);
    if !args.no_timing {
        record = record.with_timing(&suite, &outcomes);
        if let Some(timing) = &mut record.timing {
            timing.date = Some(jiff::Timestamp::now().to_string());
            timing.engine = Some(args.engine.clone());
        }
    }
    match args.format {
        Format::Json => print(&report::json(&record).map_err(std::io::Error::from)?)?,
        Format::Human => {
            let command = args.again();
            let how = Human {
                command: &command,
                quiet: args.quiet,
            };
            print(&report::human(&record, &how))?;
        }
    }
    Ok(match (&outcomes.gave_up, record.fell_short()) {
        (Some(_), _) => ExitCode::from(3),
        (None, true) => ExitCode::FAILURE,
        (None, false) => ExitCode::SUCCESS,
    })
}

impl RunArgs {
    /// The command that this one is, without its selectors and what does not bear on an outcome.
    fn again(&self) -> String {
        let mut command = "standing run".to_owned();
        let mut add = |flag: &str, value: &str| {
            command.push_str(&format!(" {flag} {}", quoted(value)));
        };
        for path in &self.sources.rules {
            add("--rules", &path.to_string_lossy());
        }
        for path in &self.sources.cases {
            add("--cases", &path.to_string_lossy());
        }
        if self.engine != "reference" {
            add("--engine", &self.engine);
        }
        if self.timeout != Options::default().timeout {
            add("--timeout", &self.timeout.as_secs_f64().to_string());
        }
        command
    }
}
