//! `standing report`: reports of records that are there, and of several beside each other.

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use super::{
    failure::Done,
    records::read_record,
    reports::{Format, ReportArgs, Subject, is_writable},
    sources::{ConfigArgs, SourceArgs},
};
use crate::{
    report::{Human, again},
    standing::{Part, Record},
};

#[derive(Debug, Args)]
pub(super) struct ReportCommand {
    /// Records of runs, as --format json writes them. Parts that --shard made are put together to
    /// the whole; several engines are shown beside each other.
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    /// Of several engines, show only the rules in which they differ.
    #[arg(long, help_heading = "Reporting")]
    differences: bool,
    /// Show only what is not well, and the sum.
    #[arg(long, short, help_heading = "Reporting")]
    quiet: bool,
    #[command(flatten)]
    reports: ReportArgs,
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    config: ConfigArgs,
}

pub(super) fn report(args: &ReportCommand) -> Done {
    let parts: Vec<Part> = args
        .records
        .iter()
        .map(|path| {
            let name = path.to_string_lossy().into_owned();
            read_record(path).map(|record| Part { name, record })
        })
        .collect::<Done<_>>()?;
    let records = merged(parts)?;
    for (format, path) in &args.reports.report {
        is_writable(*format, path)?;
    }
    // Only a page needs the texts of the rules.
    let formats = args.reports.report.iter().map(|(format, _)| *format);
    let suite = match formats
        .chain([args.reports.format])
        .any(|f| f == Format::Html)
    {
        true => Some(args.sources.suite(&args.config.read()?)?),
        false => None,
    };
    let command = records.first().map(again).unwrap_or_default();
    let subject = Subject {
        records: &records,
        suite: suite.as_ref(),
        how: Human {
            command: &command,
            quiet: args.quiet,
        },
        differences: args.differences,
        annotate: args.reports.annotate.as_deref(),
    };
    let files = args.reports.report.iter();
    let files = files.map(|(format, path)| (*format, path.as_path()));
    subject.write_all(files, args.reports.format)?;
    Ok(ExitCode::SUCCESS)
}

/// Wholes as they are, and the parts of each engine as one.
fn merged(parts: Vec<Part>) -> Done<Vec<Record>> {
    let mut groups: Vec<Vec<Part>> = Vec::new();
    for part in parts {
        let same = groups.iter_mut().find(|group| {
            group.iter().all(|other| {
                let both = part.record.shard.is_some() && other.record.shard.is_some();
                both && other.record.engine == part.record.engine
            })
        });
        match same {
            Some(group) => group.push(part),
            None => groups.push(vec![part]),
        }
    }
    let mut records = Vec::new();
    for mut group in groups {
        let is_whole = group.iter().all(|part| part.record.shard.is_none());
        records.push(match (is_whole, group.pop()) {
            (true, Some(part)) => part.record,
            (_, last) => {
                group.extend(last);
                Record::merged(group)?
            }
        });
    }
    Ok(records)
}
