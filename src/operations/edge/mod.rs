//! Edges, and what is asked of a single one.
//!
//! An [`Edge`] gives back all that it was read from:
//!
//! ```
//! use serde_json::json;
//! use standing::operations::edge::Edge;
//!
//! let stored = json!({"source": "a", "data": {"condition": "x"}, "colour": "red"});
//! let edge: Edge = serde_json::from_value(stored.clone())?;
//! assert_eq!(edge.source.as_deref(), Some("a"));
//! assert_eq!(serde_json::to_value(&edge)?, stored);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod barrier;
mod forms;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::{
    barrier::{
        Barrier, BarrierParams, BarrierVerdict, Freshness, FreshnessParams, FreshnessVerdict,
        Passage, Verdict,
    },
    forms::{Record, RecordParams, Recorded, Transport, TransportParams, Transported},
};
use super::{Operation, present};

/// A wire of a workflow, as a document stores it. No member is required, and members that are not
/// named here are kept; those that are named are not null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Edge {
    /// The edge's own name.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub id: Option<String>,
    /// The node that it leaves. Absent or empty, the edge joins nothing.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub source: Option<String>,
    /// The node that it goes to. Absent or empty, the edge joins nothing.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub target: Option<String>,
    /// The port that it leaves by, as a handle: `{node}-output-{port}`.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub source_handle: Option<String>,
    /// The port that it arrives at, as a handle: `{node}-input-{port}`.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub target_handle: Option<String>,
    /// What the document stores on the edge.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "EdgeData")]
    pub data: Option<EdgeData>,
    /// What the edge is, where the question says so. It then wins over handles and declared type.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "EdgeKind")]
    pub kind: Option<EdgeKind>,
    /// All other members.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

impl Edge {
    /// An edge from one node to another, and nothing more.
    pub fn between(source: impl Into<String>, target: impl Into<String>) -> Self {
        Self {
            source: Some(source.into()),
            target: Some(target.into()),
            ..Self::default()
        }
    }

    /// The same edge with its kind said.
    #[must_use]
    pub fn of_kind(mut self, kind: EdgeKind) -> Self {
        self.kind = Some(kind);
        self
    }
}

/// What a document stores on an edge. Members that are not named here are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EdgeData {
    /// The declared type. Only a string that is not empty declares anything.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Value")]
    pub edge_type: Option<Value>,
    /// A condition. It decides nothing.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Value")]
    pub condition: Option<Value>,
    /// All other members.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}

/// What an edge is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// It carries a value from an output port to an input port.
    Data,
    /// It starts its target.
    Trigger,
    /// It carries a failure to what handles it.
    Error,
    /// It goes back to the head of a loop.
    Loopback,
    /// It offers its source to its target as a tool.
    Tool,
    /// It carries what an agent answers.
    AgentResult,
}

/// `edge.branch`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let answer = session.ask("edge.branch", &json!({"sourceHandle": "gate-output-Yes"}))?;
/// assert_eq!(answer, Answer::Value(json!({"branch": "Yes"})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Branch;

impl Operation for Branch {
    const NAME: &'static str = "edge.branch";
    const ABOUT: &'static str =
        "The branch that an edge belongs to, read off the handle it leaves by.";
    type Params = BranchParams;
    type Result = BranchNamed;
}

/// What `edge.branch` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BranchParams {
    /// The handle that the edge leaves its source by.
    pub source_handle: String,
}

/// What `edge.branch` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BranchNamed {
    /// The branch's name; empty where the edge belongs to none.
    pub branch: String,
}

/// `edge.classify`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"edge": {"targetHandle": "n-input-trigger"}});
/// let answer = session.ask("edge.classify", &question)?;
/// assert_eq!(answer, Answer::Value(json!({"kind": "trigger"})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Classify;

impl Operation for Classify {
    const NAME: &'static str = "edge.classify";
    const ABOUT: &'static str = "What an edge is.";
    type Params = ClassifyParams;
    type Result = Classified;
}

/// What `edge.classify` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClassifyParams {
    /// The edge, without a `kind`.
    pub edge: Edge,
}

/// What `edge.classify` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Classified {
    /// What it is.
    pub kind: EdgeKind,
}

/// `edge.follow`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({
///     "edge": {"sourceHandle": "g-output-No"},
///     "emitted": ["yes"], "branches": [{"name": "Yes"}, {"name": "No"}],
/// });
/// let answer = session.ask("edge.follow", &question)?;
/// assert_eq!(answer, Answer::Value(json!({"followed": false})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Follow;

impl Operation for Follow {
    const NAME: &'static str = "edge.follow";
    const ABOUT: &'static str =
        "Whether an edge is followed, given what its source says about branches.";
    type Params = FollowParams;
    type Result = Followed;
}

/// What `edge.follow` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FollowParams {
    /// The edge.
    pub edge: Edge,
    /// What the source emitted as its active branches, where it emitted any.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Value")]
    pub emitted: Option<Value>,
    /// The branches that the source is configured with, `{name, value}` each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Value>,
}

/// What `edge.follow` answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Followed {
    /// Whether it is followed.
    pub followed: bool,
}
