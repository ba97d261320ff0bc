//! The two forms of an edge, and what is wrong with one when it is saved.

use serde_json::{Map, Value, json};

use super::edges::EdgeReading;
use crate::{
    engine::Refusal,
    operations::{
        edge::{Edge, EdgeKind},
        workflow::{ValidationError, Workflow},
    },
};

/// What the rules about writing edges decide.
pub trait FormReading: EdgeReading {
    /// Whether an edge is read at all: it is, whatever it has and whatever it lacks.
    //= EDGE-2:1
    //= EDGE-2:2
    fn is_readable(&self, _edge: &Edge) -> bool {
        true
    }

    /// What the author is told of the faults that were found: all of them.
    //= EDGE-2:2
    fn reported_faults(&self, found: Vec<ValidationError>) -> Vec<ValidationError> {
        found
    }

    /// Whether an edge is saved that joins nothing. It is read, and then refused for that.
    //= EDGE-2:2
    fn needs_endpoints(&self) -> bool {
        true
    }

    /// Whether a declared type is one.
    // open: no rule lists them; these are the kinds that the rules speak of.
    //= EDGE-5:4
    fn is_recognised(&self, declared: &str) -> bool {
        matches!(
            declared,
            "tool_availability"
                | "agent_result"
                | "data"
                | "trigger"
                | "error"
                | "loopback"
                | "tool"
        )
    }

    /// An edge as an editor reads it back: its ends and handles, empty where they were absent, and
    /// all that was saved with it, a condition included.
    //= EDGE-2:1
    //= EDGE-8:2
    //= EDGE-9:2
    //= SG-9:2
    fn transported(&self, edge: &Edge) -> Map<String, Value> {
        let mut form = Map::new();
        let text = |text: &Option<String>| Value::from(text.clone().unwrap_or_default());
        form.insert("id".into(), text(&edge.id));
        form.insert("source".into(), text(&edge.source));
        form.insert("target".into(), text(&edge.target));
        form.insert("sourceHandle".into(), text(&edge.source_handle));
        form.insert("targetHandle".into(), text(&edge.target_handle));
        if let Some(data) = &edge.data {
            form.insert("data".into(), json!(data));
        }
        form.extend(
            edge.rest
                .clone()
                .into_iter()
                .filter(|(key, _)| !is_of_record(key)),
        );
        form
    }

    /// An edge as the execution record has it.
    // open: which members name its nodes.
    //= EDGE-9:1
    //= EDGE-9:3
    //= EDGE-9:4
    fn recorded(&self, edge: &Edge) -> Map<String, Value> {
        let kind = self.kind(edge);
        let source_handle = edge.source_handle.as_deref().unwrap_or_default();
        let members = json!({
            "edge_id": edge.id.as_deref().unwrap_or_default(),
            "source_handle": source_handle,
            "target_handle": edge.target_handle.as_deref().unwrap_or_default(),
            "is_trigger": kind == EdgeKind::Trigger,
            "is_loopback": kind == EdgeKind::Loopback,
            "is_tool": kind == EdgeKind::Tool,
            "branch_name": self.branch(source_handle),
        });
        match members {
            Value::Object(members) => members,
            _ => Map::new(),
        }
    }
}

/// Whether a key belongs to the execution record alone.
//= EDGE-9:4
fn is_of_record(key: &str) -> bool {
    matches!(
        key,
        "edge_id"
            | "source_handle"
            | "target_handle"
            | "is_trigger"
            | "is_loopback"
            | "is_tool"
            | "branch_name"
    )
}

/// An edge as an editor reads it back.
///
/// # Errors
///
/// `other` where the reading does not read it.
pub fn transport(reading: &dyn FormReading, edge: &Edge) -> Result<Map<String, Value>, Refusal> {
    read(reading, edge)?;
    Ok(reading.transported(edge))
}

fn read(reading: &dyn FormReading, edge: &Edge) -> Result<(), Refusal> {
    if reading.is_readable(edge) {
        return Ok(());
    }
    Err(Refusal::new("other", "the edge cannot be read"))
}

/// What keeps a workflow from being saved, edge by edge.
///
/// # Errors
///
/// `other` where the reading does not read an edge.
//= EDGE-2:2
//= EDGE-5:4
pub fn validate(
    reading: &dyn FormReading,
    workflow: &Workflow,
) -> Result<Vec<ValidationError>, Refusal> {
    let mut errors = Vec::new();
    for (index, edge) in workflow.edges.iter().enumerate() {
        read(reading, edge)?;
        if reading.needs_endpoints() && reading.ends(edge).is_none() {
            errors.push(ValidationError::MissingEndpoint { index });
        }
        if let Some(declared) = reading.declared_type(edge)
            && !reading.is_recognised(declared)
        {
            errors.push(ValidationError::UnrecognisedEdgeType {
                index,
                edge_type: declared.to_owned(),
            });
        }
    }
    Ok(reading.reported_faults(errors))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::AsWritten;

    #[test]
    fn each_form_has_its_own_keys() {
        let edge: Edge = serde_json::from_value(json!({
            "id": "e", "source": "g", "target": "n", "sourceHandle": "g-output-No",
            "targetHandle": "n-input-trigger", "data": {"condition": "x"}, "is_tool": true, "colour": 1,
        }))
        .unwrap();
        assert_eq!(
            json!(AsWritten.recorded(&edge)),
            json!({"edge_id": "e", "source_handle": "g-output-No", "target_handle": "n-input-trigger",
                   "is_trigger": true, "is_loopback": false, "is_tool": false, "branch_name": "No"})
        );
        assert_eq!(
            json!(AsWritten.transported(&edge)),
            json!({"id": "e", "source": "g", "target": "n", "sourceHandle": "g-output-No",
                   "targetHandle": "n-input-trigger", "data": {"condition": "x"}, "colour": 1})
        );
        assert_eq!(
            json!(AsWritten.transported(&Edge::default())),
            json!({"id": "", "source": "", "target": "", "sourceHandle": "", "targetHandle": ""})
        );
    }

    #[test]
    fn loose_ends_and_types_that_are_none_are_refused_at_save() {
        let workflow: Workflow = serde_json::from_value(json!({"edges": [
            {"source": "a"},
            {"source": "a", "target": "b", "data": {"edgeType": "tool_availabilty"}},
            {"source": "a", "target": "b", "data": {"edgeType": ""}},
        ]}))
        .unwrap();
        assert_eq!(
            json!(validate(&AsWritten, &workflow).unwrap()),
            json!([
                {"code": "missing_endpoint", "index": 0},
                {"code": "unrecognised_edge_type", "index": 1, "edge_type": "tool_availabilty"},
            ])
        );
    }
}
