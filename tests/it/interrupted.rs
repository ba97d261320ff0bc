//! Runs that are interrupted, and the processes that a run has.

use std::time::{Duration, Instant};

use standing::run::Outcome;

use crate::fakes::{CASES, Put, Running, Wired, by_turns};

use Outcome::{Pass, Skipped};

/// Nothing ends by itself in this time.
const NEVER: &str = "3600";
/// A second or two, and as much again as a busy machine needs.
const SOON: Duration = Duration::from_secs(10);

/// A run with so many workers, which is under way and plays its fault by now.
fn playing(words: &str, trip: usize, jobs: &str) -> Running {
    let words = format!("{words} --note {{here}}/played");
    let wired = Wired::new(CASES, trip).fake(&words).with(&["--jobs", jobs]);
    let patient = wired.with(&["--timeout", NEVER, "--start-timeout", NEVER]);
    let running = patient.start();
    running.wait_for_the_fault(1);
    running
}

/// Interrupts it. The report is there and says so, and no process is.
#[track_caller]
fn interrupt(running: Running, signal: &str) -> Put {
    let since = Instant::now();
    running.signal(&[signal]);
    let put = running.end();
    let took = since.elapsed();
    assert!(took < SOON, "{took:?}");
    assert_eq!((put.status, put.stderr.as_str()), (Some(130), ""));
    assert!(put.record().interrupted);
    assert_eq!(put.count(Pass) + put.count(Skipped), CASES);
    put
}

#[test]
fn what_was_answered_is_reported() {
    for (trip, signal) in [(1, "INT"), (4, "HUP"), (7, "QUIT"), (CASES, "TERM")] {
        let put = interrupt(playing("hang", trip, "1"), signal);
        assert_eq!(put.count(Pass), trip - 1);
        for n in trip..=CASES {
            let case = put.case(n);
            assert_eq!(case.outcome, Skipped);
            let why = "the run ended before this case was put";
            assert_eq!(case.message.as_deref(), Some(why));
        }
    }
}

#[test]
fn several_workers() {
    let put = interrupt(playing("hang", 7, "4"), "INT");
    assert_eq!(put.case(7).outcome, Skipped);
    // All of them hang.
    let running = playing("hang --at any", 1, "4");
    running.wait_for_the_fault(4);
    assert_eq!(interrupt(running, "INT").count(Skipped), CASES);
}

#[test]
fn an_engine_that_takes_no_notice() {
    for jobs in ["1", "4"] {
        interrupt(playing("stubborn", 7, jobs), "INT");
        interrupt(playing("stubborn --at shutdown", 7, jobs), "INT");
    }
}

#[test]
fn an_engine_whose_child_would_outlive_it() {
    // It hangs at the next question, with a child that has its pipes.
    interrupt(playing("fork-hang", 7, "1"), "INT");
}

#[test]
fn an_engine_that_talks_and_reads_nothing() {
    interrupt(playing("flood-stderr:1000000", 7, "1"), "INT");
    interrupt(playing("half-hang", 7, "1"), "INT");
}

#[test]
fn an_engine_that_is_being_started() {
    for place in ["start", "initialize"] {
        for fault in ["hang", "stubborn"] {
            let put = interrupt(playing(&format!("{fault} --at {place}"), 1, "2"), "INT");
            assert_eq!(put.count(Skipped), CASES);
            assert_eq!(put.record().engine.name, "fake-engine");
        }
    }
}

#[test]
fn an_engine_that_is_being_started_again() {
    let engine = by_turns("= 1", "exit:3", "hang --at start --note played");
    let wired = Wired::new(CASES, 7).engine(&engine);
    let patient = wired.with(&["--jobs", "1", "--start-timeout", NEVER]);
    let running = patient.start();
    running.wait_for_the_fault(1);
    running.signal(&["INT"]);
    let put = running.end();
    assert_eq!(put.status, Some(130));
    assert_eq!((put.count(Pass), put.count(Skipped)), (6, 5));
    assert_eq!(put.case(7).outcome, Outcome::Error);
}

#[test]
fn a_case_that_is_put_again() {
    // It hangs when it is put alone, of which the first process knows nothing.
    let engine = by_turns("= 1", "fail", "hang --note played");
    let patient = ["--jobs", "1", "--timeout", NEVER];
    let running = Wired::new(CASES, 7).engine(&engine).with(&patient).start();
    running.wait_for_the_fault(1);
    running.signal(&["INT"]);
    let put = running.end();
    // All was answered, but not all was done.
    assert_eq!(put.status, Some(130));
    assert!(put.record().interrupted);
    assert_eq!(put.count(Pass), CASES - 1);
    assert_eq!(put.case(7).outcome, Outcome::Error);
    assert!(!put.case(7).passes_alone);
}

#[test]
fn twice_at_once() {
    for _ in 0..5 {
        let running = playing("stubborn", 7, "4");
        running.signal(&["INT", "TERM", "INT", "INT"]);
        assert_eq!(running.end().status, Some(130));
    }
}

#[test]
fn twice_where_the_report_cannot_be_written() {
    // More than a pipe takes, and nobody reads it.
    let wired = Wired::new(2000, 1).fake("hang --note {here}/played");
    let running = wired.with(&["--jobs", "1", "--timeout", NEVER]).start();
    running.wait_for_the_fault(1);
    running.signal(&["INT"]);
    running.wait_until("the engine is gone", || running.processes() == 1);
    running.signal(&["INT"]);
    assert_eq!(running.end_unread(), Some(130));
}

#[test]
fn a_process_that_has_ended_is_not_kept() {
    // One process after the other ends, and the last stays.
    let engine = by_turns(
        &format!("-lt {CASES}"),
        "exit:3 --at any",
        "hang --note played",
    );
    let wired = Wired::new(CASES, CASES).engine(&engine);
    let running = wired.with(&["--jobs", "1", "--timeout", NEVER]).start();
    running.wait_for_the_fault(1);
    let children = running.children();
    assert_eq!(children.len(), 1, "{children:?}");
    assert_ne!(children[0].1, 'Z');
    running.signal(&["INT"]);
    let put = running.end();
    assert_eq!(
        (put.count(Outcome::Error), put.count(Skipped)),
        (CASES - 1, 1)
    );
}
