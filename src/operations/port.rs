//! Input ports, and what arrives at them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Operation, present, workflow::Warning};

/// `port.resolve`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let sources = json!([{"node": "a", "order": 4, "value": 1}, {"node": "b", "order": 9, "value": 2}]);
/// let answer = session.ask("port.resolve", &json!({"port": "p", "sources": sources}))?;
/// assert_eq!(answer, Answer::Value(json!({
///     "input": {"p": 2},
///     "warnings": [{"code": "port_collision", "port": "p", "sources": ["a", "b"]}],
/// })));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Resolve;

impl Operation for Resolve {
    const NAME: &'static str = "port.resolve";
    const ABOUT: &'static str = "What an input port receives from the sources that feed it.";
    type Params = ResolveParams;
    type Result = Resolved;
}

/// What `port.resolve` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolveParams {
    /// The port's name.
    pub port: String,
    /// The sources that have a value for it, in the order in which their edges are drawn.
    pub sources: Vec<Source>,
}

/// A source of a port.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The node.
    pub node: String,
    /// Its execution order, where it has one.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "u64")]
    pub order: Option<u64>,
    /// What it has for the port.
    pub value: Value,
}

/// What `port.resolve` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resolved {
    /// The port with its value; empty where nothing arrives.
    pub input: Map<String, Value>,
    /// What is warned of.
    pub warnings: Vec<Warning>,
}
