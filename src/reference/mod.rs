//! The reference implementation: the rules, carried out as they are written.
//!
//! There is a file for each subject of the rules. In it a trait has one method for each decision
//! that a clause takes, and functions that do the rest of the work by asking that trait.
//! [`AsWritten`] overrides none of them. A reading that gets just one thing wrong overrides one,
//! and [`engine_with`] makes an engine of it.
//!
//! A comment `//= SG-16:2` stands at what carries the second clause of rule SG-16, and `// open:`
//! where the specification leaves a choice and this is the one taken.

pub mod barrier;
pub mod branches;
pub mod compile;
pub mod edges;
pub mod failures;
pub mod foreach;
pub mod forms;
pub mod graph;
pub mod live;
pub mod loops;
pub mod machine;
pub mod ports;
pub mod programs;
pub mod records;
pub mod resume;
pub mod rounds;
pub mod runs;
pub mod schedule;
pub mod seeding;
pub mod state;
mod tangles;
mod tools;
mod wiring;

use std::sync::Arc;

use self::{
    barrier::BarrierReading, branches::BranchReading, compile::CompileReading, edges::EdgeReading,
    failures::FailureReading, foreach::ForeachReading, forms::FormReading, loops::LoopReading,
    ports::PortReading, records::RecordReading, resume::ResumeReading, rounds::RoundReading,
    runs::RunReading, schedule::ScheduleReading, seeding::SeedReading, state::StateReading,
};
use crate::engine::RustEngine;

/// A reading of all rules together.
pub trait Reading:
    EdgeReading
    + LoopReading
    + RoundReading
    + StateReading
    + SeedReading
    + RunReading
    + ResumeReading
    + BranchReading
    + CompileReading
    + FormReading
    + PortReading
    + ForeachReading
    + ScheduleReading
    + BarrierReading
    + FailureReading
    + RecordReading
    + Send
    + Sync
{
}

impl<R> Reading for R where
    R: EdgeReading
        + LoopReading
        + RoundReading
        + StateReading
        + SeedReading
        + RunReading
        + ResumeReading
        + BranchReading
        + CompileReading
        + FormReading
        + PortReading
        + ForeachReading
        + ScheduleReading
        + BarrierReading
        + FailureReading
        + RecordReading
        + Send
        + Sync
{
}

/// The rules as they are written.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsWritten;

impl EdgeReading for AsWritten {}
impl LoopReading for AsWritten {}
impl RoundReading for AsWritten {}
impl StateReading for AsWritten {}
impl SeedReading for AsWritten {}
impl RunReading for AsWritten {}
impl ResumeReading for AsWritten {}
impl BranchReading for AsWritten {}
impl CompileReading for AsWritten {}
impl FormReading for AsWritten {}
impl PortReading for AsWritten {}
impl ForeachReading for AsWritten {}
impl ScheduleReading for AsWritten {}
impl BarrierReading for AsWritten {}
impl FailureReading for AsWritten {}
impl RecordReading for AsWritten {}

/// What one session of the reference engine keeps.
pub struct Reference {
    reading: Arc<dyn Reading>,
    runs: runs::Runs,
    live: live::Live,
    resumable: resume::Resumable,
}

/// The reference engine.
///
/// ```
/// use standing::engine::Engine;
///
/// let about = standing::reference::engine().about();
/// assert_eq!(about.name, "reference");
/// assert!(about.claims_operation("loops.resolve"));
/// ```
pub fn engine() -> RustEngine<Reference> {
    engine_with(Arc::new(AsWritten))
}

/// The reference engine with another reading of the rules.
///
/// ```
/// use std::sync::Arc;
///
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
/// use standing::reference::{
///     barrier::*, branches::*, compile::*, edges::*, engine_with, failures::*, foreach::*,
///     forms::*, loops::*, ports::*, records::*, resume::*, rounds::*, runs::*, schedule::*,
///     seeding::*, state::*,
/// };
///
/// struct HighestRound;
/// impl RoundReading for HighestRound {
///     fn restored(&self, earlier: Option<u64>, newer: u64) -> u64 {
///         earlier.unwrap_or(0).max(newer)
///     }
/// }
/// impl EdgeReading for HighestRound {}
/// impl LoopReading for HighestRound {}
/// impl StateReading for HighestRound {}
/// impl SeedReading for HighestRound {}
/// impl RunReading for HighestRound {}
/// impl ResumeReading for HighestRound {}
/// impl BranchReading for HighestRound {}
/// impl CompileReading for HighestRound {}
/// impl FormReading for HighestRound {}
/// impl PortReading for HighestRound {}
/// impl ForeachReading for HighestRound {}
/// impl ScheduleReading for HighestRound {}
/// impl BarrierReading for HighestRound {}
/// impl FailureReading for HighestRound {}
/// impl RecordReading for HighestRound {}
///
/// let mut session = engine_with(Arc::new(HighestRound)).session()?;
/// let question = json!({"executions": [{"rounds": {"l": 5}}, {"rounds": {"l": 1}}]});
/// let answer = session.ask("rounds.restore", &question)?;
/// assert_eq!(answer, Answer::Value(json!({"rounds": {"l": 5}})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
pub fn engine_with(reading: Arc<dyn Reading>) -> RustEngine<Reference> {
    let make = move || Reference {
        reading: Arc::clone(&reading),
        runs: runs::Runs::default(),
        live: live::Live::default(),
        resumable: resume::Resumable::default(),
    };
    let engine = RustEngine::new("reference", make)
        .version(env!("CARGO_PKG_VERSION"))
        .profiles(["runtime", "storage-api", "editor-client"]);
    wiring::wired(engine)
}
