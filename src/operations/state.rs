//! A run's state, and merging an update into it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Operation;

/// A run's state, or an update of one: a JSON object whose known members are of the right shape.
///
/// Any member may be absent, which is not the same as null; members that are not known are kept,
/// and so is the order of all of them. That is why this is an object with accessors and no struct
/// with fields.
///
/// ```
/// use serde_json::json;
/// use standing::operations::state::State;
///
/// let state: State = serde_json::from_value(json!({"iterator": null, "colour": "red"}))?;
/// assert_eq!(state.get("iterator"), Some(&json!(null)));
/// assert_eq!(state.get("error"), None);
///
/// let wrong: Result<State, _> = serde_json::from_value(json!({"data": "text"}));
/// assert!(wrong.is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Map<String, Value>", into = "Map<String, Value>")]
pub struct State(Map<String, Value>);

/// The members that have a shape, what that shape is called, and what has it.
type Shape = (&'static str, &'static str, fn(&Value) -> bool);
const SHAPES: [Shape; 9] = [
    ("status", "a string or null", is_text_or_null),
    ("isComplete", "a boolean", Value::is_boolean),
    ("data", "an object", Value::is_object),
    ("metadata", "an object", Value::is_object),
    ("messages", "a list", Value::is_array),
    ("threadId", "a string or null", is_text_or_null),
    ("currentNodeId", "a string or null", is_text_or_null),
    ("iterationCount", "a number from 0", Value::is_u64),
    ("error", "a string, an object or null", is_error),
];

/// Whether SG-1 gives a state a member of this name. The iterator has no shape of its own here.
#[cfg(feature = "explore")]
pub(crate) fn has_member(name: &str) -> bool {
    name == "iterator" || SHAPES.iter().any(|(member, ..)| *member == name)
}

fn is_text_or_null(value: &Value) -> bool {
    value.is_string() || value.is_null()
}

fn is_error(value: &Value) -> bool {
    is_text_or_null(value) || value.is_object()
}

/// A known member of a state that has the wrong shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{member}` of a state is {wanted}")]
pub struct WrongShape {
    member: &'static str,
    wanted: &'static str,
}

impl State {
    /// A member, if it is there; it may be null.
    pub fn get(&self, member: &str) -> Option<&Value> {
        self.0.get(member)
    }

    /// How the run ended; nothing while it lives.
    pub fn status(&self) -> Option<&str> {
        self.get("status").and_then(Value::as_str)
    }

    /// Whether the run has finished. Absent reads as not.
    pub fn is_complete(&self) -> bool {
        self.get("isComplete") == Some(&Value::Bool(true))
    }

    /// All members, in the order in which they are written.
    pub fn members(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Sets a member.
    ///
    /// # Errors
    ///
    /// [`WrongShape`] where it is a known member that cannot be that; the state is then as before.
    pub fn set(&mut self, member: &str, value: Value) -> Result<(), WrongShape> {
        check(member, &value)?;
        self.put(member, value);
        Ok(())
    }

    /// Sets a member to what is known to fit.
    pub(crate) fn put(&mut self, member: &str, value: Value) {
        self.0.insert(member.into(), value);
    }
}

fn check(member: &str, value: &Value) -> Result<(), WrongShape> {
    match SHAPES.iter().find(|(name, ..)| *name == member) {
        Some(&(member, wanted, fits)) if !fits(value) => Err(WrongShape { member, wanted }),
        _ => Ok(()),
    }
}

impl TryFrom<Map<String, Value>> for State {
    type Error = WrongShape;

    fn try_from(members: Map<String, Value>) -> Result<Self, WrongShape> {
        for (member, value) in &members {
            check(member, value)?;
        }
        Ok(Self(members))
    }
}

impl From<State> for Map<String, Value> {
    fn from(state: State) -> Self {
        state.0
    }
}

impl JsonSchema for State {
    fn schema_name() -> Cow<'static, str> {
        "State".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A run's state, or an update of one. Any member may be absent, which is \
                not the same as null, and members that are not named here are kept.",
            "type": "object",
            "properties": {
                "status": {
                    "description": "How the run ended: completed, failed or cancelled. Null while it lives, also while it is paused.",
                    "type": ["string", "null"],
                },
                "isComplete": { "description": "Whether the run has finished.", "type": "boolean" },
                "error": { "description": "What went wrong.", "type": ["string", "object", "null"] },
                "data": { "description": "What the thread has gathered.", "type": "object" },
                "metadata": { "description": "What the thread has gathered about itself.", "type": "object" },
                "messages": { "description": "The conversation so far.", "type": "array" },
                "threadId": { "description": "The thread that the run belongs to.", "type": ["string", "null"] },
                "currentNodeId": { "description": "The node that the run is at; empty for none.", "type": ["string", "null"] },
                "iterationCount": { "description": "How many iterations the run has made.", "type": "integer", "minimum": 0 },
                "iterator": { "description": "How far an iteration over items is; null for none." },
            },
        })
    }
}

/// `state.merge`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"state": {"data": {"a": 1}}, "update": {"data": {"b": 2}}});
/// let answer = session.ask("state.merge", &question)?;
/// assert_eq!(answer, Answer::Value(json!({
///     "state": {"data": {"a": 1, "b": 2}},
///     "before": {"data": {"a": 1}},
/// })));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Merge;

impl Operation for Merge {
    const NAME: &'static str = "state.merge";
    const ABOUT: &'static str = "A state with an update merged into it.";
    type Params = MergeParams;
    type Result = Merged;
}

/// What `state.merge` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeParams {
    /// The state as it is.
    pub state: State,
    /// What is to change. A member that is null differs from one that is absent.
    pub update: State,
}

/// What `state.merge` answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Merged {
    /// The merged state.
    pub state: State,
    /// The given state, as it reads after the merge.
    pub before: State,
}
