//! The port that nothing can fill any more, and what keeps one open.

use serde_json::{Value, json};

use super::{Asked, execution, keys, run, with_branches, workflow};

/// A loop in which `g` chooses who feeds `src`, which feeds a port of `use`, whose other port
/// `g` feeds itself. `x` is an ancestor of `src` that no round takes.
fn chooses(more: &[&str]) -> Value {
    let edges = [
        "in -> g",
        "g.X -> x.trigger",
        "g.Y -> y.trigger",
        "x -> src",
        "y -> src",
        "src -> use.late",
        "g -> use.always",
        "use => g",
    ];
    let edges: Vec<&str> = edges.iter().chain(more).copied().collect();
    let nodes = ["in", "g", "x", "y", "src", "use", "slow", "aside"];
    with_branches(workflow(&nodes, &edges), "g", &["X", "Y", "Z"])
}

fn script() -> Value {
    json!({"g": [{"branches": ["y"]}, {"branches": ["z"]}]})
}

#[test]
fn what_waits_for_a_branch_never_taken_does_not_hold_a_port_open() {
    let trace = run(json!({"workflow": chooses(&[]), "script": script()}));
    assert_eq!(trace["status"], "failed");
    let failure = &trace["failure"];
    assert_eq!(
        (&failure["node"], &failure["port"]),
        (&json!("use"), &json!("late"))
    );
    assert_eq!(
        (&failure["source"], &failure["round"]),
        (&json!("src"), &json!(1))
    );
    assert_eq!(
        failure.get("gateway"),
        None,
        "no branch edge leads to `src`"
    );
    assert!(!failure["message"].as_str().unwrap().contains("gateway"));
}

#[test]
fn a_trigger_or_an_error_edge_leaves_the_consumer_waiting() {
    for more in ["slow -> use.trigger", "slow.error -> use.fault"] {
        let mut flow = chooses(&[more]);
        if more.contains("trigger") {
            // The trigger is from the loop, or it would stay satisfied for good.
            flow = chooses(&["y -> use.trigger"]);
        }
        let trace = run(json!({"workflow": flow, "script": script()}));
        assert_eq!(trace["status"], "completed", "{more}");
        assert!(!keys(&trace).contains(&"use:1"), "{more}");
        let skipped = trace["metadata"]["skipped_node_ids"].as_array().unwrap();
        assert!(skipped.contains(&json!("use")), "{more}");
    }
}

#[test]
fn a_source_that_was_never_dispatched_is_no_failure() {
    let never = json!({"g": [{"branches": ["z"]}, {"branches": ["z"]}]});
    let trace = run(json!({"workflow": chooses(&[]), "script": never}));
    assert_eq!(trace["status"], "completed");
    let skipped = &trace["metadata"]["skipped_node_ids"];
    assert_eq!(*skipped, json!(["x", "y", "src", "use"]));
}

#[test]
fn a_run_without_reachability_is_not_judged() {
    let mut asked = Asked::new();
    let params = json!({"workflow": chooses(&[]), "script": script()});
    let run = asked.ask("workflow.launch", params)["run"].clone();
    asked.ask("workflow.step", json!({"run": run, "executions": 3}));
    asked.ask("workflow.save", json!({"run": run, "without": ["reach"]}));
    let stepped = asked.ask("workflow.step", json!({"run": run}));
    assert_eq!(stepped["status"], "completed");
    let state = asked.ask("workflow.state", json!({"run": run}));
    assert_eq!(state["reach"], json!({}));
    assert_eq!(state["trace"]["skipped"][1]["node"], "use");
}

#[test]
fn a_head_that_is_to_run_again_holds_the_port_open() {
    // The inner loop around `src` turns once more while `use` waits in the outer one.
    let flow = workflow(
        &["in", "o", "h", "src", "use"],
        &[
            "in -> o",
            "o -> h",
            "h -> src",
            "src => h",
            "src -> use.late",
            "o -> use.always",
            "use => o",
        ],
    );
    let trace = run(json!({"workflow": flow, "options": {"max_rounds": 2}}));
    assert_eq!(trace["status"], "completed");
    assert_eq!(
        keys(&trace),
        [
            "in", "o", "h", "src", "h:1", "src:1", "use", "o:1", "h:2", "src:2", "h:3", "src:3",
            "use:1"
        ]
    );
    assert_eq!(execution(&trace, "use:1")["rounds"], json!({"o": 1}));
}
