//! Answers that say the same in another way: `[]` for `{}`, `1.0` for `1`. Held against what a case
//! expects, through a whole run.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use standing::{engine::Answer, run::Outcome};

use crate::{
    acme::{Canned, options, record},
    support::Tree,
};

/// A suite of one case, on the first clause of LOOP-1.
fn suite_of(case: &str) -> Tree {
    let tree = Tree::empty();
    let document = Tree::spec().read("rules/ex-loop/loop-1.md");
    tree.write("rules/loop-1.md", document).write(
        "cases/loop-1.yml",
        format!("rule: LOOP-1\ncases:\n  - name: it\n    clauses: [1]\n{case}"),
    )
}

/// What becomes of the case where the engine answers this, read as it would be off the wire.
fn answered(case: &str, answer: &str) -> (Outcome, String) {
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    let engine = Canned::new(move |_, _| Ok(Answer::Value(answer.clone())));
    let record = record(&Arc::new(suite_of(case).suite()), engine, &options(None));
    let case = &record.rules[0].cases[0];
    (case.outcome, case.message.clone().unwrap_or_default())
}

const PASS: (Outcome, &str) = (Outcome::Pass, "");

#[track_caller]
fn becomes(case: &str, answer: &str, expected: (Outcome, &str)) {
    let (outcome, message) = answered(case, answer);
    assert_eq!((outcome, message.as_str()), expected, "{answer}");
}

const NO_LOOPS: &str = "    operation: loops.resolve
    given: { edges: [] }
    expect: { loops: {}, memberships: {}, diagnostics: [] }
";

#[test]
fn an_empty_list_stands_for_an_empty_object_where_the_schema_has_an_object() {
    let object = r#"{"loops": {}, "memberships": {}, "diagnostics": []}"#;
    becomes(NO_LOOPS, object, PASS);
    let lists = r#"{"loops": [], "memberships": [], "diagnostics": []}"#;
    becomes(NO_LOOPS, lists, PASS);
}

#[test]
fn and_nowhere_else() {
    use Outcome::Fail;
    // An object for a list: nobody needs that.
    let other_way = r#"{"loops": {}, "memberships": {}, "diagnostics": {}}"#;
    becomes(
        NO_LOOPS,
        other_way,
        (Fail, "/diagnostics: expected a list, got {}"),
    );
    // A list that is not empty is no object.
    let full = r#"{"loops": [["a"]], "memberships": [], "diagnostics": []}"#;
    becomes(
        NO_LOOPS,
        full,
        (Fail, r#"/loops: expected an object, got [["a"]]"#),
    );
    let absent = r#"{"loops": [], "diagnostics": []}"#;
    becomes(
        NO_LOOPS,
        absent,
        (Fail, "/memberships: expected, but not there"),
    );
    let null = r#"{"loops": null, "memberships": [], "diagnostics": []}"#;
    becomes(
        NO_LOOPS,
        null,
        (Fail, "/loops: expected an object, got null"),
    );
    // The lists within an object stay lists.
    let heads = NO_LOOPS.replace("loops: {}", "loops: { h: {} }");
    let bodies = r#"{"loops": {"h": []}, "memberships": [], "diagnostics": []}"#;
    becomes(
        &heads,
        bodies,
        (Fail, "/loops/h: expected an object, got []"),
    );
}

#[test]
fn what_is_bound_is_an_object_too() {
    let steps = "    steps:
      - operation: loops.resolve
        given: { edges: [] }
        bind: { loops: /loops }
      - operation: rounds.stamp
        given: { loops: $loops, rounds: {}, node: n }
        expect: { stamp: {} }
";
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hear = Arc::clone(&heard);
    let engine = Canned::new(move |operation, params| {
        hear.lock()
            .expect("nobody panicked")
            .push(params.to_string());
        Ok(Answer::Value(match operation {
            "loops.resolve" => json!({"loops": [], "memberships": [], "diagnostics": []}),
            _ => json!({"stamp": []}),
        }))
    });
    let record = record(&Arc::new(suite_of(steps).suite()), engine, &options(None));
    assert_eq!(record.rules[0].cases[0].outcome, Outcome::Pass);
    let heard = heard.lock().expect("nobody panicked");
    assert_eq!(
        *heard,
        [r#"{"edges":[]}"#, r#"{"loops":{},"rounds":{},"node":"n"}"#]
    );
}

/// That a run which has advanced expects this number.
fn round(number: &str) -> String {
    format!(
        "    operation: rounds.advance
    given: {{ loops: {{ h: [h] }}, rounds: {{ h: 0 }}, loop: h }}
    expect: {{ rounds: {{ h: {number} }} }}
"
    )
}

#[test]
fn numbers_are_equal_by_their_exact_value() {
    for (expected, answered) in [
        ("1", "1"),
        ("1", "1.0"),
        ("1.0", "1"),
        ("1", "10e-1"),
        ("0", "-0.0"),
        ("9007199254740993", "9007199254740993"),
        ("9007199254740992", "9007199254740992.0"),
        ("18446744073709551615", "18446744073709551615"),
        ("0.1", "0.1"),
    ] {
        let answer = format!(r#"{{"rounds": {{"h": {answered}}}}}"#);
        becomes(&round(expected), &answer, PASS);
    }
    for (expected, answered, shown) in [
        ("1", "1.5", "expected 1, got 1.5"),
        ("1", "\"1\"", "expected 1, got \"1\""),
        ("1", "true", "expected 1, got true"),
        (
            "9007199254740993",
            "9007199254740992",
            "expected 9007199254740993, got 9007199254740992",
        ),
        (
            "9007199254740993",
            "9007199254740992.0",
            "expected 9007199254740993, got 9007199254740992.0",
        ),
        (
            "0.1",
            "0.10000000000000002",
            "expected 0.1, got 0.10000000000000002",
        ),
    ] {
        let answer = format!(r#"{{"rounds": {{"h": {answered}}}}}"#);
        let message = format!("/rounds/h: {shown}");
        becomes(&round(expected), &answer, (Outcome::Fail, &message));
    }
}
