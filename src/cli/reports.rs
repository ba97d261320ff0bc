//! The formats of reports, and where each goes.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use serde::Deserialize;

use super::{
    failure::{Done, Failure},
    output::{can_write, print, print_plain, write_whole},
};
use crate::{
    diagnostics::{Code, Diagnostic, plain},
    report::{self, AnnotationPlace, Human, Page},
    standing::{CaseRecord, Record, RuleRecord},
    suite::Suite,
};

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// For people, on a terminal.
    #[default]
    Human,
    /// The record, which every other report is made from.
    Json,
    /// A page for the browser, all in one file; a path that ends in `/` is its folder.
    Html,
    /// A statement to put into an engine's documentation.
    Markdown,
    /// JUnit XML: a suite a rule, a test case a case.
    Junit,
    /// TAP 14: a subtest a rule, a test point a case.
    Tap,
    /// On standard output annotations for GitHub Actions, as a file the summary of the job.
    Github,
    /// Endpoints for badges of shields.io, a file each in a folder.
    Badges,
    /// EARL 1.0 as JSON-LD.
    Earl,
}

/// Which reports are wanted.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// How to write the report on standard output.
    #[arg(long, value_enum, default_value_t, help_heading = "Reporting")]
    pub(super) format: Format,
    /// Write a report to a file, too (may be repeated): json=standing.json, junit=junit.xml, html=site/, badges=badges/.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = report_file, help_heading = "Reporting")]
    pub(super) report: Vec<(Format, PathBuf)>,
    /// Show annotations for GitHub in this file, at the line that names the case, its rule or its family.
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(super) annotate: Option<PathBuf>,
}

fn report_file(text: &str) -> Result<(Format, PathBuf), String> {
    let names: Vec<String> = Format::value_variants()
        .iter()
        .filter_map(|f| Some(f.to_possible_value()?.get_name().to_owned()))
        .collect();
    let wrong = || {
        format!(
            "FORMAT=FILE is expected, and FORMAT is one of {}",
            names.join(", ")
        )
    };
    let (format, file) = text.split_once('=').ok_or_else(wrong)?;
    let format = Format::from_str(format, false).map_err(|_| wrong())?;
    match file.is_empty() {
        true => Err(wrong()),
        false => Ok((format, PathBuf::from(file))),
    }
}

/// What a report is made from.
pub(super) struct Subject<'a> {
    /// One record, or several to hold beside each other.
    pub(super) records: &'a [Record],
    /// What the texts and the graphs of pages are from.
    pub(super) suite: Option<&'a Suite>,
    pub(super) how: Human<'a>,
    /// Only the rules in which the records differ.
    pub(super) differences: bool,
    pub(super) annotate: Option<&'a Path>,
}

impl Subject<'_> {
    /// The one record that most formats are about.
    fn one(&self, format: Format) -> Done<&Record> {
        match self.records {
            [record] => Ok(record),
            several => {
                let name = format.to_possible_value();
                let name = name.as_ref().map_or("it", |n| n.get_name());
                let message = format!(
                    "{name} is about one record, and there are {}",
                    several.len()
                );
                let help = "html, markdown and human show several beside each other";
                Err(Diagnostic::error(Code::BadCall, message).help(help).into())
            }
        }
    }

    fn text(&self, format: Format) -> Done<String> {
        let failed = |error: String| io::Error::other(error);
        Ok(match format {
            Format::Human if self.records.len() > 1 => {
                report::matrix_human(self.records, self.differences)
            }
            Format::Markdown if self.records.len() > 1 => {
                report::matrix_markdown(self.records, self.differences)
            }
            Format::Html => report::html(&Page {
                records: self.records,
                suite: self.suite,
                command: self.how.command,
                differences: self.differences,
            }),
            Format::Human => report::human(self.one(format)?, &self.how),
            Format::Json => report::json(self.one(format)?).map_err(io::Error::from)?,
            Format::Markdown => report::markdown(self.one(format)?),
            Format::Junit => report::junit(self.one(format)?).map_err(|e| failed(e.to_string()))?,
            Format::Tap => report::tap(self.one(format)?),
            Format::Github => report::github_annotations(self.one(format)?, self.places()?),
            Format::Badges => {
                let badges = report::badges(self.whole(format)?);
                format!(
                    "{:#}\n",
                    serde_json::to_value(badges).map_err(io::Error::from)?
                )
            }
            Format::Earl => report::earl(self.one(format)?),
        })
    }

    /// The record, where it is of everything.
    fn whole(&self, format: Format) -> Done<&Record> {
        let record = self.one(format)?;
        let why = if !record.selection.is_empty() {
            "of a selection"
        } else if record.shard.is_some() {
            "of a part"
        } else if record.interrupted {
            "of a run that was cut short"
        } else {
            return Ok(record);
        };
        let message = format!("there are no badges for a record {why}");
        let fault = Diagnostic::error(Code::BadCall, message);
        Err(fault
            .help("nobody could see from a badge what is left out")
            .into())
    }

    /// Where annotations are shown: in the file that was named.
    fn places(&self) -> Done<impl Fn(&RuleRecord, &CaseRecord) -> Option<AnnotationPlace> + use<>> {
        let list = match self.annotate {
            None => None,
            Some(path) => {
                let text = fs::read_to_string(path).map_err(|error| {
                    let message = format!("cannot read `{}`: {}", path.display(), plain(&error));
                    Diagnostic::error(Code::Unreadable, message)
                })?;
                Some((path.to_string_lossy().into_owned(), text))
            }
        };
        Ok(move |rule: &RuleRecord, case: &CaseRecord| {
            let (path, text) = list.as_ref()?;
            let names = [case.case.as_str(), rule.id.as_str(), rule.family.as_str()];
            let line_of = |name: &str| text.lines().position(|line| has_word(line, name));
            let line = names.iter().find_map(|name| line_of(name)).unwrap_or(0);
            Some((path.clone(), line + 1))
        })
    }

    /// Writes to standard output.
    fn print(&self, format: Format) -> Done<()> {
        let shown = self.text(format)?;
        let printed = match format {
            Format::Human => print(&shown),
            _ => print_plain(&shown),
        };
        match printed {
            // Nobody reads it any more; how the engine stands is told by the exit status.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => Ok(other?),
        }
    }

    /// Writes every file that is asked for, then standard output. What cannot be had in one place is
    /// not withheld in the others.
    pub(super) fn write_all<'p>(
        &self,
        files: impl IntoIterator<Item = (Format, &'p Path)>,
        format: Format,
    ) -> Done<()> {
        let mut faults = Vec::new();
        for (format, path) in files {
            match self.write(format, path) {
                Err(Failure::Input(more)) => faults.extend(more),
                other => other?,
            }
        }
        self.print(format)?;
        match faults.is_empty() {
            true => Ok(()),
            false => Err(faults.into()),
        }
    }

    /// Writes a file, whole or not at all; of a folder each file.
    fn write(&self, format: Format, path: &Path) -> Done<()> {
        let unwritten = |error: io::Error| unwritten(path, &error);
        if format == Format::Badges {
            for (name, badge) in report::badges(self.whole(format)?) {
                let file = path.join(format!("{name}.json"));
                write_whole(&file, &format!("{badge:#}\n")).map_err(unwritten)?;
            }
            return Ok(());
        }
        let text = match format {
            Format::Human => anstream::adapter::strip_str(&self.text(format)?).to_string(),
            Format::Github => report::github_summary(self.one(format)?),
            _ => self.text(format)?,
        };
        Ok(write_whole(&file_of(format, path), &text).map_err(unwritten)?)
    }
}

/// Whether a line has a name that is not the start or the end of another.
fn has_word(line: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '.';
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(|c| is_part(c) || c == '/')
    })
}

/// The file that a report goes to: in a folder, `index.html`.
fn file_of(format: Format, path: &Path) -> PathBuf {
    let is_folder = path.to_string_lossy().ends_with('/') || path.is_dir();
    match format == Format::Html && is_folder {
        true => path.join("index.html"),
        false => path.to_owned(),
    }
}

/// That a report can be written, as far as that can be known before; its folder is made.
pub(super) fn is_writable(format: Format, path: &Path) -> Done<()> {
    let unwritten = |error: io::Error| unwritten(path, &error);
    let file = match format {
        Format::Badges => path.join("standing.json"),
        _ => file_of(format, path),
    };
    if file != path
        && let Some(folder) = file.parent()
    {
        fs::create_dir_all(folder).map_err(unwritten)?;
    }
    Ok(can_write(&file).map_err(unwritten)?)
}

fn unwritten(path: &Path, error: &io::Error) -> Diagnostic {
    let why = plain(error);
    let message = format!(
        "the report cannot be written to `{}`: {why}",
        path.display()
    );
    Diagnostic::error(Code::BadCall, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_where_it_stands_alone() {
        assert!(has_word("select = [\"SG-1\"]", "SG-1"));
        assert!(!has_word("select = [\"SG-12\", \"RT-SG-1\"]", "SG-1"));
        assert!(!has_word("select = \"SG-1/one\"", "SG-1"));
    }
}
