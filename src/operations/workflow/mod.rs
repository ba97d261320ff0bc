//! Workflows, what becomes of them when they are compiled, and runs of them.

mod live;
mod node_types;
mod options;
mod plan;
mod script;
mod trace;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::{
    live::{
        Advance, AdvanceParams, Cancel, Done, Edit, EditParams, Launch, LaunchParams, Launched,
        NodeProgress, Pause, RecordPart, Resume, ResumeParams, Run, RunParams, RunState, Save,
        SaveParams, State, Step, StepParams, Stepped,
    },
    node_types::{Behaviour, NodeType, NodeTypes, OutputPort, Parameter},
    options::{Configuration, RunOptions},
    plan::{
        Compile, CompileParams, Compiled, Excluded, Exclusion, Planned, Validate, ValidateParams,
        Validated, ValidationError,
    },
    script::{Fail, Interrupt, Script, ScriptItem, Stop},
    trace::{
        Announced, Checkpoint, Execution, ExecutionStatus, Failure, RunStatus, Skip, Trace, Warning,
    },
};
use super::{edge::Edge, present};

/// A workflow, as an author draws it and an editor sends it.
///
/// Operations that need no more than its loops ask for nothing but its edges; one that is compiled
/// or carried out has an id and nodes with types.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Workflow {
    /// Its own name. Compiling a workflow without one is refused.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub id: Option<String>,
    /// Its nodes. Where only loops are asked for, what the edges name need not be repeated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Node>,
    /// Its edges.
    #[serde(default)]
    pub edges: Vec<Edge>,
    /// How it wants to be run, where neither a run's record nor the caller says otherwise.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Configuration")]
    pub settings: Option<Configuration>,
}

/// A node, as a document stores it. Members that are not named here are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Node {
    /// Its name, unique in the workflow.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub id: Option<String>,
    /// The name of its node type. One that the question does not describe is a plain one: it takes
    /// every ordinary input and outputs what the script says.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub r#type: Option<String>,
    /// What the author set on it.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "NodeData")]
    pub data: Option<NodeData>,
    /// All other members.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// What the author set on a node. Members that are not named here are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NodeData {
    /// What it is called on the canvas; a tool's name comes from it.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub label: Option<String>,
    /// Values for its input ports where nothing is delivered. Two are no part of its input:
    /// `branches`, a list of `{name, value}`, are the branches that the node is configured with
    /// (its branch ports), and `default_branch` is the branch port that takes what matches none.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Map<String, Value>")]
    pub config: Option<Map<String, Value>>,
    /// All other members.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}
