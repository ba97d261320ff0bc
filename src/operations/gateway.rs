//! Gateways: nodes that choose a branch.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Operation, present};

/// `gateway.decide`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let branches = json!([{"name": "On", "value": "1"}, {"name": "Off", "value": "0"}]);
/// let answer = session.ask("gateway.decide", &json!({"value": false, "branches": branches}))?;
/// assert_eq!(answer, Answer::Value(json!({"active_branches": ["Off"]})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decide;

impl Operation for Decide {
    const NAME: &'static str = "gateway.decide";
    const ABOUT: &'static str = "The branches that a gateway makes active for an outcome; refused with `no_branch_matches` where it fails for want of one.";
    type Params = DecideParams;
    type Result = Decided;
}

/// What `gateway.decide` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideParams {
    /// The outcome.
    pub value: Value,
    /// The branches that the gateway is configured with: each is meant to be `{name, value}`.
    pub branches: Vec<Value>,
    /// The name of the branch that takes what matches none, where the gateway declares one.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub default: Option<String>,
}

/// What `gateway.decide` answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decided {
    /// The names of the active branches, as they are configured.
    pub active_branches: Vec<String>,
}
