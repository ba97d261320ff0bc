//! What is told of a case that is put once more, alone.

use snapbox::str;
use standing::run::Outcome;

use crate::{
    fakes::{CASES, Put, Wired, by_turns},
    support::snapshot,
};

use Outcome::{Error, Fail};

fn stderr(put: &Put, number: usize) -> &str {
    put.case(number).stderr.as_deref().unwrap_or_default()
}

#[test]
fn its_standard_error_is_there_and_nobody_elses() {
    for jobs in ["1", "4"] {
        let put = Wired::new(CASES, 7)
            .fake("exit:3")
            .with(&["--jobs", jobs])
            .run();
        put.falls_short(&[(7, Error, "the engine ended (exit status: 3)")]);
        let said = "asked initialize\nasked reset\nasked loops.resolve\nplays Exit(3)\n";
        assert_eq!(stderr(&put, 7), said);
        assert!(!put.case(7).passes_alone);
        for n in (1..=CASES).filter(|n| *n != 7) {
            assert_eq!(put.case(n).stderr, None);
        }
    }
}

#[test]
fn a_wrong_answer_has_it_too() {
    let put = Wired::new(CASES, 7).fake("refuse").run();
    let said = "asked initialize\nasked reset\nasked loops.resolve\nplays Refuse\nasked shutdown\n";
    assert_eq!(stderr(&put, 7), said);
}

#[test]
fn an_engine_that_hangs_has_it_too() {
    let put = Wired::new(3, 2)
        .fake("hang")
        .with(&["--timeout", "1"])
        .run();
    let said = "asked initialize\nasked reset\nasked loops.resolve\nplays Hang\n";
    assert_eq!(stderr(&put, 2), said);
}

#[test]
fn of_very_much_the_end_is_kept() {
    let engine = by_turns("= 1", "fail", "flood-stderr:2");
    let put = Wired::new(3, 2)
        .engine(&engine)
        .with(&["--jobs", "1"])
        .run();
    let said = stderr(&put, 2);
    assert!(
        said.ends_with("noise\nasked shutdown\n"),
        "{}",
        &said[said.len() - 100..]
    );
    assert_eq!(said.len(), 64 * 1024);
    // People see the end of that.
    let engine = by_turns("= 1", "fail", "flood-stderr:2");
    let report = Wired::new(3, 2)
        .engine(&engine)
        .with(&["--jobs", "1"])
        .report()
        .ended(1);
    assert_eq!(report.matches("noise\n").count(), 9, "{report}");
}

#[test]
fn what_passes_alone_is_said_to() {
    let engine = by_turns("= 1", "refuse", "none");
    let wired = Wired::new(3, 2).engine(&engine).with(&["--jobs", "1"]);
    let put = wired.run();
    put.falls_short(&[(2, Fail, "refused with `no_paper`: out of paper")]);
    assert!(put.case(2).passes_alone);
}

#[test]
fn for_people() {
    let wired = Wired::new(CASES, 11).fake("leak").with(&["--jobs", "1"]);
    let report = wired.report().ended(1);
    let engine = report
        .split("--engine '")
        .nth(1)
        .expect("what runs it again");
    let engine = engine.split("' WIRE-1").next().expect("the case");
    snapshot(
        report.replace(engine, "ENGINE"),
        str![[r#"
EX-WIRE
  fails          WIRE-1   11/12  Loops, over a wire

fail    WIRE-1/c12 bears on ¶1
        /loops/head: expected, but not there
        asked loops.resolve {"edges":[{"source":"head","target":"n12"},{"source":"n12","target":"head","kind":"loopback"}]}
        - expected + actual
          {
        -   "loops": {
        -     "head": [
        -       "head",
        -       "n12"
        -     ]
        -   }
        +   "loops": {}
          }
        standard error, when put alone
          asked initialize
          asked reset
          asked loops.resolve
          asked shutdown
        passes alone: something leaks from case to case
        rule rules/ex-wire/wire-1.md
        case cases/ex-wire/wire-1.yml:113
        again standing run --rules rules --cases cases --engine 'ENGINE' WIRE-1/c12

The standing of reference 0.1.0
  rules              1  1 failed
  cases             12  11 passed, 1 failed
  examples           0  none
  core               1  fails (1 failed)
  runtime            1  fails (1 failed)
  Example Specification 1: 1 rule carried
  This is the implementer's own statement, made by running this suite. It is no certification.

"#]],
    );
}

#[test]
fn nothing_is_put_again_where_nothing_failed() {
    for words in ["none", "decline"] {
        let words = format!("{words} --starts {{here}}/starts");
        let put = Wired::new(CASES, 7)
            .fake(&words)
            .with(&["--jobs", "1"])
            .run();
        assert_eq!(put.status, Some(0));
        let starts = std::fs::metadata(put.wired.path("starts")).expect("it was started");
        assert_eq!(starts.len(), 1);
    }
}
