//! What the command says of itself: the operations that it knows, and the help.

use serde_json::Value;
use snapbox::file;
use standing::operations::Operations;

use crate::support::{snapshot, standing, standing_here};

#[test]
fn operations_are_listed_with_what_each_asks() {
    snapshot(
        standing_here(&["operations"]).well(),
        file!["snapshots/operations.txt"],
    );
}

#[test]
fn an_operation_is_shown_with_its_schemas() {
    let shown = standing_here(&["operations", "loops.resolve"]).well();
    snapshot(shown, file!["snapshots/operations-loops-resolve.txt"]);
}

#[test]
fn operations_for_programs() {
    let all = standing_here(&["operations", "--format", "json"]).well();
    let all: Vec<Value> = serde_json::from_str(&all).expect("a list");
    let standard = Operations::standard();
    let names: Vec<&str> = standard.iter().map(|o| o.name).collect();
    assert_eq!(
        all.iter().map(|o| &o["operation"]).collect::<Vec<_>>(),
        names
    );
    for operation in &all {
        for part in ["params", "result"] {
            jsonschema::meta::validate(&operation[part])
                .unwrap_or_else(|e| panic!("{part} of {}: {e}", operation["operation"]));
        }
    }
}

#[test]
fn help() {
    snapshot(standing(&["--help"]).well(), file!["snapshots/help.txt"]);
    snapshot(
        standing(&["run", "--help"]).well(),
        file!["snapshots/help-run.txt"],
    );
    snapshot(
        standing(&["list", "--help"]).well(),
        file!["snapshots/help-list.txt"],
    );
    snapshot(
        standing(&["show", "--help"]).well(),
        file!["snapshots/help-show.txt"],
    );
    snapshot(
        standing(&["report", "--help"]).well(),
        file!["snapshots/help-report.txt"],
    );
    snapshot(
        standing(&["compare", "--help"]).well(),
        file!["snapshots/help-compare.txt"],
    );
    snapshot(
        standing(&["adequacy", "--help"]).well(),
        file!["snapshots/help-adequacy.txt"],
    );
    snapshot(
        standing(&["explore", "--help"]).well(),
        file!["snapshots/help-explore.txt"],
    );
    snapshot(
        standing(&["operations", "--help"]).well(),
        file!["snapshots/help-operations.txt"],
    );
    snapshot(
        standing(&["engine", "--help"]).well(),
        file!["snapshots/help-engine.txt"],
    );
}

#[test]
fn the_version() {
    assert_eq!(
        standing(&["--version"]).well(),
        format!("standing {}\n", env!("CARGO_PKG_VERSION"))
    );
}
