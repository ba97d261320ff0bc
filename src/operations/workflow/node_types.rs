//! What a question says of the node types that a workflow uses.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::present;

/// Node types by name. A type that is not there is plain and declares nothing.
pub type NodeTypes = BTreeMap<String, NodeType>;

/// A node type: what it declares, and how its nodes behave where that is not left to the script.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeType {
    /// How nodes of the type behave.
    #[serde(default)]
    pub behaviour: Behaviour,
    /// Its parameter schema, by parameter. A parameter is an input port of the same name. Ordinary
    /// values reach a node whether they are declared or not; reserved ones (`__state__`,
    /// `__messages__`, `__data__`, `__iterator__`, `__current_item__`, `__interrupt_id__`) only
    /// where they are. A type that declares `loop_back` has a port of its own there: what
    /// is delivered on it is the node's to read, as on any port.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, Parameter>,
    /// Its output ports, by name. One that is not there is exposed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outputs: BTreeMap<String, OutputPort>,
    /// Whether nodes of the type are handed the run's live state.
    #[serde(default)]
    pub state_aware: bool,
    /// Whether nodes of the type are executed at all; a note is not.
    #[serde(default = "yes")]
    pub executable: bool,
    /// Whether tools may be wired to nodes of the type.
    #[serde(default)]
    pub accepts_tools: bool,
    /// Whether nodes of the type hand on the tools that are wired to them, and are none themselves.
    #[serde(default)]
    pub passthrough: bool,
    /// What carries nodes of the type out.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub processor: Option<String>,
    /// What people are told about it.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub description: Option<String>,
}

fn yes() -> bool {
    true
}

/// How the nodes of a type behave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Behaviour {
    /// As the script says.
    #[default]
    Plain,
    /// A gateway: it matches its input `value` with the branches of its configuration, and outputs
    /// `{value, active_branches}`. It fails where no branch matches and no `default_branch` is
    /// configured.
    Gateway,
    /// A ForEach: it goes through its input `items`, one item a round, as `foreach.run` does.
    Foreach,
}

/// A parameter of a node type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The JSON Schema type that it declares, `string`. No case depends on an ordinary value being
    /// checked against it.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub r#type: Option<String>,
    /// The value where nothing is delivered and nothing configured. Null is a value.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Value")]
    pub default: Option<Value>,
}

/// An output port of a node type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputPort {
    /// Whether the author exposes it. What is not exposed is removed from the node's output.
    pub exposed: bool,
}
