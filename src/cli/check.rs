//! `standing check`: what is wrong with a specification.

use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, ValueEnum};

use super::{
    failure::{Done, Failure},
    output::{print, print_json, print_plain, write_whole},
    sources::ConfigArgs,
};
use crate::{
    check::{
        CaseSource, Checked, check as find, fix,
        output::{Links, github, human, sarif},
    },
    diagnostics::{Code, Diagnostic, printable},
    report::count,
};

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Documents, or folders of them, in either layout [default: `rules` of conformance.toml, or the
    /// current folder].
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Hold the examples against the case files at this path instead of the embedded ones (may be
    /// repeated).
    #[arg(long, value_name = "PATH")]
    cases: Vec<PathBuf>,
    /// How to write what is found.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Treat these as errors.
    #[arg(long, value_name = "WHAT")]
    deny: Vec<Deny>,
    /// Mend what has one right answer (hashes, registry lines, white space in examples) and show
    /// what was done.
    #[arg(long)]
    fix: bool,
    #[command(flatten)]
    config: ConfigArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people, on a terminal.
    #[default]
    Human,
    /// For programs.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// Every warning.
    Warnings,
}

pub(super) fn check(args: &CheckArgs) -> Done {
    let config = args.config.read()?;
    let or = |own: &[PathBuf], else_: &[PathBuf]| match own.is_empty() {
        true => else_.to_vec(),
        false => own.to_vec(),
    };
    let mut paths = or(&args.paths, &config.rules);
    if paths.is_empty() {
        paths.push(PathBuf::from("."));
    }
    let cases = or(&args.cases, &config.cases);
    let cases = match cases.as_slice() {
        [] => CaseSource::Carried,
        paths => CaseSource::Paths(paths),
    };
    let levels = config.levels()?;
    let mut checked = find(&paths, cases, &levels);
    // That a path is not there is no finding about a specification.
    let is_call = |f: &Diagnostic| f.place.is_none() && f.code == Code::Unreadable;
    if checked.findings.iter().any(is_call) {
        checked.findings.retain(is_call);
        return Err(checked.findings.into());
    }
    if args.fix {
        let mended = mend(&checked)?;
        if args.format == Format::Human {
            print(&mended)?;
        } else {
            say!("{mended}");
        }
        checked = find(&paths, cases, &levels);
    }
    match args.format {
        Format::Human => print(&shown(&checked))?,
        Format::Json => print_json(&crate::check::output::json(&checked))?,
        Format::Sarif => print_json(&sarif(&checked))?,
        Format::Github => print_plain(&github(&checked))?,
    }
    let fails = checked.errors() > 0 || (!args.deny.is_empty() && checked.warnings() > 0);
    Ok(match fails {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

fn shown(checked: &Checked) -> String {
    let out = std::io::stdout();
    let links = out.is_terminal() && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout);
    match std::env::current_dir() {
        Ok(folder) if links => human(checked, Links::Below(&folder.to_string_lossy())),
        _ => human(checked, Links::Off),
    }
}

/// Writes what can be mended; what was done.
fn mend(checked: &Checked) -> Done<String> {
    let mut text = String::new();
    let (mut findings, mut files) = (0, 0);
    for fixed in fix(&checked.findings) {
        let path = fixed.source.path();
        write_whole(Path::new(path), &fixed.written()).map_err(|error| {
            let message = format!("cannot write `{path}`: {error}");
            Failure::from(Diagnostic::error(Code::BadCall, message))
        })?;
        text.push_str(&printable(&fixed.diff()));
        findings += fixed.findings;
        files += 1;
    }
    let done = match findings {
        0 => "nothing to mend\n\n".to_owned(),
        n => format!(
            "\nmended {} in {}\n\n",
            count(n, "finding"),
            count(files, "file")
        ),
    };
    Ok(text + &done)
}
