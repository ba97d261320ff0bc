//! Misreadings of what a node sees of its run, and of what is kept of that.

use serde_json::{Map, Value};

use crate::{
    operations::{state::State, workflow::NodeType},
    reference::{
        AsWritten,
        ports::{INTERNALS, PortReading},
    },
};

misreadings! {
    /// Every node finds the reserved names among its input.
    "internals-for-all" misreads "SG-2":2 as PortReading {
        fn sees_internal(&self, _node_type: &NodeType, _name: &str) -> bool {
            true
        }
    }

    /// A node that declares one of the reserved names is given all of them.
    "one-internal-brings-all" misreads "SG-2":2 as PortReading {
        fn sees_internal(&self, node_type: &NodeType, _name: &str) -> bool {
            INTERNALS.iter().any(|&name| node_type.parameters.contains_key(name))
        }
    }

    /// Only types that are state-aware are given the reserved names that they declare.
    "internals-for-the-state-aware" misreads "SG-2":2 as PortReading {
        fn sees_internal(&self, node_type: &NodeType, name: &str) -> bool {
            node_type.state_aware && node_type.parameters.contains_key(name)
        }
    }

    /// State-aware types are given the reserved names without declaring any.
    "state-aware-types-see-internals" misreads "SG-2":2 as PortReading {
        fn sees_internal(&self, node_type: &NodeType, name: &str) -> bool {
            node_type.state_aware || node_type.parameters.contains_key(name)
        }
    }

    /// A parameter of a reserved name takes only what is of its declared type.
    "internals-must-fit-their-type" misreads "SG-2":2 as PortReading {
        fn takes_internal(&self, declared: Option<&str>, value: &Value) -> bool {
            match declared {
                Some("boolean") => value.is_boolean(),
                Some("number" | "integer") => value.is_number(),
                Some("string") => value.is_string(),
                Some("array") => value.is_array(),
                Some("object") => value.is_object(),
                _ => true,
            }
        }
    }

    /// What an author has set for a reserved name goes before what the run has.
    "authors-override-internals" misreads "SG-2":2 as PortReading {
        fn prevailing_internal(&self, authored: Option<Value>, of_the_run: Value) -> Value {
            authored.unwrap_or(of_the_run)
        }
    }

    /// A reserved name that an author has set holds it with what the run has added to it.
    "internals-are-merged-with-the-authors" misreads "SG-2":2 as PortReading {
        fn prevailing_internal(&self, authored: Option<Value>, of_the_run: Value) -> Value {
            match (authored, of_the_run) {
                (Some(Value::Object(mut authored)), Value::Object(of_the_run)) => {
                    for (key, value) in of_the_run {
                        authored.entry(key).or_insert(value);
                    }
                    authored.into()
                }
                (_, of_the_run) => of_the_run,
            }
        }
    }

    /// The iterator and its item are always there, and null where nothing iterates.
    "iterator-is-always-there" misreads "SG-2":2 as PortReading {
        fn internals(&self, state: &State, interrupt: Option<&str>) -> Map<String, Value> {
            let mut internals = AsWritten.internals(state, interrupt);
            internals.entry("__iterator__").or_insert(Value::Null);
            internals.entry("__current_item__").or_insert(Value::Null);
            internals
        }
    }

    /// The item in hand is for the ForEach node, and no node is given it.
    "no-current-item" misreads "SG-2":2 as PortReading {
        fn internals(&self, state: &State, interrupt: Option<&str>) -> Map<String, Value> {
            let mut internals = AsWritten.internals(state, interrupt);
            internals.shift_remove("__current_item__");
            internals
        }
    }

    /// The item in hand stays the first one.
    "current-item-is-the-first" misreads "SG-2":2 as PortReading {
        fn internals(&self, state: &State, interrupt: Option<&str>) -> Map<String, Value> {
            let mut internals = AsWritten.internals(state, interrupt);
            if let Some(iterator) = internals.get("__iterator__") {
                let first = iterator.get("items").and_then(|items| items.get(0));
                let first = first.cloned().unwrap_or_default();
                internals.insert("__current_item__".into(), first);
            }
            internals
        }
    }

    /// A node that goes on after an interrupt is not told which.
    "no-interrupt-id" misreads "SG-2":2 as PortReading {
        fn internals(&self, state: &State, _interrupt: Option<&str>) -> Map<String, Value> {
            AsWritten.internals(state, None)
        }
    }

    /// Where nothing was resumed, the interrupt's name is there and null.
    "interrupt-id-is-always-there" misreads "SG-2":2 as PortReading {
        fn internals(&self, state: &State, interrupt: Option<&str>) -> Map<String, Value> {
            let mut internals = AsWritten.internals(state, interrupt);
            internals.entry("__interrupt_id__").or_insert(Value::Null);
            internals
        }
    }

    /// Every node is handed the live state.
    "live-state-for-all" misreads "SG-2":3 as PortReading {
        fn gets_live_state(&self, _node_type: &NodeType) -> bool {
            true
        }
    }

    /// A type that declares the state as a parameter is state-aware.
    "a-parameter-makes-state-aware" misreads "SG-2":3 as PortReading {
        fn gets_live_state(&self, node_type: &NodeType) -> bool {
            node_type.state_aware || node_type.parameters.contains_key("__state__")
        }
    }

    /// A state-aware type is handed the live state only if it declares it as a parameter, too.
    "live-state-takes-both" misreads "SG-2":3 as PortReading {
        fn gets_live_state(&self, node_type: &NodeType) -> bool {
            node_type.state_aware && node_type.parameters.contains_key("__state__")
        }
    }

    /// What a node was shown is what is recorded.
    "record-what-was-shown" misreads "SG-2":4 as PortReading {
        fn is_recorded(&self, _name: &str) -> bool {
            true
        }
    }

    /// Of the reserved names only the whole state is kept out of the record.
    "record-all-but-the-state" misreads "SG-2":4 as PortReading {
        fn is_recorded(&self, name: &str) -> bool {
            name != "__state__"
        }
    }

    /// The interrupt that a node goes on from belongs in the record.
    "record-the-interrupt" misreads "SG-2":4 as PortReading {
        fn is_recorded(&self, name: &str) -> bool {
            name == "__interrupt_id__" || !INTERNALS.contains(&name)
        }
    }

    /// The item of a round belongs in the record.
    "record-the-item" misreads "SG-2":4 as PortReading {
        fn is_recorded(&self, name: &str) -> bool {
            matches!(name, "__iterator__" | "__current_item__") || !INTERNALS.contains(&name)
        }
    }
}
