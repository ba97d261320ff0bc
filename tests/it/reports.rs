//! What is written of a run in which every kind of thing goes wrong.

use std::time::Duration;

use snapbox::{file, str};
use standing::{
    engine::{Answer, Refusal},
    report::{Human, human, json},
    run::Outcome,
    standing::Record,
};

use crate::{
    acme::{Canned, acme, hopeless, options, outcomes, record, spec},
    support::snapshot,
};

const HOW: Human<'_> = Human {
    command: "standing run --engine './acme serve'",
    quiet: false,
};

fn hopeless_record() -> Record {
    record(&spec(), hopeless(), &options(Some(Duration::from_secs(2))))
}

/// The report as it is read where there is no colour.
fn plain(record: &Record) -> String {
    anstream::adapter::strip_str(&human(record, &HOW)).to_string()
}

#[test]
fn every_kind_of_failure_for_people() {
    snapshot(plain(&hopeless_record()), file!["snapshots/hopeless.txt"]);
}

#[test]
fn every_kind_of_failure_for_programs() {
    let mut record = hopeless_record();
    record.harness.version = "0.0.0".into();
    let text = json(&record).expect("JSON");
    snapshot(&text, file!["snapshots/hopeless.json"]);
    let read: Record = serde_json::from_str(&text).expect("a record");
    assert_eq!(read, record);
}

#[test]
fn rules_that_do_not_apply_for_people() {
    let record = record(&spec(), acme().profiles(["storage-api"]), &options(None));
    snapshot(
        plain(&record),
        str![[r#"
EX-LOOP
  not applicable LOOP-1       0/2  What a loop holds
                                   ¶4 untestable
  not applicable LOOP-2       0/2  Rounds of a run
  not applicable LOOP-10      0/0  How loops are drawn (descriptive: counts nowhere)

EX-PORT
  meets          PORT-1       2/2  The port that a handle names
  meets          PORT-1/a     1/1  A branch is a port

The standing of acme 2.1
  rules              4  2 met, 2 not applicable
  cases              7  3 passed, 4 skipped
  examples           5  3 bound to a case, 2 unbound
  core               3  meets (2 met, 1 not applicable)
  extended           1  not applicable (1 not applicable)
  runtime            2  not applicable (2 not applicable)
  storage-api        2  meets (2 met)
  editor-client      1  not applicable (1 not applicable)
  Example Specification 1: 5 of 6 rules carried
  This is the implementer's own statement, made by running this suite. It is no certification.

"#]],
    );
}

#[test]
fn what_an_engine_says_cannot_act_on_the_terminal() {
    let evil = "\u{1b}]0;title\u{7}\u{9b}2J\u{202e}";
    let engine =
        Canned::new(move |_, _| Ok(Answer::Refused(Refusal::new(evil, evil).with(evil, evil))));
    let mut record = record(&spec(), engine, &options(None));
    record.engine.name = evil.into();
    record.engine.version = Some(evil.into());
    let report = plain(&record);
    let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    assert!(!report.contains(acts), "{report:?}");
    assert!(
        report.contains(r"The standing of \u{1b}]0;title\u{7}\u{9b}2J\u{202e}"),
        "{report}"
    );
}

#[test]
fn a_long_answer_is_cut_and_the_record_has_all_of_it() {
    let nodes: Vec<String> = (0..200).map(|n| format!("n{n:03}")).collect();
    let answer =
        serde_json::json!({"loops": {"head": nodes}, "memberships": {}, "diagnostics": []});
    let engine = Canned::new(move |_, _| Ok(Answer::Value(answer.clone())));
    let record = record(&spec(), engine, &options(None));
    assert_eq!(outcomes(&record)["LOOP-1/beside-the-way"], Outcome::Fail);
    let report = plain(&record);
    assert!(
        report.contains("… (all of it with --format json)"),
        "{report}"
    );
    assert!(!report.contains("n199"), "{report}");
    assert!(json(&record).expect("JSON").contains("n199"));
}
