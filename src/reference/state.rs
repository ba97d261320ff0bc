//! Merging an update into a run's state.

use serde_json::{Map, Value};

use crate::operations::{
    state::{Merged, State},
    workflow::ExecutionStatus,
};

/// What the rules about merging decide.
pub trait StateReading {
    /// Whether a member's new items come after those that are there.
    //= SG-1:1
    fn is_appended(&self, member: &str) -> bool {
        member == "messages"
    }

    /// Whether a member is merged key by key.
    //= SG-1:1
    fn is_merged_by_key(&self, member: &str) -> bool {
        matches!(member, "data" | "metadata")
    }

    /// A list with an update's items after its own.
    //= SG-1:1
    fn append(&self, current: &[Value], update: &[Value]) -> Vec<Value> {
        [current, update].concat()
    }

    /// An object with an update's keys in it. A key of both has the update's value, whole.
    //= SG-1:1
    fn merge_keys(
        &self,
        current: &Map<String, Value>,
        update: &Map<String, Value>,
    ) -> Map<String, Value> {
        let mut merged = current.clone();
        merged.extend(update.clone());
        merged
    }

    /// A member with an update's value for it: that value, whatever was there, null included.
    //= SG-1:1
    fn replace(&self, _current: Option<&Value>, update: &Value) -> Value {
        update.clone()
    }

    /// What becomes of a member that an update leaves out: it stays.
    //= SG-1:2
    fn omitted(&self, _member: &str, current: Value) -> Option<Value> {
        Some(current)
    }

    /// A state with an update merged into it. The state itself stays as it is; that this clause
    /// says so is all that keeps it from change.
    //= SG-1:3
    fn merge(&self, state: &mut State, update: &State) -> State {
        let mut merged = state.clone();
        self.merge_into(&mut merged, update);
        merged
    }

    /// Changes a state as an update says, one member at a time.
    //= SG-1:1
    //= SG-1:2
    fn merge_into(&self, state: &mut State, update: &State) {
        let mut merged = State::default();
        for (member, current) in state.members() {
            let value = match update.get(member) {
                Some(update) => Some(self.member(member, Some(current), update)),
                None => self.omitted(member, current.clone()),
            };
            if let Some(value) = value {
                merged.put(member, value);
            }
        }
        for (member, update) in update.members() {
            if state.get(member).is_none() {
                merged.put(member, self.member(member, None, update));
            }
        }
        *state = merged;
    }

    /// Whether a node's update is merged, given how far its execution is: once it has completed.
    //= SG-3:1
    fn applies_update(&self, status: ExecutionStatus) -> bool {
        status == ExecutionStatus::Completed
    }

    /// A run's state with a node's update in it: merged like any other.
    //= SG-3:1
    fn updated(&self, state: &mut State, update: &State) -> State {
        self.merge(state, update)
    }

    /// The value of one member that an update carries.
    // open: a member that the state does not have yet is as the update has it.
    //= SG-1:1
    fn member(&self, member: &str, current: Option<&Value>, update: &Value) -> Value {
        match (current, update) {
            (Some(Value::Array(current)), Value::Array(update)) if self.is_appended(member) => {
                self.append(current, update).into()
            }
            (Some(Value::Object(current)), Value::Object(update))
                if self.is_merged_by_key(member) =>
            {
                self.merge_keys(current, update).into()
            }
            _ => self.replace(current, update),
        }
    }
}

/// A state with an update merged into it, and how the state reads afterwards.
pub fn merge(reading: &dyn StateReading, mut state: State, update: &State) -> Merged {
    let merged = reading.merge(&mut state, update);
    Merged {
        state: merged,
        before: state,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::reference::AsWritten;

    /// Merges and gives the merged state, having seen to it that the given one is as it was.
    fn merged(state: Value, update: Value) -> Value {
        let given: State = serde_json::from_value(state.clone()).unwrap();
        let update: State = serde_json::from_value(update).unwrap();
        let Merged {
            state: merged,
            before,
        } = merge(&AsWritten, given, &update);
        assert_eq!(serde_json::to_value(before).unwrap(), state);
        serde_json::to_value(merged).unwrap()
    }

    #[test]
    fn messages_append_objects_merge_and_all_else_is_replaced() {
        let state = json!({
            "messages": [1, 2], "data": {"a": 1, "b": 2}, "metadata": {"m": 1},
            "currentNodeId": "n1", "iterationCount": 4, "iterator": {"index": 1, "items": [1]},
        });
        let update = json!({
            "messages": [2, 3], "data": {"b": 3, "c": 4}, "metadata": {"n": 2},
            "currentNodeId": "n2", "iterationCount": 1, "iterator": {"index": 2},
        });
        let expected = json!({
            "messages": [1, 2, 2, 3], "data": {"a": 1, "b": 3, "c": 4}, "metadata": {"m": 1, "n": 2},
            "currentNodeId": "n2", "iterationCount": 1, "iterator": {"index": 2},
        });
        assert_eq!(merged(state, update), expected);
    }

    #[test]
    fn keys_merge_one_level_deep() {
        let merged = merged(
            json!({"data": {"k": {"x": 1}}}),
            json!({"data": {"k": {"y": 2}}}),
        );
        assert_eq!(merged, json!({"data": {"k": {"y": 2}}}));
    }

    #[test]
    fn null_is_a_value_and_absent_is_none() {
        let state = json!({"iterator": {"index": 1}, "error": "e", "data": {"k": 1}});
        assert_eq!(
            merged(
                state.clone(),
                json!({"iterator": null, "data": {"k": null}})
            ),
            json!({"iterator": null, "error": "e", "data": {"k": null}})
        );
        assert_eq!(merged(state.clone(), json!({})), state);
        assert_eq!(
            merged(json!({"iterator": null}), json!({})),
            json!({"iterator": null})
        );
    }

    #[test]
    fn members_that_nobody_knows_are_kept_and_replaced() {
        let merged = merged(
            json!({"colour": {"a": 1}, "size": 1}),
            json!({"colour": {"b": 2}, "shape": [1]}),
        );
        assert_eq!(merged, json!({"colour": {"b": 2}, "size": 1, "shape": [1]}));
    }

    #[test]
    fn members_keep_their_order() {
        let merged = merged(json!({"z": 1, "a": 2}), json!({"a": 3, "b": 4, "z": 5}));
        assert_eq!(merged.to_string(), r#"{"z":5,"a":3,"b":4}"#);
    }

    #[test]
    fn an_empty_update_of_a_list_or_an_object_takes_nothing_away() {
        let state = json!({"messages": [1], "data": {"k": 1}});
        assert_eq!(
            merged(state.clone(), json!({"messages": [], "data": {}})),
            state
        );
        assert_eq!(
            merged(json!({}), json!({"messages": [1]})),
            json!({"messages": [1]})
        );
    }
}
