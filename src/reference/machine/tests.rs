//! Runs whose traces are worked out by hand from the clauses.

use serde_json::{Value, json};

use crate::{
    engine::{Answer, Engine, Session},
    reference::engine,
};

/// A workflow of nodes of the type that is called like the node's first word, with edges written
/// `source.port -> target.port`; `=>` and no port at the target make a loopback.
fn workflow(nodes: &[&str], edges: &[&str]) -> Value {
    let nodes: Vec<Value> = nodes
        .iter()
        .map(|id| json!({"id": id, "type": id.split('_').next()}))
        .collect();
    let edges: Vec<Value> = edges
        .iter()
        .map(|edge| {
            let (from, to) = edge.split_once(" -> ").or(edge.split_once(" => ")).unwrap();
            let (source, out) = from.split_once('.').unwrap_or((from, "out"));
            let back = if edge.contains("=>") {
                "loop_back"
            } else {
                "in"
            };
            let (target, port) = to.split_once('.').unwrap_or((to, back));
            json!({
                "id": edge, "source": source, "target": target,
                "sourceHandle": format!("{source}-output-{out}"),
                "targetHandle": format!("{target}-input-{port}"),
            })
        })
        .collect();
    json!({"id": "w", "nodes": nodes, "edges": edges})
}

fn with_branches(mut workflow: Value, node: &str, names: &[&str]) -> Value {
    for n in workflow["nodes"].as_array_mut().unwrap() {
        if n["id"] == node {
            let branches: Vec<Value> = names
                .iter()
                .map(|b| json!({"name": b, "value": b}))
                .collect();
            n["data"] = json!({"config": {"branches": branches}});
        }
    }
    workflow
}

struct Asked(Box<dyn Session>);

impl Asked {
    fn new() -> Self {
        Self(engine().session().unwrap())
    }

    fn ask(&mut self, operation: &str, params: Value) -> Value {
        match self.0.ask(operation, &params).unwrap() {
            Answer::Value(value) => value,
            other => panic!("{operation}: {other:?}"),
        }
    }

    fn refused(&mut self, operation: &str, params: Value) -> String {
        match self.0.ask(operation, &params).unwrap() {
            Answer::Refused(refusal) => refusal.reason,
            other => panic!("{operation}: {other:?}"),
        }
    }
}

fn run(params: Value) -> Value {
    Asked::new().ask("workflow.run", params)
}

fn keys(trace: &Value) -> Vec<&str> {
    let executions = trace["executions"].as_array().unwrap();
    executions
        .iter()
        .map(|e| e["key"].as_str().unwrap())
        .collect()
}

fn execution<'t>(trace: &'t Value, key: &str) -> &'t Value {
    let executions = trace["executions"].as_array().unwrap();
    executions.iter().find(|e| e["key"] == key).unwrap()
}

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
fn internals_are_seen_where_declared_and_never_recorded() {
    let types = json!({
        "sees": {"parameters": {"__state__": {"type": "string"}, "__data__": {}}, "outputs": {
            "state_update": {"exposed": false}, "hidden": {"exposed": false}}},
        "aware": {"state_aware": true},
    });
    let mut flow = workflow(&["sees", "aware"], &["sees.hidden -> aware"]);
    flow["nodes"][0]["data"] = json!({"config": {"x": 1, "__messages__": "no"}});
    let trace = run(json!({
        "workflow": flow, "node_types": types,
        "script": {"sees": [{"output": {"hidden": 1, "shown": 2}, "state_update": {"data": {"k": 1}}}]},
    }));
    let seen = execution(&trace, "sees");
    let names: Vec<&String> = seen["input"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["x", "__state__", "__data__"]);
    assert_eq!(seen["recorded_input"], json!({"x": 1}));
    assert_eq!(
        seen["output"],
        json!({"shown": 2, "state_update": {"data": {"k": 1}}})
    );
    assert_eq!(trace["state"]["data"], json!({"k": 1}));
    let aware = execution(&trace, "aware");
    assert_eq!(aware["live_state"]["data"], json!({"k": 1}));
    assert_eq!(aware["input"], json!({}));
    assert_eq!(seen.get("live_state"), None);
}

#[test]
fn the_last_iteration_is_allowed_and_the_next_ends_the_run() {
    let with = |count: u64| {
        run(json!({
            "workflow": workflow(&["loop_node", "b"], &["loop_node -> b"]),
            "options": {"max_iterations": 5},
            "script": {"loop_node": [{"state_update": {"iterationCount": count}}]},
        }))
    };
    assert_eq!(with(5)["status"], "completed");
    let trace = with(999);
    assert_eq!(trace["status"], "max_iterations_exceeded");
    assert_eq!(trace["results"], json!({}));
    assert_eq!(trace["metadata"]["current_iterations"], 999);
    assert_eq!(trace["metadata"]["node_id"], "loop_node");
    assert_eq!(trace.get("resume_handle"), None);
}

#[test]
fn a_budget_holds_across_a_pause_and_an_edit_changes_nothing() {
    let mut asked = Asked::new();
    let flow = workflow(&["in", "h", "t"], &["in -> h", "h -> t", "t => h"]);
    let launched = asked.ask("workflow.launch", json!({
        "workflow": flow, "script": {}, "options": {"max_rounds": 3, "checkpoint_store": "ephemeral"},
    }));
    let of = |more: Value| {
        let mut params = json!({"run": launched["run"]});
        params
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().cloned().unwrap());
        params
    };
    let stepped = asked.ask("workflow.step", of(json!({"executions": 4})));
    assert_eq!(stepped["executions"][3]["rounds"], json!({"h": 1}));
    asked.ask("workflow.pause", of(json!({})));
    assert_eq!(asked.refused("workflow.step", of(json!({}))), "run_paused");
    let mut edited = workflow(
        &["in", "h", "n", "t"],
        &["in -> h", "h -> n", "n -> t", "t => h"],
    );
    edited["settings"] = json!({"max_rounds": 50, "thread": "other"});
    asked.ask("workflow.edit", of(json!({"workflow": edited})));
    asked.ask("workflow.save", of(json!({})));
    asked.ask("workflow.resume", of(json!({})));
    let state = asked.ask("workflow.state", of(json!({})));
    assert_eq!(state["rounds"], json!({"h": 1}));
    assert_eq!(state["loops"], json!({"h": ["h", "t"]}));
    assert_eq!(
        state["trace"]["checkpoints"],
        json!([]),
        "they were ephemeral"
    );
    let stepped = asked.ask("workflow.step", of(json!({})));
    assert_eq!(stepped["status"], "completed");
    assert_eq!(
        stepped["executions"].as_array().unwrap().len(),
        3,
        "t:1, h:2 and t:2"
    );
    assert_eq!(asked.refused("workflow.resume", of(json!({}))), "run_ended");
}

#[test]
fn an_interrupt_pauses_and_the_same_execution_goes_on() {
    let mut asked = Asked::new();
    let types = json!({"ask": {"parameters": {"__interrupt_id__": {}}}});
    let trace = asked.ask(
        "workflow.run",
        json!({
            "workflow": workflow(&["before", "ask", "after"], &["before -> ask", "ask -> after"]),
            "node_types": types,
            "script": {"ask": [{"interrupt": {"id": "i_1"}, "output": {"out": "yes"}}]},
            "options": {"execution_id": "mine"},
        }),
    );
    assert_eq!(trace["status"], "interrupted");
    assert_eq!(trace["results"], json!({"before": {}}));
    assert_eq!(
        trace["metadata"]["interrupt"],
        json!({"id": "i_1", "nodeId": "ask", "status": "pending"})
    );
    assert_ne!(trace["run"], "mine");
    assert_eq!(
        asked.refused("workflow.state", json!({"run": "mine"})),
        "unknown_run"
    );
    asked.ask("workflow.resume", json!({"run": trace["run"]}));
    asked.ask("workflow.step", json!({"run": trace["run"]}));
    let state = asked.ask("workflow.state", json!({"run": trace["run"]}));
    assert_eq!(keys(&state["trace"]), ["before", "ask", "after"]);
    let resumed = execution(&state["trace"], "ask");
    assert_eq!(resumed["input"], json!({"__interrupt_id__": "i_1"}));
    assert_eq!(resumed["recorded_input"], json!({}));
    assert_eq!(
        execution(&state["trace"], "after")["input"],
        json!({"in": "yes"})
    );
    assert_eq!(
        state["progress"],
        json!({"after": "completed", "ask": "completed", "before": "completed"})
    );
}

#[test]
fn failures_are_routed_along_error_edges_only() {
    let flow = workflow(
        &["boom", "handler", "next"],
        &["boom.error -> handler.input", "boom -> next"],
    );
    let script = |fail: Value| json!({"boom": [{"fail": fail}]});
    let trace =
        run(json!({"workflow": flow, "script": script(json!({"message": "boom blew up"}))}));
    assert_eq!(trace["status"], "completed");
    assert_eq!(keys(&trace), ["boom", "handler"]);
    assert_eq!(
        execution(&trace, "handler")["input"]["input"]["message"],
        "boom blew up"
    );
    let boom = execution(&trace, "boom");
    assert_eq!(boom["trail"], json!(["running", "completed"]));
    assert_eq!(boom["status"], "failed");
    let escaping = json!({"message": "lost", "escapes": true});
    let trace = run(json!({"workflow": flow, "script": script(escaping)}));
    assert_eq!(
        (&trace["status"], &trace["failure"]["message"]),
        (&json!("failed"), &json!("lost"))
    );
    assert_eq!(
        execution(&trace, "boom")["trail"],
        json!(["running", "failed"])
    );
    assert_eq!(execution(&trace, "boom").get("output"), None);
}

#[test]
fn a_thread_goes_on_and_a_checkpoint_of_an_ended_run_does_not() {
    let mut asked = Asked::new();
    let params = |options: Value| {
        json!({
            "workflow": workflow(&["a"], &[]), "options": options,
            "script": {"a": [{"state_update": {"messages": ["hello"], "iterationCount": 2}}]},
        })
    };
    let first = asked.ask("workflow.run", params(json!({"thread": "t"})));
    let second = asked.ask("workflow.run", params(json!({"thread": "t"})));
    assert_eq!(second["state"]["messages"], json!(["hello", "hello"]));
    let last = first["checkpoints"].as_array().unwrap().last().unwrap()["id"].clone();
    assert_eq!(
        asked.refused("workflow.run", params(json!({"checkpoint": last}))),
        "run_ended"
    );
    let fresh = asked.ask(
        "workflow.run",
        params(json!({"checkpoint": "none", "thread": "t"})),
    );
    assert_eq!(fresh["state"]["messages"], json!(["hello"]));
    assert_eq!(fresh["warnings"], json!([{"code": "checkpoint_not_found"}]));
    let unknown = params(json!({"checkpoint_store": "cupboard"}));
    assert_eq!(
        asked.refused("workflow.run", unknown),
        "unknown_checkpoint_store"
    );
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
