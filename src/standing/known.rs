//! Known failures: what an implementer expects to go wrong for now. They change the exit status of
//! a run, and never a standing.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{KnownRecord, Record};
use crate::{
    diagnostics::{Code, Diagnostic, Place},
    run::Outcome,
    suite::{Selection, Suite},
};

/// What is known of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// It fails every time; when it passes, the list is out of date.
    Fails,
    /// It fails at times.
    Flaky,
}

/// One entry of a list of known failures.
#[derive(Clone, Debug)]
pub struct KnownFailure {
    /// The cases that it is about, as selectors name them.
    pub select: String,
    /// What is known of them.
    pub outcome: Expectation,
    /// Why they fail for now.
    pub reason: String,
    /// Where more is told.
    pub link: Option<String>,
    /// Where in the list it stands.
    pub place: Place,
}

/// The cases that are listed.
#[derive(Debug)]
pub struct KnownFailures {
    /// By the name of the case: the entry that lists it.
    cases: BTreeMap<String, KnownFailure>,
}

impl KnownFailures {
    /// An empty list.
    pub const fn none() -> Self {
        Self {
            cases: BTreeMap::new(),
        }
    }

    /// Finds the cases that the entries name. What is wrong with them is told too: an entry that
    /// names nothing, and a case that two entries name; the first is the one that counts.
    pub fn new(entries: Vec<KnownFailure>, suite: &Suite) -> (Self, Vec<Diagnostic>) {
        let mut known = Self::none();
        let mut faults = Vec::new();
        for entry in entries {
            let (cases, help): (Vec<usize>, _) = match Selection::new(suite, &[&entry.select]) {
                Ok(selection) => (selection.cases().collect(), None),
                Err(faults) => (Vec::new(), faults.into_iter().find_map(|fault| fault.help)),
            };
            if cases.is_empty() {
                let message = format!("`{}` names no case", entry.select);
                let mut fault = Diagnostic::error(Code::StaleKnownFailure, message).at(entry.place);
                fault.help = help;
                faults.push(fault);
                continue;
            }
            let mut is_told = false;
            for index in cases {
                let name = &suite.cases()[index].name;
                match known.cases.get(name) {
                    Some(first) if !is_told => {
                        is_told = true;
                        let message = format!("`{name}` is listed twice");
                        faults.push(
                            Diagnostic::error(Code::StaleKnownFailure, message)
                                .at(entry.place.clone())
                                .see(first.place.clone(), "here too")
                                .help("let one entry be about it"),
                        );
                    }
                    Some(_) => {}
                    None => {
                        known.cases.insert(name.clone(), entry.clone());
                    }
                }
            }
        }
        (known, faults)
    }

    /// Notes in a record which of its failures are listed.
    pub fn mark(&self, record: &mut Record) {
        let cases = record.rules.iter_mut().flat_map(|rule| &mut rule.cases);
        for case in cases.filter(|case| case.outcome.is_failure()) {
            case.known = self.cases.get(&case.case).map(|entry| KnownRecord {
                reason: entry.reason.clone(),
                link: entry.link.clone(),
            });
        }
    }

    /// Whether a case of a record failed that is not listed.
    pub fn fell_short(&self, record: &Record) -> bool {
        failures(record).any(|case| !self.cases.contains_key(case))
    }

    /// The listed cases that pass, though they are said to fail: a diagnostic each.
    pub fn out_of_date(&self, record: &Record) -> Vec<Diagnostic> {
        record
            .cases()
            .filter(|(_, case)| case.outcome == Outcome::Pass)
            .filter_map(|(_, case)| Some((&case.case, self.cases.get(&case.case)?)))
            .filter(|(_, entry)| entry.outcome == Expectation::Fails)
            .map(|(name, entry)| {
                Diagnostic::error(
                    Code::StaleKnownFailure,
                    format!("`{name}` passes, and is listed as failing"),
                )
                .at(entry.place.clone())
                .help("take it off the list, or call it flaky")
            })
            .collect()
    }
}

/// The names of the cases that fell short and count.
fn failures(record: &Record) -> impl Iterator<Item = &str> {
    record
        .cases()
        .filter(|(rule, case)| rule.posture.counts() && case.outcome.is_failure())
        .map(|(_, case)| case.case.as_str())
}
