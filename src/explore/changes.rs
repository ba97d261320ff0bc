//! Changes of a question that must not change its answer.
//!
//! With them an engine is held against itself, and nothing has to know what is right.

use serde_json::{Map, Value, json};

use super::{ask::Said, input::Input, shrink::names};

/// A question that must have the same answer.
pub(super) struct Change {
    /// What was changed, `with its edges in another order`.
    pub(super) says: &'static str,
    /// The changed question.
    pub(super) input: Input,
    /// How its answer becomes that of the unchanged one.
    pub(super) back: Back,
}

/// How an answer to a changed question becomes one to the unchanged.
#[derive(Clone, Copy)]
pub(super) enum Back {
    /// It is one.
    AsItIs,
    /// Names lose what they were given.
    Renamed,
}

/// What names are given. Put before all of them it leaves their order as it is.
const BEFORE: &str = "q_";

impl Back {
    pub(super) fn of(self, said: Said) -> Said {
        match (self, said) {
            (Self::Renamed, Said::Value(value)) => Said::Value(each_text(&value, &|t| {
                t.strip_prefix(BEFORE).map(str::to_owned)
            })),
            (_, said) => said,
        }
    }
}

/// A value with texts and names of members replaced, where there is something to replace them.
fn each_text(value: &Value, change: &dyn Fn(&str) -> Option<String>) -> Value {
    match value {
        Value::String(text) => change(text).map_or_else(|| value.clone(), Value::from),
        Value::Array(items) => items.iter().map(|v| each_text(v, change)).collect(),
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(k, v)| (change(k).unwrap_or_else(|| k.clone()), each_text(v, change)))
                .collect::<Map<_, _>>(),
        ),
        other => other.clone(),
    }
}

/// All changes that are known for a question.
pub(super) fn changes(input: &Input) -> Vec<Change> {
    let [question] = input.questions.as_slice() else {
        return Vec::new();
    };
    let operation = question.operation.as_str();
    let mut all = Vec::new();
    let mut change = |says, params: Value, back| {
        let input = Input::one(operation, params);
        if input.questions[0].params != question.params {
            all.push(Change { says, input, back });
        }
    };
    let reversed = |list: &str| {
        let mut params = question.params.clone();
        if let Some(list) = params[list].as_array_mut() {
            list.reverse();
        }
        params
    };
    match operation {
        "loops.resolve" | "loops.reach" => {
            change(
                "with its edges in another order",
                reversed("edges"),
                Back::AsItIs,
            );
            let mut params = question.params.clone();
            let edges = params["edges"].as_array_mut();
            if let Some(edges) = edges.filter(|edges| !edges.is_empty()) {
                let known = edges[0]["source"].clone();
                edges.push(json!({ "source": "zz_before", "target": "zz_after" }));
                edges.push(json!({ "source": known, "target": "zz_after" }));
                change("with a node added that is in no loop", params, Back::AsItIs);
            }
        }
        "rounds.restore" => {
            let executions = question.params["executions"].as_array();
            let ordered = executions.is_some_and(|e| e.iter().all(|e| e.get("id").is_some()));
            if ordered {
                let params = reversed("executions");
                change("with its executions in another order", params, Back::AsItIs);
            }
        }
        "port.resolve" => {
            change(
                "with its sources in another order",
                reversed("sources"),
                Back::AsItIs,
            );
        }
        _ => {}
    }
    const NAMES: &[&str] = &[
        "loops.resolve",
        "loops.reach",
        "rounds.restore",
        "rounds.advance",
        "rounds.stamp",
        "edge.freshness",
    ];
    if NAMES.contains(&operation) {
        let names = names(&input.to_json());
        let renamed = each_text(&question.params, &|text| {
            let name = match text.find("-input-").or(text.find("-output-")) {
                Some(end) => &text[..end],
                None => text,
            };
            names.contains(name).then(|| format!("{BEFORE}{text}"))
        });
        change("with its nodes renamed", renamed, Back::Renamed);
    }
    all
}
