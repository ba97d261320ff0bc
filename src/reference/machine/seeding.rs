//! How a run begins, and what outlives it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Job, Machine};
use crate::{
    engine::Refusal,
    operations::{
        run::{SeedParams, SeedWarning},
        state::State,
        workflow::{LaunchParams, Warning},
    },
    reference::{Reading, compile, foreach::Iterator, runs::Extent, seeding},
};

/// The checkpoints and the threads of a session, each with the run that it comes from.
#[derive(Debug, Default)]
pub struct Store {
    checkpoints: BTreeMap<String, (String, State)>,
    threads: BTreeMap<String, (String, State)>,
    written: u64,
}

impl Store {
    /// Keeps a checkpoint, and gives its id.
    pub(super) fn checkpoint(&mut self, run: &str, state: &State) -> String {
        self.written += 1;
        let id = format!("cp_{}", self.written);
        let entry = (run.to_owned(), state.clone());
        self.checkpoints.insert(id.clone(), entry);
        id
    }

    pub(super) fn remember(&mut self, thread: &str, run: &str, state: &State) {
        let entry = (run.to_owned(), state.clone());
        self.threads.insert(thread.to_owned(), entry);
    }

    /// Forgets all that comes from a run.
    pub(super) fn forget(&mut self, run: &str) {
        self.checkpoints.retain(|_, (of, _)| of != run);
        self.threads.retain(|_, (of, _)| of != run);
    }
}

fn states(of: &BTreeMap<String, (String, State)>) -> BTreeMap<String, State> {
    of.iter()
        .map(|(id, (_, state))| (id.clone(), state.clone()))
        .collect()
}

impl Machine {
    /// Begins a run, of which nothing is carried out yet.
    ///
    /// # Errors
    ///
    /// As compiling and seeding; `unknown_checkpoint_store`.
    //= CMP-2:2
    //= INT-14:2
    //= SG-11:3
    //= SG-12:1
    //= SG-13:1
    //= SG-15:1
    //= SG-17:1
    //= SG-17:2
    pub fn launch(
        reading: &dyn Reading,
        store: &mut Store,
        own_name: String,
        asked: LaunchParams,
    ) -> Result<Self, Refusal> {
        let options = asked.options.unwrap_or_default();
        let plan = compile::compile(reading, &asked.workflow, &asked.node_types)?;
        let name = reading.run_name(own_name, options.execution_id.as_deref());
        let settings = asked.workflow.settings.clone().unwrap_or_default();
        let configuration = reading.configure(&options, &settings, &name);
        let wanted = configuration
            .checkpoint_store
            .as_deref()
            .unwrap_or_default();
        if !reading.knows_store(wanted) {
            let message = format!("there is no checkpoint store `{wanted}`");
            return Err(Refusal::new("unknown_checkpoint_store", message));
        }
        let seeded = seeding::seed(
            reading,
            &SeedParams {
                snapshot: options.snapshot.clone(),
                checkpoint: options.checkpoint.clone(),
                checkpoints: states(&store.checkpoints),
                thread: configuration.thread.clone(),
                threads: states(&store.threads),
            },
        );
        if seeded.is_err()
            && reading.begins_before_refusing()
            && let Some(thread) = &configuration.thread
        {
            store.remember(thread, &name, &State::default());
        }
        let seeded = seeded?;
        let extent = Extent::of(reading, &asked.workflow.edges);
        let rounds = extent.resolved.loops.keys().map(|head| (head.clone(), 0));
        let missing = |warning| match warning {
            SeedWarning::CheckpointNotFound => Warning::CheckpointNotFound,
        };
        let iterator = seeded.state.get("iterator").cloned().unwrap_or(Value::Null);
        let iterator: Option<Iterator> = serde_json::from_value(iterator).ok();
        let mut machine = Self {
            rounds: rounds.collect(),
            counts: vec![0; plan.nodes.len()],
            iterators: iterator.into_iter().collect(),
            state: seeded.state,
            warnings: seeded.warnings.into_iter().flatten().map(missing).collect(),
            name,
            plan,
            workflow: asked.workflow,
            script: asked.script.unwrap_or_default(),
            recorded: reading.put_on_record(&configuration),
            configuration,
            options,
            extent,
            has_reach: true,
            ..Self::default()
        };
        for node in 0..machine.plan.nodes.len() {
            machine.enqueue(reading, node, Job::default());
        }
        Ok(machine)
    }

    /// The name of the run's record.
    pub fn name(&self) -> &str {
        &self.name
    }
}
