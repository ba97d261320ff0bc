use serde_json::{Value, json};

use super::*;
use crate::{
    engine::{Answer, Engine},
    reference,
};

/// For each operation: params that it takes, and params that it does not.
fn samples() -> Vec<(&'static str, Vec<Value>, Vec<Value>)> {
    let edges =
        json!([{}, {"source": "a", "target": "b", "data": {"edgeType": 7, "x": 1}, "y": null}]);
    let workflow = json!({
        "id": "w",
        "nodes": [{"id": "a", "type": "t", "data": {"config": {"branches": []}, "x": 1}, "y": 2}],
        "settings": {"checkpoint_store": "durable"},
    });
    let script = json!({"a": [
        {"interrupt": {"id": "i"}, "branches": "x", "state_update": {"data": {"k": 1}}},
        {"fail": {"message": "no", "retryable": true, "details": {}}},
        {"stop": {"payload": null}},
    ]});
    let program = json!({"name": "w", "steps": [{"name": "a", "emit": "A"}]});
    let state = json!({"status": null, "iterator": null, "messages": [], "data": {}, "own": 1});
    let stamps = json!({"source": {"a": 1}, "consumer": {}, "nesting": ["a"]});
    let with = |mut object: Value, member: &str, value: Value| {
        object[member] = value;
        object
    };
    let run = json!({"program": program, "entry": "file"});
    let resume = json!({"run": "run_1", "checkpoint": "cp"});
    let reenter = json!({
        "edge": {}, "active_branches": [], "rounds_run": {}, "executions": {}, "max_rounds": 1,
    });
    vec![
        (
            "branches.parse",
            vec![json!({"value": null}), json!({"value": ["a", 1]})],
            vec![json!({}), json!({"value": "", "x": 1})],
        ),
        (
            "edge.barrier",
            vec![with(
                stamps.clone(),
                "edge",
                json!({"kind": "agent_result"}),
            )],
            vec![
                stamps.clone(),
                with(stamps.clone(), "edge", json!({"kind": "wire"})),
            ],
        ),
        (
            "edge.branch",
            vec![json!({"sourceHandle": ""})],
            vec![
                json!({}),
                json!({"source_handle": ""}),
                json!({"sourceHandle": "", "x": 1}),
            ],
        ),
        (
            "edge.classify",
            vec![json!({"edge": {"data": {"edgeType": null}}})],
            vec![json!({}), json!({"edge": {"source": null}})],
        ),
        (
            "edge.follow",
            vec![
                json!({"edge": {}}),
                json!({"edge": {}, "emitted": null, "branches": [{"name": 3}, "x"]}),
            ],
            vec![json!({"edge": {}, "branches": "yes"})],
        ),
        (
            "edge.freshness",
            vec![stamps.clone()],
            vec![
                with(stamps.clone(), "x", json!(1)),
                with(stamps.clone(), "source", json!({"a": -1})),
                with(stamps.clone(), "source", json!(null)),
            ],
        ),
        (
            "edge.record",
            vec![json!({"edge": {"id": "e", "x": null}})],
            vec![json!({"edge": "e"})],
        ),
        (
            "edge.transport",
            vec![json!({"edge": {"id": "e", "x": null}})],
            vec![json!({"edge": null})],
        ),
        (
            "foreach.run",
            vec![
                json!({"rounds": []}),
                json!({"rounds": [{"items": [1]}, {}]}),
            ],
            vec![json!({"rounds": [1]}), json!({})],
        ),
        (
            "gateway.decide",
            vec![
                json!({"value": 1, "branches": [{"name": "a", "value": 1}, null]}),
                json!({"value": null, "branches": [], "default": "d"}),
            ],
            vec![
                json!({"branches": []}),
                json!({"value": 1, "branches": [], "default": null}),
            ],
        ),
        (
            "handle.port",
            vec![json!({"handle": "", "side": "input"})],
            vec![json!({"handle": "", "side": "left"}), json!({"handle": ""})],
        ),
        (
            "loops.reach",
            vec![json!({"edges": edges}), json!({"edges": []})],
            vec![json!({}), json!({"edges": [{"source": null}]})],
        ),
        (
            "loops.reenter",
            vec![
                reenter.clone(),
                with(reenter.clone(), "iterator", json!({"remaining": 0})),
            ],
            vec![with(reenter, "iterator", json!(null))],
        ),
        (
            "loops.resolve",
            vec![json!({"edges": edges})],
            vec![
                json!({"edges": edges, "nodes": []}),
                json!({"edges": [{"data": null}]}),
            ],
        ),
        (
            "port.resolve",
            vec![
                json!({"port": "p", "sources": []}),
                json!({"port": "p", "sources": [{"node": "a", "order": 1, "value": null}]}),
            ],
            vec![
                json!({"port": "p", "sources": [{"node": "a"}]}),
                json!({"port": "p", "sources": [{"node": "a", "value": 1, "order": null}]}),
            ],
        ),
        (
            "resume.edit",
            vec![json!({"program": program}), json!({"program": null})],
            vec![json!({}), json!({"program": {"name": "w"}})],
        ),
        (
            "resume.resume",
            vec![with(resume.clone(), "program", program.clone())],
            vec![
                with(resume.clone(), "program", json!(null)),
                with(resume, "force", json!(true)),
            ],
        ),
        (
            "resume.run",
            vec![run.clone(), with(run.clone(), "keep_source", json!(false))],
            vec![
                with(run.clone(), "entry", json!("door")),
                with(run, "stop_at", json!(null)),
            ],
        ),
        (
            "rounds.advance",
            vec![json!({"loops": {"a": []}, "rounds": {"a": u64::MAX - 1}, "loop": "a"})],
            vec![json!({"loops": {"a": "a"}, "rounds": {}, "loop": "a"})],
        ),
        (
            "rounds.restore",
            vec![json!({"executions": [{}, {"id": 1, "rounds": {}}, {"id": "x"}]})],
            vec![
                json!({"executions": [{"id": null}]}),
                json!({"executions": [{"rounds": null}]}),
                json!({"executions": [{"id": 1, "metadata": {}}]}),
            ],
        ),
        (
            "rounds.stamp",
            vec![json!({"loops": {}, "rounds": {}, "node": ""})],
            vec![json!({"loops": {}, "rounds": {}, "node": "", "loop": "a"})],
        ),
        (
            "run.seed",
            vec![
                json!({}),
                json!({"snapshot": state, "threads": {"t": state}, "thread": "t"}),
            ],
            vec![
                json!({"snapshot": null}),
                json!({"checkpoint": null}),
                json!({"snapshots": {}}),
            ],
        ),
        (
            "state.merge",
            vec![json!({"state": {}, "update": state})],
            vec![
                json!({"state": {}}),
                json!({"state": {}, "update": {"messages": "text"}}),
                json!({"state": {"data": null}, "update": {}}),
                json!({"state": {"iterationCount": -1}, "update": {}}),
            ],
        ),
        (
            "workflow.advance",
            vec![json!({"run": "run_1", "loop": "a"})],
            vec![json!({"run": "run_1"}), json!({"run": 1, "loop": "a"})],
        ),
        (
            "workflow.cancel",
            vec![json!({"run": "run_1"})],
            vec![json!({"run": null})],
        ),
        (
            "workflow.compile",
            vec![
                json!({"workflow": {}}),
                json!({"workflow": workflow, "node_types": {"t": {"parameters": {"p": {"default": null}}}}}),
            ],
            vec![
                json!({"workflow": {"id": null}}),
                json!({"workflow": {"edges": null}}),
                json!({"workflow": workflow, "node_types": {"t": {"behaviour": "agent"}}}),
            ],
        ),
        (
            "workflow.edit",
            vec![json!({"run": "run_1", "workflow": {"edges": []}})],
            vec![json!({"run": "run_1", "workflow": null})],
        ),
        (
            "workflow.launch",
            vec![
                json!({"workflow": {"edges": edges}, "script": {}}),
                json!({"workflow": {"edges": [], "nodes": [{"id": "a"}]}}),
                json!({"workflow": workflow, "script": script, "options": {"max_rounds": 2}}),
            ],
            vec![
                json!({"workflow": null}),
                json!({"workflow": {"edges": [], "nodes": ["a"]}}),
                json!({"workflow": workflow, "script": null}),
            ],
        ),
        (
            "workflow.pause",
            vec![json!({"run": "run_1"})],
            vec![json!({})],
        ),
        (
            "workflow.resume",
            vec![
                json!({"run": "run_1"}),
                json!({"run": "run_1", "max_iterations": 0}),
            ],
            vec![json!({"run": null})],
        ),
        (
            "workflow.run",
            vec![
                json!({"workflow": workflow}),
                json!({"workflow": workflow, "script": script, "options": {
                    "thread": "t", "initial_data": {"a": 3}, "checkpoint_store": "durable",
                }}),
                json!({"workflow": workflow, "options": {"checkpoint_store": "other"}}),
            ],
            vec![
                json!({"workflow": workflow, "options": {"threads": {}}}),
                json!({"workflow": workflow, "script": {"a": [{"outputs": {}}]}}),
            ],
        ),
        (
            "workflow.save",
            vec![json!({"run": "run_1", "without": ["configuration", "reach"]})],
            vec![json!({"run": "run_1", "without": ["loops"]})],
        ),
        (
            "workflow.state",
            vec![json!({"run": "run_1"}), json!({"run": "run_2"})],
            vec![json!({"run": "run_1", "x": 1})],
        ),
        (
            "workflow.step",
            vec![
                json!({"run": "run_2", "executions": 1}),
                json!({"run": "run_2"}),
            ],
            vec![json!({"run": "run_1", "executions": -1})],
        ),
        (
            "workflow.validate",
            vec![json!({"workflow": {"edges": edges}})],
            vec![json!({"workflow": "w"}), json!({})],
        ),
    ]
}

#[test]
fn the_reference_does_every_operation_and_knows_its_params() {
    let operations = Operations::standard();
    let about = reference::engine().about();
    let claimed: Vec<&str> = about
        .operations
        .iter()
        .flatten()
        .map(String::as_str)
        .collect();
    let known: Vec<&str> = operations.iter().map(|o| o.name).collect();
    assert_eq!(claimed, known);

    let samples = samples();
    assert_eq!(samples.len(), known.len());
    let mut session = reference::engine().session().unwrap();
    for (operation, right, wrong) in samples {
        for params in right {
            let answer = session.ask(operation, &params);
            assert!(
                matches!(answer, Ok(Answer::Value(_) | Answer::Refused(_))),
                "{operation} {params}: {answer:?}"
            );
        }
        for params in wrong {
            let answer = session.ask(operation, &params);
            assert!(answer.is_err(), "{operation} {params}: {answer:?}");
        }
    }
}

#[cfg(feature = "check")]
#[test]
fn schemas_say_what_the_types_do() {
    let operations = Operations::standard();
    let mut session = reference::engine().session().unwrap();
    for (operation, right, wrong) in samples() {
        let info = operations.get(operation).unwrap();
        let asked = jsonschema::draft202012::new(&info.params_schema()).unwrap();
        let answered = jsonschema::draft202012::new(&info.result_schema()).unwrap();
        for params in right {
            let wrong: Vec<String> = asked.iter_errors(&params).map(|e| e.to_string()).collect();
            assert!(wrong.is_empty(), "{operation} {params}: {wrong:?}");
            if let Answer::Value(result) = session.ask(operation, &params).unwrap() {
                assert!(answered.is_valid(&result), "{operation}: {result}");
            }
        }
        for params in wrong {
            assert!(!asked.is_valid(&params), "{operation} {params}");
        }
    }
}

/// Reads a value as a type, and writes it again.
fn through<T: DeserializeOwned + Serialize>(value: &Value) -> Value {
    serde_json::to_value(serde_json::from_value::<T>(value.clone()).unwrap()).unwrap()
}

#[test]
fn an_edge_goes_through_its_type_unchanged() {
    for edge in [
        json!({}),
        json!({"kind": "tool", "data": {}}),
        json!({"data": {"edgeType": null, "condition": "", "label": null}, "selected": null}),
        json!({"id": "e", "source": "", "data": {"condition": 18446744073709551615_u64}, "z": {"a": [1.5]}}),
    ] {
        assert_eq!(through::<edge::Edge>(&edge), edge);
    }
}

#[test]
fn a_state_goes_through_its_type_unchanged() {
    for state in [
        json!({}),
        json!({"error": null, "iterator": null, "status": null, "threadId": null}),
        json!({"z": null, "a": 1, "data": {"k": null}, "messages": [null], "iterationCount": 3}),
    ] {
        let read: state::State = serde_json::from_value(state.clone()).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), state.to_string());
    }
}

#[test]
fn results_go_through_their_types_unchanged() {
    let resolved = json!({
        "loops": {"h": ["h"]}, "memberships": {},
        "diagnostics": [
            {"code": "no_cycle", "head": "h", "tail": "t"},
            {"code": "merged", "head": "h", "absorbed": ["g"]},
        ],
    });
    assert_eq!(through::<loops::Resolved>(&resolved), resolved);
    let stamped = json!({"stamp": {"z": 1, "a": 18446744073709551615_u64}});
    assert_eq!(
        through::<rounds::Stamped>(&stamped).to_string(),
        stamped.to_string()
    );
    for seeded in [
        json!({"state": {}}),
        json!({"state": {"error": null}, "origin": "fresh", "warnings": [{"code": "checkpoint_not_found"}]}),
    ] {
        assert_eq!(through::<run::Seeded>(&seeded), seeded);
    }
    for channel in [json!(null), json!("event")] {
        let resumed = json!({"ran": [], "log": "", "drift": false, "channel": channel});
        assert_eq!(through::<resume::Resumed>(&resumed), resumed);
    }
    assert_eq!(through::<workflow::Done>(&json!({})), json!({}));
}

#[test]
fn a_member_that_is_left_out_stays_out() {
    for params in [
        json!({}),
        json!({"thread": "t"}),
        json!({"threads": {"t": {}}}),
    ] {
        assert_eq!(through::<run::SeedParams>(&params), params);
    }
    let execution = json!({"id": 1});
    assert_eq!(through::<rounds::Execution>(&execution), execution);
    let edited = json!({"program": null});
    assert_eq!(through::<resume::EditParams>(&edited), edited);
}

#[test]
fn every_member_of_a_schema_is_described() {
    fn undescribed(schema: &Value, path: &str, found: &mut Vec<String>) {
        for (n, inner) in schema.as_array().into_iter().flatten().enumerate() {
            undescribed(inner, &format!("{path}/{n}"), found);
        }
        let Some(schema) = schema.as_object() else {
            return;
        };
        for (name, property) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            if property.get("description").is_none() && property.get("const").is_none() {
                found.push(format!("{path}.{name}"));
            }
        }
        for (name, inner) in schema {
            undescribed(inner, &format!("{path}/{name}"), found);
        }
    }
    let mut found = Vec::new();
    for operation in Operations::standard().iter() {
        undescribed(&operation.params_schema(), operation.name, &mut found);
        undescribed(&operation.result_schema(), operation.name, &mut found);
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn descriptions_say_nothing_in_rust() {
    for operation in Operations::standard().iter() {
        for schema in [operation.params_schema(), operation.result_schema()] {
            assert!(!schema.to_string().contains("```"), "{}", operation.name);
        }
    }
}
