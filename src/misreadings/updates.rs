//! Misreadings of when and how a node's update gets into the state.

use serde_json::Value;

use crate::{
    operations::{state::State, workflow::ExecutionStatus},
    reference::{ports::PortReading, state::StateReading},
};

misreadings! {
    /// An update is merged as soon as a node has output it, though it waits for an answer.
    "update-before-the-answer" misreads "SG-3":1 as StateReading {
        fn applies_update(&self, status: ExecutionStatus) -> bool {
            matches!(status, ExecutionStatus::Completed | ExecutionStatus::Interrupted)
        }
    }

    /// The update of a node that fails is merged, too.
    "update-of-a-failure" misreads "SG-3":1 as StateReading {
        fn applies_update(&self, status: ExecutionStatus) -> bool {
            matches!(status, ExecutionStatus::Completed | ExecutionStatus::Failed)
        }
    }

    /// An update is a result like any other and does nothing to the state.
    "update-is-only-a-result" misreads "SG-3":1 as StateReading {
        fn applies_update(&self, _status: ExecutionStatus) -> bool {
            false
        }
    }

    /// A node's update is the new state.
    "update-is-the-new-state" misreads "SG-3":1 as StateReading {
        fn updated(&self, _state: &mut State, update: &State) -> State {
            update.clone()
        }
    }

    /// Every field that a node's update has takes the place of the one in the state.
    "update-assigns-its-fields" misreads "SG-3":1 as StateReading {
        fn updated(&self, state: &mut State, update: &State) -> State {
            let mut updated = state.clone();
            for (member, value) in update.members() {
                updated.put(member, value.clone());
            }
            updated
        }
    }

    /// A node's update is merged all the way down.
    "update-merges-all-the-way-down" misreads "SG-3":1 as StateReading {
        fn updated(&self, state: &mut State, update: &State) -> State {
            let mut updated = self.merge(state, update);
            for (member, value) in update.members() {
                if let Some(current @ Value::Object(_)) = state.get(member) {
                    let mut merged = current.clone();
                    put_in(&mut merged, value);
                    updated.put(member, merged);
                }
            }
            updated
        }
    }

    /// What a node sets to null or leaves empty, it does not set.
    "update-skips-falsy-values" misreads "SG-3":1 as StateReading {
        fn updated(&self, state: &mut State, update: &State) -> State {
            let mut said = update.clone();
            for (member, value) in update.members() {
                if let Value::Object(keys) = value {
                    let mut keys = keys.clone();
                    keys.retain(|_, value| !is_falsy(value));
                    said.put(member, keys.into());
                }
            }
            self.merge(state, &said)
        }
    }

    /// A node's update only adds to the data that are there.
    "update-only-adds" misreads "SG-3":1 as StateReading {
        fn updated(&self, state: &mut State, update: &State) -> State {
            let mut updated = self.merge(state, update);
            for member in ["data", "metadata"] {
                let (Some(Value::Object(now)), Some(Value::Object(before))) =
                    (updated.get(member), state.get(member))
                else {
                    continue;
                };
                let mut kept = now.clone();
                kept.extend(before.clone());
                updated.put(member, kept.into());
            }
            updated
        }
    }

    /// An output that is hidden is taken out, whatever it is for.
    "hidden-is-hidden" misreads "SG-3":2 as PortReading {
        fn keeps_output(&self, _port: &str, exposed: bool) -> bool {
            exposed
        }
    }

    /// Of the outputs that steer a run only the branches outlast their hiding.
    "only-branches-outlast-hiding" misreads "SG-3":2 as PortReading {
        fn keeps_output(&self, port: &str, exposed: bool) -> bool {
            exposed || port == "active_branches"
        }
    }
}

/// Merges a value into another, key by key and all the way down.
fn put_in(current: &mut Value, update: &Value) {
    match (current, update) {
        (Value::Object(current), Value::Object(update)) => {
            for (key, value) in update {
                put_in(current.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (current, update) => *current = update.clone(),
    }
}

fn is_falsy(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(truth) => !truth,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(_) => false,
    }
}
