//! Misreadings of how an update is merged into a state.

use serde_json::{Map, Value};

use crate::{operations::state::State, reference::state::StateReading};

misreadings! {
    /// The messages of an update take the place of those that are there.
    "replace-messages" misreads "SG-1":1 as StateReading {
        fn is_appended(&self, _member: &str) -> bool {
            false
        }
    }

    /// The messages of an update come before those that are there.
    "newest-messages-first" misreads "SG-1":1 as StateReading {
        fn append(&self, current: &[Value], update: &[Value]) -> Vec<Value> {
            [update, current].concat()
        }
    }

    /// A message that is there already is not added again.
    "messages-are-a-set" misreads "SG-1":1 as StateReading {
        fn append(&self, current: &[Value], update: &[Value]) -> Vec<Value> {
            let mut messages = current.to_vec();
            for message in update {
                if !messages.contains(message) {
                    messages.push(message.clone());
                }
            }
            messages
        }
    }

    /// A message takes the place of an earlier one that has its id.
    "messages-by-id" misreads "SG-1":1 as StateReading {
        fn append(&self, current: &[Value], update: &[Value]) -> Vec<Value> {
            let mut messages = current.to_vec();
            for message in update {
                let id = message.get("id");
                match messages.iter_mut().find(|m| id.is_some() && m.get("id") == id) {
                    Some(earlier) => *earlier = message.clone(),
                    None => messages.push(message.clone()),
                }
            }
            messages
        }
    }

    /// The data of an update takes the place of the data that is there.
    "replace-data-whole" misreads "SG-1":1 as StateReading {
        fn is_merged_by_key(&self, member: &str) -> bool {
            member == "metadata"
        }
    }

    /// The metadata of an update takes the place of the metadata that is there.
    "replace-metadata-whole" misreads "SG-1":1 as StateReading {
        fn is_merged_by_key(&self, member: &str) -> bool {
            member == "data"
        }
    }

    /// Every member that is an object is merged key by key, the iterator too.
    "merge-every-object" misreads "SG-1":1 as StateReading {
        fn is_merged_by_key(&self, _member: &str) -> bool {
            true
        }
    }

    /// What an iterator has collected grows by what an update has.
    "iterator-collects-on" misreads "SG-1":1 as StateReading {
        fn replace(&self, current: Option<&Value>, update: &Value) -> Value {
            let (Some(Value::Object(current)), Value::Object(update)) = (current, update) else {
                return update.clone();
            };
            let mut replaced = update.clone();
            let collected = current.get("collected_results").and_then(Value::as_array);
            if let Some(collected) = collected
                && let Some(Value::Array(more)) = replaced.get_mut("collected_results")
            {
                *more = [collected.as_slice(), more].concat();
            }
            replaced.into()
        }
    }

    /// Objects inside data and metadata are merged too, however deep they lie.
    "merge-deeply" misreads "SG-1":1 as StateReading {
        fn merge_keys(
            &self,
            current: &Map<String, Value>,
            update: &Map<String, Value>,
        ) -> Map<String, Value> {
            merged_with(current, update, &|current, update| match (current, update) {
                (Value::Object(current), Value::Object(update)) => {
                    self.merge_keys(current, update).into()
                }
                _ => update.clone(),
            })
        }
    }

    /// Lists inside data and metadata grow by what an update has for them.
    "append-lists-in-data" misreads "SG-1":1 as StateReading {
        fn merge_keys(
            &self,
            current: &Map<String, Value>,
            update: &Map<String, Value>,
        ) -> Map<String, Value> {
            merged_with(current, update, &|current, update| match (current, update) {
                (Value::Array(current), Value::Array(update)) => {
                    [current.as_slice(), update].concat().into()
                }
                _ => update.clone(),
            })
        }
    }

    /// A key of data or metadata that an update has as null is taken out.
    "null-deletes-a-key" misreads "SG-1":1 as StateReading {
        fn merge_keys(
            &self,
            current: &Map<String, Value>,
            update: &Map<String, Value>,
        ) -> Map<String, Value> {
            let mut merged = merged_with(current, update, &|_, update| update.clone());
            merged.retain(|_, value| !value.is_null());
            merged
        }
    }

    /// A key of data or metadata that is there keeps its value; only new keys are added.
    "first-value-of-a-key-stays" misreads "SG-1":1 as StateReading {
        fn merge_keys(
            &self,
            current: &Map<String, Value>,
            update: &Map<String, Value>,
        ) -> Map<String, Value> {
            merged_with(current, update, &|current, _| current.clone())
        }
    }

    /// Keys of data and metadata that are numbers are counted through anew.
    "renumber-keys" misreads "SG-1":1 as StateReading {
        fn merge_keys(
            &self,
            current: &Map<String, Value>,
            update: &Map<String, Value>,
        ) -> Map<String, Value> {
            let mut merged = Map::new();
            let mut next = 0_u64;
            for (key, value) in current.iter().chain(update) {
                if key.parse::<u64>().is_ok() {
                    merged.insert(next.to_string(), value.clone());
                    next += 1;
                } else {
                    merged.insert(key.clone(), value.clone());
                }
            }
            merged
        }
    }

    /// A value inside data or metadata that is empty, 0 or false is none, and the old one stays.
    "empty-in-data-is-nothing" misreads "SG-1":1 as StateReading {
        fn merge_keys(
            &self,
            current: &Map<String, Value>,
            update: &Map<String, Value>,
        ) -> Map<String, Value> {
            merged_with(current, update, &|current, update| match is_empty(update) {
                true => current.clone(),
                false => update.clone(),
            })
        }
    }

    /// A value that is empty, 0 or false is none, and the member keeps the one it has.
    "empty-is-nothing" misreads "SG-1":1 as StateReading {
        fn replace(&self, current: Option<&Value>, update: &Value) -> Value {
            match current {
                Some(current) if is_empty(update) => current.clone(),
                _ => update.clone(),
            }
        }
    }

    /// A number is added to the one that is there.
    "numbers-add-up" misreads "SG-1":1 as StateReading {
        fn replace(&self, current: Option<&Value>, update: &Value) -> Value {
            match (current.and_then(Value::as_u64), update.as_u64()) {
                (Some(current), Some(update)) => current.saturating_add(update).into(),
                _ => update.clone(),
            }
        }
    }

    /// A member that the update has as null is one that it leaves out.
    "null-is-omitted" misreads "SG-1":2 as StateReading {
        fn replace(&self, current: Option<&Value>, update: &Value) -> Value {
            match current {
                Some(current) if update.is_null() => current.clone(),
                _ => update.clone(),
            }
        }
    }

    /// A member that the update leaves out is gone.
    "omitted-is-gone" misreads "SG-1":2 as StateReading {
        fn omitted(&self, _member: &str, _current: Value) -> Option<Value> {
            None
        }
    }

    /// A member that the update leaves out is cleared, unless it is one that gathers.
    "omitted-is-cleared" misreads "SG-1":2 as StateReading {
        fn omitted(&self, member: &str, current: Value) -> Option<Value> {
            match member {
                "messages" | "data" | "metadata" => Some(current),
                _ => Some(Value::Null),
            }
        }
    }

    /// The state itself is changed, and that is the merged one.
    "merge-in-place" misreads "SG-1":3 as StateReading {
        fn merge(&self, state: &mut State, update: &State) -> State {
            self.merge_into(state, update);
            state.clone()
        }
    }

    /// The merged state is a copy, but shares its data and metadata with the old one.
    "share-maps" misreads "SG-1":3 as StateReading {
        fn merge(&self, state: &mut State, update: &State) -> State {
            let mut merged = state.clone();
            self.merge_into(&mut merged, update);
            share(&merged, state, &["data", "metadata"]);
            merged
        }
    }

    /// The merged state is a copy, but shares its list of messages with the old one.
    "share-messages" misreads "SG-1":3 as StateReading {
        fn merge(&self, state: &mut State, update: &State) -> State {
            let mut merged = state.clone();
            self.merge_into(&mut merged, update);
            share(&merged, state, &["messages"]);
            merged
        }
    }
}

/// An object with the keys of another, `both` saying what stands for a key of both.
fn merged_with(
    current: &Map<String, Value>,
    update: &Map<String, Value>,
    both: &dyn Fn(&Value, &Value) -> Value,
) -> Map<String, Value> {
    let mut merged = current.clone();
    for (key, value) in update {
        let value = match current.get(key) {
            Some(current) => both(current, value),
            None => value.clone(),
        };
        merged.insert(key.clone(), value);
    }
    merged
}

/// Whether languages with loose conditions take a value for none.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
    }
}

/// Gives a state these members of another, as far as it has them.
fn share(from: &State, to: &mut State, members: &[&str]) {
    for member in members {
        if to.get(member).is_some()
            && let Some(value) = from.get(member)
        {
            to.put(member, value.clone());
        }
    }
}
