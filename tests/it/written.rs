//! Reports that are written to files.

use std::{fs, os::unix::fs::PermissionsExt, process::Command};

use snapbox::str;

use crate::{
    fakes::{CASES, Wired},
    support::snapshot,
};

const JSON: &str = "json=standing.json";

fn files(wired: &Wired, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(wired.path(folder)).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn several_at_once() {
    let wired = Wired::new(CASES, 7).write("out/x", "").with(&[
        "--no-timing",
        "--report",
        "json=out/a.json",
        "--report",
        "markdown=out/b.md",
        "--report",
        "human=out/c.txt",
    ]);
    let human = wired.report().well();
    let read = |name: &str| fs::read_to_string(wired.path(name)).expect(name);
    assert_eq!(files(&wired, "out"), ["a.json", "b.md", "c.txt", "x"]);
    assert_eq!(read("out/c.txt"), human);
    let plain = |format: &str| {
        Wired::new(CASES, 7)
            .with(&["--no-timing", "--format", format])
            .report()
            .well()
    };
    assert_eq!(read("out/a.json"), plain("json"));
    assert_eq!(read("out/b.md"), plain("markdown"));
    let mode = fs::metadata(wired.path("out/a.json"))
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o644);
}

#[test]
fn one_that_was_there_is_replaced() {
    let wired = Wired::new(1, 1)
        .write("real.json", "old")
        .with(&["--report", "json=link.json"]);
    fs::set_permissions(wired.path("real.json"), fs::Permissions::from_mode(0o600))
        .expect("it is ours");
    std::os::unix::fs::symlink("real.json", wired.path("link.json")).expect("a link");
    wired.report().well();
    // It keeps its mode, and a link stays a link.
    let real = fs::metadata(wired.path("real.json")).expect("a file");
    assert_eq!(real.permissions().mode() & 0o777, 0o600);
    assert!(real.len() > 3);
    assert!(
        fs::symlink_metadata(wired.path("link.json"))
            .expect("a link")
            .is_symlink()
    );
}

#[test]
fn a_pipe_is_written_to_and_stays_one() {
    let wired = Wired::new(1, 1).with(&["--report", "markdown=pipe"]);
    let made = Command::new("mkfifo").arg(wired.path("pipe")).status();
    assert!(made.expect("there is mkfifo").success());
    let reader = std::thread::spawn({
        let pipe = wired.path("pipe");
        move || fs::read_to_string(pipe).expect("it is read")
    });
    wired.report().well();
    assert!(
        reader
            .join()
            .expect("it reads")
            .starts_with("# Where reference ")
    );
    assert!(
        !fs::metadata(wired.path("pipe"))
            .expect("it is there")
            .is_file()
    );
}

#[test]
fn where_none_can_be_nothing_is_put() {
    let engine = "none --starts {here}/starts";
    for report in [
        "json=nowhere/standing.json",
        "json=rules",
        "json=rules/ex-wire/wire-1.md/x",
    ] {
        let wired = Wired::new(1, 1)
            .fake(engine)
            .with(&["--report", JSON, "--report", report]);
        let before = files(&wired, "");
        let ran = wired.report();
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""));
        assert_eq!(
            files(&wired, ""),
            before,
            "nothing is written, and nothing started"
        );
        let why = match report {
            "json=rules" => "is a directory",
            "json=nowhere/standing.json" => "no such file or directory",
            _ => "not a directory",
        };
        let path = report.trim_start_matches("json=");
        let says = format!("error[S403]: the report cannot be written to `{path}`: {why}\n");
        assert_eq!(ran.stderr, says);
    }
}

#[test]
fn one_that_cannot_be_written_after_all_takes_no_other_with_it() {
    // The engine takes the folder away while it is asked.
    let engine = "sh -c 'rm -r gone; exec \"$0\" engine' '".to_owned()
        + env!("CARGO_BIN_EXE_standing")
        + "'";
    let wired = Wired::new(1, 1).engine(&engine).write("gone/x", "");
    let ran = wired.with(&[
        "--report",
        "json=gone/a.json",
        "--report",
        JSON,
        "--jobs",
        "1",
    ]);
    let said = ran.report();
    snapshot(
        &said.stderr,
        str![[r#"
error[S403]: the report cannot be written to `gone/a.json`: no such file or directory

"#]],
    );
    assert_eq!(said.status, Some(2));
    assert!(
        said.stdout.contains("The standing of reference "),
        "{}",
        said.stdout
    );
    assert!(files(&ran, "").contains(&"standing.json".to_owned()));
}

#[test]
fn what_is_no_report() {
    for report in ["json", "json=", "yaml=a.yml", "=a.json"] {
        let ran = Wired::new(1, 1).with(&["--report", report]).report();
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""));
        let says = "FORMAT=FILE is expected, and FORMAT is one of human, json, html, markdown, ";
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
}

#[test]
fn a_statement_in_which_all_is_well() {
    let ran = crate::support::standing(&[
        "run",
        "--rules",
        "rules",
        "--cases",
        "cases",
        "--format",
        "markdown",
        "--no-timing",
    ]);
    snapshot(
        ran.well(),
        str![[r#"
# Where reference 0.1.0 stands

This is the implementer's own statement, made by running this suite. It is no certification.

- Example Specification 1: 5 of 6 rules carried by standing 0.1.0
- 7 cases: 7 passed, 0 failed, 0 erred, 0 timed out, 0 unsupported, 0 skipped

## EX-LOOP

| rule | level | standing | cases passed | clauses not met | title |
| --- | --- | --- | --- | --- | --- |
| LOOP-1 | core | meets | 2 of 2 | ¶4 untestable | What a loop holds |
| LOOP-2 | extended | meets | 2 of 2 |  | Rounds of a run |
| LOOP-10 | optional | untested | 0 of 0 | ¶1 untested | How loops are drawn (descriptive: counts nowhere) |

## EX-PORT

| rule | level | standing | cases passed | clauses not met | title |
| --- | --- | --- | --- | --- | --- |
| PORT-1 | core | meets | 2 of 2 |  | The port that a handle names |
| PORT-1/a | core | meets | 1 of 1 |  | A branch is a port |

"#]],
    );
}

#[test]
fn a_statement_of_an_engine_that_falls_short() {
    let wired = Wired::new(CASES, 7)
        .fake("leak")
        .with(&["--jobs", "1", "--fail-fast"]);
    let report = wired
        .with(&["--format", "markdown", "--no-timing", "WIRE-1/c0*"])
        .report();
    snapshot(
        report.ended(1),
        str![[r#"
# Where reference 0.1.0 stands

This is the implementer's own statement, made by running this suite. It is no certification.

- Example Specification 1: 1 rule carried by standing 0.1.0
- 9 cases: 7 passed, 1 failed, 0 erred, 0 timed out, 0 unsupported, 1 skipped
- of a selection only: WIRE-1/c0\*
- the run ended before it was done

## EX-WIRE

| rule | level | standing | cases passed | clauses not met | title |
| --- | --- | --- | --- | --- | --- |
| WIRE-1 | core | fails | 7 of 9 | ¶1 fails | Loops, over a wire |

## What is not met

- WIRE-1/c08 fail (¶1): /loops/head: expected, but not there (passes when put alone)

"#]],
    );
}

#[test]
fn a_statement_is_dated() {
    let text = Wired::new(1, 1)
        .with(&["--format", "markdown"])
        .report()
        .well();
    let line = text
        .lines()
        .find_map(|l| l.strip_prefix("- made on "))
        .expect("a date");
    assert_eq!((line.len(), line.matches('-').count()), (10, 2), "{line}");
}
