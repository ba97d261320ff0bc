//! The published JSON Schemas: that they are those of this version, that what the project has fits
//! them, and that what is wrong does not.

use std::{fs, path::Path};

use jsonschema::Validator;
use serde_json::{Value, json};
use snapbox::file;
use standing::{
    operations::Operations,
    standing::{FORMAT, Record},
    suite::case_file_schema,
};

use crate::{
    acme::{acme, hopeless, options, record, spec},
    support::{SPEC, files, snapshot, standing_here},
};

fn pretty(schema: &Value) -> String {
    format!("{schema:#}\n")
}

#[test]
fn the_published_schema_of_records_is_that_of_this_version() {
    assert_eq!(FORMAT, "standing/1", "another format has a file of its own");
    snapshot(
        pretty(&Record::schema()),
        file!["../../docs/schema/standing-1.json"],
    );
}

#[test]
fn the_published_schema_of_case_files_is_that_of_this_version() {
    let schema = case_file_schema(&Operations::standard());
    snapshot(pretty(&schema), file!["../../docs/schema/cases-1.json"]);
}

/// The published schema of this name.
fn published(name: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("docs/schema")
        .join(name);
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).expect(name)).expect(name);
    jsonschema::meta::validate(&schema).unwrap_or_else(|e| panic!("{name}: {e}"));
    jsonschema::draft202012::new(&schema).expect(name)
}

#[track_caller]
fn fits(schema: &Validator, value: &Value, what: &str) {
    let errors: Vec<String> = schema
        .iter_errors(value)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{what}\n{errors:#?}");
}

fn yaml(text: &str) -> Value {
    serde_yaml::from_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn every_case_file_fits() {
    let schema = published("cases-1.json");
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [package.join("cases"), package.join(SPEC).join("cases")];
    for folder in folders {
        let files = files(&folder);
        assert!(!files.is_empty(), "{}", folder.display());
        for file in files {
            let text = fs::read_to_string(&file).expect("a case file");
            fits(&schema, &yaml(&text), &file.to_string_lossy());
        }
    }
}

const GOOD: &str = "rule: LOOP-1
cases:
  - name: one
    clauses: [1]
    operation: loops.resolve
    given:
      edges:
        $example: { title: Two ways back, nth: 1 }
        $each: { source: { $at: /source }, target: { $at: /target } }
        $kind: { 2: loopback }
        $with: { 3: { kind: loopback, data: { condition: $$x } } }
    expect: { loops: { $example: The loop, $at: /head/0 }, told: { $naming: [head, tail] } }
    match: { \"\": includes, /loops: exact }
  - name: several
    clauses: [2, 3]
    steps:
      - operation: workflow.launch
        given: { workflow: { edges: [] }, $$odd: { $verdict: The loop } }
        bind: { run: /run }
      - operation: workflow.advance
        given: { run: $run, loop: { $text: { verdict: one } } }
        refused: { reason: other, naming: [head] }
untestable:
  4: it says why
";

#[test]
fn whatever_a_case_file_may_have_fits() {
    fits(&published("cases-1.json"), &yaml(GOOD), GOOD);
    fits(
        &published("cases-1.json"),
        &yaml("rule: R7.e/f\ncases:\n"),
        "no cases",
    );
}

#[test]
fn a_broken_case_file_does_not_fit() {
    let schema = published("cases-1.json");
    for (from, to) in [
        ("rule: LOOP-1\n", ""),
        ("rule: LOOP-1", "rule: loop-1"),
        ("rule: LOOP-1", "rule: 1"),
        ("untestable:", "untestables:"),
        ("  4: it says why", "  four: it says why"),
        ("  4: it says why", "  4: [1]"),
        ("name: one", "name: one of two"),
        ("name: one", "name: a/b"),
        ("  - name: one\n    clauses: [1]", "  - clauses: [1]"),
        ("    clauses: [1]\n", ""),
        ("clauses: [1]", "clauses: []"),
        ("clauses: [1]", "clauses: 1"),
        ("clauses: [1]", "clauses: [0]"),
        ("clauses: [1]", "clauses: [one]"),
        ("clauses: [1]", "clauses: [1]\n    clause: 1"),
        ("operation: loops.resolve", "operation: loop.resolve"),
        ("    operation: loops.resolve\n", ""),
        ("nth: 1", "nth: 0"),
        ("nth: 1", "number: 1"),
        ("$each: {", "$eech: {"),
        ("$each: {", "$as: \"\"\n        $each: {"),
        ("{ $at: /source }", "{ $at: /source, x: 1 }"),
        ("{ $at: /source }", "{ $example: x }"),
        ("{ 2: loopback }", "{ x: loopback }"),
        ("$at: /head/0", "$at: head/0"),
        ("$at: /head/0", "$at: /head~2"),
        ("$naming: [head, tail]", "$naming: head"),
        ("$naming: [head, tail]", "$naming: [head], x: 1"),
        ("$naming: [head, tail]", "$nameing: [head]"),
        ("/loops: exact }", "/loops: exactly }"),
        ("/loops: exact }", "loops: exact }"),
        ("{ \"\": includes, /loops: exact }", "include"),
        ("    match: {", "    bind: []\n    match: {"),
        (
            "    clauses: [2, 3]\n",
            "    clauses: [2, 3]\n    operation: loops.resolve\n",
        ),
        (
            "    clauses: [2, 3]\n",
            "    clauses: [2, 3]\n    expect: {}\n",
        ),
        (
            "      - operation: workflow.launch\n        given",
            "      - given",
        ),
        ("bind: { run: /run }", "bind: { run: run }"),
        ("bind: { run: /run }", "match: exact"),
        ("reason: other, ", ""),
        ("reason: other, ", "reason: other, because: x, "),
        ("naming: [head] }", "naming: [head] }\n        expect: {}"),
        ("$verdict: The loop", "$verdict: [The loop]"),
        ("$$odd", "$odd"),
    ] {
        assert_eq!(GOOD.matches(from).count(), 1, "{from}");
        let bad = GOOD.replace(from, to);
        assert!(!schema.is_valid(&yaml(&bad)), "`{to}` for `{from}` fits");
    }
}

#[test]
fn records_fit() {
    let schema = published("standing-1.json");
    let value = |record: &Record| serde_json::to_value(record).expect("JSON");
    let patience = options(Some(std::time::Duration::from_secs(2)));
    let short = value(&record(&spec(), hopeless(), &patience));
    fits(&schema, &short, "of an engine that falls short");
    let profile = acme().profiles(["storage-api"]);
    let other = value(&record(&spec(), profile, &options(None)));
    fits(&schema, &other, "of an engine that claims one profile");
    let timed = standing_here(&["run", "SG-16", "--format", "json"]).well();
    let timed: Value = serde_json::from_str(&timed).expect("JSON");
    assert!(timed["timing"].is_object());
    fits(&schema, &timed, "with timing");
}

#[test]
fn a_broken_record_does_not_fit() {
    let schema = published("standing-1.json");
    let good = serde_json::to_value(record(&spec(), acme(), &options(None))).expect("JSON");
    fits(&schema, &good, "before anything is changed");
    for (pointer, wrong) in [
        ("/format", json!("standing/2")),
        ("/engine", json!("acme")),
        ("/engine/profiles", json!("runtime")),
        ("/selection", json!(null)),
        ("/interrupted", json!("no")),
        ("/summary/cases/pass", json!(-1)),
        ("/summary/cases/pass", json!(1.5)),
        ("/summary/levels/core/standing", json!("good")),
        ("/rules/0/id", json!(16)),
        ("/rules/0/level", json!("cores")),
        ("/rules/0/profiles", json!(["editor"])),
        ("/rules/0/posture", json!("normative")),
        ("/rules/0/standing", json!("met")),
        ("/rules/0/clauses/0/clause", json!("1")),
        ("/rules/0/cases/0/outcome", json!("passed")),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect(pointer) = wrong;
        assert!(!schema.is_valid(&bad), "{pointer}");
    }
    for member in good.as_object().expect("an object").keys() {
        let mut bad = good.clone();
        bad.as_object_mut().expect("an object").shift_remove(member);
        assert!(!schema.is_valid(&bad), "without {member}");
    }
}
