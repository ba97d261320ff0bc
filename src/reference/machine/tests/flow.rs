//! Which nodes run, how often, and on what.

use serde_json::{Value, json};

use super::{execution, keys, run, with_branches, workflow};

#[test]
fn edges_that_meet_in_a_node_execute_it_once_with_the_latest_value() {
    let trace = run(json!({
        "workflow": workflow(&["a", "b", "c"], &["a -> c.data", "b -> c.data"]),
        "script": {"a": [{"output": {"out": "first"}}], "b": [{"output": {"out": "second"}}]},
    }));
    assert_eq!(keys(&trace), ["a", "b", "c"]);
    assert_eq!(trace["status"], "completed");
    assert_eq!(execution(&trace, "c")["input"], json!({"data": "second"}));
    assert_eq!(
        trace["warnings"],
        json!([{"code": "port_collision", "node": "c", "port": "data", "sources": ["a", "b"]}])
    );
}

#[test]
fn a_loop_turns_within_its_budget_and_keys_its_results() {
    let mut flow = workflow(
        &["in", "h", "t", "after"],
        &["in -> h", "h -> t", "t => h", "t -> after"],
    );
    flow["edges"][2]["data"] = json!({"condition": "false"});
    let trace = run(json!({
        "workflow": flow, "options": {"max_rounds": 3},
        "script": {"t": [{"output": {"out": 0}}, {"output": {"out": 1}}, {"output": {"out": 2}}]},
    }));
    assert_eq!(
        keys(&trace),
        ["in", "h", "t", "h:1", "t:1", "h:2", "t:2", "after"]
    );
    assert_eq!(execution(&trace, "t:2")["rounds"], json!({"h": 2}));
    assert_eq!(execution(&trace, "after")["rounds"], json!({}));
    assert_eq!(execution(&trace, "after")["input"], json!({"in": 2}));
    let warnings = trace["warnings"].as_array().unwrap();
    assert_eq!(
        warnings.len(),
        3,
        "once each time that the edges of t are resolved"
    );
    let orders: Vec<u64> = trace["executions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["order"].as_u64().unwrap())
        .collect();
    assert!(orders.is_sorted_by(|a, b| a < b));
    let checkpoints = trace["checkpoints"].as_array().unwrap();
    assert_eq!(checkpoints.len(), 9);
    assert_eq!(checkpoints[0]["parent"], json!(null));
    assert_eq!(checkpoints[8]["name"], "workflow_end");
    assert_eq!(checkpoints[8]["parent"], checkpoints[7]["id"]);
}

#[test]
fn a_branch_that_is_not_taken_is_skipped_and_the_trigger_port_is_no_branch() {
    let flow = with_branches(
        workflow(
            &["gw", "yes", "no", "val"],
            &[
                "gw.Yes -> yes.trigger",
                "gw.No -> no.trigger",
                "gw.note -> val",
                "gw.trigger => gw",
            ],
        ),
        "gw",
        &["Yes", "No"],
    );
    let mut flow = flow;
    flow["nodes"]
        .as_array_mut()
        .unwrap()
        .push(json!({"id": "in", "type": "in"}));
    flow["edges"]
        .as_array_mut()
        .unwrap()
        .push(json!({"source": "in", "target": "gw"}));
    let trace = run(json!({
        "workflow": flow, "options": {"max_rounds": 2},
        "script": {"gw": [{"branches": " YES "}, {"branches": ["yes"]}]},
    }));
    assert_eq!(keys(&trace), ["in", "gw", "gw:1", "yes", "val"]);
    assert_eq!(trace["metadata"]["skipped_node_ids"], json!(["no"]));
    assert_eq!(trace["metadata"]["nodes_skipped"], 1);
    assert_eq!(trace["skipped"][0]["reason"], "branch_not_active");
}

/// The specification's example: a planner that heads a loop, and an assembler of two ports.
fn planner(extra: &[&str]) -> Value {
    let edges = [
        "in -> planner",
        "planner.write -> write.trigger",
        "planner.check -> fact_check.trigger",
        "write -> assembler.draft",
        "fact_check -> assembler.citations",
        "assembler => planner",
    ];
    let edges: Vec<&str> = edges.iter().chain(extra).copied().collect();
    let nodes = [
        "in",
        "planner",
        "write",
        "fact_check",
        "assembler",
        "handler",
    ];
    with_branches(workflow(&nodes, &edges), "planner", &["write", "check"])
}

#[test]
fn a_port_that_nothing_can_fill_any_more_fails_its_consumer() {
    let script = json!({"planner": [{"branches": ["write", "check"]}, {"branches": ["write"]}]});
    let trace = run(json!({"workflow": planner(&[]), "script": script}));
    assert_eq!(trace["status"], "failed");
    assert_eq!(
        trace["failure"]["message"],
        "port 'citations' cannot be satisfied in round 1 — its only in-loop source 'fact_check' was \
         skipped by gateway 'planner'"
    );
    assert_eq!(trace["failure"]["node"], "assembler");
    assert_eq!(trace["failure"]["round"], 1);

    let trace = run(json!({
        "workflow": planner(&["assembler.error -> handler.fault"]), "script": script,
    }));
    assert_eq!(trace["status"], "completed");
    let failed = execution(&trace, "assembler:1");
    assert_eq!(
        (&failed["status"], &failed["error_routed"]),
        (&json!("failed"), &json!(true))
    );
    let fault = &execution(&trace, "handler")["input"]["fault"];
    assert_eq!(fault["node_id"], "assembler");
}

#[test]
fn a_source_outside_the_loop_keeps_a_port_fillable() {
    let script = json!({"planner": [{"branches": ["write", "check"]}, {"branches": ["write"]}]});
    let trace = run(
        json!({"workflow": planner(&["in -> assembler.citations"]), "script": script,
                           "options": {"max_rounds": 2}}),
    );
    assert_eq!(trace["status"], "completed");
    assert!(keys(&trace).contains(&"assembler:1"));
}

#[test]
fn a_trigger_from_an_earlier_round_leaves_its_consumer_waiting() {
    let flow = with_branches(
        workflow(
            &["in", "h", "a", "c", "t"],
            &[
                "in -> h",
                "h.x -> a.trigger",
                "a -> c.trigger",
                "h -> c.data",
                "h -> t",
                "c -> t.more",
                "t => h",
            ],
        ),
        "h",
        &["x", "y"],
    );
    let trace = run(json!({
        "workflow": flow, "options": {"max_rounds": 2},
        "script": {"h": [{"branches": ["x"]}, {"branches": ["y"]}]},
    }));
    assert!(!keys(&trace).contains(&"c:1"), "{:?}", keys(&trace));
    let skipped = trace["metadata"]["skipped_node_ids"].as_array().unwrap();
    assert!(skipped.contains(&json!("c")));
}

#[test]
fn foreach_goes_through_its_items_and_collects() {
    let types = json!({"each": {"behaviour": "foreach"}});
    let flow = workflow(
        &["in", "each", "body", "after"],
        &[
            "in -> each.items",
            "each.current_item -> body",
            "body => each",
            "each.collected_results -> after",
        ],
    );
    let trace = run(json!({
        "workflow": flow, "node_types": types, "options": {"max_rounds": 1},
        "script": {
            "in": [{"output": {"out": ["a", "b"]}}],
            "body": [{"output": {"out": "A"}}, {"output": {"out": "B"}}],
        },
    }));
    assert_eq!(
        keys(&trace),
        ["in", "each", "body", "each:1", "body:1", "each:2", "after"]
    );
    assert_eq!(execution(&trace, "body:1")["input"], json!({"in": "b"}));
    assert_eq!(
        execution(&trace, "after")["input"],
        json!({"in": ["A", "B"]})
    );
    assert_eq!(trace["state"]["iterator"], json!(null));

    let trace = run(json!({
        "workflow": workflow(&["in", "each", "body"], &[
            "in -> each.items", "each.current_item -> body", "body => each"]),
        "node_types": {"each": {"behaviour": "foreach"}},
        "script": {"in": [{"output": {"out": []}}]},
    }));
    assert_eq!(keys(&trace), ["in", "each"]);
    assert_eq!(trace["metadata"]["skipped_node_ids"], json!(["body"]));
}

#[test]
fn a_run_without_a_budget_is_paused_in_the_end() {
    let trace = run(json!({
        "workflow": workflow(&["in", "h"], &["in -> h", "h => h"]),
        "options": {"max_rounds": u64::MAX},
    }));
    assert_eq!(trace["status"], "paused");
    assert_eq!(trace["metadata"]["pause_reason"], "max_executions");
}

#[test]
fn a_state_that_grows_without_end_pauses_the_run() {
    let said = json!({"state_update": {"messages": [{"content": vec!["word"; 1_000]}]}});
    let trace = run(json!({
        "workflow": workflow(&["in", "h"], &["in -> h", "h => h"]),
        "script": {"h": vec![said; 100]},
        "options": {"max_rounds": 100},
    }));
    assert_eq!(trace["status"], "paused");
    assert_eq!(trace["metadata"]["pause_reason"], "max_state");
    let executed = trace["executions"].as_array().expect("a list").len();
    assert!((40..60).contains(&executed), "{executed}");
}

#[test]
fn nested_loops_start_over_in_every_outer_round() {
    let trace = run(json!({
        "workflow": workflow(&["in", "o", "i", "it", "ot"],
            &["in -> o", "o -> i", "i -> it", "it => i", "it -> ot", "ot => o"]),
        "options": {"max_rounds": 2},
    }));
    let stamps: Vec<String> = trace["executions"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|e| e["node"] == "it")
        .map(|e| e["rounds"].to_string())
        .collect();
    assert_eq!(
        stamps,
        [
            r#"{"o":0,"i":0}"#,
            r#"{"o":0,"i":1}"#,
            r#"{"o":1,"i":0}"#,
            r#"{"o":1,"i":1}"#,
        ]
    );
    assert_eq!(trace["status"], "completed");
}
