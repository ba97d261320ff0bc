//! Where an engine's source says that it carries out a clause, and how the cases of that clause
//! came out.
//!
//! A comment cites a clause: `//= SG-16:2`. `citation.rs` finds citations in sources of any
//! language; here they are held against the clauses that there are, and against a record where
//! there is one.

mod citation;

use std::{collections::BTreeMap, path::Path};

use serde::Serialize;

pub use citation::{Citation, citations};

use crate::{
    corpus::{RuleId, read_file},
    diagnostics::{Code, Diagnostic, Place, closest},
    run::Outcome,
    standing::{Record, Standing},
    suite::{Selection, Suite},
};

/// Every clause of a selection, with where it is cited.
#[derive(Debug)]
pub struct Trace {
    /// The clauses, in the order of the corpus.
    pub clauses: Vec<TracedClause>,
    /// Citations of clauses that do not exist, or whose text has changed since.
    pub faults: Vec<Diagnostic>,
    /// How many files were read.
    pub files: usize,
    /// Citations of rules that are issued and not among the documents: nothing is known of them.
    pub beyond: usize,
}

/// One clause.
#[derive(Debug, Serialize)]
pub struct TracedClause {
    /// The rule.
    pub rule: RuleId,
    /// The clause's number.
    pub clause: usize,
    /// Whether no case can bear on it.
    pub untestable: bool,
    /// Where it is cited, `path:line`, ordered.
    #[serde(serialize_with = "as_text")]
    pub citations: Vec<Place>,
    /// The cases that bear on it, with their outcomes where a record tells them.
    pub cases: Vec<TracedCase>,
    /// Where the engine stands with it, where a record tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
}

/// A case that bears on a clause.
#[derive(Debug, Serialize)]
pub struct TracedCase {
    /// `SG-16/two-tails-one-head`.
    pub case: String,
    /// What became of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

fn as_text<S: serde::Serializer>(places: &[Place], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(places.iter().map(ToString::to_string))
}

impl Trace {
    /// Reads the sources at `paths` and holds their citations against the clauses of a selection.
    ///
    /// Files that version control ignores, hidden files and files that are not UTF-8 are passed
    /// over.
    pub fn new<P: AsRef<Path>>(
        suite: &Suite,
        selection: &Selection,
        record: Option<&Record>,
        paths: &[P],
    ) -> Self {
        let mut faults = Vec::new();
        let mut cited: BTreeMap<(usize, usize), Vec<Place>> = BTreeMap::new();
        let (mut files, mut beyond) = (0, 0);
        for path in sources(paths, &mut faults) {
            let Some(source) = read_file(&path, &mut Vec::new()) else {
                continue; // not text
            };
            files += 1;
            for citation in citations(&source, &mut faults) {
                match clause(suite, &citation) {
                    Ok(Some(clause)) => cited.entry(clause).or_default().push(citation.place),
                    Ok(None) => beyond += 1,
                    Err(fault) => faults.push(*fault),
                }
            }
        }
        let clauses = selection.rules().flat_map(|position| {
            let rule = &suite.corpus().rules()[position];
            rule.clauses
                .iter()
                .map(move |clause| (position, clause.number))
        });
        let clauses = clauses
            .map(|(position, number)| {
                let citations = cited.remove(&(position, number)).unwrap_or_default();
                traced(suite, record, position, number, citations)
            })
            .collect();
        Self {
            clauses,
            faults,
            files,
            beyond,
        }
    }

    /// The clauses that are cited nowhere, untestable ones left out.
    pub fn uncited(&self) -> impl Iterator<Item = &TracedClause> {
        self.clauses
            .iter()
            .filter(|c| c.citations.is_empty() && !c.untestable)
    }
}

/// Every file under the paths, ordered.
fn sources<P: AsRef<Path>>(paths: &[P], faults: &mut Vec<Diagnostic>) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for path in paths {
        let walk = ignore::WalkBuilder::new(path)
            .sort_by_file_name(Ord::cmp)
            .build();
        for entry in walk {
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|t| t.is_file()) => {
                    found.push(entry.into_path())
                }
                Ok(_) => {}
                Err(error) => faults.push(Diagnostic::error(
                    Code::Unreadable,
                    format!("cannot read: {error}"),
                )),
            }
        }
    }
    found
}

/// The clause that a citation means: rule and number. `None`: its rule is issued, and not among the
/// documents.
fn clause(suite: &Suite, citation: &Citation) -> Result<Option<(usize, usize)>, Box<Diagnostic>> {
    let corpus = suite.corpus();
    let fault = |message: String| {
        Diagnostic::error(Code::UnknownCitation, message).at(citation.place.clone())
    };
    let Some(position) = corpus.position(&citation.rule) else {
        if corpus
            .registries()
            .iter()
            .any(|r| r.contains(&citation.rule))
        {
            return Ok(None);
        }
        let ids = || corpus.rules().iter().map(|r| r.id.as_str());
        let fault = fault(format!("there is no rule `{}`", citation.rule));
        return Err(match closest(&citation.rule, ids()) {
            Some(_) => fault.suggest(&citation.rule, ids()),
            None => fault.help("`standing list` lists the rules"),
        }
        .into());
    };
    let rule = &corpus.rules()[position];
    if rule.clause(citation.clause).is_none() {
        let most = rule.clauses.len();
        return Err(
            fault(format!("{} has no clause {}", rule.id, citation.clause))
                .help(format!("its last is `{}:{most}`", rule.id))
                .into(),
        );
    }
    if citation
        .hash
        .as_ref()
        .is_some_and(|hash| *hash != rule.hash)
    {
        let message = format!("the text of {} has changed since it was cited", rule.id);
        return Err(Diagnostic::error(Code::StaleCitation, message)
            .at(citation.place.clone())
            .note("what the code does was last held against another text")
            .help(format!(
                "read `standing show {}`, then cite `{}:{}@{}`",
                rule.id, rule.id, citation.clause, rule.hash
            ))
            .into());
    }
    Ok(Some((position, citation.clause)))
}

fn traced(
    suite: &Suite,
    record: Option<&Record>,
    position: usize,
    number: usize,
    citations: Vec<Place>,
) -> TracedClause {
    let rule = &suite.corpus().rules()[position];
    let told = record.and_then(|record| record.rules.iter().find(|r| r.id == rule.id));
    let cases = suite.cases()[suite.cases_of(position)].iter();
    TracedClause {
        rule: rule.id.clone(),
        clause: number,
        untestable: suite
            .untestable(position)
            .iter()
            .any(|u| u.clause == number),
        citations,
        cases: cases
            .filter(|case| case.clauses.contains(&number))
            .map(|case| TracedCase {
                case: case.name.clone(),
                outcome: told
                    .and_then(|r| r.cases.iter().find(|c| c.case == case.name))
                    .map(|c| c.outcome),
            })
            .collect(),
        standing: told
            .and_then(|r| r.clauses.iter().find(|c| c.clause == number))
            .map(|c| c.standing),
    }
}
