//! Plausible wrong readings of clauses, each an engine that gets just that wrong.
//!
//! A misreading is the reference with one decision changed: it overrides one method of one of the
//! traits in [`reference`](mod@crate::reference), and answers everything else as the reference does.
//! Cases that are any good tell it from the reference, and the one that cannot be told from it
//! shows what nobody tests.
//!
//! There is a file for each subject, as the reference has them. Every clause that can be tested has
//! at least one.
//!
//! ```
//! use serde_json::json;
//! use standing::engine::{Answer, Engine};
//!
//! let misreading = standing::misreadings::find("restore-highest-round").expect("it is one");
//! assert_eq!((misreading.rule, misreading.clause), ("SG-17", 5));
//!
//! let engine = misreading.engine();
//! assert_eq!(engine.about().name, "reference:restore-highest-round");
//! let question = json!({"executions": [{"rounds": {"l": 5}}, {"rounds": {"l": 1}}]});
//! let answer = engine.session()?.ask("rounds.restore", &question)?;
//! assert_eq!(answer, Answer::Value(json!({"rounds": {"l": 5}})));
//! # Ok::<(), standing::engine::EngineError>(())
//! ```

#[macro_use]
mod declare;
mod barrier;
mod branches;
mod budget;
mod checkpoints;
mod collisions;
mod conditions;
mod configuration;
mod dispatch;
mod drift;
mod edges;
mod errors;
mod foreach;
mod forms;
mod gateways;
mod handles;
mod internals;
mod loops;
mod naming;
mod occurrences;
mod outcomes;
mod reach;
mod readiness;
mod resume;
mod rounds;
mod runs;
mod seeding;
mod skips;
mod staleness;
mod state;
mod supplied;
mod tools;
mod updates;

use std::sync::{Arc, LazyLock};

use crate::{
    engine::RustEngine,
    reference::{Reading, Reference, engine_with},
};

/// A wrong reading of one clause.
#[derive(Clone, Copy, Debug)]
pub struct Misreading {
    /// `restore-highest-round`.
    pub name: &'static str,
    /// The rule whose clause it misreads, `SG-17`.
    pub rule: &'static str,
    /// The number of that clause.
    pub clause: usize,
    /// What it takes the clause to say, in a sentence.
    pub says: &'static str,
    reading: fn() -> Arc<dyn Reading>,
}

impl Misreading {
    /// The rules, read in this way.
    pub fn reading(&self) -> Arc<dyn Reading> {
        (self.reading)()
    }

    /// An engine that reads the rules in this way. It is called `reference:` and the name of the
    /// misreading.
    pub fn engine(&self) -> RustEngine<Reference> {
        engine_with(self.reading()).named(format!("reference:{}", self.name))
    }
}

/// All misreadings, subject by subject.
pub static ALL: LazyLock<Vec<Misreading>> = LazyLock::new(|| {
    [
        state::ALL,
        seeding::ALL,
        edges::ALL,
        loops::ALL,
        reach::ALL,
        rounds::ALL,
        staleness::ALL,
        runs::ALL,
        resume::ALL,
        drift::ALL,
        supplied::ALL,
        internals::ALL,
        updates::ALL,
        foreach::ALL,
        dispatch::ALL,
        occurrences::ALL,
        conditions::ALL,
        checkpoints::ALL,
        configuration::ALL,
        budget::ALL,
        naming::ALL,
        barrier::ALL,
        handles::ALL,
        forms::ALL,
        tools::ALL,
        errors::ALL,
        branches::ALL,
        gateways::ALL,
        readiness::ALL,
        skips::ALL,
        collisions::ALL,
        outcomes::ALL,
    ]
    .concat()
});

/// The misreading of this name.
///
/// ```
/// use standing::misreadings::find;
///
/// assert!(find("loop-per-tail").is_some());
/// assert!(find("loops-per-tail").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static Misreading> {
    ALL.iter().find(|m| m.name == name)
}

#[cfg(test)]
mod tests;
