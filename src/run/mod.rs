//! Puts cases to an engine and says what became of each.
//!
//! [`run`] takes the chosen cases of a suite in order, or shuffled; `workers.rs` shares them out
//! among threads with a session each and watches their time; `judge.rs` puts one case and holds
//! the answers against what it expects; `pipelined.rs` does so with questions sent ahead, where a
//! session takes them. A fault stays with the case that met it: its session is dropped, and the
//! next case gets a fresh one, which `start.rs` opens. `alone.rs` puts failed cases once more, to hear what the engine
//! writes to its standard error.

mod alone;
mod judge;
mod pipelined;
mod start;
mod workers;

use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use judge::put_case;

use crate::{
    corpus::Profile,
    engine::{About, Engine, EngineError},
    suite::{Selection, Suite},
};

/// What became of a case.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Every answer was as expected.
    Pass,
    /// An answer was not.
    Fail,
    /// No answer could be had: the engine or its adapter failed.
    Error,
    /// No answer came in time.
    Timeout,
    /// The engine does not do this.
    Unsupported,
    /// The case was not put.
    Skipped,
}

impl Outcome {
    /// All of them, in order.
    pub const ALL: &[Outcome] = &[
        Self::Pass,
        Self::Fail,
        Self::Error,
        Self::Timeout,
        Self::Unsupported,
        Self::Skipped,
    ];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Unsupported => "unsupported",
            Self::Skipped => "skipped",
        }
    }

    /// Whether the engine fell short: a fail, an error or a timeout.
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Fail | Self::Error | Self::Timeout)
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// What became of one case, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseOutcome {
    /// Where in [`Suite::cases`] the case is.
    pub case: usize,
    /// What became of it.
    pub outcome: Outcome,
    /// Why, for every outcome but a pass.
    pub detail: Option<Box<Detail>>,
    /// How long it took.
    pub took: Duration,
}

/// Why a case did not pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detail {
    /// The step that decided, counted from 1; 0 where none was put.
    pub step: usize,
    /// What is wrong, on one line.
    pub message: String,
    /// The JSON Pointer into the answer where it first differs.
    pub pointer: Option<String>,
    /// The operations that the engine does not do, where that is why.
    pub declined: Vec<String>,
    /// The operation and the params of the step that decided, where it was put.
    pub asked: Option<(String, Value)>,
    /// What was expected, as the case says it.
    pub expected: Option<Value>,
    /// The value nearest to the answer that would have passed.
    pub nearest: Option<Value>,
    /// What the engine answered: a value, or `{"refused": …}`.
    pub actual: Option<Value>,
    /// The end of what an engine that is a program wrote to its standard error when the case was
    /// put once more, alone.
    pub stderr: Option<String>,
    /// Whether it passed then.
    pub passes_alone: bool,
}

impl Detail {
    pub(crate) fn declines(operations: Vec<String>) -> Box<Self> {
        let names: Vec<String> = operations.iter().map(|o| format!("`{o}`")).collect();
        let mut detail = Self::says(format!("the engine does not do {}", names.join(", ")));
        detail.declined = operations;
        detail
    }

    pub(crate) fn says(message: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            message: message.into(),
            ..Self::default()
        })
    }
}

/// How a run is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many cases are put at a time.
    pub jobs: NonZeroUsize,
    /// How long a case may take.
    pub timeout: Duration,
    /// Stops at the first case that fails.
    pub fail_fast: bool,
    /// Puts the cases in an order that this number decides, so that state which leaks from one
    /// case into the next shows.
    pub shuffle: Option<u64>,
    /// Ends the run once it is set: what was not answered by then is skipped.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            jobs: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            timeout: Duration::from_secs(5),
            fail_fast: false,
            shuffle: None,
            interrupt: Arc::default(),
        }
    }
}

/// What became of the chosen cases.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// Who answered.
    pub about: About,
    /// A case each, in the order of the suite.
    pub cases: Vec<CaseOutcome>,
    /// Whether the run ended before it was done.
    pub interrupted: bool,
    /// Why the engine was given up, where it could not be started again.
    pub gave_up: Option<String>,
    /// How long the run took.
    pub took: Duration,
}

/// Puts the chosen cases to an engine. `watch` is told of each outcome as it comes, from any
/// thread.
///
/// Cases of a rule none of whose profiles the engine claims are skipped, and cases with an
/// operation that it does not claim are unsupported; neither is put to it.
///
/// # Errors
///
/// [`EngineError::Start`] where the engine could not be started even once.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use standing::{reference, run, suite::{Selection, Suite}};
///
/// let (suite, _) = Suite::embedded();
/// let chosen = Selection::new(&suite, &["SG-16"]).expect("a rule");
/// let engine = Arc::new(reference::engine());
/// let outcomes = run::run(&Arc::new(suite), &chosen, engine, &run::Options::default(), &|_| {})?;
/// assert!(outcomes.cases.iter().all(|c| c.outcome == run::Outcome::Pass));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
pub fn run(
    suite: &Arc<Suite>,
    selection: &Selection,
    engine: Arc<dyn Engine>,
    options: &Options,
    watch: &(dyn Fn(&CaseOutcome) + Sync),
) -> Result<Outcomes, EngineError> {
    let started = std::time::Instant::now();
    // The first session is what shows that the engine can be had; a worker goes on with it.
    let mut first = match start::session(&engine, &options.interrupt) {
        Ok(session) => Some(session),
        Err(EngineError::Interrupted) => None,
        Err(error) => return Err(error),
    };
    let is_program = first.as_mut().is_some_and(|s| s.pipeline().is_some());
    let about = engine.about();
    if let Some(unknown) = about
        .profiles
        .iter()
        .find(|p| !Profile::WORDS.contains(&p.as_str()))
    {
        let all = Profile::WORDS.join(", ");
        return Err(EngineError::Start(format!(
            "it claims the profile `{unknown}`; there are {all}"
        )));
    }
    let mut cases = Vec::new();
    let mut to_put = Vec::new();
    for i in selection.cases() {
        let case = &suite.cases()[i];
        let profiles = suite.rule_of(case).profiles.iter().map(|p| p.as_str());
        let mut unclaimed: Vec<String> = Vec::new();
        for step in case
            .steps
            .iter()
            .filter(|s| !about.claims_operation(&s.operation))
        {
            if !unclaimed.contains(&step.operation) {
                unclaimed.push(step.operation.clone());
            }
        }
        let known = if !about.claims_any_profile(profiles) {
            let why = "not applicable: the engine claims none of the rule's profiles";
            Some((Outcome::Skipped, Detail::says(why)))
        } else if unclaimed.is_empty() {
            None
        } else {
            Some((Outcome::Unsupported, Detail::declines(unclaimed)))
        };
        match known {
            None => to_put.push(i),
            Some((outcome, detail)) => {
                let outcome = CaseOutcome {
                    case: i,
                    outcome,
                    detail: Some(detail),
                    took: Duration::ZERO,
                };
                watch(&outcome);
                cases.push(outcome);
            }
        }
    }
    if let Some(seed) = options.shuffle {
        shuffle(&mut to_put, seed);
    }
    let (mut put, gave_up) = workers::put_all(suite, to_put, &engine, first, options, watch);
    // Only a program has a standard error of its own.
    if is_program && gave_up.is_none() {
        alone::put_again(suite, engine.as_ref(), options, &mut put);
    }
    let interrupted = options.interrupt.load(Ordering::Relaxed)
        || put.iter().any(|c| c.outcome == Outcome::Skipped);
    cases.extend(put);
    cases.sort_by_key(|c| c.case);
    Ok(Outcomes {
        about,
        cases,
        interrupted,
        gave_up,
        took: started.elapsed(),
    })
}

/// Fisher and Yates, with numbers from SplitMix64: the same order for a seed on every machine.
fn shuffle(items: &mut [usize], seed: u64) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    for i in (1..items.len()).rev() {
        let bound = i as u64 + 1;
        let j = ((u128::from(next()) * u128::from(bound)) >> 64) as usize;
        items.swap(i, j);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_seed_gives_one_order_and_loses_nothing() {
        let order = |seed| {
            let mut items: Vec<usize> = (0..50).collect();
            super::shuffle(&mut items, seed);
            items
        };
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
        let mut sorted = order(7);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
    }
}
