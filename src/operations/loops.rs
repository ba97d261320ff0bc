//! Loops: what a workflow's loopback edges close, and when they are followed again.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Operation, edge::Edge, present, rounds::Rounds};

/// The nodes of each loop, by the loop's head. As an answer each list is sorted.
pub type Bodies = BTreeMap<String, Vec<String>>;

/// The heads of the loops that each node is in, outermost loop first. Only nodes in a loop.
pub type Memberships = BTreeMap<String, Vec<String>>;

/// For each node of a loop, the nodes that can reach it, itself included, sorted.
pub type Reachability = BTreeMap<String, Vec<String>>;

/// `loops.resolve`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"edges": [
///     {"source": "h", "target": "t"},
///     {"source": "t", "target": "h", "kind": "loopback"},
/// ]});
/// let answer = session.ask("loops.resolve", &question)?;
/// assert_eq!(answer, Answer::Value(json!({
///     "loops": {"h": ["h", "t"]},
///     "memberships": {"h": ["h"], "t": ["h"]},
///     "diagnostics": [],
/// })));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Resolve;

impl Operation for Resolve {
    const NAME: &'static str = "loops.resolve";
    const ABOUT: &'static str =
        "The loops that a workflow's edges make, and what is wrong with them.";
    type Params = ResolveParams;
    type Result = Resolved;
}

/// What `loops.resolve` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolveParams {
    /// The edges of the workflow.
    pub edges: Vec<Edge>,
}

/// What `loops.resolve` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resolved {
    /// The nodes of each loop, sorted, by the loop's head.
    pub loops: Bodies,
    /// For each node in a loop, the heads of its loops, outermost first.
    pub memberships: Memberships,
    /// What to tell the author about the loopback edges.
    pub diagnostics: Vec<LoopDiagnostic>,
}

/// What a workflow's author is told about its loopback edges.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum LoopDiagnostic {
    /// A loopback edge closes no cycle.
    NoCycle {
        /// The node that the edge goes back to.
        head: String,
        /// The node that it comes from.
        tail: String,
    },
    /// Loops were made one, because they share nodes and neither holds the other.
    Merged {
        /// The head that the one loop is known by.
        head: String,
        /// The heads that stand for no loop any more.
        absorbed: Vec<String>,
    },
}

/// `loops.reach`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"edges": [
///     {"source": "seed", "target": "h"},
///     {"source": "h", "target": "h", "kind": "loopback"},
/// ]});
/// let answer = session.ask("loops.reach", &question)?;
/// assert_eq!(answer, Answer::Value(json!({"reach": {"h": ["h", "seed"]}})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reach;

impl Operation for Reach {
    const NAME: &'static str = "loops.reach";
    const ABOUT: &'static str = "Which nodes can still reach each node of a loop.";
    type Params = ReachParams;
    type Result = Reached;
}

/// What `loops.reach` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReachParams {
    /// The edges of the workflow.
    pub edges: Vec<Edge>,
}

/// What `loops.reach` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reached {
    /// For each node of a loop, the nodes that can reach it, itself included, sorted.
    pub reach: Reachability,
}

/// `loops.reenter`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({
///     "edge": {"source": "t", "target": "h", "kind": "loopback"},
///     "active_branches": [],
///     "rounds_run": {"h": 2}, "executions": {"h": 3, "t": 1},
///     "max_rounds": 2,
/// });
/// let answer = session.ask("loops.reenter", &question)?;
/// assert_eq!(answer, Answer::Value(json!({"reenter": false})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reenter;

impl Operation for Reenter {
    const NAME: &'static str = "loops.reenter";
    const ABOUT: &'static str =
        "Whether a loop is entered once more over one of its loopback edges.";
    type Params = ReenterParams;
    type Result = Reentered;
}

/// What `loops.reenter` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReenterParams {
    /// The loopback edge. Its target is the loop's head.
    pub edge: Edge,
    /// The branches that the edge's source has made active.
    pub active_branches: Vec<String>,
    /// The loop's iterator, where it has one.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "IteratorState")]
    pub iterator: Option<IteratorState>,
    /// How many rounds each loop has run, by its head. A loop that is not there has run none.
    pub rounds_run: Rounds,
    /// How often each node has been executed.
    pub executions: BTreeMap<String, u64>,
    /// How many rounds a loop may run.
    pub max_rounds: u64,
}

/// How far a loop's iterator is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IteratorState {
    /// How many items are still to come.
    pub remaining: u64,
}

/// What `loops.reenter` answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reentered {
    /// Whether the head runs again.
    pub reenter: bool,
}
