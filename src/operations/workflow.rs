//! Workflows, and runs of them that live from one question to the next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    Operation,
    edge::Edge,
    loops::{Bodies, LoopDiagnostic, Memberships, Reachability},
    present,
    rounds::{Advanced, Rounds},
};

/// A workflow, as an author draws it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Workflow {
    /// Its nodes, as a workflow document has them. What the edges name need not be repeated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Map<String, Value>>,
    /// Its edges.
    pub edges: Vec<Edge>,
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

/// What `workflow.launch` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LaunchParams {
    /// The workflow.
    pub workflow: Workflow,
    /// How its nodes behave.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Map<String, Value>")]
    pub script: Option<Map<String, Value>>,
    /// How it is to be run.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Map<String, Value>")]
    pub options: Option<Map<String, Value>>,
}

/// What `workflow.launch` answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Launched {
    /// The run's name, to be given back with later questions.
    pub run: String,
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
    const ABOUT: &'static str = "Pauses a run.";
    type Params = RunParams;
    type Result = Done;
}

/// `workflow.resume`
#[derive(Clone, Copy, Debug)]
pub struct Resume;

impl Operation for Resume {
    const NAME: &'static str = "workflow.resume";
    const ABOUT: &'static str = "Goes on with a paused run.";
    type Params = RunParams;
    type Result = Done;
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
}
