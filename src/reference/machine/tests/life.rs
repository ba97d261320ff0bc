//! State, failures, pauses and ends.

use serde_json::{Value, json};

use super::{Asked, execution, keys, run, workflow};

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
