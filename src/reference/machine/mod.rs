//! A run that carries its workflow out, one execution at a time.
//!
//! A run has units of work that wait, at most one for each node, and picks from them the first in
//! topological order that is ready. So a node runs once all is done that can still come before it,
//! and a loop turns as long as it may before what lies behind it runs. That is one of the
//! orders that the rules allow; another engine may have another.

mod executing;
mod input;
mod picking;
mod reporting;
mod seeding;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value};

pub use self::seeding::Store;
use super::{
    Reading,
    compile::Plan,
    foreach::Iterator,
    rounds,
    runs::{self, Extent},
};
use crate::operations::{
    rounds as stamps,
    rounds::{ExecutionId, RoundStamp, Rounds},
    state::State,
    workflow::{
        Checkpoint, Configuration, Execution, Failure, RunOptions, RunStatus, Script, Skip,
        Warning, Workflow,
    },
};

/// The most executions of one run between two pauses. A run that comes this far is paused, whatever
/// its loops are allowed.
pub const MOST_EXECUTIONS: u64 = 10_000;

/// The most JSON values that the checkpoints of one run hold together. Each has the whole state, so that one
/// which grows with every execution grows with their square; a run that has come this far is paused after
/// each execution.
pub const MOST_KEPT: usize = 1 << 20;

/// A run.
#[derive(Debug, Default)]
pub struct Machine {
    name: String,
    plan: Plan,
    /// The workflow as it now reads. The run works from its plan.
    workflow: Workflow,
    script: Script,
    options: RunOptions,
    configuration: Configuration,
    /// The configuration as the run's record has it.
    recorded: Option<Configuration>,
    extent: Extent,
    has_reach: bool,
    rounds: Rounds,
    waiting: Vec<Job>,
    interrupted: Vec<(Job, usize)>,
    next_job: u64,
    executed: Vec<Executed>,
    /// The newest execution of each node, by the node's place in the plan.
    newest: HashMap<usize, usize>,
    /// How often each node was executed.
    counts: Vec<u64>,
    /// The heads that wait for their loop's next round, by the loop.
    requests: BTreeMap<String, BTreeSet<usize>>,
    iterators: Vec<Iterator>,
    order: Option<u64>,
    passes: u64,
    since_pause: u64,
    status: RunStatus,
    state: State,
    results: Map<String, Value>,
    skipped: Vec<Skip>,
    checkpoints: Vec<Checkpoint>,
    /// How many JSON values these hold.
    kept: usize,
    warnings: Vec<Warning>,
    metadata: Map<String, Value>,
    failure: Option<Failure>,
}

/// A unit of work that waits.
#[derive(Clone, Debug, Default, PartialEq)]
struct Job {
    /// Its number. Later ones are greater.
    id: u64,
    /// Its node's place in the plan.
    node: usize,
    rounds: RoundStamp,
    /// An edge that was followed has come to it.
    dispatched: bool,
    /// It is to run whatever its edges say: a loop's head that is entered again, or a node whose
    /// interrupt was answered.
    due: bool,
    /// The execution that it goes on with.
    resumes: Option<usize>,
}

/// An execution, with what the trace does not show of it.
#[derive(Clone, Debug, Default)]
struct Executed {
    job: u64,
    node: usize,
    /// It has failed, and the failure was routed.
    routed: bool,
    told: Execution,
}

impl Machine {
    /// The stamp of a unit of work that a node would get now.
    //= SG-17:4
    fn stamp(&self, reading: &dyn Reading, node: usize) -> RoundStamp {
        let around = self
            .extent
            .resolved
            .memberships
            .get(&self.plan.nodes[node].id);
        let around = around.into_iter().flatten().map(String::as_str);
        rounds::stamp_of(reading, around, &self.rounds)
    }

    /// Adds a unit of work, in the order of nodes.
    fn enqueue(&mut self, reading: &dyn Reading, node: usize, job: Job) {
        let job = Job {
            id: self.next_job,
            node,
            rounds: self.stamp(reading, node),
            ..job
        };
        self.next_job += 1;
        let place = self.waiting.partition_point(|waiting| waiting.node <= node);
        self.waiting.insert(place, job);
    }

    /// Follows an edge to a node.
    //= SG-6:1
    fn dispatch(&mut self, reading: &dyn Reading, node: usize) {
        let rounds = self.stamp(reading, node);
        let is_waiting = |job: &Job| job.node == node && job.dispatched && job.rounds == rounds;
        let waiting = self.waiting.iter().any(is_waiting);
        let executed = self.newest(node).is_some_and(|e| e.told.rounds == rounds);
        if reading.is_new_dispatch(waiting, executed) {
            self.waiting
                .retain(|job| job.node != node || (job.dispatched && job.rounds == rounds));
            let dispatched = Job {
                dispatched: true,
                ..Job::default()
            };
            self.enqueue(reading, node, dispatched);
        }
    }

    /// The newest execution of a node.
    fn newest(&self, node: usize) -> Option<&Executed> {
        self.newest.get(&node).map(|&place| &self.executed[place])
    }

    /// The loop that a head stands for: its own, or the one that this has become part of.
    fn loop_of(&self, head: &str) -> Option<&str> {
        use crate::operations::loops::LoopDiagnostic;
        let resolved = &self.extent.resolved;
        if let Some((key, _)) = resolved.loops.get_key_value(head) {
            return Some(key);
        }
        resolved.diagnostics.iter().find_map(|d| match d {
            LoopDiagnostic::Merged {
                head: key,
                absorbed,
            } if absorbed.iter().any(|h| h == head) => Some(key.as_str()),
            _ => None,
        })
    }

    /// Takes a loop to its next round.
    //= SG-7:2
    //= SG-18:2
    fn reenter(&mut self, reading: &dyn Reading, key: &str) {
        let heads = self.requests.remove(key).unwrap_or_default();
        let loops = &self.extent.resolved.loops;
        let Ok(after) = rounds::advance(reading, loops, &self.rounds, key) else {
            return;
        };
        self.rounds.extend(after);
        self.passes += 1;
        for head in heads {
            self.waiting.retain(|job| job.node != head);
            let again = Job {
                dispatched: true,
                due: true,
                ..Job::default()
            };
            self.enqueue(reading, head, again);
        }
        if self
            .options
            .max_passes
            .is_some_and(|most| self.passes >= most)
        {
            self.stop_for_now("max_passes");
        }
    }

    /// Pauses the run for a reason of its own.
    fn stop_for_now(&mut self, reason: &str) {
        self.status = RunStatus::Paused;
        self.metadata.insert("pause_reason".into(), reason.into());
    }

    /// Carries the run on until it ends or pauses, or has begun so many executions. Gives the places of
    /// those that began or went on.
    pub fn step(
        &mut self,
        reading: &dyn Reading,
        store: &mut Store,
        limit: Option<u64>,
    ) -> Vec<usize> {
        let mut begun = Vec::new();
        while self.status == RunStatus::Running {
            let spent = limit.is_some_and(|limit| begun.len() as u64 >= limit);
            match self.pick(reading) {
                Pick::Nothing => self.end(reading, store, RunStatus::Completed, None),
                _ if spent => break,
                Pick::Loop(key) => self.reenter(reading, &key),
                Pick::Job(place) => {
                    let job = self.waiting.remove(place);
                    begun.push(self.execute(reading, store, job));
                    self.since_pause += 1;
                }
                Pick::GiveUp(place, verdict) => {
                    let job = self.waiting.remove(place);
                    begun.push(self.give_up(reading, store, job, &verdict));
                    self.since_pause += 1;
                }
            }
            if self.since_pause >= MOST_EXECUTIONS && self.status == RunStatus::Running {
                self.stop_for_now("max_executions");
            }
            if self.kept >= MOST_KEPT && self.status == RunStatus::Running {
                self.stop_for_now("max_state");
            }
        }
        self.remember(store);
        begun
    }

    /// Rebuilds what the run's record tells after the run has been away.
    //= SG-7:4
    //= SG-13:2
    //= SG-17:1
    //= SG-17:5
    fn rebuild(&mut self, reading: &dyn Reading, allowed: Option<u64>) {
        let before = std::mem::take(&mut self.extent);
        let reach = before.reach.clone();
        let edges = &self.workflow.edges;
        self.extent = reading.extent_after_pause(before, &|| Extent::of(reading, edges));
        if !self.has_reach {
            self.extent.reach = reach;
        }
        let mut stamped: Vec<stamps::Execution> = Vec::new();
        let executed = self.executed.iter().map(|e| (e.job, &e.told.rounds));
        let waiting = self.waiting.iter().map(|job| (job.id, &job.rounds));
        for (id, rounds) in executed.chain(waiting) {
            stamped.push(stamps::Execution {
                id: Some(ExecutionId::Number(id)),
                rounds: Some(rounds.clone()),
            });
        }
        self.rounds = reading.rounds_after_pause(runs::replayed(reading, &stamped));
        let settings = self.workflow.settings.clone().unwrap_or_default();
        let options = RunOptions {
            max_iterations: allowed,
            ..RunOptions::default()
        };
        let now = || reading.configure(&options, &settings, &self.name);
        self.configuration = reading.configuration_after_pause(self.recorded.clone(), &now);
    }
}

/// What a run does next.
enum Pick {
    /// It executes this unit of work.
    Job(usize),
    /// It gives up a port of this one.
    GiveUp(usize, super::barrier::Verdict),
    /// It takes this loop to its next round.
    Loop(String),
    /// It has nothing left to do.
    Nothing,
}

#[cfg(test)]
mod tests;
