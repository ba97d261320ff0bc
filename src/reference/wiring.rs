//! Which operation is answered by what.

use super::{Reference, branches, compile, foreach, forms, loops, ports, rounds, seeding, state};
use crate::{
    engine::{Refusal, RustEngine},
    operations::{
        self as ops,
        edge::Verdict,
        workflow::{self as flow, Done},
    },
};

/// The engine with all operations.
pub(super) fn wired(engine: RustEngine<Reference>) -> RustEngine<Reference> {
    with_runs(with_workflows(with_nodes(with_functions(engine))))
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

/// Adds the operations that ask about nodes, their ports and the forms of edges.
fn with_nodes(engine: RustEngine<Reference>) -> RustEngine<Reference> {
    engine
        .on::<ops::branches::Parse>(|r, p| {
            Ok(ops::branches::Parsed {
                branches: branches::parse(&*r.reading, &p.value),
            })
        })
        .on::<ops::edge::Classify>(|r, p| {
            Ok(ops::edge::Classified {
                kind: r.reading.kind(&p.edge),
            })
        })
        .on::<ops::edge::Follow>(|r, p| {
            let emitted = p.emitted.unwrap_or_default();
            let active = branches::parse(&*r.reading, &emitted);
            let configured = branches::configured(&*r.reading, &p.branches);
            Ok(ops::edge::Followed {
                followed: r.reading.is_followed(&p.edge, &active, &configured),
            })
        })
        .on::<ops::edge::Record>(|r, p| {
            Ok(ops::edge::Recorded {
                record: r.reading.recorded(&p.edge),
            })
        })
        .on::<ops::edge::Transport>(|r, p| {
            Ok(ops::edge::Transported {
                edge: forms::transport(&*r.reading, &p.edge)?,
            })
        })
        .on::<ops::foreach::Run>(|r, p| {
            Ok(ops::foreach::Ran {
                outputs: foreach::run(&*r.reading, &p.rounds)?,
            })
        })
        .on::<ops::gateway::Decide>(|r, p| {
            Ok(ops::gateway::Decided {
                active_branches: branches::decide(&*r.reading, &p)?,
            })
        })
        .on::<ops::port::Resolve>(|r, p| ports::resolve(&*r.reading, &p.port, &p.sources))
}

/// Adds the operations on whole workflows.
fn with_workflows(engine: RustEngine<Reference>) -> RustEngine<Reference> {
    engine
        .on::<flow::Validate>(|r, p| {
            Ok(flow::Validated {
                errors: forms::validate(&*r.reading, &p.workflow)?,
            })
        })
        .on::<flow::Compile>(|r, p| {
            let plan = compile::compile(&*r.reading, &p.workflow, &p.node_types)?;
            Ok(plan.compiled)
        })
        .on::<flow::Run>(|r, p| {
            let name = r.next_run();
            r.live.run(&*r.reading, name, p)
        })
        .on::<flow::Launch>(|r, p| {
            let name = r.next_run();
            let run = if p.script.is_some() {
                r.live.launch(&*r.reading, name, p)?
            } else {
                r.runs.launch_as(&*r.reading, name, p.workflow.edges)?
            };
            Ok(flow::Launched { run })
        })
        .on::<flow::Step>(|r, p| {
            not_turned_by_hand(r, &p.run)?;
            r.live.step(&*r.reading, &p)
        })
        .on::<flow::Save>(|r, p| {
            not_turned_by_hand(r, &p.run)?;
            r.live.save(&*r.reading, &p).map(|()| Done {})
        })
        .on::<flow::Cancel>(|r, p| {
            not_turned_by_hand(r, &p.run)?;
            r.live.cancel(&*r.reading, &p.run).map(|()| Done {})
        })
}

impl Reference {
    /// The name of the run that is launched next.
    fn next_run(&self) -> String {
        format!("run_{}", self.runs.len() + self.live.len() + 1)
    }
}

/// Refuses what a run without a script cannot do.
fn not_turned_by_hand(r: &mut Reference, run: &str) -> Result<(), Refusal> {
    match r.runs.state(run) {
        Ok(_) => Err(Refusal::new("other", format!("run `{run}` has no script"))),
        Err(_) => Ok(()),
    }
}

/// Adds the operations on runs of either sort.
fn with_runs(engine: RustEngine<Reference>) -> RustEngine<Reference> {
    engine
        .on::<flow::Advance>(|r, p| {
            if r.live.has(&p.run) {
                let message = format!("run `{}` turns its loops itself", p.run);
                return Err(Refusal::new("other", message));
            }
            let rounds = r.runs.advance(&*r.reading, &p.run, &p.r#loop)?;
            Ok(ops::rounds::Advanced { rounds })
        })
        .on::<flow::Edit>(|r, p| {
            if r.live.has(&p.run) {
                r.live.edit(&*r.reading, &p.run, p.workflow)?;
            } else {
                r.runs.edit(&*r.reading, &p.run, p.workflow.edges)?;
            }
            Ok(Done {})
        })
        .on::<flow::Pause>(|r, p| {
            if r.live.has(&p.run) {
                r.live.pause(&p.run)?;
            } else {
                r.runs.pause(&p.run)?;
            }
            Ok(Done {})
        })
        .on::<flow::Resume>(|r, p| {
            if r.live.has(&p.run) {
                r.live.resume(&*r.reading, &p)?;
            } else {
                r.runs.resume(&*r.reading, &p.run)?;
            }
            Ok(Done {})
        })
        .on::<flow::State>(|r, p| {
            if r.live.has(&p.run) {
                r.live.state(&*r.reading, &p.run)
            } else {
                r.runs.state(&p.run)
            }
        })
        .on::<ops::resume::Run>(|r, p| r.resumable.run(&*r.reading, &p))
        .on::<ops::resume::Edit>(|r, p| {
            r.resumable.edit(p.program.as_ref())?;
            Ok(Done {})
        })
        .on::<ops::resume::Resume>(|r, p| r.resumable.resume(&*r.reading, &p))
}
