//! `standing run`: exit status, report and record, on what the command carries and on trees where
//! the reference engine falls short of what a case asks.

use serde_json::Value;
use snapbox::{file, str};
use standing::{
    run::Outcome,
    standing::{Record, STATEMENT, Standing},
};

use crate::support::{Ran, Tree, command, snapshot, standing, standing_here};

const RUN: [&str; 5] = ["run", "--rules", "rules", "--cases", "cases"];
const LOOP_1: &str = "cases/ex-loop/loop-1.yml";
const LOOP_2: &str = "cases/ex-loop/loop-2.yml";

fn record_of(text: &str) -> Record {
    let record: Record = serde_json::from_str(text).expect("a record");
    // Nothing is lost on the way.
    let again = standing::report::json(&record).expect("JSON");
    assert_eq!(again, text);
    record
}

/// Two cases ask for what is wrong: a node too many in a loop, and a round too many.
fn wrong() -> Tree {
    Tree::spec()
        .change(
            LOOP_1,
            "{ head: [head, tail] }",
            "{ head: [beside, head, tail] }",
        )
        .change(LOOP_2, "rounds: { head: 1 }", "rounds: { head: 2 }")
}

#[test]
fn the_reference_meets_every_rule_that_the_command_carries() {
    let text = standing_here(&["--format", "json", "--no-timing"]).well();
    assert_eq!(
        standing_here(&["run", "--format", "json", "--no-timing"]).well(),
        text
    );
    let record = record_of(&text);
    assert!(!record.rules.is_empty());
    for rule in &record.rules {
        assert_eq!(rule.standing, Standing::Meets, "{}", rule.id);
        assert_eq!(rule.unbound, [""; 0], "{}", rule.id);
    }
    assert!(
        record
            .cases()
            .all(|(_, case)| case.outcome == Outcome::Pass)
    );
    assert!(!record.interrupted);
}

#[test]
#[cfg_attr(
    not(specification_checkout),
    ignore = "no checkout of the specification beside the project"
)]
fn the_specifications_own_pages() {
    let report = standing_here(&["run", "--rules", "../shared/pages"]).well();
    snapshot(report, file!["snapshots/run-pages.txt"]);

    let args = [
        "run",
        "--rules",
        "../shared/pages",
        "--format",
        "json",
        "--no-timing",
    ];
    let text = standing_here(&args).well();
    let record = record_of(&text);
    assert_eq!(record.rules.len(), 192);
    let met = record
        .rules
        .iter()
        .filter(|r| r.standing == Standing::Meets);
    let met: Vec<&str> = met.map(|r| r.id.as_str()).collect();
    // What the command carries of that specification, under the same ids.
    let carried =
        record_of(&standing_here(&["--format", "json", "--no-timing", "GR-*", "RT-*"]).well());
    let carried: Vec<&str> = carried.rules.iter().map(|r| r.id.as_str()).collect();
    assert_eq!(met, carried);
    assert_eq!(standing_here(&args).well(), text);
}

#[test]
fn a_run_without_timing_is_the_same_every_time_and_in_any_order() {
    let json = [&RUN[..], &["--format", "json", "--no-timing"]].concat();
    let text = standing(&json).well();
    for more in [
        &[][..],
        &["--jobs", "1"],
        &["--jobs", "8"],
        &["--shuffle", "1"],
        &["--shuffle", "2", "--jobs", "3"],
    ] {
        assert_eq!(
            standing(&[&json[..], more].concat()).well(),
            text,
            "{more:?}"
        );
    }
}

#[test]
fn timing_is_a_member_of_its_own() {
    let mut record = record_of(&standing(&[&RUN[..], &["--format", "json"]].concat()).well());
    let timing = record.timing.take().expect("timing");
    assert_eq!(timing.engine.as_deref(), Some("reference"));
    // 2026-11-30T12:00:00.123456789Z
    let date = timing.date.expect("a date");
    assert!(
        date.len() >= 20 && date.ends_with('Z') && date.as_bytes()[10] == b'T',
        "{date}"
    );
    assert_eq!(timing.cases.len(), 7);
    assert!(timing.cases.values().all(|took| *took > 0.0));
    let json = [&RUN[..], &["--format", "json", "--no-timing"]].concat();
    assert_eq!(record, record_of(&standing(&json).well()));
}

#[test]
fn a_run_in_which_all_is_well() {
    snapshot(
        standing(&RUN).well(),
        str![[r#"
EX-LOOP
  meets          LOOP-1       2/2  What a loop holds
                                   ¶4 untestable
  meets          LOOP-2       2/2  Rounds of a run
  untested       LOOP-10

EX-PORT
  meets          PORT-1       2/2  The port that a handle names
  meets          PORT-1/a     1/1  A branch is a port

The standing of reference 0.1.0
  rules              4  4 met
  cases              7  7 passed
  examples           5  3 bound to a case, 2 unbound
  core               3  meets (3 met)
  extended           1  meets (1 met)
  runtime            2  meets (2 met)
  storage-api        2  meets (2 met)
  editor-client      1  meets (1 met)
  Example Specification 1: 5 of 6 rules carried
  This is the implementer's own statement, made by running this suite. It is no certification.

"#]],
    );
}

#[test]
fn a_run_in_which_the_engine_falls_short() {
    snapshot(
        wrong().run(&RUN).ended(1),
        str![[r#"
EX-LOOP
  fails          LOOP-1       1/2  What a loop holds
                                   ¶3 fails, ¶4 untestable
  fails          LOOP-2       1/2  Rounds of a run
                                   ¶1 fails
  untested       LOOP-10

EX-PORT
  meets          PORT-1       2/2  The port that a handle names
  meets          PORT-1/a     1/1  A branch is a port

fail    LOOP-1/beside-the-way bears on ¶3
        /loops/head: expected 3 items, got 2
        asked loops.resolve {"edges":[{"source":"head","target":"tail"},{"source":"head","target":"beside"},{"source":"tail","target":"head","kind":"loopback"}]}
        - expected + actual
          {
            "loops": {
              "head": [
        -       "beside",
                "head",
                "tail"
              ]
        rule rules/ex-loop/loop-1.md
        case cases/ex-loop/loop-1.yml:14
        again standing run --rules rules --cases cases LOOP-1/beside-the-way

fail    LOOP-2/one-round bears on ¶1
        step 3: /rounds/head: expected 2, got 1
        asked workflow.state {"run":"run_1"}
        - expected + actual
              ]
            },
            "rounds": {
        -     "head": 2
        +     "head": 1
            },
            "memberships": {
              "head": [
        rule rules/ex-loop/loop-2.md
        case cases/ex-loop/loop-2.yml:3
        again standing run --rules rules --cases cases LOOP-2/one-round

The standing of reference 0.1.0
  rules              4  2 met, 2 failed
  cases              7  5 passed, 2 failed
  examples           5  3 bound to a case, 2 unbound
  core               3  fails (2 met, 1 failed)
  extended           1  fails (1 failed)
  runtime            2  fails (2 failed)
  storage-api        2  meets (2 met)
  editor-client      1  fails (1 failed)
  Example Specification 1: 5 of 6 rules carried
  This is the implementer's own statement, made by running this suite. It is no certification.

"#]],
    );
}

#[test]
fn what_is_quiet_leaves_out_what_is_well() {
    let all = wrong().run(&RUN).ended(1);
    let quiet = wrong().run(&[&RUN[..], &["--quiet"]].concat()).ended(1);
    let from = all.find("fail    ").expect("a failure");
    assert_eq!(quiet, all[from..]);
}

#[test]
fn what_runs_a_case_again_does() {
    let tree = wrong();
    let report = tree
        .run(&[&RUN[..], &["--timeout", "2.5"]].concat())
        .ended(1);
    let again: Vec<&str> = report
        .lines()
        .filter_map(|l| l.trim().strip_prefix("again "))
        .collect();
    let [first, second] = again[..] else {
        panic!("{report}");
    };
    assert_eq!(
        first,
        "standing run --rules rules --cases cases --timeout 2.5 LOOP-1/beside-the-way"
    );
    for line in [first, second] {
        // No word of it is in quotes.
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        let again = tree.run(&words).ended(1);
        assert!(
            again.contains("  cases              1  1 failed\n"),
            "{again}"
        );
        assert!(again.contains(&format!("again {line}\n")), "{again}");
    }
}

#[test]
fn what_runs_a_case_again_is_quoted_for_the_shell() {
    let tree = Tree::spec();
    let odd = "it's a folder/loop-1.yml";
    let text = tree.read(LOOP_1).replace("[head, tail] }", "[tail] }");
    let tree = tree.write(odd, text);
    let report = tree
        .run(&["run", "--rules", "rules", "--cases", odd])
        .ended(1);
    let quoted = r"--cases 'it'\''s a folder/loop-1.yml' LOOP-1/beside-the-way";
    assert!(report.contains(quoted), "{report}");
}

#[test]
fn the_record_of_a_run_in_which_the_engine_falls_short() {
    let json = [&RUN[..], &["--format", "json", "--no-timing"]].concat();
    let record = record_of(&wrong().run(&json).ended(1));
    let failed: Vec<_> = record
        .cases()
        .filter(|(_, c)| c.outcome == Outcome::Fail)
        .collect();
    let [(loop_1, beside), (loop_2, round)] = failed[..] else {
        panic!("{failed:#?}");
    };
    assert_eq!(loop_1.standing, Standing::Fails);
    let standings: Vec<Standing> = loop_1.clauses.iter().map(|c| c.standing).collect();
    use Standing::{Fails, Meets, Untestable};
    assert_eq!(standings, [Meets, Meets, Fails, Untestable]);
    assert_eq!(beside.case, "LOOP-1/beside-the-way");
    assert_eq!(beside.source, "cases/ex-loop/loop-1.yml:14");
    assert_eq!(
        beside.message.as_deref(),
        Some("/loops/head: expected 3 items, got 2")
    );
    assert_eq!(beside.step, None, "there is but one");
    let expected = serde_json::json!({"loops": {"head": ["beside", "head", "tail"]}});
    assert_eq!(beside.expected.as_ref(), Some(&expected));
    let actual = beside.actual.as_ref().map(|a| &a["loops"]);
    assert_eq!(actual, Some(&serde_json::json!({"head": ["head", "tail"]})));

    assert_eq!(loop_2.standing, Standing::Fails);
    assert_eq!(round.step, Some(3));
    assert_eq!(
        round.message.as_deref(),
        Some("/rounds/head: expected 2, got 1")
    );
    assert_eq!(
        round.expected,
        Some(serde_json::json!({"rounds": {"head": 2}}))
    );
    // All that the answer has beside it would have been taken.
    let nearest = round.nearest.clone().expect("the nearest that passes");
    let mut actual: Value = round.actual.clone().expect("an answer");
    actual["rounds"]["head"] = 2.into();
    assert_eq!(nearest, actual);

    assert_eq!(record.summary.cases.fail, 2);
    assert_eq!(record.summary.cases.pass, 5);
    assert_eq!(record.summary.rules.fails, 2);
    assert_eq!(record.summary.rules.meets, 2);
    assert_eq!(record.statement, STATEMENT);
}

#[test]
fn fail_fast_stops_at_the_first_that_fails() {
    let more = [
        "--fail-fast",
        "--jobs",
        "1",
        "--format",
        "json",
        "--no-timing",
    ];
    let record = record_of(&wrong().run(&[&RUN[..], &more].concat()).ended(1));
    let outcomes: Vec<Outcome> = record.cases().map(|(_, c)| c.outcome).collect();
    use Outcome::{Fail, Pass, Skipped};
    assert_eq!(
        outcomes,
        [Pass, Fail, Skipped, Skipped, Skipped, Skipped, Skipped]
    );
    assert!(record.interrupted);
    let standings: Vec<Standing> = record.rules.iter().map(|r| r.standing).collect();
    use Standing::{Fails, Untested};
    assert_eq!(standings, [Fails, Untested, Untested, Untested, Untested]);
    let report = wrong().run(&[&RUN[..], &more[..3]].concat()).ended(1);
    assert!(
        report.contains("\n  the run ended before it was done\n"),
        "{report}"
    );
}

#[test]
fn a_failure_of_a_rule_that_counts_nowhere_is_shown_and_changes_no_count() {
    let descriptive = ["posture: normative-target", "posture: descriptive"];
    let tree = Tree::spec()
        .change("rules/ex-loop/loop-1.md", descriptive[0], descriptive[1])
        .change(LOOP_1, "{ head: [head, tail] }", "{ head: [tail] }");
    snapshot(
        tree.run(&[&RUN[..], &["LOOP-1"]].concat()).well(),
        str![[r#"
EX-LOOP
  fails          LOOP-1     1/2  What a loop holds (descriptive: counts nowhere)
                                 ¶3 fails, ¶4 untestable

fail    LOOP-1/beside-the-way bears on ¶3
        /loops/head: expected 1 item, got 2
        asked loops.resolve {"edges":[{"source":"head","target":"tail"},{"source":"head","target":"beside"},{"source":"tail","target":"head","kind":"loopback"}]}
        - expected + actual
          {
            "loops": {
              "head": [
        +       "head",
                "tail"
              ]
            },
        rule rules/ex-loop/loop-1.md
        case cases/ex-loop/loop-1.yml:14
        again standing run --rules rules --cases cases LOOP-1/beside-the-way

The standing of reference 0.1.0
  rules              0  none
  cases              0  none
  examples           0  none
  Example Specification 1: 5 of 6 rules carried
  of a selection only: LOOP-1
  This is the implementer's own statement, made by running this suite. It is no certification.

"#]],
    );
}

#[test]
fn colour_is_there_when_asked_for_and_changes_no_word() {
    let args = |when| [&RUN[..], &["--color", when]].concat();
    let plain = wrong().run(&args("never")).ended(1);
    assert_eq!(
        wrong().run(&RUN).ended(1),
        plain,
        "no colour where nobody sees it"
    );
    let coloured = wrong().run(&args("always")).ended(1);
    assert!(coloured.contains("\u{1b}[1m\u{1b}[31mfail"), "{coloured:?}");
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
}

#[test]
fn colour_of_what_is_wrong_with_the_input() {
    let mut plain = command(".".as_ref(), ["list", "xyzzy"]);
    let mut coloured = command(".".as_ref(), ["list", "xyzzy", "--color", "always"]);
    let (plain, coloured) = (Ran::of(&mut plain), Ran::of(&mut coloured));
    assert!(coloured.stderr.contains("\u{1b}["), "{coloured:?}");
    let stripped = anstream::adapter::strip_str(&coloured.stderr).to_string();
    assert_eq!(stripped, plain.stderr);
}
