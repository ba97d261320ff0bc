//! Rounds: how often each loop has turned, and the stamps that executions carry.

use std::{collections::BTreeMap, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};

use super::{Operation, loops::Bodies, present};

/// The round that each loop is in, by the loop's head.
pub type Rounds = BTreeMap<String, u64>;

/// The rounds that one execution belongs to, by the heads of the loops its node is in.
///
/// Its members have an order: the outermost loop comes first.
///
/// ```
/// use standing::operations::rounds::RoundStamp;
///
/// let stamp: RoundStamp = serde_json::from_str(r#"{"outer": 2, "inner": 0}"#)?;
/// assert_eq!(stamp.get("inner"), Some(0));
/// assert_eq!(stamp.iter().next(), Some(("outer", 2)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundStamp(Vec<(String, u64)>);

impl RoundStamp {
    /// The round on this loop.
    pub fn get(&self, head: &str) -> Option<u64> {
        self.iter().find(|&(h, _)| h == head).map(|(_, n)| n)
    }

    /// The loops and their rounds, as they are written.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, u64)> {
        self.0.iter().map(|(head, n)| (head.as_str(), *n))
    }

    /// Whether the execution was in no loop.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<S: Into<String>> FromIterator<(S, u64)> for RoundStamp {
    fn from_iter<I: IntoIterator<Item = (S, u64)>>(entries: I) -> Self {
        Self(entries.into_iter().map(|(h, n)| (h.into(), n)).collect())
    }
}

impl Serialize for RoundStamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for RoundStamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = RoundStamp;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of rounds by loop head")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RoundStamp, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(RoundStamp(entries))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

impl JsonSchema for RoundStamp {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RoundStamp".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Rounds::json_schema(generator)
    }
}

/// `rounds.restore`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"executions": [{"id": 2, "rounds": {"l": 1}}, {"id": 1, "rounds": {"l": 4}}]});
/// let answer = session.ask("rounds.restore", &question)?;
/// assert_eq!(answer, Answer::Value(json!({"rounds": {"l": 1}})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Restore;

impl Operation for Restore {
    const NAME: &'static str = "rounds.restore";
    const ABOUT: &'static str =
        "The round counters of a resumed run, rebuilt from the stamps of its executions.";
    type Params = RestoreParams;
    type Result = Restored;
}

/// What `rounds.restore` asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreParams {
    /// The executions of the run. Ascending ids give the order in which they were created; where
    /// one has no id, the order of the list does.
    pub executions: Vec<Execution>,
}

/// An execution, as far as rounds go.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// Its id. Later ones are greater.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "ExecutionId")]
    pub id: Option<ExecutionId>,
    /// Its stamp, where it has one.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "RoundStamp")]
    pub rounds: Option<RoundStamp>,
}

/// An execution's id: a number, or a text that sorts by time.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(untagged)]
pub enum ExecutionId {
    /// A number.
    Number(u64),
    /// A text.
    Text(String),
}

/// What `rounds.restore` answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Restored {
    /// The round of each loop that any stamp names.
    pub rounds: Rounds,
}

/// `rounds.advance`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"loops": {"l": ["l"]}, "rounds": {"l": 0}, "loop": "l"});
/// let answer = session.ask("rounds.advance", &question)?;
/// assert_eq!(answer, Answer::Value(json!({"rounds": {"l": 1}})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Advance;

impl Operation for Advance {
    const NAME: &'static str = "rounds.advance";
    const ABOUT: &'static str = "The round counters once a loop has gone on to its next round.";
    type Params = AdvanceParams;
    type Result = Advanced;
}

/// What `rounds.advance` asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdvanceParams {
    /// The nodes of each loop, by the loop's head.
    pub loops: Bodies,
    /// The round that each loop is in.
    pub rounds: Rounds,
    /// The head of the loop that goes on.
    pub r#loop: String,
}

/// What `rounds.advance` and `workflow.advance` answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Advanced {
    /// The round of the loop that went on, and of every loop that had a counter.
    pub rounds: Rounds,
}

/// `rounds.stamp`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let question = json!({"loops": {"l": ["l", "n"]}, "rounds": {}, "node": "n"});
/// let answer = session.ask("rounds.stamp", &question)?;
/// assert_eq!(answer, Answer::Value(json!({"stamp": {"l": 0}})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Stamp;

impl Operation for Stamp {
    const NAME: &'static str = "rounds.stamp";
    const ABOUT: &'static str = "The stamp that an execution of a node carries if it starts now.";
    type Params = StampParams;
    type Result = Stamped;
}

/// What `rounds.stamp` asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StampParams {
    /// The nodes of each loop, by the loop's head.
    pub loops: Bodies,
    /// The round that each loop is in. A loop that is not there is in round 0.
    pub rounds: Rounds,
    /// The node that is executed.
    pub node: String,
}

/// What `rounds.stamp` answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stamped {
    /// The stamp, outermost loop first; empty for a node in no loop.
    pub stamp: RoundStamp,
}
