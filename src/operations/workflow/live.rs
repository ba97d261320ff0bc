//! Runs of workflows: from beginning to end, or from one question to the next.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    super::{
        Operation,
        loops::{Bodies, LoopDiagnostic, Memberships, Reachability},
        present,
        rounds::{Advanced, Rounds},
    },
    Execution, NodeTypes, RunOptions, RunStatus, Script, Trace, Warning, Workflow,
};

/// `workflow.run`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({
///     "workflow": {
///         "id": "w",
///         "nodes": [{"id": "a", "type": "step"}, {"id": "b", "type": "step"}],
///         "edges": [{
///             "source": "a", "sourceHandle": "a-output-text",
///             "target": "b", "targetHandle": "b-input-message",
///         }],
///     },
///     "script": {"a": [{"output": {"text": "payload"}}]},
/// });
/// let Answer::Value(trace) = session.ask("workflow.run", &question)? else {
///     unreachable!("nothing is wrong with it");
/// };
/// assert_eq!(trace["status"], "completed");
/// assert_eq!(trace["executions"][1]["input"], json!({"message": "payload"}));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Run;

impl Operation for Run {
    const NAME: &'static str = "workflow.run";
    const ABOUT: &'static str = "Carries a workflow out until it ends or pauses, and tells all that happened. Refused as `workflow.compile` and `run.seed` are, and with `unknown_checkpoint_store`.";
    type Params = LaunchParams;
    type Result = Trace;
}

/// What an operation answers that has nothing to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Done {}

/// What is asked of a run, where its name is all that is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunParams {
    /// The run, as `workflow.launch` named it.
    pub run: String,
}

/// `workflow.launch`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let workflow = json!({"edges": [{"source": "h", "target": "h", "kind": "loopback"}]});
/// let launched = session.ask("workflow.launch", &json!({"workflow": workflow}))?;
/// assert_eq!(launched, Answer::Value(json!({"run": "run_1"})));
///
/// let advanced = session.ask("workflow.advance", &json!({"run": "run_1", "loop": "h"}))?;
/// assert_eq!(advanced, Answer::Value(json!({"rounds": {"h": 1}})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Launch;

impl Operation for Launch {
    const NAME: &'static str = "workflow.launch";
    const ABOUT: &'static str = "Starts a run of a workflow, which later questions go on with.";
    type Params = LaunchParams;
    type Result = Launched;
}

/// What `workflow.run` and `workflow.launch` ask.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LaunchParams {
    /// The workflow.
    pub workflow: Workflow,
    /// The node types that it uses. A type that is not there is plain and declares nothing.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub node_types: NodeTypes,
    /// What its nodes do. `workflow.run` takes it for empty where it is absent. `workflow.launch`
    /// without one starts a run whose nodes are not carried out: its loops turn by `workflow.advance`
    /// and by nothing else. With one, even an empty one, it starts a run that `workflow.step`
    /// carries on, and the workflow is compiled.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Script")]
    pub script: Option<Script>,
    /// How it is to be run.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "RunOptions")]
    pub options: Option<RunOptions>,
}

/// What `workflow.launch` answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Launched {
    /// The run's name, to be given back with later questions: the identifier of its record.
    pub run: String,
}

/// `workflow.step`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let workflow = json!({"id": "w", "nodes": [{"id": "a", "type": "t"}, {"id": "b", "type": "t"}]});
/// session.ask("workflow.launch", &json!({"workflow": workflow, "script": {}}))?;
/// let question = json!({"run": "run_1", "executions": 1});
/// for status in ["running", "completed"] {
///     let Answer::Value(stepped) = session.ask("workflow.step", &question)? else {
///         unreachable!("it has not ended");
///     };
///     assert_eq!(stepped["status"], status);
/// }
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Step;

impl Operation for Step {
    const NAME: &'static str = "workflow.step";
    const ABOUT: &'static str = "Carries a run on by some executions, or until it ends or pauses. Refused with `run_ended` and `run_paused`.";
    type Params = StepParams;
    type Result = Stepped;
}

/// What `workflow.step` asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepParams {
    /// The run, as `workflow.launch` named it.
    pub run: String,
    /// How many executions are to begin, or to go on after an interrupt. Absent: all that there are
    /// until the run ends or pauses. A run that has nothing left to execute ends.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "u64")]
    pub executions: Option<u64>,
}

/// What `workflow.step` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Stepped {
    /// How the run stands.
    pub status: RunStatus,
    /// The executions that began or went on in this step, in that order.
    pub executions: Vec<Execution>,
    /// What was warned of in this step.
    pub warnings: Vec<Warning>,
}

/// `workflow.save`
///
/// A case about a pause that is stored pauses, saves and then resumes.
#[derive(Clone, Copy, Debug)]
pub struct Save;

impl Operation for Save {
    const NAME: &'static str = "workflow.save";
    const ABOUT: &'static str = "Ends the request that a run lives in: it is stored, and what lives no longer than the request is gone. The next question opens it again from what was stored.";
    type Params = SaveParams;
    type Result = Done;
}

/// What `workflow.save` asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveParams {
    /// The run, as `workflow.launch` named it.
    pub run: String,
    /// Parts of the run's record that are lost, as in a record from before they were kept. An engine
    /// that cannot be without one declines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<RecordPart>,
}

/// A part of a run's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordPart {
    /// The configuration that the run resolved.
    Configuration,
    /// For each node of a loop, what can reach it.
    Reach,
}

/// `workflow.cancel`
#[derive(Clone, Copy, Debug)]
pub struct Cancel;

impl Operation for Cancel {
    const NAME: &'static str = "workflow.cancel";
    const ABOUT: &'static str = "Sends a run the signal to be cancelled. Refused with `run_ended`.";
    type Params = RunParams;
    type Result = Done;
}

/// `workflow.advance`
#[derive(Clone, Copy, Debug)]
pub struct Advance;

impl Operation for Advance {
    const NAME: &'static str = "workflow.advance";
    const ABOUT: &'static str = "Takes one loop of a run to its next round.";
    type Params = AdvanceParams;
    type Result = Advanced;
}

/// What `workflow.advance` asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdvanceParams {
    /// The run, as `workflow.launch` named it.
    pub run: String,
    /// The head of the loop.
    pub r#loop: String,
}

/// `workflow.edit`
#[derive(Clone, Copy, Debug)]
pub struct Edit;

impl Operation for Edit {
    const NAME: &'static str = "workflow.edit";
    const ABOUT: &'static str = "Changes the workflow that a run was launched from, while it runs.";
    type Params = EditParams;
    type Result = Done;
}

/// What `workflow.edit` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditParams {
    /// The run, as `workflow.launch` named it.
    pub run: String,
    /// The workflow as it now reads.
    pub workflow: Workflow,
}

/// `workflow.pause`
#[derive(Clone, Copy, Debug)]
pub struct Pause;

impl Operation for Pause {
    const NAME: &'static str = "workflow.pause";
    const ABOUT: &'static str = "Pauses a run. Refused with `run_ended` and `run_paused`.";
    type Params = RunParams;
    type Result = Done;
}

/// `workflow.resume`
#[derive(Clone, Copy, Debug)]
pub struct Resume;

impl Operation for Resume {
    const NAME: &'static str = "workflow.resume";
    const ABOUT: &'static str = "Takes up a paused run, so that it can be stepped again. A pending interrupt counts as answered. Refused with `run_ended` and `run_not_paused`.";
    type Params = ResumeParams;
    type Result = Done;
}

/// What `workflow.resume` asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResumeParams {
    /// The run, as `workflow.launch` named it.
    pub run: String,
    /// The most that the `iterationCount` of the run's state may come to, as far as the one who
    /// resumes it is concerned. It counts only where the run has no configuration on record.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "u64")]
    pub max_iterations: Option<u64>,
}

/// `workflow.state`
#[derive(Clone, Copy, Debug)]
pub struct State;

impl Operation for State {
    const NAME: &'static str = "workflow.state";
    const ABOUT: &'static str = "What a run works from, and how far it is.";
    type Params = RunParams;
    type Result = RunState;
}

/// What `workflow.state` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunState {
    /// The nodes of each loop that the run turns, sorted, by the loop's head.
    pub loops: Bodies,
    /// For each node of a loop, the nodes that can reach it, itself included, sorted.
    pub reach: Reachability,
    /// The round of every loop of the run.
    pub rounds: Rounds,
    /// For each node in a loop, the heads of its loops, outermost first.
    pub memberships: Memberships,
    /// What to tell the author about the loopback edges.
    pub diagnostics: Vec<LoopDiagnostic>,
    /// What a client that polls is told of each node, by the node's id. Only for a run with a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<BTreeMap<String, NodeProgress>>,
    /// All that has happened so far. Only for a run with a script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

/// How far a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NodeProgress {
    /// It has not been executed yet.
    #[default]
    Pending,
    /// Its newest execution has completed.
    Completed,
    /// Its newest execution has failed.
    Failed,
    /// Its newest execution waits for an answer.
    Interrupted,
    /// It was skipped.
    Skipped,
}
