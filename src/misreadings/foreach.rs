//! Misreadings of ForEach nodes: how they begin, go on and complete, and what comes back to them and
//! to others.

use serde_json::{Map, Value};

use crate::{
    operations::workflow::{Behaviour, NodeType},
    reference::{
        AsWritten,
        foreach::{ForeachReading, Iterator},
        ports::PortReading,
        schedule::ScheduleReading,
    },
};

misreadings! {
    /// A ForEach node begins with its items in every round.
    "begin-in-every-round" misreads "SG-4":1 as ForeachReading {
        fn begins(&self, _iterator: Option<&Iterator>) -> bool {
            true
        }
    }

    /// A ForEach node that is not given any items has an empty list of them.
    "no-items-are-an-empty-list" misreads "SG-4":1 as ForeachReading {
        fn without_items(&self) -> Option<Value> {
            Some(Value::Array(Vec::new()))
        }
    }

    /// A ForEach node that is not given any items goes through one, which is null.
    "no-items-are-one-null" misreads "SG-4":1 as ForeachReading {
        fn without_items(&self) -> Option<Value> {
            Some(Value::Null)
        }
    }

    /// A list that arrives in a later round takes the place of the one under way.
    "later-list-takes-over" misreads "SG-4":1 as ForeachReading {
        fn meanwhile(&self, going: &mut Iterator, given: Option<&Value>) {
            if let Some(Value::Array(items)) = given {
                going.items.clone_from(items);
            }
        }
    }

    /// Items that arrive in a later round come after those under way.
    "later-items-are-added" misreads "SG-4":1 as ForeachReading {
        fn meanwhile(&self, going: &mut Iterator, given: Option<&Value>) {
            if let Some(Value::Array(items)) = given {
                going.items.extend(items.iter().cloned());
            }
        }
    }

    /// An empty list in a later round ends what is under way.
    "empty-list-ends-the-loop" misreads "SG-4":1 as ForeachReading {
        fn meanwhile(&self, going: &mut Iterator, given: Option<&Value>) {
            if given.and_then(Value::as_array).is_some_and(Vec::is_empty) {
                going.index = going.items.len();
            }
        }
    }

    /// What is no list has no items.
    "no-list-no-items" misreads "SG-4":2 as ForeachReading {
        fn items(&self, given: &Value) -> Vec<Value> {
            given.as_array().cloned().unwrap_or_default()
        }
    }

    /// A text that reads as a list is that list.
    "text-is-read-as-a-list" misreads "SG-4":2 as ForeachReading {
        fn items(&self, given: &Value) -> Vec<Value> {
            let read = given.as_str().and_then(|text| serde_json::from_str(text).ok());
            read.unwrap_or_else(|| AsWritten.items(given))
        }
    }

    /// Items that are empty, zero or false are left out.
    "falsy-items-are-left-out" misreads "SG-4":2 as ForeachReading {
        fn items(&self, given: &Value) -> Vec<Value> {
            let mut items = AsWritten.items(given);
            items.retain(|item| !["", "0", "false", "null", "\"\""].contains(&item.to_string().as_str()));
            items
        }
    }

    /// Of a value that is no list there is an item only if it is neither empty, zero nor false.
    "falsy-value-is-no-item" misreads "SG-4":2 as ForeachReading {
        fn items(&self, given: &Value) -> Vec<Value> {
            match given {
                Value::Array(items) => items.clone(),
                one if ["0", "false", "\"\""].contains(&one.to_string().as_str()) => Vec::new(),
                one => vec![one.clone()],
            }
        }
    }

    /// An item that occurs again is the same item.
    "equal-items-are-one" misreads "SG-4":2 as ForeachReading {
        fn items(&self, given: &Value) -> Vec<Value> {
            let mut items: Vec<Value> = Vec::new();
            for item in AsWritten.items(given) {
                if !items.contains(&item) {
                    items.push(item);
                }
            }
            items
        }
    }

    /// An item that is a list stands for its own items.
    "lists-among-items-are-poured-out" misreads "SG-4":2 as ForeachReading {
        fn items(&self, given: &Value) -> Vec<Value> {
            let items = AsWritten.items(given).into_iter();
            items.flat_map(|item| AsWritten.items(&item)).collect()
        }
    }

    /// Items are gone through in their order, not in that of the list.
    "items-are-sorted" misreads "SG-4":2 as ForeachReading {
        fn items(&self, given: &Value) -> Vec<Value> {
            let mut items = AsWritten.items(given);
            items.sort_by_key(Value::to_string);
            items
        }
    }

    /// Items are numbered from 1.
    "items-from-1" misreads "SG-4":2 as ForeachReading {
        fn in_round(&self, iterator: &Iterator) -> Map<String, Value> {
            let mut output = AsWritten.in_round(iterator);
            output.insert("current_index".into(), (iterator.index + 1).into());
            output
        }
    }

    /// A ForEach node without items enters its loop once, with nothing in hand.
    "one-round-without-items" misreads "SG-4":3 as ForeachReading {
        fn completes_without_items(&self) -> bool {
            false
        }
    }

    /// On completion a ForEach node says only that it is not active any more.
    "completion-says-no-more" misreads "SG-4":4 as ForeachReading {
        fn on_completion(&self, _iterator: &Iterator) -> Map<String, Value> {
            Map::from_iter([("loop_active".to_owned(), false.into())])
        }
    }

    /// On completion there is no current item to be output.
    "no-item-on-completion" misreads "SG-4":4 as ForeachReading {
        fn on_completion(&self, iterator: &Iterator) -> Map<String, Value> {
            let mut output = AsWritten.on_completion(iterator);
            output.shift_remove("current_item");
            output
        }
    }

    /// On completion the current item is still the last one.
    "last-item-stays-current" misreads "SG-4":4 as ForeachReading {
        fn on_completion(&self, iterator: &Iterator) -> Map<String, Value> {
            let mut output = AsWritten.on_completion(iterator);
            let last = iterator.items.last().cloned();
            output.insert("current_item".into(), last.unwrap_or_default());
            output
        }
    }

    /// On completion no items are left, so that their count is 0.
    "count-what-is-left" misreads "SG-4":4 as ForeachReading {
        fn on_completion(&self, iterator: &Iterator) -> Map<String, Value> {
            let mut output = AsWritten.on_completion(iterator);
            output.insert("total_count".into(), 0.into());
            output
        }
    }

    /// What is given out on completion is the result of the last round.
    "last-result-is-the-result" misreads "SG-4":4 as ForeachReading {
        fn on_completion(&self, iterator: &Iterator) -> Map<String, Value> {
            let mut output = AsWritten.on_completion(iterator);
            let last = iterator.results.last().cloned();
            output.insert("collected_results".into(), last.unwrap_or_default());
            output
        }
    }

    /// Results that are lists are collected item by item.
    "results-are-poured-out" misreads "SG-4":4 as ForeachReading {
        fn on_completion(&self, iterator: &Iterator) -> Map<String, Value> {
            let mut output = AsWritten.on_completion(iterator);
            let results = iterator.results.iter();
            let results: Vec<Value> = results.flat_map(|result| AsWritten.items(result)).collect();
            output.insert("collected_results".into(), results.into());
            output
        }
    }

    /// A result that was there before is not collected again.
    "equal-results-are-one" misreads "SG-4":4 as ForeachReading {
        fn on_completion(&self, iterator: &Iterator) -> Map<String, Value> {
            let mut output = AsWritten.on_completion(iterator);
            let mut results: Vec<Value> = Vec::new();
            for result in &iterator.results {
                if !results.contains(result) {
                    results.push(result.clone());
                }
            }
            output.insert("collected_results".into(), results.into());
            output
        }
    }

    /// Only what arrives as the item's result is one, and nothing that comes back over the loop.
    "loop-back-is-no-result" misreads "SG-5":1 as ForeachReading {
        fn item_result(&self, inputs: &Map<String, Value>) -> Option<Value> {
            inputs.get("item_result").cloned()
        }
    }

    /// What comes back over the loop goes before what arrives as the item's result.
    "loop-back-first" misreads "SG-5":1 as ForeachReading {
        fn item_result(&self, inputs: &Map<String, Value>) -> Option<Value> {
            let back = inputs.get("loop_back");
            back.or_else(|| inputs.get("item_result")).cloned()
        }
    }

    /// An item's result that is empty, zero or false is not there, so that what came back counts.
    "falsy-result-is-absent" misreads "SG-5":1 as ForeachReading {
        fn item_result(&self, inputs: &Map<String, Value>) -> Option<Value> {
            let explicit = inputs.get("item_result");
            let there = |value: &&Value| {
                !["0", "false", "\"\"", "[]"].contains(&value.to_string().as_str())
            };
            explicit.filter(there).or_else(|| inputs.get("loop_back")).cloned()
        }
    }

    /// Both inputs bring a result, and where both do, there are two in one.
    "both-inputs-are-results" misreads "SG-5":1 as ForeachReading {
        fn item_result(&self, inputs: &Map<String, Value>) -> Option<Value> {
            match (inputs.get("item_result"), inputs.get("loop_back")) {
                (Some(one), Some(other)) => Some(vec![one.clone(), other.clone()].into()),
                (one, other) => one.or(other).cloned(),
            }
        }
    }

    /// What comes back over a loop is an item's result for a node of any type.
    "loop-back-is-a-result-for-all" misreads "SG-5":2 as PortReading {
        fn loop_back_port(&self, node_type: &NodeType) -> Option<&'static str> {
            let seen = self.sees_loop_back(node_type);
            Some(if seen { "loop_back" } else { "item_result" })
        }
    }

    /// A gateway decides by what comes back to it over a loop.
    "gateway-decides-by-what-came-back" misreads "SG-5":2 as PortReading {
        fn loop_back_port(&self, node_type: &NodeType) -> Option<&'static str> {
            match node_type.behaviour {
                Behaviour::Gateway => Some("value"),
                _ => AsWritten.loop_back_port(node_type),
            }
        }
    }

    /// A loop is entered again only if a value comes back.
    "no-value-no-signal" misreads "SG-5":2 as ScheduleReading {
        fn is_signal(&self, brought: Option<&Value>) -> bool {
            brought.is_some()
        }
    }

    /// A loop is not entered again if what comes back is null.
    "null-is-no-signal" misreads "SG-5":2 as ScheduleReading {
        fn is_signal(&self, brought: Option<&Value>) -> bool {
            brought.is_none_or(|value| !value.is_null())
        }
    }

    /// A loop is not entered again if what comes back is false.
    "false-is-no-signal" misreads "SG-5":2 as ScheduleReading {
        fn is_signal(&self, brought: Option<&Value>) -> bool {
            brought != Some(&Value::Bool(false))
        }
    }

    /// The name is reserved: a type cannot have a port of its own called so.
    "no-loop-back-of-its-own" misreads "SG-5":3 as PortReading {
        fn sees_loop_back(&self, node_type: &NodeType) -> bool {
            node_type.behaviour == Behaviour::Foreach
        }
    }

    /// A type has such a port of its own only if it says of what type that is.
    "own-loop-back-by-its-type" misreads "SG-5":3 as PortReading {
        fn sees_loop_back(&self, node_type: &NodeType) -> bool {
            let own = node_type.parameters.get("loop_back");
            node_type.behaviour == Behaviour::Foreach || own.is_some_and(|p| p.r#type.is_some())
        }
    }
}
