use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::*;
use crate::{
    explore::{ALL, Draws},
    operations::Operations,
    suite::{Bindings, Case, Shapes, Suite},
};

#[test]
fn every_open_question_is_dealt_with_and_no_other() {
    let text = std::fs::read_to_string("docs/open-questions.md").unwrap();
    let written: Vec<&str> = text
        .lines()
        .filter_map(|l| l.strip_prefix("### "))
        .collect();
    let known: Vec<&str> = HEADINGS.iter().map(|(heading, _)| *heading).collect();
    assert_eq!(known, written);
}

/// The questions of a case. What earlier answers bind stands as its name.
fn input(case: &Case) -> Input {
    let mut bound = Bindings::new();
    let mut input = Input::default();
    for step in &case.steps {
        for (name, _) in &step.bind {
            bound.insert(name.clone(), Value::from(format!("${name}")));
        }
        input = input.then(&step.operation, step.given.fill(&bound).into_owned());
        for (name, pointer) in &step.bind {
            input = input.bind(name, pointer);
        }
    }
    input
}

/// Cases that touch a question by their input, and look only at what does not depend on it.
const LOOK_ASIDE: &[(&str, &str)] = &[
    // The body is asked for, and not whether the edge closes a cycle.
    ("SG-16/tail-that-is-its-own-head", TO_ITSELF),
    // What is asked is that the consumer is not failed, however it came to run.
    ("SG-20/consumer-with-an-error-edge", ERROR_AND_DATA),
    // Of the two edges one is followed.
    ("SG-20/next-round-has-been-asked-for", TWO_TAILS),
    // They ask how often the loop turns, and for no warnings.
    ("EDGE-8/loopback-with-a-condition", NOT_FOLLOWED),
    ("SG-9/loopback-edge-of-a-run", NOT_FOLLOWED),
];

#[test]
fn no_case_is_on_open_ground() {
    let (suite, _) = Suite::embedded();
    let mut touching = BTreeMap::new();
    for case in suite.cases() {
        if let Some(Ground::Open(heading)) = touched(&input(case)) {
            touching.insert(case.name.as_str(), heading);
        }
    }
    let allowed: BTreeMap<&str, &str> = LOOK_ASIDE.iter().copied().collect();
    assert_eq!(touching, allowed);
}

#[test]
fn what_is_drawn_fits_and_covers_its_operations() {
    let shapes = Shapes::new(Operations::standard());
    for drawing in ALL {
        let mut asked = BTreeSet::new();
        let mut drawn = 0;
        for input in Draws::new(drawing, 11).take(300) {
            drawn += 1;
            assert!(
                crate::explore::is_allowed(&shapes, &input),
                "{}: {}",
                drawing.name,
                input.to_json()
            );
            asked.extend(input.questions.into_iter().map(|q| q.operation));
        }
        assert_eq!(drawn, 300, "{} draws little but open ground", drawing.name);
        let all: BTreeSet<String> = drawing.operations.iter().map(|o| (*o).to_owned()).collect();
        assert_eq!(asked, all);
    }
}

#[test]
fn each_question_has_an_input_that_touches_it() {
    let edge = |more: Value| serde_json::json!({ "edge": more });
    for (operation, params, heading) in [
        (
            "loops.reenter",
            serde_json::json!({"edge": {"source": "t", "target": "h", "kind": "loopback"}, "max_rounds": 0}),
            NO_MAXIMUM,
        ),
        (
            "edge.barrier",
            edge(serde_json::json!({"kind": "loopback"})),
            LOOPBACK_BEHIND,
        ),
        (
            "edge.classify",
            edge(
                serde_json::json!({"targetHandle": "n-input-loop_back", "data": {"edgeType": "tool_availability"}}),
            ),
            TWO_CLAIMS,
        ),
        (
            "edge.transport",
            edge(serde_json::json!({"is_trigger": true})),
            RECORD_KEY,
        ),
        (
            "edge.record",
            edge(serde_json::json!({"data": {"condition": false}})),
            CONDITION,
        ),
        (
            "rounds.restore",
            serde_json::json!({"executions": [{"rounds": {"outer": 0, "inner": 5}}, {"rounds": {"outer": 1}}]}),
            OUTER_LAST,
        ),
        (
            "rounds.restore",
            serde_json::json!({"executions": [{"id": 7, "rounds": {"h": 2}}, {"id": 7, "rounds": {"h": 1}}]}),
            IDENTIFIERS,
        ),
        (
            "rounds.advance",
            serde_json::json!({"loops": {"o": ["i", "o", "t"], "i": ["i"]}, "rounds": {"o": 0}, "loop": "o"}),
            NOT_BEGUN,
        ),
        (
            "loops.resolve",
            serde_json::json!({"edges": [{"source": "a", "target": "s"}, {"source": "s", "target": "a", "kind": "loopback"}, {"source": "b", "target": "s"}, {"source": "s", "target": "b", "kind": "loopback"}, {"source": "c", "target": "b"}, {"source": "b", "target": "c", "kind": "loopback"}]}),
            CHAIN_OF_TANGLES,
        ),
        (
            "loops.resolve",
            serde_json::json!({"edges": [{"source": "a", "targetHandle": "h-input-loop_back"}]}),
            NO_ENDPOINT,
        ),
        (
            "state.merge",
            serde_json::json!({"state": {"data": {}}, "update": {"priority": 3}}),
            NO_SUCH_MEMBER,
        ),
        (
            "run.seed",
            serde_json::json!({"thread": "t", "threads": {"t": {"status": null, "isComplete": true}}}),
            DISAGREE,
        ),
        (
            "run.seed",
            serde_json::json!({"checkpoint": ""}),
            NAMED_BY_NOTHING,
        ),
        (
            "foreach.run",
            serde_json::json!({"rounds": [{"items": {"a": 1}}]}),
            ITEMS_NO_LIST,
        ),
        (
            "foreach.run",
            serde_json::json!({"rounds": [{"items": ["a"]}, {"item_result": "A"}, {"items": ["b"]}]}),
            VISITED_AGAIN,
        ),
        (
            "foreach.run",
            serde_json::json!({"rounds": [{"items": ["a"]}, {}]}),
            NO_RESULT,
        ),
        (
            "branches.parse",
            serde_json::json!({"value": ["  ", "a"]}),
            WHITE_SPACE,
        ),
        (
            "branches.parse",
            serde_json::json!({"value": true}),
            NO_LIST_NO_STRING,
        ),
        (
            "gateway.decide",
            serde_json::json!({"value": 1.0, "branches": [{"name": "One", "value": 1}]}),
            EQUAL_IN_TYPE,
        ),
        (
            "gateway.decide",
            serde_json::json!({"value": "x", "branches": [{"name": "A", "value": "x"}, {"name": "B", "value": "X"}]}),
            TWO_MATCH,
        ),
        (
            "port.resolve",
            serde_json::json!({"port": "d", "sources": [{"node": "a", "order": 1, "value": "x"}, {"node": "a", "order": 1, "value": "y"}]}),
            TWO_EDGES,
        ),
        (
            "workflow.validate",
            serde_json::json!({"workflow": {"edges": [{"source": "a", "target": "b", "data": {"edgeType": "data"}}]}}),
            DECLARED_TYPES,
        ),
    ] {
        let ground = touched(&Input::one(operation, params));
        assert_eq!(ground, Some(Ground::Open(heading)), "{operation}");
    }
}
