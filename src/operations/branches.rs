//! Active branches: what a node emits to say which way things go.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Operation;

/// `branches.parse`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let answer = session.ask("branches.parse", &json!({"value": [" Yes ", 5]}))?;
/// assert_eq!(answer, Answer::Value(json!({"branches": ["yes"]})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parse;

impl Operation for Parse {
    const NAME: &'static str = "branches.parse";
    const ABOUT: &'static str = "The active branches that a node means by what it emitted.";
    type Params = ParseParams;
    type Result = Parsed;
}

/// What `branches.parse` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParseParams {
    /// What the node emitted.
    pub value: Value,
}

/// What `branches.parse` answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parsed {
    /// The names of the active branches.
    pub branches: Vec<String>,
}
