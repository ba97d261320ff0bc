//! `edge.record` and `edge.transport`: the two forms that an edge is written in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{super::Operation, Edge};

/// `edge.record`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"edge": {"id": "e", "targetHandle": "n-input-trigger"}});
/// let Answer::Value(recorded) = session.ask("edge.record", &question)? else {
///     unreachable!("every edge can be recorded");
/// };
/// assert_eq!(recorded["record"]["is_trigger"], true);
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Record;

impl Operation for Record {
    const NAME: &'static str = "edge.record";
    const ABOUT: &'static str = "An edge as the execution record has it.";
    type Params = RecordParams;
    type Result = Recorded;
}

/// What `edge.record` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordParams {
    /// The edge as an editor sends it.
    pub edge: Edge,
}

/// What `edge.record` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// The edge as it is recorded: `edge_id`, `source_handle`, `target_handle`, `is_trigger`,
    /// `is_loopback`, `is_tool`, `branch_name`. Which members tell its two nodes is left to the engine.
    pub record: Map<String, Value>,
}

/// `edge.transport`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"edge": {"source": "a", "data": {"condition": "x"}}});
/// let Answer::Value(transported) = session.ask("edge.transport", &question)? else {
///     unreachable!("every edge can be read back");
/// };
/// assert_eq!(transported["edge"]["data"], json!({"condition": "x"}));
/// assert_eq!(transported["edge"]["target"], "");
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Transport;

impl Operation for Transport {
    const NAME: &'static str = "edge.transport";
    const ABOUT: &'static str = "An edge as an editor reads it back once it was saved.";
    type Params = TransportParams;
    type Result = Transported;
}

/// What `edge.transport` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TransportParams {
    /// The edge as the editor saved it.
    pub edge: Edge,
}

/// What `edge.transport` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Transported {
    /// The edge as it is read back: `source`, `target`, `sourceHandle`, `targetHandle`, each of them
    /// empty where it was absent, and all that the editor saved beside them.
    pub edge: Map<String, Value>,
}
