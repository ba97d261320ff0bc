//! The runs of a session that carry their workflows out.

use std::collections::BTreeMap;

use super::{
    Reading,
    machine::{Machine, Store},
};
use crate::{
    engine::Refusal,
    operations::workflow::{
        LaunchParams, ResumeParams, RunState, SaveParams, StepParams, Stepped, Trace, Workflow,
    },
};

/// The runs that carry their workflows out, and what outlives them.
#[derive(Debug, Default)]
pub struct Live {
    runs: BTreeMap<String, Machine>,
    store: Store,
}

impl Live {
    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Whether there is a run of this name.
    pub fn has(&self, run: &str) -> bool {
        self.runs.contains_key(run)
    }

    /// Begins a run and gives its name.
    ///
    /// # Errors
    ///
    /// As [`Machine::launch`].
    pub fn launch(
        &mut self,
        reading: &dyn Reading,
        name: String,
        asked: LaunchParams,
    ) -> Result<String, Refusal> {
        let machine = Machine::launch(reading, &mut self.store, name, asked)?;
        let name = machine.name().to_owned();
        self.runs.insert(name.clone(), machine);
        Ok(name)
    }

    /// Carries a workflow out, and tells all that happened.
    ///
    /// # Errors
    ///
    /// As [`Machine::launch`].
    pub fn run(
        &mut self,
        reading: &dyn Reading,
        name: String,
        asked: LaunchParams,
    ) -> Result<Trace, Refusal> {
        let mut machine = Machine::launch(reading, &mut self.store, name, asked)?;
        machine.step(reading, &mut self.store, None);
        let trace = machine.trace(reading);
        machine.end_request(reading, &mut self.store);
        self.runs.insert(machine.name().to_owned(), machine);
        Ok(trace)
    }

    /// Carries a run on.
    ///
    /// # Errors
    ///
    /// `unknown_run`, `run_ended` or `run_paused`.
    pub fn step(&mut self, reading: &dyn Reading, asked: &StepParams) -> Result<Stepped, Refusal> {
        let (machine, store) = self.get(&asked.run)?;
        machine.must_be_running()?;
        let warned = machine.warned();
        let begun = machine.step(reading, store, asked.executions);
        Ok(machine.stepped(&begun, warned))
    }

    /// Pauses a run.
    ///
    /// # Errors
    ///
    /// `unknown_run`, `run_ended` or `run_paused`.
    pub fn pause(&mut self, run: &str) -> Result<(), Refusal> {
        let (machine, store) = self.get(run)?;
        machine.pause(store)
    }

    /// Takes a paused run up again.
    ///
    /// # Errors
    ///
    /// `unknown_run`, `run_ended` or `run_not_paused`.
    pub fn resume(&mut self, reading: &dyn Reading, asked: &ResumeParams) -> Result<(), Refusal> {
        let (machine, _) = self.get(&asked.run)?;
        machine.resume(reading, asked.max_iterations)
    }

    /// Cancels a run.
    ///
    /// # Errors
    ///
    /// `unknown_run` or `run_ended`.
    pub fn cancel(&mut self, reading: &dyn Reading, run: &str) -> Result<(), Refusal> {
        let (machine, store) = self.get(run)?;
        machine.cancel(reading, store)
    }

    /// Changes the workflow that a run was launched from.
    ///
    /// # Errors
    ///
    /// `unknown_run`.
    pub fn edit(
        &mut self,
        reading: &dyn Reading,
        run: &str,
        workflow: Workflow,
    ) -> Result<(), Refusal> {
        let (machine, _) = self.get(run)?;
        machine.edit(reading, workflow);
        Ok(())
    }

    /// Ends the request that a run lives in.
    ///
    /// # Errors
    ///
    /// `unknown_run`.
    pub fn save(&mut self, reading: &dyn Reading, asked: &SaveParams) -> Result<(), Refusal> {
        let (machine, store) = self.get(&asked.run)?;
        machine.save(reading, store, &asked.without);
        Ok(())
    }

    /// What a run works from, and how far it is.
    ///
    /// # Errors
    ///
    /// `unknown_run`.
    pub fn state(&mut self, reading: &dyn Reading, run: &str) -> Result<RunState, Refusal> {
        let (machine, _) = self.get(run)?;
        Ok(machine.state(reading))
    }

    fn get(&mut self, run: &str) -> Result<(&mut Machine, &mut Store), Refusal> {
        let machine = self.runs.get_mut(run);
        let machine = machine
            .ok_or_else(|| Refusal::new("unknown_run", format!("there is no run `{run}`")))?;
        Ok((machine, &mut self.store))
    }
}
