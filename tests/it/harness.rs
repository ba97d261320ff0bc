//! The suite as the tests of an implementer's engine, as `cargo test` runs them.

use std::{fs, process::ExitCode, time::Duration};

use snapbox::str;
use standing::{
    engine::{Answer, Engine},
    harness::Harness,
    reference,
};

use crate::{
    acme::{Canned, acme, declining, hanging, last_tail_only, panicking},
    support::{SPEC, snapshot, suite_at},
};

/// Runs the small specification's cases with these arguments; what was printed. That is asked to go
/// into a file, as the tests of this file have one standard output together.
fn run(engine: impl Engine + 'static, arguments: &[&str]) -> (ExitCode, String) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let log = folder.path().join("log");
    let log_argument = log.to_str().expect("a plain path");
    let mut all = vec![
        "conformance",
        "--test-threads",
        "1",
        "--logfile",
        log_argument,
    ];
    all.extend(arguments);
    let code = Harness::new(engine)
        .suite(suite_at(SPEC.as_ref()))
        .timeout(Duration::from_secs(2))
        .run_with(all);
    let text = fs::read_to_string(log).expect("what was printed");
    // How long it took is not the same twice.
    let text = text.split("; finished in ").next().unwrap_or_default();
    (code, text.to_owned())
}

/// What every Rust test ends with that failed.
fn failed() -> ExitCode {
    ExitCode::from(101)
}

#[test]
fn what_the_engine_does_not_claim_is_ignored_already_when_listed() {
    let (code, listed) = run(acme(), &["--list"]);
    assert_eq!(code, ExitCode::SUCCESS);
    snapshot(
        listed,
        str![[r#"
LOOP-1/two-ways-back: test
LOOP-1/beside-the-way: test
LOOP-2/one-round: test
LOOP-2/no-such-loop: test
PORT-1/output: test
PORT-1/input: test
PORT-1/a/branch-of-an-output: test

"#]],
    );
    let (_, ignored) = run(acme(), &["--list", "--ignored"]);
    snapshot(
        ignored,
        str![[r#"
LOOP-2/one-round: test
LOOP-2/no-such-loop: test

"#]],
    );
}

#[test]
fn rules_of_profiles_that_the_engine_does_not_claim_are_ignored() {
    let (code, listed) = run(acme().profiles(["runtime"]), &["--list", "--ignored"]);
    assert_eq!(code, ExitCode::SUCCESS);
    snapshot(
        listed,
        str![[r#"
LOOP-2/one-round: test
LOOP-2/no-such-loop: test
PORT-1/output: test
PORT-1/input: test
PORT-1/a/branch-of-an-output: test

"#]],
    );
}

#[test]
fn an_engine_that_does_what_it_claims() {
    let (code, printed) = run(acme(), &[]);
    snapshot(
        printed,
        str![[r#"

running 7 tests
test LOOP-1/two-ways-back         ... ok
test LOOP-1/beside-the-way        ... ok
test LOOP-2/one-round             ... ignored
test LOOP-2/no-such-loop          ... ignored
test PORT-1/output                ... ok
test PORT-1/input                 ... ok
test PORT-1/a/branch-of-an-output ... ok

test result: ok. 5 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out
"#]],
    );
    assert_eq!(code, ExitCode::SUCCESS);
}

#[test]
fn a_filter_chooses_and_exact_chooses_one() {
    let (code, printed) = run(acme(), &["PORT-1/a"]);
    assert_eq!(code, ExitCode::SUCCESS);
    snapshot(
        printed,
        str![[r#"

running 1 test
test PORT-1/a/branch-of-an-output ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 6 filtered out
"#]],
    );
    let (_, printed) = run(acme(), &["--exact", "PORT-1/output"]);
    snapshot(
        printed,
        str![[r#"

running 1 test
test PORT-1/output ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 6 filtered out
"#]],
    );
    let (_, printed) = run(acme(), &["--skip", "LOOP", "--skip", "put"]);
    snapshot(
        printed,
        str![[r#"

running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out
"#]],
    );
}

#[test]
fn a_wrong_answer_fails_with_the_difference() {
    let (code, printed) = run(last_tail_only(), &["LOOP-1"]);
    snapshot(
        printed,
        str![[r#"

running 2 tests
test LOOP-1/two-ways-back  ... FAILED
test LOOP-1/beside-the-way ... ok

failures:

---- LOOP-1/two-ways-back ----
        /loops/head: expected 3 items, got 2
        asked loops.resolve {"edges":[{"source":"head","target":"left"},{"source":"head","target":"right"},{"source":"left","target":"head","kind":"loopback"},{"source":"right","target":"head","kind":"loopback"}]}
        - expected + actual
            "loops": {
              "head": [
                "head",
        -       "left",
                "right"
              ]
            },
        rule tests/it/fixtures/spec/rules/ex-loop/loop-1.md
        case tests/it/fixtures/spec/cases/ex-loop/loop-1.yml:3



failures:
    LOOP-1/two-ways-back

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 5 filtered out
"#]],
    );
    assert_eq!(code, failed());
}

#[test]
fn an_engine_that_panics_fails_one_case_and_the_next_has_a_fresh_session() {
    let (code, printed) = run(panicking(), &["PORT-1"]);
    snapshot(
        printed,
        str![[r#"

running 3 tests
test PORT-1/output                ... ok
test PORT-1/input                 ... FAILED
test PORT-1/a/branch-of-an-output ... ok

failures:

---- PORT-1/input ----
        the engine panicked: no port at c-input-d
        asked handle.port {"handle":"c-input-d","side":"input"}
        rule tests/it/fixtures/spec/rules/ex-port/port-1.md
        case tests/it/fixtures/spec/cases/ex-port/port-1.yml:11



failures:
    PORT-1/input

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 4 filtered out
"#]],
    );
    assert_eq!(code, failed());
}

#[test]
fn an_engine_that_hangs_fails_one_case_and_the_others_go_on() {
    let (code, printed) = run(hanging(), &["PORT-1"]);
    snapshot(
        printed,
        str![[r#"

running 3 tests
test PORT-1/output                ... ok
test PORT-1/input                 ... FAILED
test PORT-1/a/branch-of-an-output ... ok

failures:

---- PORT-1/input ----
        no answer within 2s
        rule tests/it/fixtures/spec/rules/ex-port/port-1.md
        case tests/it/fixtures/spec/cases/ex-port/port-1.yml:11



failures:
    PORT-1/input

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 4 filtered out
"#]],
    );
    assert_eq!(code, failed());
}

#[test]
fn what_is_declined_when_asked_is_ignored_and_not_passed() {
    let (code, printed) = run(declining(), &["PORT-1"]);
    snapshot(
        printed,
        str![[r#"

running 3 tests
test PORT-1/output                ... ok
test PORT-1/input                 ... ignored (the engine does not do `handle.port`)
test PORT-1/a/branch-of-an-output ... ok

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 4 filtered out
"#]],
    );
    assert_eq!(code, ExitCode::SUCCESS);
}

#[test]
fn one_session_serves_one_thread() {
    let engine = Canned::new(|_, _| Ok(Answer::Declined));
    let opened = std::sync::Arc::clone(&engine.opened);
    run(engine, &[]);
    assert_eq!(opened.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[test]
fn an_engine_that_cannot_be_started_fails_every_case() {
    let engine = Canned::new(|_, _| Ok(Answer::Declined)).most(0);
    let (code, printed) = run(engine, &["PORT-1/a"]);
    snapshot(
        printed,
        str![[r#"

running 1 test
test PORT-1/a/branch-of-an-output ... FAILED

failures:

---- PORT-1/a/branch-of-an-output ----
        the engine could not be started: out of coal
        rule tests/it/fixtures/spec/rules/ex-port/port-1-a.md
        case tests/it/fixtures/spec/cases/ex-port/port-1-a.yml:3



failures:
    PORT-1/a/branch-of-an-output

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 6 filtered out
"#]],
    );
    assert_eq!(code, failed());
}

#[test]
fn the_reference_passes_every_case() {
    let (code, printed) = run(reference::engine(), &["--quiet"]);
    snapshot(
        printed,
        str![[r#"

running 7 tests
.......
test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out
"#]],
    );
    assert_eq!(code, ExitCode::SUCCESS);
}
