//! Findings as SARIF 2.1.0.

use std::{env, fs};

use serde_json::Value;

use crate::support::{Tree, standing_here};

/// Holds a log against the standard's own schema, where a file of it is named: it is not this
/// project's to carry. Without one, what code scanning needs is looked for.
#[track_caller]
fn is_valid(text: &str, results: usize) -> Value {
    let log: Value = serde_json::from_str(text).expect("JSON");
    if let Ok(path) = env::var("SARIF_SCHEMA") {
        let schema = fs::read_to_string(path).expect("the schema that is named");
        let mut schema: Value = serde_json::from_str(&schema).expect("JSON");
        // These patterns are no regular expressions to the letter.
        for of in ["run", "toolComponent"] {
            let language = schema.pointer_mut(&format!("/definitions/{of}/properties/language"));
            let language = language.and_then(Value::as_object_mut);
            language
                .and_then(|l| l.remove("pattern"))
                .expect("a pattern");
        }
        assert_eq!(schema["properties"]["version"]["enum"][0], "2.1.0");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let faults: Vec<String> = validator
            .iter_errors(&log)
            .map(|e| format!("{}: {e}", e.instance_path()))
            .collect();
        assert_eq!(faults, [""; 0]);
    }
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "standing");
    let found = run["results"].as_array().expect("a list");
    assert_eq!(found.len(), results);
    for result in found {
        assert!(result["message"]["text"].is_string(), "{result}");
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert!(region["startLine"].as_u64() > Some(0), "{result}");
    }
    log
}

#[test]
fn findings_are_a_valid_log() {
    let tree = Tree::author()
        .change("rules/LOOP-1.yml", "  - LOOP-2", "  - LOP-2")
        .change("rules/REGISTRY.lock", "LOOP-4 EX-LOOP\n", "")
        .change(
            "pages/ex-loop/loop-3.md",
            "again\" verdict",
            "ägain\"  verdict",
        )
        .change("narrative/LOOP-1.mdx", "GET /loops\n", "GET /loops  \n");
    let ran = tree.run(&["check", ".", "--cases", "cases", "--format", "sarif"]);
    let log = is_valid(&ran.ended(1), 3);
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("a list");
    let of = |code: &str| {
        let mut results = results.iter();
        results
            .find(|r| r["ruleId"] == code)
            .unwrap_or_else(|| panic!("{code}"))
    };
    assert_eq!(of("R126")["level"], "error");
    let place = &of("R126")["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "rules/LOOP-1.yml");
    assert_eq!(place["region"]["startLine"], 22);
    assert_eq!(place["region"]["startColumn"], 5);
    let index = of("R211")["ruleIndex"].as_u64().expect("a number");
    let index = usize::try_from(index).expect("small");
    assert_eq!(run["tool"]["driver"]["rules"][index]["id"], "R211");
    let added = &of("R121")["fixes"][0]["artifactChanges"][0];
    assert_eq!(added["artifactLocation"]["uri"], "rules/REGISTRY.lock");
    assert_eq!(
        added["replacements"][0]["insertedContent"]["text"],
        "LOOP-4 EX-LOOP\n"
    );
}

#[test]
fn nothing_found_is_a_valid_log_too() {
    let tree = Tree::author();
    let ran = tree.run(&["check", ".", "--cases", "cases", "--format", "sarif"]);
    is_valid(&ran.well(), 0);
}

#[test]
#[cfg_attr(
    not(specification_checkout),
    ignore = "no checkout of the specification beside the project"
)]
fn the_specification_gives_a_valid_log() {
    let ran = standing_here(&["check", "../shared/flowdrop-spec", "--format", "sarif"]);
    is_valid(&ran.well(), 8);
}
