//! Runs that live from one question to the next, as far as their loops go.
//!
//! Nothing of a workflow is carried out here but the turning of its loops: a run executes the head
//! of each loop when it starts, and again whenever that loop goes on, and records the stamp.

use std::collections::BTreeMap;

use super::{
    loops,
    rounds::{self, RoundReading},
};
use crate::{
    engine::Refusal,
    operations::{
        edge::Edge,
        loops::{Reachability, Resolved},
        rounds::{Execution, ExecutionId, RoundStamp, Rounds},
        workflow::RunState,
    },
};

/// What the rules about the life of a run decide.
pub trait RunReading: RoundReading {
    /// Whether a workflow with these loops is refused when it is launched: none is.
    //= SG-16:4
    //= SG-18:4
    fn refuses(&self, _resolved: &Resolved) -> bool {
        false
    }

    /// What a run works from once a loop goes on to its next round, given what it worked from
    /// before and what the workflow as it is now would give: as before.
    //= SG-17:1
    fn extent_in_next_round(&self, before: Extent, _edited: &dyn Fn() -> Extent) -> Extent {
        before
    }

    /// What a run works from when it starts, given what its workflow gives and what the run that
    /// was started before works from.
    //= SG-17:1
    fn extent_at_launch(&self, found: Extent, _earlier: Option<&Extent>) -> Extent {
        found
    }

    /// What a run works from once its workflow was edited, given what it worked from before, how
    /// far it is, and what the edited workflow would give: as before.
    //= SG-17:1
    fn extent_after_edit(
        &self,
        before: Extent,
        _rounds: &Rounds,
        _edited: &dyn Fn() -> Extent,
    ) -> Extent {
        before
    }

    /// What a run works from once it is resumed, given the same: as before.
    //= SG-17:1
    fn extent_after_pause(&self, before: Extent, _edited: &dyn Fn() -> Extent) -> Extent {
        before
    }

    /// The counters of a resumed run, given what the replayed stamps say: just that.
    //= SG-7:4
    fn rounds_after_pause(&self, replayed: Rounds) -> Rounds {
        replayed
    }
}

/// What a run knows of its workflow's loops, and works from as long as it lives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extent {
    /// The loops.
    pub resolved: Resolved,
    /// For each node of a loop, what can reach it.
    pub reach: Reachability,
}

impl Extent {
    /// The loops of a workflow with these edges, and for each of their nodes what can reach it.
    //= SG-17:1
    //= SG-17:2
    pub(super) fn of(reading: &dyn RoundReading, edges: &[Edge]) -> Self {
        let found = loops::find(reading, edges);
        Self {
            resolved: found.resolved(reading),
            reach: found.reach(reading),
        }
    }
}

/// The runs that have been launched.
#[derive(Debug, Default)]
pub struct Runs {
    runs: BTreeMap<String, Run>,
}

#[derive(Debug, Default)]
struct Run {
    extent: Extent,
    /// The workflow's edges as they are now.
    edges: Vec<Edge>,
    rounds: Rounds,
    executions: Vec<Execution>,
    paused: bool,
}

impl Runs {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Launches a workflow and gives the run's name.
    ///
    /// # Errors
    ///
    /// `other` where the reading refuses the workflow.
    pub fn launch(
        &mut self,
        reading: &dyn RunReading,
        edges: Vec<Edge>,
    ) -> Result<String, Refusal> {
        let name = format!("run_{}", self.runs.len() + 1);
        self.launch_as(reading, name, edges)
    }

    /// Launches a workflow under this name, and gives it.
    ///
    /// # Errors
    ///
    /// `other` where the reading refuses the workflow.
    pub fn launch_as(
        &mut self,
        reading: &dyn RunReading,
        name: String,
        edges: Vec<Edge>,
    ) -> Result<String, Refusal> {
        let earlier = self.runs.get(&format!("run_{}", self.runs.len()));
        let earlier = earlier.map(|run| &run.extent);
        let mut run = Run {
            extent: reading.extent_at_launch(Extent::of(reading, &edges), earlier),
            edges,
            ..Run::default()
        };
        if reading.refuses(&run.extent.resolved) {
            return Err(Refusal::new("other", "the workflow's loops are refused"));
        }
        let heads: Vec<String> = run.extent.resolved.loops.keys().cloned().collect();
        run.rounds = heads.iter().map(|head| (head.clone(), 0)).collect();
        for head in &heads {
            run.execute(reading, head);
        }
        self.runs.insert(name.clone(), run);
        Ok(name)
    }

    /// Takes a loop to its next round and gives the counters.
    ///
    /// # Errors
    ///
    /// `unknown_run`, `unknown_loop`, `run_paused`, or `other` where the round cannot be counted.
    pub fn advance(
        &mut self,
        reading: &dyn RunReading,
        run: &str,
        head: &str,
    ) -> Result<Rounds, Refusal> {
        let run = self.live(run)?;
        let before = std::mem::take(&mut run.extent);
        run.extent = reading.extent_in_next_round(before, &|| Extent::of(reading, &run.edges));
        run.rounds = rounds::advance(reading, &run.extent.resolved.loops, &run.rounds, head)?;
        run.execute(reading, head);
        Ok(run.rounds.clone())
    }

    /// Changes the workflow that a run was launched from.
    ///
    /// # Errors
    ///
    /// `unknown_run`.
    pub fn edit(
        &mut self,
        reading: &dyn RunReading,
        run: &str,
        edges: Vec<Edge>,
    ) -> Result<(), Refusal> {
        let run = self.get(run)?;
        run.edges = edges;
        let before = std::mem::take(&mut run.extent);
        run.extent =
            reading.extent_after_edit(before, &run.rounds, &|| Extent::of(reading, &run.edges));
        Ok(())
    }

    /// Pauses a run.
    ///
    /// # Errors
    ///
    /// `unknown_run`, or `run_paused` where it is paused already.
    pub fn pause(&mut self, run: &str) -> Result<(), Refusal> {
        self.live(run)?.paused = true;
        Ok(())
    }

    /// Goes on with a paused run. Its counters come from the stamps of its executions.
    ///
    /// # Errors
    ///
    /// `unknown_run`, or `run_not_paused`.
    //= SG-7:4
    //= SG-17:5
    pub fn resume(&mut self, reading: &dyn RunReading, name: &str) -> Result<(), Refusal> {
        let run = self.get(name)?;
        if !run.paused {
            return Err(Refusal::new(
                "run_not_paused",
                format!("run `{name}` is not paused"),
            ));
        }
        run.paused = false;
        let before = std::mem::take(&mut run.extent);
        run.extent = reading.extent_after_pause(before, &|| Extent::of(reading, &run.edges));
        run.rounds = reading.rounds_after_pause(replayed(reading, &run.executions));
        Ok(())
    }

    /// What a run works from, and how far it is.
    ///
    /// # Errors
    ///
    /// `unknown_run`.
    pub fn state(&mut self, run: &str) -> Result<RunState, Refusal> {
        let run = self.get(run)?;
        let Resolved {
            loops,
            memberships,
            diagnostics,
        } = run.extent.resolved.clone();
        let round = |head: &String| run.rounds.get(head).copied().unwrap_or(0);
        Ok(RunState {
            rounds: loops.keys().map(|h| (h.clone(), round(h))).collect(),
            loops,
            reach: run.extent.reach.clone(),
            memberships,
            diagnostics,
            progress: None,
            trace: None,
        })
    }

    fn get(&mut self, name: &str) -> Result<&mut Run, Refusal> {
        self.runs
            .get_mut(name)
            .ok_or_else(|| Refusal::new("unknown_run", format!("there is no run `{name}`")))
    }

    fn live(&mut self, name: &str) -> Result<&mut Run, Refusal> {
        let run = self.get(name)?;
        if run.paused {
            return Err(Refusal::new(
                "run_paused",
                format!("run `{name}` is paused"),
            ));
        }
        Ok(run)
    }
}

impl Run {
    /// Executes a node, which leaves a stamp.
    //= SG-17:4
    fn execute(&mut self, reading: &dyn RunReading, node: &str) {
        let around = self.extent.resolved.memberships.get(node);
        let around = around.into_iter().flatten().map(String::as_str);
        let stamp = rounds::stamp_of(reading, around, &self.rounds);
        self.executions.push(Execution {
            id: Some(ExecutionId::Number(self.executions.len() as u64)),
            rounds: Some(stamp),
        });
    }
}

/// The counters as the stamps have them. A loop whose newest stamp is from an earlier round of
/// a loop around it has not begun in this one, so it is in round 0 as it was before the pause.
// open: SG-17:5 by its letter would give that loop the round of its newest stamp.
//= SG-17:5
//= SG-18:2
pub(super) fn replayed(reading: &dyn RunReading, executions: &[Execution]) -> Rounds {
    let mut newest: BTreeMap<&str, &RoundStamp> = BTreeMap::new();
    for stamp in executions.iter().filter_map(|e| e.rounds.as_ref()) {
        newest.extend(stamp.iter().map(|(head, _)| (head, stamp)));
    }
    let replayed = rounds::restore(reading, executions);
    let has_begun = |head: &str| {
        newest.get(head).is_none_or(|stamp| {
            let mut around = stamp.iter().take_while(|&(outer, _)| outer != head);
            around.all(|(outer, round)| replayed.get(outer) == Some(&round))
        })
    };
    replayed
        .iter()
        .map(|(head, &round)| (head.clone(), if has_begun(head) { round } else { 0 }))
        .collect()
}

#[cfg(test)]
#[path = "runs_tests.rs"]
mod tests;
