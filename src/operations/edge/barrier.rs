//! `edge.freshness` and `edge.barrier`: an edge between two rounds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    super::{Operation, rounds::RoundStamp},
    Edge,
};

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
