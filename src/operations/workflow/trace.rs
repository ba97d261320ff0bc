//! What a run tells of itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    super::{loops::LoopDiagnostic, rounds::RoundStamp, state::State},
    Configuration,
};

/// All that has happened in a run so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// The identifier of the run's record, to be given back with later questions.
    pub run: String,
    /// How the run stands.
    pub status: RunStatus,
    /// What the executions have given, by result key (`node`, then `node:1`, `node:2`): the output
    /// of what completed, the error payload of a failure that was routed, what a stop left.
    pub results: Map<String, Value>,
    /// The executions, in the order in which they began. One that is resumed stays the same.
    pub executions: Vec<Execution>,
    /// The nodes that were skipped.
    pub skipped: Vec<Skip>,
    /// The run's state.
    pub state: State,
    /// The checkpoints that its store has, oldest first.
    pub checkpoints: Vec<Checkpoint>,
    /// What was warned of, in the order in which it came up, repetitions included.
    pub warnings: Vec<Warning>,
    /// What the workflow's author is told about its loopback edges.
    pub diagnostics: Vec<LoopDiagnostic>,
    /// What the response says about the run: `nodes_skipped` and `skipped_node_ids`; over the
    /// iteration budget `max_iterations`, `current_iterations` and `node_id`; interrupted
    /// `interrupt: {id, nodeId, status}`; paused `pause_reason`. An engine may tell more.
    pub metadata: Map<String, Value>,
    /// The configuration that the run recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<Configuration>,
    /// What the run is resumed by. Only where it can be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume_handle: Option<String>,
    /// Why the run failed. Only where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// How a run stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It has more to do.
    #[default]
    Running,
    /// It was paused.
    Paused,
    /// It is paused because a node has interrupted it.
    Interrupted,
    /// It has ended well.
    Completed,
    /// It has failed.
    Failed,
    /// It was cancelled.
    Cancelled,
    /// It has ended because its state went past the iteration budget.
    MaxIterationsExceeded,
}

/// One execution of a node: its unit of work.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Execution {
    /// The node.
    pub node: String,
    /// How often the node was executed before, in this run.
    pub occurrence: u64,
    /// The key that its result has, or would have.
    pub key: String,
    /// Its execution order: given to what has completed or whose failure was routed; greater than any before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<u64>,
    /// What is recorded of it.
    pub status: ExecutionStatus,
    /// The statuses that the node itself announced: `running`, `completed`.
    pub trail: Vec<ExecutionStatus>,
    /// The input that the node saw: what was delivered, initial data, configuration, defaults, and the
    /// reserved members that it declares.
    pub input: Map<String, Value>,
    /// The input that was recorded.
    pub recorded_input: Map<String, Value>,
    /// The live state that the node was handed. Only where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live_state: Option<State>,
    /// What it output, or the error payload that stands for it. Only where there is an output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Map<String, Value>>,
    /// The rounds it belongs to, outermost loop first; empty for a node in no loop.
    pub rounds: RoundStamp,
    /// The branches that it made active, trimmed and in lower case. Only where it said any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branches: Option<Vec<String>>,
    /// Whether its failure was routed.
    pub error_routed: bool,
    /// The message of its failure. Only where it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The interrupt that it raised. Only where it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupt: Option<String>,
}

/// What is recorded of an execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionStatus {
    /// It has begun.
    #[default]
    Running,
    /// It has ended well.
    Completed,
    /// It has failed, routed or not.
    Failed,
    /// It waits for an answer from outside the run.
    Interrupted,
}

/// A node that was skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Skip {
    /// The node.
    pub node: String,
    /// The machine-readable reason, `branch_not_active`.
    pub reason: String,
    /// The rounds of the unit of work that was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<RoundStamp>,
    /// The reason as each channel announced it.
    pub announced: Announced,
}

/// The reason that each channel gave for a skip. One that announced nothing is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Announced {
    /// The skip event of the node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The real-time status update.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub update: Option<String>,
    /// The run's snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
}

/// A checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Checkpoint {
    /// Its id.
    pub id: String,
    /// The checkpoint before it; null for the first.
    pub parent: Option<String>,
    /// The result key of the execution that it was written after. Only where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Its name: that of the node it was written after, or `workflow_end`.
    pub name: String,
    /// The state that it holds.
    pub state: State,
}

/// What is warned of while a workflow is compiled or carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Warning {
    /// A condition on an edge decides nothing.
    ConditionIgnored {
        /// The edge's id, where it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        edge: Option<String>,
        /// The node that it leaves.
        source: String,
        /// The node that it goes to.
        target: String,
    },
    /// Several sources had a value for one port.
    PortCollision {
        /// The node that the port is on, where the question names it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<String>,
        /// The port.
        port: String,
        /// The nodes that had a value for it, sorted.
        sources: Vec<String>,
    },
    /// The checkpoint that the caller named does not exist.
    CheckpointNotFound,
}

/// Why a run failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// What is said about it.
    pub message: String,
    /// The node that failed.
    pub node: String,
    /// What sort of failure it is.
    pub code: String,
    /// The port that cannot be filled any more, where that is the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// The source that the port would have been filled from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The round of the failed node on the innermost loop that it shares with the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u64>,
    /// The gateway that routed away from the source, where that can be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gateway: Option<String>,
}
