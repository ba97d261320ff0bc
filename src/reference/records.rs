//! What a run records and reports: results, order, checkpoints, skips, its configuration and its
//! outcome.

use serde_json::{Map, Value, json};

use super::ports::PortReading;
use crate::operations::{
    rounds::RoundStamp,
    state::State,
    workflow::{Announced, Checkpoint, Configuration, RunOptions, RunStatus, Skip},
};

/// The most iterations of a run, and the most rounds of a loop, where nobody says anything.
// open: no rule names either.
const MOST_ITERATIONS: u64 = 1_000;
const MOST_ROUNDS: u64 = 100;

/// What the rules about records and reports decide.
pub trait RecordReading: PortReading {
    /// The key of a result, given how often the node was executed before.
    //= SG-8:1
    //= SG-8:2
    fn result_key(&self, node: &str, before: u64) -> String {
        match before {
            0 => node.to_owned(),
            n => format!("{node}:{n}"),
        }
    }

    /// What a result's key counts: how often the node was executed before.
    //= SG-8:1
    fn counted(&self, before: u64, _rounds: &RoundStamp) -> u64 {
        before
    }

    /// The key of the payload of a stop, given the node and the key of its result.
    //= SG-8:1
    fn stop_key(&self, _node: &str, key: &str) -> String {
        key.to_owned()
    }

    /// The results that an interrupted run reports, given those that it has.
    //= SG-8:2
    fn partial_results(&self, results: &Map<String, Value>) -> Map<String, Value> {
        results.clone()
    }

    /// The last execution order, once the run has been away.
    //= SG-8:3
    fn order_after_pause(&self, last: Option<u64>) -> Option<u64> {
        last
    }

    /// The execution order of what has just completed, given the last one.
    //= SG-8:3
    fn next_order(&self, last: Option<u64>) -> u64 {
        last.map_or(0, |n| n.saturating_add(1))
    }

    /// The name that a run goes by, given the engine's for it and the caller's.
    //= SG-15:1
    //= SG-15:3
    fn run_name(&self, own: String, _callers: Option<&str>) -> String {
        own
    }

    /// The name that a run reports, given the one of its record.
    //= SG-15:1
    //= SG-15:3
    fn reported_name(&self, record: &str) -> String {
        record.to_owned()
    }

    /// What the progress of a node goes by, given how often it was executed.
    //= SG-15:2
    fn progress_of(&self, node: &str, _executions: u64) -> Vec<String> {
        vec![node.to_owned()]
    }

    /// Whether a checkpoint is written when a node completes.
    //= SG-11:1
    fn writes_after(&self, _node: &str) -> bool {
        true
    }

    /// Whether a checkpoint holds a state of its own, and not the one that the run goes on to change.
    //= SG-11:1
    fn keeps_its_moment(&self) -> bool {
        true
    }

    /// Whether a run that comes to its end in this way writes a last checkpoint.
    //= SG-11:1
    fn writes_at_end(&self, _status: RunStatus) -> bool {
        true
    }

    /// The checkpoint that another one follows, given all that there are.
    //= SG-11:1
    fn parent(&self, written: &[Checkpoint]) -> Option<String> {
        written.last().map(|checkpoint| checkpoint.id.clone())
    }

    /// The name of the checkpoint that is written when a run ends; none where none is.
    //= SG-11:1
    //= INT-13:3
    fn last_checkpoint(&self) -> Option<&'static str> {
        Some("workflow_end")
    }

    /// Whether there is a checkpoint store of this name.
    //= SG-11:2
    //= SG-11:3
    fn knows_store(&self, name: &str) -> bool {
        matches!(name, "ephemeral" | "durable")
    }

    /// Whether the checkpoints of a store outlive the request that wrote them.
    //= SG-11:2
    fn outlives_request(&self, store: &str) -> bool {
        store == "durable"
    }

    /// The most iterations of a run, given what the workflow wants and what its caller allows.
    //= SG-13:3
    fn most_iterations(&self, wanted: Option<u64>, allowed: Option<u64>) -> u64 {
        let wanted = wanted.unwrap_or(MOST_ITERATIONS);
        allowed.map_or(wanted, |allowed| wanted.min(allowed))
    }

    /// The configuration of a run, from what its caller says, then its workflow's settings, then
    /// what the engine has.
    //= SG-13:3
    fn configure(
        &self,
        options: &RunOptions,
        settings: &Configuration,
        run: &str,
    ) -> Configuration {
        let either = |a: &Option<String>, b: &Option<String>| a.clone().or_else(|| b.clone());
        let thread = either(&options.thread, &settings.thread);
        let store = either(&options.checkpoint_store, &settings.checkpoint_store);
        Configuration {
            thread: Some(thread.unwrap_or_else(|| format!("thread_of_{run}"))),
            checkpoint_store: Some(store.unwrap_or_else(|| "durable".into())),
            max_iterations: Some(
                self.most_iterations(settings.max_iterations, options.max_iterations),
            ),
            max_rounds: options
                .max_rounds
                .or(settings.max_rounds)
                .or(Some(MOST_ROUNDS)),
        }
    }

    /// What goes on record of the configuration of a run.
    //= SG-13:1
    fn put_on_record(&self, configuration: &Configuration) -> Option<Configuration> {
        Some(configuration.clone())
    }

    /// The configuration of a run once its workflow was edited, given whether it has executed
    /// anything and what would be resolved now: the one that it has.
    //= SG-13:2
    fn configuration_after_edit(
        &self,
        before: Configuration,
        _has_begun: bool,
        _now: &dyn Fn() -> Configuration,
    ) -> Configuration {
        before
    }

    /// The configuration that a run goes on with, given the recorded one and what would be resolved
    /// now: the recorded one, if there is any.
    //= SG-13:1
    //= SG-13:2
    //= SG-13:3
    fn configuration_after_pause(
        &self,
        recorded: Option<Configuration>,
        now: &dyn Fn() -> Configuration,
    ) -> Configuration {
        recorded.unwrap_or_else(now)
    }

    /// Whether a state has gone past the iteration budget. The last iteration of it is allowed.
    //= SG-14:1
    //= SG-14:2
    fn is_past_budget(&self, iterations: u64, most: u64) -> bool {
        iterations > most
    }

    /// How a run ends whose state went past the iteration budget.
    //= SG-14:3
    //= SG-14:4
    fn status_past_budget(&self) -> RunStatus {
        RunStatus::MaxIterationsExceeded
    }

    /// Whether it is the node that fails by whose update the iteration budget is exceeded.
    //= SG-14:1
    fn fails_past_budget(&self) -> bool {
        false
    }

    /// What a run reports whose state went past the iteration budget.
    //= SG-14:3
    fn past_budget(&self, most: u64, reached: u64, node: &str) -> Map<String, Value> {
        object(json!({
            "max_iterations": most, "current_iterations": reached, "node_id": node,
        }))
    }

    /// The results that a run reports, given whether it went past its iteration budget: then none.
    //= SG-14:3
    fn reported_results(
        &self,
        results: Map<String, Value>,
        past_budget: bool,
    ) -> Map<String, Value> {
        if past_budget { Map::new() } else { results }
    }

    /// The state of a run that has ended, with its outcome.
    // open: a run past its iteration budget has failed.
    //= INT-13:1
    //= INT-13:2
    //= INT-13:3
    fn ended(&self, state: &State, outcome: &str, error: Option<&str>) -> State {
        let mut ended = state.clone();
        ended.put("status", outcome.into());
        ended.put("isComplete", true.into());
        ended.put("error", error.map_or(Value::Null, Into::into));
        ended
    }

    /// Whether a run with this outcome is refused when it is to be resumed.
    //= INT-14:1
    //= SG-14:4
    fn refuses_resume(&self, has_ended: bool) -> bool {
        has_ended
    }

    /// The status of a run that has ended, when it is opened again from its record: the stored one.
    //= INT-13:2
    fn status_read_back(&self, stored: RunStatus) -> RunStatus {
        stored
    }

    /// The state that a checkpoint holds: the run's, its outcome included.
    //= INT-13:1
    fn checkpointed(&self, state: &State) -> State {
        state.clone()
    }

    /// Whether a unit of work that waits when its run ends is skipped, given how the run ends and
    /// whether an edge has been followed to it: all of them are.
    //= BR-7:4
    fn is_collected(&self, _status: RunStatus, _dispatched: bool) -> bool {
        true
    }

    /// What the response's metadata has of the nodes that were skipped.
    //= BR-7:2
    fn skips_in_metadata(&self, skipped: &[String]) -> Map<String, Value> {
        object(json!({"nodes_skipped": skipped.len(), "skipped_node_ids": skipped}))
    }

    /// What is told of a node that was skipped.
    //= BR-7:2
    //= BR-7:4
    fn skip(&self, node: &str) -> Skip {
        let reason = || "branch_not_active".to_owned();
        Skip {
            node: node.to_owned(),
            reason: reason(),
            rounds: None,
            announced: Announced {
                event: Some(reason()),
                update: Some(reason()),
                snapshot: Some(reason()),
            },
        }
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
