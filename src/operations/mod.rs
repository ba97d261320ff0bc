//! What an engine can be asked to do.
//!
//! An [`Operation`] is a name and two types: what is asked and what is answered. One file holds
//! the operations of one noun (`loops.rs` has `loops.resolve` and `loops.reach`). The types serve
//! engines that are written in Rust and are where the JSON Schemas come from; between a case and
//! an engine in another language, params travel as the JSON that the case has, unaltered.
//!
//! The set is open: [`Operations::with`] adds one that another specification needs.

pub mod branches;
pub mod edge;
pub mod foreach;
pub mod gateway;
pub mod handle;
mod lists;
pub mod loops;
pub mod port;
pub mod resume;
pub mod rounds;
pub mod run;
pub mod state;
pub mod workflow;

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, generate::SchemaSettings, transform::RecursiveTransform};
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::Value;

pub use lists::objects_for_lists;

/// Something an engine can be asked to do: a name, and the types of question and answer.
///
/// # Examples
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use standing::operations::{Operation, Operations};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Params { text: String }
///
/// #[derive(Serialize, JsonSchema)]
/// struct Counted { words: usize }
///
/// /// `text.count`
/// struct Count;
///
/// impl Operation for Count {
///     const NAME: &'static str = "text.count";
///     const ABOUT: &'static str = "How many words a text has.";
///     type Params = Params;
///     type Result = Counted;
/// }
///
/// let operations = Operations::standard().with::<Count>();
/// assert!(operations.get("text.count").is_some());
/// ```
pub trait Operation {
    /// The name on the wire and in case files: a noun, a dot, a verb.
    const NAME: &'static str;
    /// One sentence for people: what is asked.
    const ABOUT: &'static str;
    /// What is asked. A JSON object.
    type Params: DeserializeOwned + JsonSchema;
    /// What is answered.
    type Result: Serialize + JsonSchema;
}

/// One operation as the harness knows it: name, description and schemas, without its types.
#[derive(Clone)]
pub struct OperationInfo {
    /// The name, `loops.resolve`.
    pub name: &'static str,
    /// One sentence: what is asked.
    pub about: &'static str,
    params: fn() -> Value,
    result: fn() -> Value,
}

impl OperationInfo {
    fn of<O: Operation>() -> Self {
        Self {
            name: O::NAME,
            about: O::ABOUT,
            params: schema::<O::Params>,
            result: schema::<O::Result>,
        }
    }

    /// The JSON Schema (draft 2020-12) of the params, made anew at each call.
    pub fn params_schema(&self) -> Value {
        (self.params)()
    }

    /// The JSON Schema (draft 2020-12) of the result, made anew at each call.
    pub fn result_schema(&self) -> Value {
        (self.result)()
    }
}

pub(crate) fn schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(without_code))
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// The descriptions come from the types' documentation; code in Rust says nothing to those who read
/// them as a schema.
fn without_code(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description")
        && let Some(end) = text.find("\n\n```")
    {
        text.truncate(end);
    }
}

/// Reads an optional member that is there. It must then have a value: null is not absent.
pub(crate) fn present<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// The operations that cases may use, by name.
#[derive(Clone, Default)]
pub struct Operations {
    known: BTreeMap<&'static str, OperationInfo>,
}

impl Operations {
    /// None at all, to build a set of one's own.
    pub fn none() -> Self {
        Self::default()
    }

    /// All that the harness brings.
    ///
    /// ```
    /// let operations = standing::operations::Operations::standard();
    /// assert!(operations.get("loops.resolve").is_some());
    /// ```
    pub fn standard() -> Self {
        Self::none()
            .with::<branches::Parse>()
            .with::<edge::Barrier>()
            .with::<edge::Branch>()
            .with::<edge::Classify>()
            .with::<edge::Follow>()
            .with::<edge::Freshness>()
            .with::<edge::Record>()
            .with::<edge::Transport>()
            .with::<foreach::Run>()
            .with::<gateway::Decide>()
            .with::<handle::Port>()
            .with::<loops::Reach>()
            .with::<loops::Reenter>()
            .with::<loops::Resolve>()
            .with::<port::Resolve>()
            .with::<resume::Edit>()
            .with::<resume::Resume>()
            .with::<resume::Run>()
            .with::<rounds::Advance>()
            .with::<rounds::Restore>()
            .with::<rounds::Stamp>()
            .with::<run::Seed>()
            .with::<state::Merge>()
            .with::<workflow::Advance>()
            .with::<workflow::Cancel>()
            .with::<workflow::Compile>()
            .with::<workflow::Edit>()
            .with::<workflow::Launch>()
            .with::<workflow::Pause>()
            .with::<workflow::Resume>()
            .with::<workflow::Run>()
            .with::<workflow::Save>()
            .with::<workflow::State>()
            .with::<workflow::Step>()
            .with::<workflow::Validate>()
    }

    /// Adds one. An operation of the same name is replaced.
    #[must_use]
    pub fn with<O: Operation>(mut self) -> Self {
        self.known.insert(O::NAME, OperationInfo::of::<O>());
        self
    }

    /// The operation of this name.
    pub fn get(&self, name: &str) -> Option<&OperationInfo> {
        self.known.get(name)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &OperationInfo> {
        self.known.values()
    }
}

#[cfg(test)]
mod tests;
