//! `standing explore`.

use std::path::Path;

use serde_json::Value;
use snapbox::file;

use crate::{
    server::{Reply, Server},
    support::{Ran, Tree, command, snapshot, standing_here},
};

fn explored(args: &[&str]) -> Ran {
    standing_here(&[&["explore"], args].concat())
}

/// An engine that is a shell script: what it does with a question, its id in `$id`.
fn script(does: &str) -> Tree {
    let text = format!(
        "while read -r line; do\n\
         id=$(printf '%s' \"$line\" | sed 's/.*\"id\":\\([0-9]*\\),.*/\\1/')\n\
         case $line in\n\
         *'\"initialize\"'*|*'\"reset\"'*) echo \"{{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":$id,\\\"result\\\":{{}}}}\" ;;\n\
         *) {does} ;;\n\
         esac\n\
         done\n"
    );
    Tree::empty().write("engine.sh", text)
}

fn of_script(does: &str) -> Value {
    let tree = script(does);
    let args = [
        "explore",
        "rounds.restore",
        "--engine",
        "sh engine.sh",
        "--seed",
        "1",
        "--cases",
        "50",
        "--timeout",
        "0.5",
        "--format",
        "json",
    ];
    let ran = Ran::of(&mut command(tree.path(), args));
    let told: Value = serde_json::from_str(&ran.ended(1)).expect("JSON");
    told["searches"][0]["found"].clone()
}

#[test]
fn the_smallest_input_is_shown_with_all_that_it_takes_to_see_why() {
    snapshot(
        explored(&[
            "loops.resolve",
            "rounds.restore",
            "--engine",
            "reference:tails-have-a-common-body",
            "--seed",
            "1",
            "--cases",
            "300",
        ])
        .ended(1),
        file!["snapshots/explore-loops.txt"],
    );
    snapshot(
        explored(&[
            "resume",
            "--engine",
            "reference:drift-starts-over",
            "--seed",
            "1",
            "--cases",
            "500",
        ])
        .ended(1),
        file!["snapshots/explore-resume.txt"],
    );
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let args = [
        "state.merge",
        "run.seed",
        "--engine",
        "reference:messages-are-a-set",
        "--seed",
        "9",
        "--cases",
        "400",
        "--format",
        "json",
    ];
    assert_eq!(explored(&args).ended(1), explored(&args).ended(1));
}

#[test]
fn the_reference_does_not_differ_from_itself() {
    explored(&["--engine", "reference", "--seed", "4", "--cases", "60"]).well();
    explored(&[
        "--engine",
        "reference",
        "--seed",
        "4",
        "--cases",
        "60",
        "--metamorphic",
    ])
    .well();
    let other = [
        "loops.reach",
        "--engine",
        "reference:loop-per-tail",
        "--against",
        "reference:loop-per-tail",
        "--seed",
        "4",
        "--cases",
        "60",
    ];
    explored(&other).well();
}

#[test]
fn an_engine_is_held_against_itself_without_any_reference() {
    let args = [
        "rounds.restore",
        "--engine",
        "reference:restore-as-listed",
        "--metamorphic",
        "--seed",
        "2",
        "--cases",
        "300",
    ];
    snapshot(
        explored(&args).ended(1),
        file!["snapshots/explore-metamorphic.txt"],
    );
}

#[test]
fn what_is_known_is_counted_and_passed_over() {
    let args = [
        "state.merge",
        "--engine",
        "reference:messages-by-id",
        "--seed",
        "2",
        "--cases",
        "500",
        "--known",
        "messages-by-id",
    ];
    let told = explored(&args).well();
    assert!(told.contains(" as `messages-by-id`"), "{told}");
    let args = [
        "state.merge",
        "--engine",
        "reference:messages-by-id",
        "--seed",
        "2",
        "--cases",
        "500",
        "--without",
        "id",
    ];
    let told = explored(&args).well();
    assert!(told.ends_with(", seed 2, without id\n"), "{told}");
    // Another misreading is no excuse.
    let args = [
        "state.merge",
        "--engine",
        "reference:replace-messages",
        "--seed",
        "2",
        "--cases",
        "500",
        "--known",
        "messages-by-id",
    ];
    explored(&args).ended(1);
}

#[test]
fn what_is_saved_is_a_case_that_tells_the_two_apart() {
    for (operation, misreading) in [
        ("loops.resolve", "drop-head-only-loop"),
        ("rounds.restore", "restore-highest-round"),
        ("state.merge", "replace-data-whole"),
        ("resume", "drift-starts-over"),
        ("foreach.run", "items-from-1"),
    ] {
        let tree = Tree::empty();
        let engine = format!("reference:{misreading}");
        let args = [
            "explore",
            operation,
            "--engine",
            &engine,
            "--seed",
            "1",
            "--cases",
            "1000",
            "--save",
            "found.yml",
        ];
        tree.run(&args).ended(1);
        let text = tree.read("found.yml");
        assert!(text.starts_with("# Found by: standing explore "), "{text}");
        let put = |engine: &str| {
            tree.run(&["run", "--cases", "found.yml", "--engine", engine, "--quiet"])
        };
        assert_eq!(put("reference").status, Some(0), "{text}");
        assert_eq!(put(&engine).status, Some(1), "{text}");
    }
}

#[test]
fn crashes_hangs_and_invalid_answers_are_differences() {
    let crash = of_script("exit 7");
    assert_eq!(crash["message"], "the engine ended (exit status: 7)");
    assert_eq!(
        crash["steps"][0]["given"].to_string(),
        r#"{"executions":[]}"#
    );
    let hang = of_script("sleep 60");
    assert_eq!(hang["message"], "no answer within 500ms");
    let invalid = of_script(r#"echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"rounds\":7}}""#);
    let message = invalid["message"].as_str().expect("a message");
    assert!(
        message.starts_with("no answer to `rounds.restore`: `/rounds`"),
        "{message}"
    );
}

#[test]
fn an_engine_behind_http_is_explored() {
    let server = Server::well();
    let url = server.url();
    explored(&[
        "loops.resolve",
        "rounds.restore",
        "state.merge",
        "--engine",
        &url,
        "--seed",
        "3",
        "--cases",
        "300",
    ])
    .well();
    let deaf = Server::playing(|_| Reply::Gone);
    assert_eq!(explored(&["--engine", &deaf.url()]).status, Some(3));
}

#[test]
fn what_cannot_be_explored_is_refused() {
    explored(&["loops.resolv"]).refused(file!["snapshots/explore-unknown.txt"]);
    assert_eq!(
        explored(&["--engine", "no-such-program-anywhere"]).status,
        Some(3)
    );
    assert_eq!(explored(&["--known", "no-such"]).status, Some(2));
    assert_eq!(explored(&["--time", "0s"]).status, Some(2));
    let ran = Ran::of(&mut command(
        Path::new("."),
        [
            "explore",
            "loops.resolve",
            "--seed",
            "1",
            "--cases",
            "100000000",
            "--time",
            "0.3",
        ],
    ));
    assert!(ran.well().contains("then the time was up"));
}
