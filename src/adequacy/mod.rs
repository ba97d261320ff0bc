//! Whether cases are strong enough: which misreadings they catch, and which they let through.
//!
//! [`measure`] puts cases to the reference and to every misreading of the chosen clauses, in
//! process. A case catches a misreading if it passes with the reference and fails with the
//! misreading. A misreading that no case catches survives: somebody could read the rule that way
//! and be told that all is well. `human.rs` writes the outcome as a table.

mod human;

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroUsize,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use serde::Serialize;

pub use human::human;

use crate::{
    corpus::RuleId,
    engine::{Engine, EngineError},
    misreadings::{self, Misreading},
    reference, run,
    standing::{HarnessRecord, SuiteRecord},
    suite::{Selection, Suite},
};

/// The format of the JSON that an [`Adequacy`] becomes.
pub const FORMAT: &str = "standing-adequacy/1";

/// No case of the reference takes this long on any machine: only one that does not end is late.
const LIMIT: Duration = Duration::from_secs(60);

/// What the chosen cases catch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Adequacy {
    /// `standing-adequacy/1`.
    pub format: &'static str,
    /// What measured it.
    pub harness: HarnessRecord,
    /// What was asked.
    pub suite: SuiteRecord,
    /// The selectors that chose among the cases; empty where everything was asked.
    pub selection: Vec<String>,
    /// Whether only the cases that the documents' examples make by themselves were asked.
    pub examples_only: bool,
    /// The counts.
    pub summary: Summary,
    /// The chosen rules, ordered by family and number.
    pub rules: Vec<RuleAdequacy>,
    /// Chosen cases that the reference itself does not pass. They catch nothing.
    pub unsound: Vec<String>,
}

/// The counts of an [`Adequacy`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Misreadings of the chosen clauses.
    pub misreadings: usize,
    /// Those that a case catches.
    pub caught: usize,
    /// Those that none does.
    pub survive: usize,
    /// Of the caught, those that one case alone catches.
    pub caught_by_one: usize,
    /// Of the caught, those that no case catches which bears on the clause that they misread.
    pub caught_elsewhere: usize,
    /// The chosen clauses.
    pub clauses: usize,
    /// Those that no misreading is of.
    pub without_misreading: usize,
    /// The cases that were put.
    pub cases: usize,
    /// Those that catch something.
    pub catching: usize,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleAdequacy {
    /// `SG-16`.
    pub id: RuleId,
    /// `RT-SG`.
    pub family: String,
    /// One line.
    pub title: String,
    /// Its chosen clauses.
    pub clauses: Vec<ClauseAdequacy>,
}

/// One clause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClauseAdequacy {
    /// Its number.
    pub clause: usize,
    /// How many of the cases that were put bear on it.
    pub cases: usize,
    /// Why no case can bear on it, where that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untestable: Option<String>,
    /// The misreadings of it.
    pub misreadings: Vec<Caught>,
}

/// One misreading, and what catches it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Caught {
    /// `restore-highest-round`.
    pub name: &'static str,
    /// What it takes the clause to say.
    pub says: &'static str,
    /// The cases that catch it: first those that bear on the clause, then the others, each in the
    /// order of the suite.
    pub caught_by: Vec<String>,
    /// Whether the clause that it misreads is among those that fail: the first of these cases
    /// bears on it.
    pub clause_fails: bool,
}

impl Caught {
    /// Whether no case catches it.
    pub fn survives(&self) -> bool {
        self.caught_by.is_empty()
    }
}

impl Adequacy {
    /// The misreadings, each with its rule and the number of its clause.
    pub fn misreadings(&self) -> impl Iterator<Item = (&RuleAdequacy, usize, &Caught)> {
        self.rules.iter().flat_map(|rule| {
            let clauses = rule.clauses.iter();
            clauses.flat_map(move |c| c.misreadings.iter().map(move |m| (rule, c.clause, m)))
        })
    }

    /// The counts, save those of cases.
    fn counted(&self) -> Summary {
        let clauses = || self.rules.iter().flat_map(|r| &r.clauses);
        let misreadings = || self.misreadings().map(|(_, _, m)| m);
        let caught = || misreadings().filter(|m| !m.survives());
        Summary {
            misreadings: misreadings().count(),
            caught: caught().count(),
            survive: misreadings().filter(|m| m.survives()).count(),
            caught_by_one: caught().filter(|m| m.caught_by.len() == 1).count(),
            caught_elsewhere: caught().filter(|m| !m.clause_fails).count(),
            clauses: clauses().count(),
            without_misreading: clauses().filter(|c| c.misreadings.is_empty()).count(),
            ..Summary::default()
        }
    }

    /// Whether every misreading is caught, by cases that the reference passes.
    pub fn is_well(&self) -> bool {
        self.summary.survive == 0 && self.unsound.is_empty()
    }
}

/// Puts the chosen cases to every misreading of the chosen clauses; `examples_only` leaves out the
/// cases that are more than the documents' examples.
///
/// # Errors
///
/// None that the engines that are built in are known to have.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use standing::{adequacy::measure, suite::{Selection, Suite}};
///
/// let (suite, _) = Suite::embedded();
/// let chosen = Selection::new(&suite, &["SG-16:2"]).expect("a clause");
/// let adequacy = measure(&Arc::new(suite), &chosen, false)?;
/// assert!(adequacy.is_well());
/// assert!(adequacy.misreadings().any(|(_, _, m)| m.name == "loop-per-tail"));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
pub fn measure(
    suite: &Arc<Suite>,
    selection: &Selection,
    examples_only: bool,
) -> Result<Adequacy, EngineError> {
    let mut chosen = selection.clone();
    if examples_only {
        chosen.retain(|case| suite.cases()[case].by_example);
    }
    let as_written = Arc::new(reference::engine());
    let unsound = failures(suite, &chosen, as_written, run::Options::default().jobs)?;
    chosen.retain(|case| !unsound.contains(&case));

    let tried: Vec<&Misreading> = misreadings::ALL
        .iter()
        .filter(|misreading| {
            let rule = suite.corpus().position(misreading.rule);
            let mut clauses = rule.into_iter().flat_map(|rule| selection.clauses_of(rule));
            clauses.any(|clause| clause == misreading.clause)
        })
        .collect();
    let caught = failures_of_all(suite, &chosen, &tried)?;
    let tried: Vec<(&Misreading, Vec<usize>)> = tried.into_iter().zip(caught).collect();

    let rules = selection.rules().map(|position| {
        let rule = &suite.corpus().rules()[position];
        let clauses = selection.clauses_of(position);
        RuleAdequacy {
            id: rule.id.clone(),
            family: rule.family.clone(),
            title: rule.title.clone(),
            clauses: clauses
                .map(|clause| clause_adequacy(suite, &chosen, position, clause, &tried))
                .collect(),
        }
    });
    let mut adequacy = Adequacy {
        format: FORMAT,
        harness: HarnessRecord::this(),
        suite: SuiteRecord {
            digest: suite.digest(),
        },
        selection: selection.selectors().to_vec(),
        examples_only,
        summary: Summary::default(),
        rules: rules.collect(),
        unsound: unsound
            .iter()
            .map(|&case| suite.cases()[case].name.clone())
            .collect(),
    };
    let catching: BTreeSet<&usize> = tried.iter().flat_map(|(_, by)| by).collect();
    adequacy.summary = Summary {
        cases: chosen.cases().count(),
        catching: catching.len(),
        ..adequacy.counted()
    };
    Ok(adequacy)
}

fn clause_adequacy(
    suite: &Suite,
    chosen: &Selection,
    rule: usize,
    clause: usize,
    tried: &[(&Misreading, Vec<usize>)],
) -> ClauseAdequacy {
    let bears = |&case: &usize| {
        let case = &suite.cases()[case];
        case.rule == rule && case.clauses.contains(&clause)
    };
    let id = suite.corpus().rules()[rule].id.as_str();
    let untestable = suite.untestable(rule).iter().find(|u| u.clause == clause);
    let misreadings = tried
        .iter()
        .filter(|(misreading, _)| (misreading.rule, misreading.clause) == (id, clause));
    ClauseAdequacy {
        clause,
        cases: chosen.cases_of(rule).filter(bears).count(),
        untestable: untestable.map(|u| u.reason.clone()),
        misreadings: misreadings
            .map(|(misreading, by)| {
                let (own, others): (Vec<usize>, Vec<usize>) =
                    by.iter().partition(|case| bears(case));
                let cases = own.iter().chain(&others);
                Caught {
                    name: misreading.name,
                    says: misreading.says,
                    clause_fails: !own.is_empty(),
                    caught_by: cases
                        .map(|&case| suite.cases()[case].name.clone())
                        .collect(),
                }
            })
            .collect(),
    }
}

/// For each misreading the cases that fail with it.
fn failures_of_all(
    suite: &Arc<Suite>,
    chosen: &Selection,
    tried: &[&Misreading],
) -> Result<Vec<Vec<usize>>, EngineError> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(misreading) = tried.get(number) else {
                return;
            };
            let engine = Arc::new(misreading.engine());
            let failed = failures(suite, chosen, engine, NonZeroUsize::MIN);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.insert(number, failed);
        }
    };
    thread::scope(|scope| {
        for _ in 0..run::Options::default().jobs.get() {
            scope.spawn(work);
        }
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.into_values().collect()
}

/// The chosen cases that fail with an engine.
fn failures(
    suite: &Arc<Suite>,
    chosen: &Selection,
    engine: Arc<dyn Engine>,
    jobs: NonZeroUsize,
) -> Result<Vec<usize>, EngineError> {
    let options = run::Options {
        jobs,
        timeout: LIMIT,
        ..run::Options::default()
    };
    let outcomes = run::run(suite, chosen, engine, &options, &|_| {})?;
    let failed = outcomes.cases.iter().filter(|c| c.outcome.is_failure());
    Ok(failed.map(|c| c.case).collect())
}

#[cfg(test)]
mod tests;
