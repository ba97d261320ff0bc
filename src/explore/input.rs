//! What is drawn: one question, or a conversation of several.

use serde_json::{Map, Value, json};

/// One question of an [`Input`].
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What is asked for.
    pub operation: String,
    /// The params. A string that is wholly `$name` stands for what an earlier answer bound.
    pub params: Value,
    /// The name that later questions know a part of the answer by, and the JSON Pointer of the part.
    pub bind: Option<(String, String)>,
}

/// What an engine is asked: one question, or several in one session.
///
/// ```
/// use serde_json::json;
/// use standing::explore::Input;
///
/// let input = Input::one("branches.parse", json!({"value": "a, b"}));
/// assert_eq!(Input::from_json(&input.to_json()), Some(input));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The questions, in their order.
    pub questions: Vec<Question>,
}

impl Input {
    /// A single question.
    pub fn one(operation: &str, params: Value) -> Self {
        Self::default().then(operation, params)
    }

    /// This, and then one more question.
    #[must_use]
    pub fn then(mut self, operation: &str, params: Value) -> Self {
        self.questions.push(Question {
            operation: operation.to_owned(),
            params,
            bind: None,
        });
        self
    }

    /// Gives a part of the answer to the last question a name.
    #[must_use]
    pub fn bind(mut self, name: &str, pointer: &str) -> Self {
        if let Some(last) = self.questions.last_mut() {
            last.bind = Some((name.to_owned(), pointer.to_owned()));
        }
        self
    }

    /// The questions as case files have their steps: `operation`, `given`, `bind`.
    pub fn to_json(&self) -> Value {
        let step = |q: &Question| {
            let mut step = Map::new();
            step.insert("operation".to_owned(), json!(q.operation));
            step.insert("given".to_owned(), q.params.clone());
            if let Some((name, pointer)) = &q.bind {
                step.insert("bind".to_owned(), json!({ name: pointer }));
            }
            Value::Object(step)
        };
        self.questions.iter().map(step).collect()
    }

    /// Reads what [`to_json`](Self::to_json) writes.
    pub fn from_json(steps: &Value) -> Option<Self> {
        let steps = steps.as_array()?.iter().map(|step| {
            let bind = step.get("bind").and_then(Value::as_object);
            let bind = bind.and_then(|names| names.iter().next());
            Some(Question {
                operation: step.get("operation")?.as_str()?.to_owned(),
                params: step.get("given").cloned()?,
                bind: match bind {
                    Some((name, pointer)) => Some((name.clone(), pointer.as_str()?.to_owned())),
                    None => None,
                },
            })
        });
        let questions: Vec<Question> = steps.collect::<Option<_>>()?;
        (!questions.is_empty()).then_some(Self { questions })
    }

    /// Whether any part of the params has a member of one of these names.
    pub fn has_member(&self, names: &[String]) -> bool {
        fn has(value: &Value, names: &[String]) -> bool {
            match value {
                Value::Array(items) => items.iter().any(|v| has(v, names)),
                Value::Object(members) => {
                    let mut all = members.iter();
                    all.any(|(name, value)| names.contains(name) || has(value, names))
                }
                _ => false,
            }
        }
        !names.is_empty() && self.questions.iter().any(|q| has(&q.params, names))
    }

    /// Whether each name that a question uses was bound before.
    pub fn is_bound(&self) -> bool {
        let mut bound: Vec<&str> = Vec::new();
        self.questions.iter().all(|question| {
            let mut known = true;
            each_name(&question.params, &mut |name| known &= bound.contains(&name));
            bound.extend(question.bind.iter().map(|(name, _)| name.as_str()));
            known
        })
    }
}

impl Default for Input {
    /// No question yet.
    fn default() -> Self {
        Self {
            questions: Vec::new(),
        }
    }
}

/// Calls `with` for each name that a value uses.
fn each_name<'v>(value: &'v Value, with: &mut impl FnMut(&'v str)) {
    match value {
        Value::String(text) => {
            if let Some(name) = text.strip_prefix('$') {
                with(name);
            }
        }
        Value::Array(items) => items.iter().for_each(|v| each_name(v, with)),
        Value::Object(members) => members.values().for_each(|v| each_name(v, with)),
        _ => {}
    }
}

/// The params with the names in them replaced by what they stand for.
pub(super) fn filled(params: &Value, bound: &Map<String, Value>) -> Value {
    match params {
        Value::String(text) => text
            .strip_prefix('$')
            .and_then(|name| bound.get(name))
            .unwrap_or(params)
            .clone(),
        Value::Array(items) => items.iter().map(|v| filled(v, bound)).collect(),
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(k, v)| (k.clone(), filled(v, bound)))
                .collect(),
        ),
        other => other.clone(),
    }
}
