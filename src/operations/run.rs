//! A run, and where its starting state comes from.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Operation, present, state::State};

/// `run.seed`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"snapshot": {"data": {"k": "v"}}});
/// let answer = session.ask("run.seed", &question)?;
/// assert_eq!(answer, Answer::Value(json!({
///     "state": {"data": {"k": "v"}}, "origin": "snapshot", "warnings": [],
/// })));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Seed;

impl Operation for Seed {
    const NAME: &'static str = "run.seed";
    const ABOUT: &'static str = "The state that a run starts from; refused with `run_ended` where a run that is over would go on.";
    type Params = SeedParams;
    type Result = Seeded;
}

/// What `run.seed` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeedParams {
    /// A state that the caller gives outright.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "State")]
    pub snapshot: Option<State>,
    /// The id of a checkpoint that the caller names.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub checkpoint: Option<String>,
    /// The checkpoints that there are, by id. Each belongs to its state's thread.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub checkpoints: BTreeMap<String, State>,
    /// The caller's thread.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub thread: Option<String>,
    /// The latest state of each thread that there is, by id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub threads: BTreeMap<String, State>,
}

/// What `run.seed` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Seeded {
    /// The state that the run starts from.
    pub state: State,
    /// Where it comes from, if the engine tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// What the caller is warned of, if the engine tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<SeedWarning>>,
}

/// Where a starting state can come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The caller gave it.
    Snapshot,
    /// A checkpoint that the caller named.
    Checkpoint,
    /// The latest state of the caller's thread.
    Thread,
    /// Nowhere: it is new.
    Fresh,
}

/// What a caller is warned of when a run is seeded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SeedWarning {
    /// The checkpoint that the caller named does not exist.
    CheckpointNotFound,
}
