//! Selectors: what each kind chooses, in `list`, in `run`, and in the record.

use serde_json::Value;
use snapbox::str;

use crate::support::{snapshot, standing};

const FROM: [&str; 4] = ["--rules", "rules", "--cases", "cases"];

/// What `standing list` says of these selectors.
fn list(selectors: &[&str]) -> String {
    standing(&[&["list"], &FROM[..], selectors].concat()).well()
}

/// The record of a run of these selectors.
fn record(selectors: &[&str]) -> Value {
    let args = [
        &["run", "--format", "json", "--no-timing"],
        &FROM[..],
        selectors,
    ]
    .concat();
    serde_json::from_str(&standing(&args).well()).expect("a record")
}

/// The names of the cases in a record, and of the rules without any.
fn chosen(record: &Value) -> Vec<String> {
    let name = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rules = record["rules"].as_array().expect("rules");
    rules
        .iter()
        .flat_map(|rule| {
            let cases = rule["cases"].as_array().expect("cases");
            match cases.is_empty() {
                true => vec![name(&rule["id"])],
                false => cases.iter().map(|c| name(&c["case"])).collect(),
            }
        })
        .collect()
}

/// That `run` puts just these cases, that the record says what they were chosen by, and that
/// `list` lists the same.
#[track_caller]
fn choose(selectors: &[&str], cases: &[&str]) {
    let record = record(selectors);
    assert_eq!(chosen(&record), cases);
    assert_eq!(record["selection"], serde_json::json!(selectors));
    let listed = list(selectors);
    let listed: Vec<&str> = listed
        .lines()
        .map(|l| l.split("  ").next().unwrap_or(l))
        .collect();
    let with_cases: Vec<&str> = cases
        .iter()
        .copied()
        .filter(|c| !RULES.contains(c))
        .collect();
    match with_cases.is_empty() {
        true => assert_eq!(listed, ["no cases"]),
        false => assert_eq!(listed, with_cases),
    }
}

const RULES: [&str; 5] = ["LOOP-1", "LOOP-2", "LOOP-10", "PORT-1", "PORT-1/a"];

#[test]
fn a_rule() {
    choose(
        &["LOOP-1"],
        &["LOOP-1/two-ways-back", "LOOP-1/beside-the-way"],
    );
    choose(&["LOOP-10"], &["LOOP-10"]);
}

#[test]
fn a_rule_whose_id_looks_like_a_case() {
    choose(&["PORT-1/a"], &["PORT-1/a/branch-of-an-output"]);
    choose(
        &["PORT-1/a/branch-of-an-output"],
        &["PORT-1/a/branch-of-an-output"],
    );
    choose(&["PORT-1/a:1"], &["PORT-1/a/branch-of-an-output"]);
}

#[test]
fn a_clause_in_each_of_its_spellings() {
    for spelling in ["LOOP-1:2", "LOOP-1¶2", "LOOP-1 ¶2", "LOOP-1 ¶ 2"] {
        choose(&[spelling], &["LOOP-1/two-ways-back"]);
    }
    // It is there, and no case bears on it.
    choose(&["LOOP-1:4"], &["LOOP-1"]);
}

#[test]
fn a_case() {
    choose(&["LOOP-2/no-such-loop"], &["LOOP-2/no-such-loop"]);
}

#[test]
fn a_family() {
    choose(
        &["EX-PORT"],
        &[
            "PORT-1/output",
            "PORT-1/input",
            "PORT-1/a/branch-of-an-output",
        ],
    );
}

#[test]
fn a_glob_over_rules_clauses_cases_and_families() {
    choose(
        &["LOOP-?"],
        &[
            "LOOP-1/two-ways-back",
            "LOOP-1/beside-the-way",
            "LOOP-2/one-round",
            "LOOP-2/no-such-loop",
        ],
    );
    choose(
        &["LOOP-1*"],
        &["LOOP-1/two-ways-back", "LOOP-1/beside-the-way", "LOOP-10"],
    );
    choose(&["*:2"], &["LOOP-1/two-ways-back", "LOOP-2/no-such-loop"]);
    choose(&["*¶2"], &["LOOP-1/two-ways-back", "LOOP-2/no-such-loop"]);
    choose(
        &["*/*put"],
        &[
            "PORT-1/output",
            "PORT-1/input",
            "PORT-1/a/branch-of-an-output",
        ],
    );
    choose(
        &["LOOP-2/{no,one}-*"],
        &["LOOP-2/one-round", "LOOP-2/no-such-loop"],
    );
    choose(
        &["EX-P*"],
        &[
            "PORT-1/output",
            "PORT-1/input",
            "PORT-1/a/branch-of-an-output",
        ],
    );
}

#[test]
fn several_together_each_case_once_and_in_the_order_of_the_suite() {
    choose(
        &[
            "PORT-1/input",
            "LOOP-1:1",
            "LOOP-1/two-ways-back",
            "LOOP-1:3",
        ],
        &[
            "LOOP-1/two-ways-back",
            "LOOP-1/beside-the-way",
            "PORT-1/input",
        ],
    );
}

#[test]
fn without_any_everything_is_put_and_the_record_says_so() {
    let record = record(&[]);
    assert_eq!(record["selection"], serde_json::json!([]));
    assert_eq!(chosen(&record).len(), 8, "7 cases, and a rule without any");
}

#[test]
fn a_clause_that_was_not_chosen_is_untested() {
    let record = record(&["LOOP-1:3"]);
    let rule = &record["rules"][0];
    let standings: Vec<&str> = rule["clauses"]
        .as_array()
        .expect("clauses")
        .iter()
        .map(|c| c["standing"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(standings, ["untested", "untested", "meets", "untestable"]);
    assert_eq!(rule["standing"], "partial");
    assert_eq!(record["summary"]["rules"]["partial"], 1);
    assert_eq!(record["summary"]["cases"]["pass"], 1);
}

#[test]
fn the_report_of_a_selection_says_so() {
    let report = standing(&[&["run", "LOOP-2", "PORT-1:1"], &FROM[..]].concat()).well();
    snapshot(
        report,
        str![[r#"
EX-LOOP
  meets          LOOP-2     2/2  Rounds of a run

EX-PORT
  meets          PORT-1     2/2  The port that a handle names

The standing of reference 0.1.0
  rules              2  2 met
  cases              4  4 passed
  examples           1  1 bound to a case
  core               1  meets (1 met)
  extended           1  meets (1 met)
  runtime            1  meets (1 met)
  storage-api        1  meets (1 met)
  editor-client      1  meets (1 met)
  Example Specification 1: 5 of 6 rules carried
  of a selection only: LOOP-2 PORT-1:1
  This is the implementer's own statement, made by running this suite. It is no certification.

"#]],
    );
}

#[test]
fn cases_are_listed_with_the_clauses_that_they_bear_on() {
    snapshot(
        list(&["LOOP-*"]),
        str![[r#"
LOOP-1/two-ways-back  ¶1 ¶2
LOOP-1/beside-the-way  ¶3
LOOP-2/one-round  ¶1
LOOP-2/no-such-loop  ¶2

"#]],
    );
}
