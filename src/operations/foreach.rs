//! ForEach nodes: one round for every item of a list.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Operation;

/// `foreach.run`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let answer = session.ask("foreach.run", &json!({"rounds": [{"items": []}]}))?;
/// assert_eq!(answer, Answer::Value(json!({"outputs": [{
///     "loop_active": false, "current_item": null, "total_count": 0, "collected_results": [],
/// }]})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Run;

impl Operation for Run {
    const NAME: &'static str = "foreach.run";
    const ABOUT: &'static str = "What a ForEach node outputs each time that it is executed; refused with `items_missing` where it has nothing to go through.";
    type Params = RunParams;
    type Result = Ran;
}

/// What `foreach.run` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunParams {
    /// The inputs of each visit to the node, first visit first: `items`, and from the second on
    /// `item_result` or `loop_back`.
    pub rounds: Vec<Map<String, Value>>,
}

/// What `foreach.run` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ran {
    /// The outputs of each visit. In a round: `loop_active` true, `current_item`, `current_index`,
    /// `total_count`, `is_first` and `is_last`. On completion: `loop_active` false, `current_item` null,
    /// `total_count` and `collected_results`.
    pub outputs: Vec<Map<String, Value>>,
}
