//! What the nodes of a run do, as a case has it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::{present, state::State};

/// What each node does: the first item is its first execution in the run, the second its second, and
/// so on. A node that is not there, or that is executed once more than it has items, completes and
/// outputs nothing.
pub type Script = BTreeMap<String, Vec<ScriptItem>>;

/// What one execution of a node does. The first that is there of `interrupt`, `fail` and `stop`
/// happens; without any, the node completes with its outputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptItem {
    /// The output ports that it fills, with their values. Null is a value; a port that is left out
    /// is not filled. Gateways and ForEach nodes output what their type says instead.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub output: Map<String, Value>,
    /// The branches that it makes active, as the node emits them: a list of names, or one name. It
    /// is the node's output `active_branches`, and decides something only about the ports that the node's
    /// configuration has as `branches`. Gateways make active what matches instead.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Value")]
    pub branches: Option<Value>,
    /// The update of the run's state that it emits as its output `state_update`.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "State")]
    pub state_update: Option<State>,
    /// It asks for something outside the run, which pauses it. Once the run is resumed, the same
    /// execution goes on with the item's other members.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Interrupt")]
    pub interrupt: Option<Interrupt>,
    /// It fails.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Fail")]
    pub fail: Option<Fail>,
    /// It stops the whole run, which thereby completes.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Stop")]
    pub stop: Option<Stop>,
}

/// A node's question to the outside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Interrupt {
    /// The interrupt's identifier.
    pub id: String,
}

/// A node's failure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fail {
    /// What went wrong.
    pub message: String,
    /// What sort of failure it is; without it the engine's own word.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub code: Option<String>,
    /// Whether trying again may help.
    #[serde(default)]
    pub retryable: bool,
    /// What else is known about it.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Map<String, Value>")]
    pub details: Option<Map<String, Value>>,
    /// Whether it is none of the node's own failures, which an error edge could take, but one that
    /// escapes the node.
    #[serde(default)]
    pub escapes: bool,
}

/// A stop of the whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// What the node leaves as its result.
    pub payload: Value,
}
