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

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Operation, present, rounds::RoundStamp};

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

/// `edge.freshness`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"source": {"l": 0}, "consumer": {"l": 1}, "nesting": ["l"]});
/// let answer = session.ask("edge.freshness", &question)?;
/// assert_eq!(answer, Answer::Value(json!({"verdict": "stale"})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Freshness;

impl Operation for Freshness {
    const NAME: &'static str = "edge.freshness";
    const ABOUT: &'static str =
        "Whether a completed source speaks for the consumer's round or for an earlier one.";
    type Params = FreshnessParams;
    type Result = FreshnessVerdict;
}

/// What `edge.freshness` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FreshnessParams {
    /// The stamp of the completed source.
    pub source: RoundStamp,
    /// The stamp of the consumer.
    pub consumer: RoundStamp,
    /// The heads of the loops, outermost first.
    pub nesting: Vec<String>,
}

/// What `edge.freshness` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FreshnessVerdict {
    /// How the source stands to the consumer's round.
    pub verdict: Verdict,
}

/// How a completed source stands to its consumer's round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is a round behind.
    Stale,
    /// It is not.
    Current,
}

/// `edge.barrier`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({
///     "edge": {"kind": "trigger"},
///     "source": {"l": 0}, "consumer": {"l": 1}, "nesting": ["l"],
/// });
/// let answer = session.ask("edge.barrier", &question)?;
/// assert_eq!(answer, Answer::Value(json!({"barrier": "waits"})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Barrier;

impl Operation for Barrier {
    const NAME: &'static str = "edge.barrier";
    const ABOUT: &'static str =
        "What an edge from a completed source does to its consumer, given the rounds of both.";
    type Params = BarrierParams;
    type Result = BarrierVerdict;
}

/// What `edge.barrier` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BarrierParams {
    /// The edge between the two.
    pub edge: Edge,
    /// The stamp of the completed source.
    pub source: RoundStamp,
    /// The stamp of the consumer.
    pub consumer: RoundStamp,
    /// The heads of the loops, outermost first.
    pub nesting: Vec<String>,
}

/// What `edge.barrier` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BarrierVerdict {
    /// What becomes of the consumer.
    pub barrier: Passage,
}

/// What an edge from a completed source does to its consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Passage {
    /// The edge is satisfied, as far as rounds go.
    Passes,
    /// The consumer is left waiting, and skipped when the run ends.
    Waits,
    /// The consumer's port has to be given up.
    Terminates,
}
