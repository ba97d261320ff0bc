//! Misreadings of how an edge is read, saved and recorded.

use serde_json::{Map, Value, json};

use crate::{
    operations::{
        edge::{Edge, EdgeKind},
        workflow::ValidationError,
    },
    reference::{AsWritten, edges::EdgeReading, forms::FormReading},
};

misreadings! {
    /// An edge has its handles, or it cannot be read.
    "handles-are-required" misreads "EDGE-2":1 as FormReading {
        fn is_readable(&self, edge: &Edge) -> bool {
            edge.source_handle.is_some() && edge.target_handle.is_some()
        }
    }

    /// An edge with a key that nobody knows cannot be read.
    "keys-of-others-are-refused" misreads "EDGE-2":1 as FormReading {
        fn is_readable(&self, edge: &Edge) -> bool {
            edge.rest.is_empty()
        }
    }

    /// An end or a handle that is absent reads as null.
    "absent-reads-as-null" misreads "EDGE-2":1 as FormReading {
        fn transported(&self, edge: &Edge) -> Map<String, Value> {
            let mut form = AsWritten.transported(edge);
            for (_, value) in form.iter_mut().filter(|(_, value)| *value == "") {
                *value = Value::Null;
            }
            form
        }
    }

    /// An end or a handle that is absent stays absent.
    "absent-stays-absent" misreads "EDGE-2":1 as FormReading {
        fn transported(&self, edge: &Edge) -> Map<String, Value> {
            let mut form = AsWritten.transported(edge);
            form.retain(|_, value| value != "");
            form
        }
    }

    /// A handle that is absent is that of its node's first port.
    "absent-handle-is-the-first-port" misreads "EDGE-2":1 as FormReading {
        fn transported(&self, edge: &Edge) -> Map<String, Value> {
            let mut form = AsWritten.transported(edge);
            for (handle, end, port) in [
                ("sourceHandle", &edge.source, "output-output"),
                ("targetHandle", &edge.target, "input-input"),
            ] {
                if form[handle] == "" {
                    let node = end.as_deref().unwrap_or_default();
                    form.insert(handle.into(), format!("{node}-{port}").into());
                }
            }
            form
        }
    }

    /// An edge that lacks an end cannot be read.
    "loose-edge-cannot-be-read" misreads "EDGE-2":2 as FormReading {
        fn is_readable(&self, edge: &Edge) -> bool {
            edge.source.is_some() && edge.target.is_some()
        }
    }

    /// An edge that lacks an end is saved and joins nothing.
    "loose-edge-is-saved" misreads "EDGE-2":2 as FormReading {
        fn needs_endpoints(&self) -> bool {
            false
        }
    }

    /// An edge lacks an end only if it lacks both.
    "one-end-is-enough" misreads "EDGE-2":2 as EdgeReading {
        fn ends<'e>(&self, edge: &'e Edge) -> Option<(&'e str, &'e str)> {
            let source = edge.source.as_deref().unwrap_or_default();
            let target = edge.target.as_deref().unwrap_or_default();
            (!source.is_empty() || !target.is_empty()).then_some((source, target))
        }
    }

    /// An end that is there and empty is not missing.
    "empty-end-is-an-end" misreads "EDGE-2":2 as EdgeReading {
        fn ends<'e>(&self, edge: &'e Edge) -> Option<(&'e str, &'e str)> {
            Some((edge.source.as_deref()?, edge.target.as_deref()?))
        }
    }

    /// Validation stops at the first edge with a fault.
    "first-fault-ends-validation" misreads "EDGE-2":2 as FormReading {
        fn reported_faults(&self, mut found: Vec<ValidationError>) -> Vec<ValidationError> {
            found.truncate(1);
            found
        }
    }

    /// The execution record keeps edges in the form in which they are read.
    "one-form-serves-both" misreads "EDGE-9":1 as FormReading {
        fn recorded(&self, edge: &Edge) -> Map<String, Value> {
            AsWritten.transported(edge)
        }
    }

    /// An editor reads an edge in the form of the execution record.
    "editor-reads-the-record" misreads "EDGE-9":1 as FormReading {
        fn transported(&self, edge: &Edge) -> Map<String, Value> {
            AsWritten.recorded(edge)
        }
    }

    /// The transport form has its keys in snake case.
    "transport-in-snake-case" misreads "EDGE-9":2 as FormReading {
        fn transported(&self, edge: &Edge) -> Map<String, Value> {
            let form = AsWritten.transported(edge).into_iter();
            form.map(|(key, value)| match key.as_str() {
                "sourceHandle" => ("source_handle".to_owned(), value),
                "targetHandle" => ("target_handle".to_owned(), value),
                _ => (key, value),
            })
            .collect()
        }
    }

    /// The transport form names the port and not the handle.
    "transport-names-ports" misreads "EDGE-9":2 as FormReading {
        fn transported(&self, edge: &Edge) -> Map<String, Value> {
            let mut form = AsWritten.transported(edge);
            for handle in ["sourceHandle", "targetHandle"] {
                let written = form[handle].as_str().unwrap_or_default();
                let port = written.rsplit("put-").next().unwrap_or(written).to_owned();
                form.insert(handle.into(), port.into());
            }
            form
        }
    }

    /// The execution record has its keys in camel case.
    "record-in-camel-case" misreads "EDGE-9":3 as FormReading {
        fn recorded(&self, edge: &Edge) -> Map<String, Value> {
            let record = AsWritten.recorded(edge).into_iter();
            record.map(|(key, value)| (camel_case(&key), value)).collect()
        }
    }

    /// The execution record has a flag only where it is true.
    "false-flags-are-left-out" misreads "EDGE-9":3 as FormReading {
        fn recorded(&self, edge: &Edge) -> Map<String, Value> {
            let mut record = AsWritten.recorded(edge);
            record.retain(|_, value| *value != false);
            record
        }
    }

    /// The execution record has one key for the kind of an edge.
    "record-has-a-kind" misreads "EDGE-9":3 as FormReading {
        fn recorded(&self, edge: &Edge) -> Map<String, Value> {
            let mut record = AsWritten.recorded(edge);
            record.retain(|key, _| !key.starts_with("is_"));
            record.insert("kind".into(), json!(AsWritten.kind(edge)));
            record
        }
    }

    /// The execution record names the branch that an edge leads to.
    "record-names-the-target-port" misreads "EDGE-9":3 as FormReading {
        fn recorded(&self, edge: &Edge) -> Map<String, Value> {
            let mut record = AsWritten.recorded(edge);
            let handle = edge.target_handle.as_deref().unwrap_or_default();
            let (_, port) = handle.split_once("-input-").unwrap_or_default();
            record.insert("branch_name".into(), port.into());
            record
        }
    }

    /// An editor reads the flags of the execution record, too.
    "flags-come-along" misreads "EDGE-9":4 as FormReading {
        fn transported(&self, edge: &Edge) -> Map<String, Value> {
            let mut form = AsWritten.transported(edge);
            let flags = AsWritten.recorded(edge).into_iter();
            form.extend(flags.filter(|(key, _)| key.starts_with("is_")));
            form
        }
    }

    /// Where a flag of the execution record is true, an editor reads it.
    "true-flags-come-along" misreads "EDGE-9":4 as FormReading {
        fn transported(&self, edge: &Edge) -> Map<String, Value> {
            let mut form = AsWritten.transported(edge);
            for (flag, kind) in [
                ("is_trigger", EdgeKind::Trigger),
                ("is_loopback", EdgeKind::Loopback),
                ("is_tool", EdgeKind::Tool),
            ] {
                if AsWritten.kind(edge) == kind {
                    form.insert(flag.into(), true.into());
                }
            }
            form
        }
    }

    /// Both forms of an edge are read side by side, whichever is wanted.
    "both-forms-in-one" misreads "EDGE-9":4 as FormReading {
        fn transported(&self, edge: &Edge) -> Map<String, Value> {
            let mut form = AsWritten.transported(edge);
            form.extend(AsWritten.recorded(edge));
            form
        }
    }
}

/// `is_tool` as `isTool`.
fn camel_case(key: &str) -> String {
    let mut words = key.split('_');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        name.push_str(&first.to_uppercase());
        name.push_str(rest);
    }
    name
}
