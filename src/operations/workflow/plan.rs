//! `workflow.validate` and `workflow.compile`: a workflow before it runs.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    super::{
        Operation,
        loops::{Bodies, LoopDiagnostic, Memberships, Reachability},
    },
    NodeTypes, Workflow,
};

/// `workflow.validate`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let answer = session.ask("workflow.validate", &json!({"workflow": {"edges": [{}]}}))?;
/// let errors = json!([{"code": "missing_endpoint", "index": 0}]);
/// assert_eq!(answer, Answer::Value(json!({"errors": errors})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Validate;

impl Operation for Validate {
    const NAME: &'static str = "workflow.validate";
    const ABOUT: &'static str =
        "What is wrong with a workflow's edges when it is saved; nothing where it can be saved.";
    type Params = ValidateParams;
    type Result = Validated;
}

/// What `workflow.validate` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidateParams {
    /// The workflow.
    pub workflow: Workflow,
}

/// What `workflow.validate` answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Validated {
    /// What is wrong, edge by edge.
    pub errors: Vec<ValidationError>,
}

/// What is wrong with an edge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ValidationError {
    /// It lacks its source, its target or both.
    MissingEndpoint {
        /// Its place in the workflow's edges, from 0.
        index: usize,
    },
    /// It declares a type that is none.
    UnrecognisedEdgeType {
        /// Its place in the workflow's edges, from 0.
        index: usize,
        /// The type that it declares.
        edge_type: String,
    },
}

/// `workflow.compile`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let workflow = json!({"id": "w", "nodes": [{"id": "note", "type": "memo"}]});
/// let question = json!({"workflow": workflow, "node_types": {"memo": {"executable": false}}});
/// let Answer::Value(compiled) = session.ask("workflow.compile", &question)? else {
///     unreachable!("nothing is wrong with it");
/// };
/// assert_eq!(compiled["excluded"], json!([{"id": "note", "reason": "non_executable"}]));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Compile;

impl Operation for Compile {
    const NAME: &'static str = "workflow.compile";
    const ABOUT: &'static str = "What will run of a workflow, and in which order; refused with `compilation_failed` where it cannot run.";
    type Params = CompileParams;
    type Result = Compiled;
}

/// What `workflow.compile` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompileParams {
    /// The workflow.
    pub workflow: Workflow,
    /// The node types that it uses.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub node_types: NodeTypes,
}

/// What `workflow.compile` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Compiled {
    /// The nodes that will run, each after all that it depends on.
    pub order: Vec<String>,
    /// What each of them is run by, in the order in which the workflow has them.
    pub nodes: Vec<Planned>,
    /// The nodes that will not run of themselves, in the order in which the workflow has them.
    pub excluded: Vec<Excluded>,
    /// The nodes that each node waits for, sorted; only nodes that wait for any.
    pub dependencies: BTreeMap<String, Vec<String>>,
    /// The tools that each node can use, by name, sorted; only nodes that have any.
    pub tools: BTreeMap<String, Vec<String>>,
    /// The nodes of each loop, sorted, by the loop's head.
    pub loops: Bodies,
    /// For each node in a loop, the heads of its loops, outermost first.
    pub memberships: Memberships,
    /// For each node of a loop, the nodes that can reach it, itself included, sorted.
    pub reach: Reachability,
    /// What the workflow's author is told about its loopback edges.
    pub diagnostics: Vec<LoopDiagnostic>,
}

/// A node that will run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Planned {
    /// The node.
    pub id: String,
    /// The name of its node type.
    pub node_type: String,
    /// What carries it out, where its node type says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// What its node type says about itself, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A node that will not run of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Excluded {
    /// The node.
    pub id: String,
    /// Why.
    pub reason: Exclusion,
}

/// Why a node does not run of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Exclusion {
    /// Its node type is not executed.
    NonExecutable,
    /// It is wired as a tool only.
    ToolOnly,
    /// Nothing leads to it but loopback edges.
    LoopbackOnly,
}
