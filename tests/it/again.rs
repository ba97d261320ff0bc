//! Less than all, or in another order: `--failed`, `--fail-fast`, `--shuffle`.

use std::fs;

use snapbox::str;
use standing::run::Outcome;

use crate::{
    fakes::{CASES, Put, Wired, case},
    support::snapshot,
};

use Outcome::{Error, Fail, Pass, Skipped};

fn names(put: &Put) -> Vec<String> {
    put.record().cases().map(|(_, c)| c.case.clone()).collect()
}

/// What is remembered of the last run.
fn kept(wired: &Wired) -> Option<String> {
    fs::read_to_string(wired.path(".standing/failed.txt")).ok()
}

#[test]
fn what_failed_is_put_again_until_it_does_not() {
    let broken = Wired::new(CASES, 7).fake("leak").with(&["--jobs", "1"]);
    let put = broken.run();
    let failed: Vec<String> = (8..=CASES).map(case).collect();
    assert_eq!(put.count(Fail), failed.len());
    assert_eq!(kept(&put.wired), Some(failed.join("\n") + "\n"));
    // The folder is of no concern to whoever keeps the sources.
    assert_eq!(
        fs::read_to_string(put.wired.path(".standing/.gitignore")).ok(),
        Some("*\n".into())
    );

    // Without the case that makes it leak they pass.
    let put = put.wired.with(&["--failed"]).run();
    assert_eq!(names(&put), failed);
    assert_eq!(put.record().selection, failed);
    assert_eq!((put.count(Pass), put.status), (failed.len(), Some(0)));
    assert_eq!(kept(&put.wired), Some(String::new()));

    // Now nothing has failed, and nothing is put.
    let ran = put.wired.report();
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(0), "", "nothing failed in the last run\n")
    );
}

#[test]
fn what_failed_and_fails_still() {
    let put = Wired::new(CASES, 7).fake("fail").run();
    let put = put.wired.with(&["--failed"]).run();
    assert_eq!((names(&put), put.status), (vec![case(7)], Some(1)));
    let put = put.wired.run();
    assert_eq!((names(&put), put.status), (vec![case(7)], Some(1)));
}

#[test]
fn where_there_was_no_run() {
    let ran = Wired::new(CASES, 7)
        .fake("fail")
        .with(&["--failed"])
        .report();
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (Some(0), "nothing failed in the last run\n")
    );
    // A run in which all is well leaves no trace.
    let put = Wired::new(CASES, 7).run();
    assert!(!put.wired.path(".standing").exists());
}

#[test]
fn what_failed_and_is_there_no_more_is_forgotten() {
    let wired = Wired::new(2, 1).write(".standing/failed.txt", "WIRE-1/c02\nWIRE-1/c03\n");
    let put = wired.with(&["--failed"]).run();
    assert_eq!(names(&put), [case(2)]);
    assert_eq!(kept(&put.wired), Some(String::new()));
}

#[test]
fn what_cannot_be_kept_takes_no_report_with_it() {
    let ran = Wired::new(1, 1)
        .fake("fail")
        .write(".standing", "")
        .report();
    assert!(ran.stdout.contains("error   WIRE-1/c01"), "{}", ran.stdout);
    snapshot(
        &ran.stderr,
        str![[r#"
warning[S403]: what failed cannot be kept for `--failed`: `.standing` is there and is no folder

"#]],
    );
    assert_eq!(ran.status, Some(1));
}

#[test]
#[cfg(unix)]
fn nothing_is_written_through_a_link() {
    use std::os::unix::fs::symlink;
    let wired = Wired::new(2, 1).fake("fail").write("precious", "kept");
    for name in ["failed.txt", ".gitignore"] {
        let folder = wired.path(".standing");
        fs::create_dir_all(&folder).expect("a folder");
        symlink(wired.path("precious"), folder.join(name)).expect("a link");
    }
    let ran = wired.report();
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    assert_eq!(
        fs::read_to_string(wired.path("precious")).ok().as_deref(),
        Some("kept")
    );
    assert_eq!(kept(&wired), Some(case(1) + "\n"));
}

#[test]
fn what_is_there_and_cannot_be_read_is_written_anew() {
    let wired = Wired::new(2, 1)
        .fake("fail")
        .write(".standing/failed.txt", "");
    fs::write(wired.path(".standing/failed.txt"), b"\xff\xfe").expect("a file");
    let ran = wired.report();
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(1), ""));
    assert_eq!(kept(&wired), Some(case(1) + "\n"));
}

#[test]
fn all_that_failed_counts_and_selectors_do_not() {
    let ran = Wired::new(1, 1).with(&["--failed", "WIRE-1"]).report();
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
}

#[test]
fn the_first_failure_is_the_last() {
    for (fault, outcome) in [("exit:3", Error), ("refuse", Fail), ("twice", Error)] {
        let wired = Wired::new(CASES, 3)
            .fake(fault)
            .with(&["--fail-fast", "--jobs", "1"]);
        let put = wired.run();
        assert_eq!(put.case(3).outcome, outcome, "{fault}");
        assert_eq!((put.case(1).outcome, put.case(2).outcome), (Pass, Pass));
        // What was sent ahead counts for nothing.
        assert_eq!(put.count(Skipped), CASES - 3);
        assert!(put.record().interrupted);
        assert_eq!(put.status, Some(1));
    }
    for fault in ["exit:3", "refuse"] {
        let wired = Wired::new(CASES, 3).fake(fault);
        let put = wired.with(&["--fail-fast", "--jobs", "4"]).run();
        assert!(put.case(3).outcome.is_failure());
        assert_eq!(put.count(Pass) + put.count(Skipped), CASES - 1);
    }
}

#[test]
fn an_order_that_a_number_decides() {
    let order = |seed: &str| -> Vec<String> {
        let wired = Wired::new(CASES, 7)
            .fake("none")
            .with(&["--jobs", "1", "--shuffle", seed]);
        let put = wired.with(&["--transcript", "wire.log"]).run();
        put.falls_short(&[]);
        // The record is in the order of the suite.
        assert_eq!(names(&put), (1..=CASES).map(case).collect::<Vec<_>>());
        let text = fs::read_to_string(put.wired.path("wire.log")).expect("it is written");
        let asked = text
            .lines()
            .filter_map(|line| line.split("\"source\":\"head\",\"target\":\"").nth(1));
        asked
            .filter_map(|rest| Some(rest.split('"').next()?.to_owned()))
            .collect()
    };
    let seven = order("7");
    assert_eq!(seven.len(), CASES);
    assert_eq!(order("7"), seven);
    assert_ne!(order("8"), seven);
}

#[test]
fn what_leaks_shows_in_another_order() {
    // The last case leaves something behind, and nobody comes after it.
    let wired = |seed: &[&str]| {
        Wired::new(CASES, CASES)
            .fake("leak")
            .with(&["--jobs", "1"])
            .with(seed)
            .run()
    };
    wired(&[]).falls_short(&[]);
    let put = wired(&["--shuffle", "7"]);
    assert!(put.count(Fail) > 0);
    assert!(
        put.record()
            .cases()
            .all(|(_, c)| c.outcome == Pass || c.passes_alone)
    );
}
