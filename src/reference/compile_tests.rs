use serde_json::{Value, json};

use super::*;
use crate::reference::AsWritten;

fn compiled(workflow: Value, types: Value) -> Result<Compiled, String> {
    let workflow = serde_json::from_value(workflow).unwrap();
    let types = serde_json::from_value(types).unwrap();
    match compile(&AsWritten, &workflow, &types) {
        Ok(plan) => Ok(plan.compiled),
        Err(refusal) => Err(refusal.message),
    }
}

fn nodes(ids: &[&str]) -> Value {
    ids.iter()
        .map(|id| json!({"id": id, "type": "t"}))
        .collect()
}

#[test]
fn preconditions_come_in_order_and_the_first_is_told() {
    for (workflow, message) in [
        (json!({"nodes": [{}]}), "Workflow must have an ID"),
        (json!({"id": "w"}), "Workflow must have at least one node"),
        (
            json!({"id": "w", "nodes": [{"id": "a", "type": "t"}, {"type": "t"}, {"id": "c"}]}),
            "Node at index 1 must have an ID",
        ),
        (
            json!({"id": "wrap_probe", "nodes": [{"id": "node1"}]}),
            "Node node1 must have a type",
        ),
    ] {
        let refused = compiled(workflow, json!({})).unwrap_err();
        assert_eq!(refused, format!("Workflow compilation failed: {message}"));
    }
}

#[test]
fn a_cycle_is_legal_only_by_a_loopback_or_a_tool() {
    let edges = |back: Value| json!([{"source": "a", "target": "b"}, back]);
    let with = |back| {
        compiled(
            json!({"id": "w", "nodes": nodes(&["a", "b"]), "edges": edges(back)}),
            json!({}),
        )
    };
    assert!(with(json!({"source": "b", "target": "a"})).is_err());
    let looped = json!({"source": "b", "target": "a", "targetHandle": "a-input-loop_back"});
    assert!(with(looped).unwrap().excluded[0].id == "a");
    assert!(with(json!({"source": "b", "target": "a", "kind": "tool"})).is_ok());
}

#[test]
fn exclusions_have_a_precedence() {
    let workflow = json!({
        "id": "w",
        "nodes": [
            {"id": "in", "type": "t"}, {"id": "note", "type": "note"}, {"id": "tool", "type": "t"},
            {"id": "agent", "type": "agent"}, {"id": "alone", "type": "t"},
        ],
        "edges": [
            {"source": "in", "target": "note"}, {"source": "note", "target": "agent", "kind": "tool"},
            {"source": "in", "target": "agent"},
            {"source": "tool", "target": "agent", "targetHandle": "agent-input-tool"},
            {"source": "agent", "target": "tool", "kind": "loopback"},
        ],
    });
    let types = json!({"note": {"executable": false}, "agent": {"accepts_tools": true}});
    let compiled = compiled(workflow, types).unwrap();
    assert_eq!(
        json!(compiled.excluded),
        json!([{"id": "note", "reason": "non_executable"}, {"id": "tool", "reason": "tool_only"}])
    );
    assert_eq!(compiled.order, ["in", "alone", "agent"]);
    assert_eq!(json!(compiled.dependencies), json!({"agent": ["in"]}));
    assert_eq!(json!(compiled.tools), json!({"agent": ["note", "tool"]}));
}

#[test]
fn triggers_displace_data_for_ordering() {
    let workflow = json!({"id": "w", "nodes": nodes(&["a", "b", "c"]), "edges": [
        {"source": "a", "target": "c"},
        {"source": "b", "target": "c", "targetHandle": "c-input-trigger"},
    ]});
    let compiled = compiled(workflow, json!({})).unwrap();
    assert_eq!(json!(compiled.dependencies), json!({"c": ["b"]}));
}

#[test]
fn tools_of_one_name_collide_through_a_box_and_not_at_two_consumers() {
    let tool = |id: &str, label: &str| json!({"id": id, "type": "t", "data": {"label": label}});
    let wire = |from: &str, to: &str| json!({"source": from, "target": to, "kind": "tool"});
    let types = json!({"box": {"passthrough": true}, "agent": {"accepts_tools": true}});
    let through_a_box = json!({
        "id": "w",
        "nodes": [tool("a", "Web Search"), tool("b", "web-search"),
                  {"id": "box", "type": "box"}, {"id": "agent", "type": "agent"}],
        "edges": [wire("a", "box"), wire("b", "box"), wire("box", "agent")],
    });
    assert!(compiled(through_a_box, types.clone()).is_err());
    let apart = json!({
        "id": "w",
        "nodes": [tool("a", "Search"), tool("b", "Search"),
                  {"id": "one", "type": "agent"}, {"id": "two", "type": "agent"}],
        "edges": [wire("a", "one"), wire("b", "two")],
    });
    assert!(compiled(apart, types.clone()).is_ok());
    let no_consumer = json!({
        "id": "w", "nodes": [tool("a", "x"), {"id": "c", "type": "deaf"}], "edges": [wire("a", "c")],
    });
    assert!(compiled(no_consumer, json!({"deaf": {}})).is_err());
}
