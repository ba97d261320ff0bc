//! ForEach nodes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::engine::Refusal;

/// How far a ForEach node is in its items.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Iterator {
    /// The node.
    pub node: String,
    /// The items.
    pub items: Vec<Value>,
    /// The place of the current one.
    pub index: usize,
    /// What the rounds so far have come to.
    pub results: Vec<Value>,
}

impl Iterator {
    /// How many items are still to come.
    pub fn remaining(&self) -> u64 {
        (self.items.len().saturating_sub(self.index + 1)) as u64
    }
}

/// What the rules about ForEach nodes decide.
pub trait ForeachReading {
    /// Whether the node begins with its items anew, given what it has of an iterator: only
    /// where it has none.
    //= SG-4:1
    fn begins(&self, iterator: Option<&Iterator>) -> bool {
        iterator.is_none()
    }

    /// What a node begins with that was given no items; nothing, and so it cannot.
    //= SG-4:1
    fn without_items(&self) -> Option<Value> {
        None
    }

    /// Takes note of what is on `items` in a later round, which is nothing.
    //= SG-4:1
    fn meanwhile(&self, _going: &mut Iterator, _given: Option<&Value>) {}

    /// The items that a node goes through, by position. What is no list is one item.
    // open: so is an object, and null.
    //= SG-4:2
    fn items(&self, given: &Value) -> Vec<Value> {
        match given {
            Value::Array(items) => items.clone(),
            one => vec![one.clone()],
        }
    }

    /// Whether a node without any item completes instead of entering its loop.
    //= SG-4:3
    fn completes_without_items(&self) -> bool {
        true
    }

    /// The result of a round, as the inputs of the next visit have it: `item_result`, and where that is not
    /// there, what came back over the loop.
    // open: an `item_result` of null is there.
    //= SG-5:1
    fn item_result(&self, inputs: &Map<String, Value>) -> Option<Value> {
        inputs
            .get("item_result")
            .or_else(|| inputs.get("loop_back"))
            .cloned()
    }

    /// What the node outputs in a round.
    fn in_round(&self, iterator: &Iterator) -> Map<String, Value> {
        let item = iterator.items.get(iterator.index);
        object(json!({
            "loop_active": true,
            "current_item": item.cloned().unwrap_or_default(),
            "current_index": iterator.index,
            "total_count": iterator.items.len(),
            "is_first": iterator.index == 0,
            "is_last": iterator.remaining() == 0,
        }))
    }

    /// What the node outputs once it completes.
    //= SG-4:4
    fn on_completion(&self, iterator: &Iterator) -> Map<String, Value> {
        object(json!({
            "loop_active": false,
            "current_item": null,
            "total_count": iterator.items.len(),
            "collected_results": iterator.results,
        }))
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// One visit to a ForEach node: what it outputs, and the iterator that it goes on with; none once it
/// has completed.
///
/// # Errors
///
/// `items_missing` where it is to begin and has no items.
//= SG-4:1
pub fn visit(
    reading: &dyn ForeachReading,
    node: &str,
    iterator: Option<Iterator>,
    inputs: &Map<String, Value>,
) -> Result<(Map<String, Value>, Option<Iterator>), Refusal> {
    let iterator = match iterator.filter(|it| !reading.begins(Some(it))) {
        Some(mut going) => {
            going.results.extend(reading.item_result(inputs));
            going.index += 1;
            reading.meanwhile(&mut going, inputs.get("items"));
            going
        }
        None => {
            let Some(items) = inputs
                .get("items")
                .cloned()
                .or_else(|| reading.without_items())
            else {
                return Err(Refusal::new(
                    "items_missing",
                    format!("`{node}` has no items to go through"),
                ));
            };
            Iterator {
                node: node.to_owned(),
                items: reading.items(&items),
                ..Iterator::default()
            }
        }
    };
    let empty = iterator.items.is_empty() && !reading.completes_without_items();
    if iterator.index < iterator.items.len() || (empty && iterator.index == 0) {
        return Ok((reading.in_round(&iterator), Some(iterator)));
    }
    Ok((reading.on_completion(&iterator), None))
}

/// The outputs of each visit to one ForEach node.
///
/// # Errors
///
/// As [`visit`].
pub fn run(
    reading: &dyn ForeachReading,
    rounds: &[Map<String, Value>],
) -> Result<Vec<Map<String, Value>>, Refusal> {
    let mut iterator = None;
    let mut outputs = Vec::new();
    for inputs in rounds {
        let (output, next) = visit(reading, "foreach", iterator, inputs)?;
        outputs.push(output);
        iterator = next;
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::AsWritten;

    fn outputs(rounds: Value) -> Value {
        let rounds: Vec<Map<String, Value>> = serde_json::from_value(rounds).unwrap();
        json!(run(&AsWritten, &rounds).unwrap())
    }

    #[test]
    fn results_are_collected_and_given_out_at_the_end() {
        let got = outputs(json!([
            {"items": ["a", "b"]},
            {"items": ["never", "read"], "loop_back": "A"},
            {"item_result": "B", "loop_back": "not this"},
        ]));
        assert_eq!(
            got,
            json!([
                {"loop_active": true, "current_item": "a", "current_index": 0, "total_count": 2,
                 "is_first": true, "is_last": false},
                {"loop_active": true, "current_item": "b", "current_index": 1, "total_count": 2,
                 "is_first": false, "is_last": true},
                {"loop_active": false, "current_item": null, "total_count": 2,
                 "collected_results": ["A", "B"]},
            ])
        );
    }

    #[test]
    fn a_scalar_is_one_item_and_no_item_is_completion() {
        assert_eq!(
            outputs(json!([{"items": "x"}])),
            json!([{"loop_active": true, "current_item": "x", "current_index": 0, "total_count": 1,
                    "is_first": true, "is_last": true}])
        );
        let none = json!({"loop_active": false, "current_item": null, "total_count": 0,
                          "collected_results": []});
        assert_eq!(outputs(json!([{"items": []}])), json!([none]));
        let refused = run(&AsWritten, &[Map::new()]).unwrap_err();
        assert_eq!(refused.reason, "items_missing");
    }
}
