//! Known failures.

use snapbox::str;
use standing::run::Outcome;

use crate::{
    fakes::{CASES, Put, Wired},
    support::snapshot,
};

/// A run with a list, in which just the case in the middle fails.
fn with_list(list: &str) -> Wired {
    let wired = Wired::new(CASES, 7).fake("fail").write("known.toml", list);
    wired.with(&["--known-failures", "known.toml"])
}

fn entry(select: &str, outcome: &str) -> String {
    format!("[[failure]]\nselect = \"{select}\"\noutcome = \"{outcome}\"\nreason = \"it is so\"\n")
}

/// That the standing is the same, listed or not.
#[track_caller]
fn stands_as_it_does(put: &Put) {
    let record = put.record();
    assert_eq!(
        record.rules[0].standing,
        standing::standing::Standing::Fails
    );
    assert_eq!(put.count(Outcome::Error), 1);
}

#[test]
fn a_failure_that_is_listed() {
    for outcome in ["fails", "flaky"] {
        for select in ["WIRE-1/c07", "*/c07"] {
            let put = with_list(&entry(select, outcome)).run();
            assert_eq!((put.status, put.stderr.as_str()), (Some(0), ""));
            stands_as_it_does(&put);
        }
    }
    // A link may be there, for people.
    let put =
        with_list(&(entry("WIRE-1/c07", "fails") + "link = \"https://example.org/1\"\n")).run();
    assert_eq!(put.status, Some(0));
}

#[test]
fn it_is_counted_and_not_shown() {
    let report = with_list(&entry("WIRE-1/c07", "fails")).report().well();
    assert!(!report.contains("error   WIRE-1/c07"), "{report}");
    assert!(
        report.contains("    1  known to fail, and not shown above:\n"),
        "{report}"
    );
    assert!(report.contains("WIRE-1/c07: it is so\n"), "{report}");
    let shown = Wired::new(CASES, 7).fake("fail").report().ended(1);
    assert!(shown.contains("error   WIRE-1/c07"), "{shown}");
}

#[test]
fn a_failure_that_is_not_listed() {
    let put = with_list(&entry("WIRE-1/c08", "flaky")).run();
    assert_eq!((put.status, put.stderr.as_str()), (Some(1), ""));
    assert_eq!(with_list("").run().status, Some(1));
}

#[test]
fn a_case_that_is_listed_and_passes() {
    let put = with_list(&(entry("WIRE-1/c07", "fails") + &entry("WIRE-1/c08", "fails"))).run();
    assert_eq!(put.status, Some(1));
    snapshot(
        &put.stderr,
        str![[r#"
error[S406]: `WIRE-1/c08` passes, and is listed as failing
 --> known.toml:6:10
  |
6 | select = "WIRE-1/c08"
  |          ^^^^^^^^^^^^
  |
  = help: take it off the list, or call it flaky

"#]],
    );
    // One that is flaky may pass.
    let put = with_list(&(entry("WIRE-1/c07", "fails") + &entry("WIRE-1/c08", "flaky"))).run();
    assert_eq!((put.status, put.stderr.as_str()), (Some(0), ""));
    // Nothing is said of one that is not put.
    let list = entry("WIRE-1/c07", "fails") + &entry("WIRE-1/c08", "fails");
    let put = with_list(&list).with(&["WIRE-1/c07"]).run();
    assert_eq!((put.status, put.stderr.as_str()), (Some(0), ""));
}

#[test]
fn an_entry_that_names_nothing() {
    with_list(&entry("WIRE-1/c70", "fails"))
        .report()
        .refused(str![[r#"
error[S406]: `WIRE-1/c70` names no case
 --> known.toml:2:10
  |
2 | select = "WIRE-1/c70"
  |          ^^^^^^^^^^^^
  |
  = help: `standing list WIRE-1` lists its cases

"#]]);
    // A rule without cases has none to be known.
    let rule = "---\nid: WIRE-2\nfamily: EX-WIRE\nlevel: core\nprofiles: [runtime]\n\
        posture: normative-target\nadded: \"1.0\"\nchanged: \"1.0\"\nspecification: Example Specification 1\n\
        ---\n\n# WIRE-2 — Wires\n\n## The rule\n\n> Wires are thin.\n";
    let wired = with_list(&entry("WIRE-2", "fails")).write("rules/ex-wire/wire-2.md", rule);
    wired.report().refused(str![[r#"
error[S406]: `WIRE-2` names no case
 --> known.toml:2:10
  |
2 | select = "WIRE-2"
  |          ^^^^^^^^

"#]]);
}

#[test]
fn a_case_that_is_listed_twice() {
    let list = entry("WIRE-1/c07", "fails") + "\n" + &entry("WIRE-1:1", "flaky");
    with_list(&list).report().refused(str![[r#"
error[S406]: `WIRE-1/c07` is listed twice
 --> known.toml:7:10
  |
7 | select = "WIRE-1:1"
  |          ^^^^^^^^^^
  |
 ::: known.toml:2:10
  |
2 | select = "WIRE-1/c07"
  |          ------------ here too
  |
  = help: let one entry be about it

"#]]);
}

#[test]
fn a_list_that_cannot_be_read() {
    with_list("[[failure]]\nselect = \"WIRE-1/c07\"\noutcome = \"fails\"\n")
        .report()
        .refused(str![[r#"
error[S405]: missing field `reason`
 --> known.toml:1:1
  |
1 | [[failure]]
  | ^^^^^^^^^^^

"#]]);
    with_list(&entry("WIRE-1/c07", "fail"))
        .report()
        .refused(str![[r#"
error[S405]: unknown variant `fail`, expected `fails` or `flaky`
 --> known.toml:3:11
  |
3 | outcome = "fail"
  |           ^^^^^^

"#]]);
    with_list(&(entry("WIRE-1/c07", "fails") + "since = 2\n"))
        .report()
        .refused(str![[r#"
error[S405]: unknown field `since`, expected one of `select`, `outcome`, `reason`, `link`
 --> known.toml:5:1
  |
5 | since = 2
  | ^^^^^

"#]]);
    let missing = Wired::new(CASES, 7).with(&["--known-failures", "nope.toml"]);
    missing.report().refused(str![[r#"
error[R100]: cannot read `nope.toml`: no such file or directory

"#]]);
}

#[test]
fn what_is_out_of_date_may_be_allowed() {
    let list = entry("WIRE-1/c07", "fails")
        + &entry("WIRE-1/c08", "fails")
        + &entry("WIRE-1/c07", "fails")
        + &entry("WIRE-1/c70", "fails");
    let put = with_list(&list).with(&["--allow-stale-known"]).run();
    assert_eq!(put.status, Some(0), "{}", put.stderr);
    for warning in [
        "warning[S406]: `WIRE-1/c07` is listed twice",
        "warning[S406]: `WIRE-1/c70` names no case",
        "warning[S406]: `WIRE-1/c08` passes, and is listed as failing",
    ] {
        assert!(put.stderr.contains(warning), "{}", put.stderr);
    }
    stands_as_it_does(&put);
}

#[test]
fn the_list_is_rewritten() {
    let list = "# What we know of.\n\n# Passes by now.\n[[failure]]\nselect = \"WIRE-1/c08\"\noutcome = \"fails\"\n\
        reason = \"it was so\"\n\n# The wires.\n[[failure]]\nselect = \"WIRE-1/c0[79]\"   # two of them\n\
        outcome = \"fails\"\nreason = \"\"\"long\nstory\"\"\"\nlink = \"https://example.org/1\"\n\n\
        [[failure]]\nselect = \"WIRE-1/c70\"\noutcome = \"fails\"\nreason = \"gone\"\n\n\
        [[failure]]\nselect = \"WIRE-1/c02\"\noutcome = \"flaky\"\nreason = \"at times\"\n# The end.\n";
    let put = with_list(list).with(&["--update-known"]).run();
    assert_eq!((put.status, put.stderr.as_str()), (Some(0), ""));
    let updated = std::fs::read_to_string(put.wired.path("known.toml")).expect("the list");
    snapshot(
        &updated,
        str![[r##"
# What we know of.

# The wires.
[[failure]]
select = "WIRE-1/c07"   # two of them
outcome = "fails"
reason = """long
story"""
link = "https://example.org/1"

[[failure]]
select = "WIRE-1/c02"
outcome = "flaky"
reason = "at times"
# The end.

"##]],
    );
    // A second time there is nothing to do.
    let again = with_list(&updated).with(&["--update-known"]).run();
    assert_eq!(again.status, Some(0));
    let same = std::fs::read_to_string(again.wired.path("known.toml")).expect("the list");
    assert_eq!(same, updated);
}

#[test]
fn what_fails_is_put_on_the_list() {
    let wired =
        Wired::new(CASES, 7)
            .fake("fail")
            .with(&["--known-failures", "new.toml", "--update-known"]);
    let put = wired.run();
    assert_eq!((put.status, put.stderr.as_str()), (Some(0), ""));
    let made = std::fs::read_to_string(put.wired.path("new.toml")).expect("the list");
    snapshot(
        &made,
        str![[r#"
[[failure]]
select = "WIRE-1/c07"
outcome = "fails"
reason = 'not looked into yet: error -32000: out of paper ({"reason":"no_paper"})'

"#]],
    );
    let put = Wired::new(CASES, 7).fake("fail").write("new.toml", &made);
    assert_eq!(
        put.with(&["--known-failures", "new.toml"]).run().status,
        Some(0)
    );
    Wired::new(CASES, 7)
        .with(&["--update-known"])
        .report()
        .refused(str![[r#"
error[S403]: there is no list of known failures to update
 |
 = help: name one: `--known-failures known-failures.toml`; it is made if it is not there

"#]]);
}
