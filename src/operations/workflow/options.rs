//! How a run is to be carried out.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::{present, state::State};

/// What the caller of a run asks for. What is left out is as the workflow's settings have it, and
/// else as the engine has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunOptions {
    /// How often each loop may turn. No case depends on the default.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "u64")]
    pub max_rounds: Option<u64>,
    /// The most that the `iterationCount` of the run's state may come to. It bounds what the
    /// workflow's settings say.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "u64")]
    pub max_iterations: Option<u64>,
    /// How many scheduler passes the run may take before it is paused. No case depends on what
    /// makes up one pass.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "u64")]
    pub max_passes: Option<u64>,
    /// The thread that the run belongs to. Threads live as long as the session: the next run on
    /// one is seeded from the latest state of the last.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub thread: Option<String>,
    /// Where checkpoints go: `ephemeral` or `durable`, which stand for the engine's own store of
    /// that sort; any other name is one that the engine does not know.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub checkpoint_store: Option<String>,
    /// The state that the run starts from.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "State")]
    pub snapshot: Option<State>,
    /// The checkpoint that the run starts from: an `id` of an earlier run's trace.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub checkpoint: Option<String>,
    /// Values for the input ports of nodes, by node: `{node: {port: value}}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub initial_data: BTreeMap<String, Value>,
    /// An identifier that the caller has for the run.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub execution_id: Option<String>,
}

/// The configuration of a run: as a workflow's settings want it (then any member may be left out),
/// or as a run has resolved and recorded it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// The thread that the run is on.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub thread: Option<String>,
    /// The checkpoint store that it uses.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub checkpoint_store: Option<String>,
    /// The most that the `iterationCount` of its state may come to.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "u64")]
    pub max_iterations: Option<u64>,
    /// How often each of its loops may turn.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "u64")]
    pub max_rounds: Option<u64>,
}
