//! What a run writes down and tells, and how it ends.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Executed, Job, Machine, Store};
use crate::{
    engine::Refusal,
    operations::workflow::{
        Checkpoint, Configuration, Execution, ExecutionStatus, Failure, NodeProgress, RecordPart,
        RunState, RunStatus, Stepped, Trace, Workflow,
    },
    reference::{Reading, runs::Extent},
};

impl Machine {
    /// Whether the run has ended.
    fn has_ended(&self) -> bool {
        !matches!(
            self.status,
            RunStatus::Running | RunStatus::Paused | RunStatus::Interrupted
        )
    }

    fn is_paused(&self) -> bool {
        matches!(self.status, RunStatus::Paused | RunStatus::Interrupted)
    }

    /// Ends the run. What still waits is skipped.
    //= BR-7:2
    //= BR-7:4
    //= INT-13:1
    //= SG-11:1
    //= SG-14:3
    //= SG-14:4
    //= SG-19:4
    pub(super) fn end(
        &mut self,
        reading: &dyn Reading,
        store: &mut Store,
        status: RunStatus,
        failure: Option<Failure>,
    ) {
        self.status = status;
        let outcome = match status {
            RunStatus::Completed => "completed",
            RunStatus::Cancelled => "cancelled",
            _ => "failed",
        };
        let error = failure.as_ref().map(|f| f.message.as_str());
        self.state = reading.ended(&self.state, outcome, error);
        self.failure = failure;
        let mut ids: Vec<String> = Vec::new();
        for job in std::mem::take(&mut self.waiting) {
            if !reading.is_collected(status, job.dispatched) {
                continue;
            }
            let id = &self.plan.nodes[job.node].id;
            let mut skip = reading.skip(id);
            skip.rounds = Some(job.rounds);
            self.skipped.push(skip);
            ids.push(id.clone());
        }
        ids.dedup();
        self.requests.clear();
        self.metadata.extend(reading.skips_in_metadata(&ids));
        let exceeded = status == RunStatus::MaxIterationsExceeded;
        self.results = reading.reported_results(std::mem::take(&mut self.results), exceeded);
        if let Some(name) = reading.last_checkpoint()
            && reading.writes_at_end(status)
        {
            self.write(reading, store, name, None);
        }
        self.remember(store);
    }

    /// Writes a checkpoint.
    //= SG-11:1
    //= INT-13:1
    pub(super) fn write(
        &mut self,
        reading: &dyn Reading,
        store: &mut Store,
        name: &str,
        key: Option<String>,
    ) {
        let state = reading.checkpointed(&self.state);
        self.kept += state.members().values().map(values).sum::<usize>();
        let id = store.checkpoint(&self.name, &state);
        self.checkpoints.push(Checkpoint {
            parent: reading.parent(&self.checkpoints),
            id,
            key,
            name: name.to_owned(),
            state,
        });
        if !reading.keeps_its_moment() {
            for checkpoint in &mut self.checkpoints {
                checkpoint.state = self.state.clone();
            }
        }
    }

    /// Makes the run's state the latest of its thread.
    pub(super) fn remember(&self, store: &mut Store) {
        if let Some(thread) = &self.configuration.thread {
            store.remember(thread, &self.name, &self.state);
        }
    }

    /// All that has happened so far.
    pub fn trace(&self, reading: &dyn Reading) -> Trace {
        Trace {
            run: reading.reported_name(&self.name),
            status: self.status,
            results: match self.status {
                RunStatus::Interrupted => reading.partial_results(&self.results),
                _ => self.results.clone(),
            },
            executions: self.executed.iter().map(|e| e.told.clone()).collect(),
            skipped: self.skipped.clone(),
            state: self.state.clone(),
            checkpoints: self.checkpoints.clone(),
            warnings: self.warnings.clone(),
            diagnostics: self.extent.resolved.diagnostics.clone(),
            metadata: self.metadata.clone(),
            configuration: self.recorded.clone(),
            resume_handle: self.is_paused().then(|| self.name.clone()),
            failure: self.failure.clone(),
        }
    }

    /// What came of a step, given the executions that began or went on, and how many warnings
    /// there were before.
    pub fn stepped(&self, begun: &[usize], warned: usize) -> Stepped {
        let told = |&place: &usize| -> Execution { self.executed[place].told.clone() };
        Stepped {
            status: self.status,
            executions: begun.iter().map(told).collect(),
            warnings: self.warnings[warned..].to_vec(),
        }
    }

    /// How many warnings there are.
    pub fn warned(&self) -> usize {
        self.warnings.len()
    }

    /// What the run works from, how far each node is, and all that has happened.
    //= SG-15:2
    pub fn state(&self, reading: &dyn Reading) -> RunState {
        let resolved = self.extent.resolved.clone();
        let round = |head: &String| self.rounds.get(head).copied().unwrap_or(0);
        let progress = self.plan.nodes.iter().enumerate();
        let progress: BTreeMap<String, NodeProgress> = progress
            .flat_map(|(place, node)| {
                let names = reading.progress_of(&node.id, self.counts[place]);
                let progress = self.progress(place);
                names.into_iter().map(move |name| (name, progress))
            })
            .collect();
        RunState {
            rounds: resolved
                .loops
                .keys()
                .map(|h| (h.clone(), round(h)))
                .collect(),
            loops: resolved.loops,
            reach: self.extent.reach.clone(),
            memberships: resolved.memberships,
            diagnostics: resolved.diagnostics,
            progress: Some(progress),
            trace: Some(self.trace(reading)),
        }
    }

    fn progress(&self, node: usize) -> NodeProgress {
        if self
            .skipped
            .iter()
            .any(|s| s.node == self.plan.nodes[node].id)
        {
            return NodeProgress::Skipped;
        }
        match self.newest(node).map(|Executed { told, .. }| told.status) {
            None | Some(ExecutionStatus::Running) => NodeProgress::Pending,
            Some(ExecutionStatus::Completed) => NodeProgress::Completed,
            Some(ExecutionStatus::Failed) => NodeProgress::Failed,
            Some(ExecutionStatus::Interrupted) => NodeProgress::Interrupted,
        }
    }

    fn ended(&self) -> Refusal {
        let status = json!(self.status);
        let outcome = status.as_str().unwrap_or_default();
        let message = format!("run `{}` has ended ({outcome})", self.name);
        Refusal::new("run_ended", message)
    }

    /// Refuses what a run that is paused or has ended cannot do.
    ///
    /// # Errors
    ///
    /// `run_ended` or `run_paused`.
    pub fn must_be_running(&self) -> Result<(), Refusal> {
        if self.has_ended() {
            return Err(self.ended());
        }
        if self.is_paused() {
            let message = format!("run `{}` is paused", self.name);
            return Err(Refusal::new("run_paused", message));
        }
        Ok(())
    }

    /// Pauses the run.
    ///
    /// # Errors
    ///
    /// `run_ended` or `run_paused`.
    pub fn pause(&mut self, store: &mut Store) -> Result<(), Refusal> {
        self.must_be_running()?;
        self.stop_for_now("requested");
        self.remember(store);
        Ok(())
    }

    /// Takes the run up again.
    ///
    /// # Errors
    ///
    /// `run_ended` or `run_not_paused`.
    //= INT-14:1
    //= INT-14:2
    //= SG-13:2
    //= SG-14:4
    pub fn resume(&mut self, reading: &dyn Reading, allowed: Option<u64>) -> Result<(), Refusal> {
        if reading.refuses_resume(self.has_ended()) {
            return Err(self.ended());
        }
        if self.status == RunStatus::Running {
            let message = format!("run `{}` is not paused", self.name);
            return Err(Refusal::new("run_not_paused", message));
        }
        self.rebuild(reading, allowed);
        self.order = reading.order_after_pause(self.order);
        self.recorded = reading.put_on_record(&self.configuration);
        for (job, place) in std::mem::take(&mut self.interrupted) {
            let again = Job {
                due: true,
                resumes: Some(place),
                ..job
            };
            let at = self.waiting.partition_point(|j| j.node <= again.node);
            self.waiting.insert(at, again);
        }
        if let Some(asked) = self.metadata.get_mut("interrupt") {
            asked["status"] = "resolved".into();
        }
        self.metadata.shift_remove("pause_reason");
        self.passes = 0;
        self.since_pause = 0;
        self.status = RunStatus::Running;
        Ok(())
    }

    /// Cancels the run.
    ///
    /// # Errors
    ///
    /// `run_ended`.
    //= INT-13:3
    pub fn cancel(&mut self, reading: &dyn Reading, store: &mut Store) -> Result<(), Refusal> {
        if self.has_ended() {
            return Err(self.ended());
        }
        self.end(reading, store, RunStatus::Cancelled, None);
        Ok(())
    }

    /// Takes note that the workflow now reads otherwise. The run works from its plan all the same.
    //= SG-13:2
    //= SG-17:1
    pub fn edit(&mut self, reading: &dyn Reading, workflow: Workflow) {
        self.workflow = workflow;
        let before = std::mem::take(&mut self.extent);
        let edges = &self.workflow.edges;
        self.extent =
            reading.extent_after_edit(before, &self.rounds, &|| Extent::of(reading, edges));
        let settings = self.workflow.settings.clone().unwrap_or_default();
        let now = || reading.configure(&self.options, &settings, &self.name);
        let before = std::mem::take(&mut self.configuration);
        let has_begun = !self.executed.is_empty();
        self.configuration = reading.configuration_after_edit(before, has_begun, &now);
    }

    /// Ends the request that the run lives in, and opens it again from its record.
    //= INT-13:2
    //= SG-11:2
    //= SG-13:1
    pub fn save(&mut self, reading: &dyn Reading, store: &mut Store, without: &[RecordPart]) {
        self.end_request(reading, store);
        if self.has_ended() {
            self.status = reading.status_read_back(self.status);
        }
        if without.contains(&RecordPart::Configuration) {
            self.recorded = None;
        }
        if without.contains(&RecordPart::Reach) {
            self.extent.reach.clear();
            self.has_reach = false;
        }
        self.rebuild(reading, None);
    }

    /// Forgets the checkpoints that live no longer than a request.
    //= SG-11:2
    pub fn end_request(&mut self, reading: &dyn Reading, store: &mut Store) {
        let Configuration {
            checkpoint_store, ..
        } = &self.configuration;
        let kept = checkpoint_store
            .as_deref()
            .is_some_and(|s| reading.outlives_request(s));
        if !kept {
            self.checkpoints.clear();
            self.kept = 0;
            store.forget(&self.name);
        }
    }
}

/// How many values a value is made of, itself included.
fn values(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(values).sum(),
        Value::Object(members) => members.values().map(values).sum(),
        _ => 0,
    }
}
