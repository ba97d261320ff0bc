//! The reference implementation: the rules, carried out as they are written.
//!
//! There is a file for each subject of the rules. In it a trait has one method for each decision
//! that a clause takes, and functions that do the rest of the work by asking that trait.
//! [`AsWritten`] overrides none of them. A reading that gets just one thing wrong overrides one,
//! and [`engine_with`] makes an engine of it.
//!
//! A comment `//= SG-16:2` stands at what carries the second clause of rule SG-16, and `// open:`
//! where the specification leaves a choice and this is the one taken.

pub mod edges;
pub mod graph;
pub mod loops;
pub mod programs;
pub mod resume;
pub mod rounds;
pub mod runs;
pub mod seeding;
pub mod state;
mod tangles;

use std::sync::Arc;

use self::{
    edges::EdgeReading, loops::LoopReading, resume::ResumeReading, rounds::RoundReading,
    runs::RunReading, seeding::SeedReading, state::StateReading,
};
use crate::{
    engine::RustEngine,
    operations::{self as ops, edge::Verdict, workflow::Done},
};

/// A reading of all rules together.
pub trait Reading:
    EdgeReading
    + LoopReading
    + RoundReading
    + StateReading
    + SeedReading
    + RunReading
    + ResumeReading
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

/// What one session of the reference engine keeps.
pub struct Reference {
    reading: Arc<dyn Reading>,
    runs: runs::Runs,
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
///     edges::EdgeReading, engine_with, loops::LoopReading, resume::ResumeReading,
///     rounds::RoundReading, runs::RunReading, seeding::SeedReading, state::StateReading,
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
        resumable: resume::Resumable::default(),
    };
    let engine = RustEngine::new("reference", make)
        .version(env!("CARGO_PKG_VERSION"))
        .profiles(["runtime", "storage-api", "editor-client"]);
    with_runs(with_functions(engine))
}

/// Adds the operations that ask for a function's value.
fn with_functions(engine: RustEngine<Reference>) -> RustEngine<Reference> {
    engine
        .on::<ops::handle::Port>(|r, p| {
            Ok(ops::handle::PortNamed {
                port: r.reading.port(&p.handle, p.side).to_owned(),
            })
        })
        .on::<ops::edge::Branch>(|r, p| {
            Ok(ops::edge::BranchNamed {
                branch: r.reading.branch(&p.source_handle).to_owned(),
            })
        })
        .on::<ops::edge::Freshness>(|r, p| {
            let stale = rounds::is_stale(&*r.reading, &p.source, &p.consumer, &p.nesting);
            let verdict = if stale {
                Verdict::Stale
            } else {
                Verdict::Current
            };
            Ok(ops::edge::FreshnessVerdict { verdict })
        })
        .on::<ops::edge::Barrier>(|r, p| {
            let stale = rounds::is_stale(&*r.reading, &p.source, &p.consumer, &p.nesting);
            let kind = r.reading.kind(&p.edge);
            Ok(ops::edge::BarrierVerdict {
                barrier: rounds::barrier(&*r.reading, kind, stale),
            })
        })
        .on::<ops::loops::Resolve>(|r, p| {
            Ok(loops::find(&*r.reading, &p.edges).resolved(&*r.reading))
        })
        .on::<ops::loops::Reach>(|r, p| {
            Ok(ops::loops::Reached {
                reach: loops::find(&*r.reading, &p.edges).reach(&*r.reading),
            })
        })
        .on::<ops::loops::Reenter>(|r, p| {
            Ok(ops::loops::Reentered {
                reenter: rounds::reenters(&*r.reading, &p),
            })
        })
        .on::<ops::rounds::Restore>(|r, p| {
            Ok(ops::rounds::Restored {
                rounds: rounds::restore(&*r.reading, &p.executions),
            })
        })
        .on::<ops::rounds::Advance>(|r, p| {
            let rounds = rounds::advance(&*r.reading, &p.loops, &p.rounds, &p.r#loop)?;
            Ok(ops::rounds::Advanced { rounds })
        })
        .on::<ops::rounds::Stamp>(|r, p| {
            Ok(ops::rounds::Stamped {
                stamp: rounds::stamp(&*r.reading, &p.loops, &p.rounds, &p.node),
            })
        })
        .on::<ops::state::Merge>(|r, p| Ok(state::merge(&*r.reading, p.state, &p.update)))
        .on::<ops::run::Seed>(|r, p| seeding::seed(&*r.reading, &p))
}

/// Adds the operations on runs that the session keeps.
fn with_runs(engine: RustEngine<Reference>) -> RustEngine<Reference> {
    engine
        .on_some::<ops::workflow::Launch>(|r, p| {
            // Nodes are not carried out, so what a script or an option asks for would not come.
            if [p.script, p.options]
                .iter()
                .flatten()
                .any(|o| !o.is_empty())
            {
                return None;
            }
            let run = r.runs.launch(&*r.reading, p.workflow.edges);
            Some(run.map(|run| ops::workflow::Launched { run }))
        })
        .on::<ops::workflow::Advance>(|r, p| {
            let rounds = r.runs.advance(&*r.reading, &p.run, &p.r#loop)?;
            Ok(ops::rounds::Advanced { rounds })
        })
        .on::<ops::workflow::Edit>(|r, p| {
            r.runs.edit(&*r.reading, &p.run, p.workflow.edges)?;
            Ok(Done {})
        })
        .on::<ops::workflow::Pause>(|r, p| r.runs.pause(&p.run).map(|()| Done {}))
        .on::<ops::workflow::Resume>(|r, p| r.runs.resume(&*r.reading, &p.run).map(|()| Done {}))
        .on::<ops::workflow::State>(|r, p| r.runs.state(&p.run))
        .on::<ops::resume::Run>(|r, p| r.resumable.run(&*r.reading, &p))
        .on::<ops::resume::Edit>(|r, p| {
            r.resumable.edit(p.program.as_ref())?;
            Ok(Done {})
        })
        .on::<ops::resume::Resume>(|r, p| r.resumable.resume(&*r.reading, &p))
}
