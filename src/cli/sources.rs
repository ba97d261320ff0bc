//! The suite that a call is about: rules, cases and a selection of them.

use std::path::PathBuf;

use clap::Args;

use super::{
    config::Config,
    failure::{Done, tell},
};
use crate::{
    corpus::Corpus,
    diagnostics::{Code, Diagnostic, Severity},
    operations::Operations,
    suite::{Selection, Suite},
};

/// Where rules and cases come from.
#[derive(Debug, Args)]
pub(super) struct SourceArgs {
    /// Read rule documents from this file or folder instead of the embedded ones (may be repeated).
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(super) rules: Vec<PathBuf>,
    /// Read case files from this file or folder instead of the embedded ones (may be repeated).
    #[arg(long, value_name = "PATH", help_heading = "Sources")]
    pub(super) cases: Vec<PathBuf>,
}

impl SourceArgs {
    /// Reads the suite. All faults are told at once.
    pub(super) fn suite(&self, config: &Config) -> Done<Suite> {
        let or = |own: &Vec<PathBuf>, else_: &Vec<PathBuf>| match own.is_empty() {
            true => else_.clone(),
            false => own.clone(),
        };
        let (rules, cases) = (
            or(&self.rules, &config.rules),
            or(&self.cases, &config.cases),
        );
        let (corpus, mut faults) = match rules.as_slice() {
            [] => Corpus::embedded(),
            paths => Corpus::read(paths),
        };
        if !rules.is_empty() && cases.is_empty() {
            faults.extend(changed_rules(&corpus));
        }
        let suite = match cases.as_slice() {
            [] => Suite::with_embedded_cases(corpus, Operations::standard(), &mut faults),
            paths => Suite::read(corpus, Operations::standard(), paths, &mut faults),
        };
        if faults.iter().any(|f| f.severity == Severity::Error) {
            return Err(faults.into());
        }
        tell(&faults);
        Ok(suite)
    }
}

/// The rules whose text differs from the one that the embedded cases were written for.
fn changed_rules(corpus: &Corpus) -> Vec<Diagnostic> {
    let (embedded, _) = Corpus::embedded();
    let pairs = corpus
        .rules()
        .iter()
        .filter_map(|rule| Some((rule, embedded.rule(rule.id.as_str())?)));
    pairs
        .filter(|(rule, known)| rule.hash != known.hash)
        .map(|(rule, known)| {
            let message = format!(
                "the text of {} has changed since its cases were written",
                rule.id
            );
            Diagnostic::warning(Code::ChangedRule, message)
                .at(rule.place_of_id())
                .note(format!(
                    "its hash is {}, and the cases are about {}",
                    rule.hash, known.hash
                ))
        })
        .collect()
}

/// Where the configuration is.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// The configuration [default: conformance.toml in the current folder or above].
    #[arg(long, value_name = "FILE", help_heading = "Sources")]
    config: Option<PathBuf>,
}

impl ConfigArgs {
    /// The file that is named.
    pub(super) fn path(&self) -> Option<&std::path::Path> {
        self.config.as_deref()
    }

    /// Reads it; there may be none.
    pub(super) fn read(&self) -> Done<Config> {
        Config::find(self.config.as_deref())
    }
}

/// The selectors of a subcommand, carried out.
pub(super) fn select(suite: &Suite, selectors: &[String]) -> Done<Selection> {
    Ok(Selection::new(suite, selectors)?)
}
