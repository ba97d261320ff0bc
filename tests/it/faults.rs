//! Faults of an engine that is a program: each stays with the case that met it, every other case
//! has its true outcome, and no process is left.

use std::thread;

use standing::run::Outcome;

use crate::fakes::{CASES, Put, Wired};

use Outcome::{Error, Fail, Pass, Timeout, Unsupported};

/// Where the fault is met: at the first case, in the middle, at the last.
const TRIPS: [usize; 3] = [1, 7, CASES];
/// Little, for the engines that never answer; the others have to answer within it.
const IMPATIENT: [&str; 2] = ["--timeout", "1"];

/// Runs against an engine with a fault, wherever it is met, with one worker and with several.
fn everywhere(words: &str, more: &[&str], check: impl Fn(usize, Put) + Sync) {
    thread::scope(|scope| {
        for jobs in ["1", "4"] {
            let check = &check;
            scope.spawn(move || {
                for trip in TRIPS {
                    let wired = Wired::new(CASES, trip).fake(words);
                    check(trip, wired.with(&["--jobs", jobs]).with(more).run());
                }
            });
        }
    });
}

/// That the case which meets the fault comes to this, and every other passes.
fn stays_with_its_case(words: &str, more: &[&str], outcome: Outcome, message: &str) {
    everywhere(words, more, |trip, put| {
        put.falls_short(&[(trip, outcome, message)]);
    });
}

fn errs(words: &str, message: &str) {
    stays_with_its_case(words, &[], Error, message);
}

fn times_out(words: &str, message: &str) {
    stays_with_its_case(words, &IMPATIENT, Timeout, message);
}

#[test]
fn none() {
    everywhere("none", &[], |_, put| put.falls_short(&[]));
}

#[test]
fn it_ends() {
    errs("exit:3", "the engine ended (exit status: 3)");
    errs("exit:0", "the engine ended (exit status: 0)");
}

#[test]
fn it_is_killed() {
    errs("killed", "the engine ended (signal: 9 (SIGKILL))");
}

#[test]
fn it_hangs() {
    times_out("hang", "no answer within 1s");
}

#[test]
fn it_answers_with_no_json() {
    errs(
        "nonsense",
        "the answer is not JSON (expected value at line 1 column 1): \"once upon a time\"",
    );
}

#[test]
fn it_answers_with_half_a_line_and_ends() {
    let begun = r#"{\"jsonrpc\":\"2.0\",\"id\":"#;
    everywhere("half-exit", &[], |trip, put| {
        let message = put.case(trip).message.clone().unwrap_or_default();
        let expected =
            format!("the engine ended (exit status: 0), in the middle of a line: \"{begun}");
        assert!(message.starts_with(&expected), "{message}");
        put.falls_short(&[(trip, Error, &message)]);
    });
}

#[test]
fn it_answers_with_half_a_line_and_hangs() {
    let begun = r#"{\"jsonrpc\":\"2.0\",\"id\":"#;
    everywhere("half-hang", &IMPATIENT, |trip, put| {
        let message = put.case(trip).message.clone().unwrap_or_default();
        let expected = format!("no answer within 1s: a line began and did not end: \"{begun}");
        assert!(message.starts_with(&expected), "{message}");
        put.falls_short(&[(trip, Timeout, &message)]);
    });
}

#[test]
fn it_answers_an_earlier_question_again() {
    errs(
        "wrong-id",
        "question 0 was answered before, and once more now",
    );
}

#[test]
fn it_answers_a_question_that_was_not_asked() {
    errs("unknown-id", "no question has the id 999999");
}

#[test]
fn it_answers_with_an_id_of_another_type() {
    everywhere("string-id", &[], |trip, put| {
        let message = put.case(trip).message.clone().unwrap_or_default();
        assert!(
            message.starts_with("no question has the id \""),
            "{message}"
        );
        put.falls_short(&[(trip, Error, &message)]);
    });
}

#[test]
fn it_answers_without_an_id() {
    everywhere("no-id", &[], |trip, put| {
        let message = put.case(trip).message.clone().unwrap_or_default();
        assert!(message.starts_with("the answer has no id: "), "{message}");
        put.falls_short(&[(trip, Error, &message)]);
    });
}

#[test]
fn it_answers_twice() {
    everywhere("twice", &[], |trip, put| {
        let message = put.case(trip).message.clone().unwrap_or_default();
        assert!(message.ends_with(" was answered twice"), "{message}");
        put.falls_short(&[(trip, Error, &message)]);
        // It does so alone as well.
        assert!(!put.case(trip).passes_alone);
    });
}

#[test]
fn it_answers_out_of_order() {
    everywhere("swapped", &[], |trip, put| {
        let message = put.case(trip).message.clone().unwrap_or_default();
        assert!(
            message.contains(" was answered before question "),
            "{message}"
        );
        put.falls_short(&[(trip, Error, &message)]);
        // Alone it is asked one thing after the other.
        assert!(put.case(trip).passes_alone);
    });
}

#[test]
fn it_answers_at_too_great_length() {
    let limit = ["--max-answer", "5000"];
    let message = "the answer is longer than 5000 bytes (--max-answer)";
    stays_with_its_case("long:100000", &limit, Error, message);
    // What is just long enough is read, and wrong.
    let exactly = 5000 - r#"{"jsonrpc":"2.0","id":2,"result":""}"#.len();
    let put = Wired::new(1, 1)
        .fake(&format!("long:{exactly}"))
        .with(&limit)
        .run();
    assert_eq!(put.case(1).outcome, Fail);
    let put = Wired::new(1, 1)
        .fake(&format!("long:{}", exactly + 1))
        .with(&limit)
        .run();
    put.falls_short(&[(1, Error, message)]);
}

#[test]
fn it_answers_with_no_utf_8() {
    errs(
        "not-utf8",
        "the answer is not UTF-8: \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"result\\\":\\\"caf\u{fffd}\\\"}\"",
    );
}

#[test]
fn it_closes_its_output_and_stays() {
    errs("close", "the engine closed its output");
}

#[test]
fn it_floods_its_standard_error() {
    everywhere("flood-stderr:4", &[], |_, put| put.falls_short(&[]));
}

#[test]
fn it_floods_its_standard_output() {
    let message = format!(
        "the answer is not JSON (expected ident at line 1 column 2): \"{}…",
        &"nonsense ".repeat(9)[..79]
    );
    errs("flood-stdout", &message);
    let small = ["--max-answer", "5000"];
    let message = "the answer is longer than 5000 bytes (--max-answer)";
    stays_with_its_case("flood-stdout", &small, Error, message);
}

#[test]
fn it_leaves_a_child_behind() {
    everywhere("fork", &[], |_, put| put.falls_short(&[]));
    everywhere("fork --at initialize", &[], |_, put| put.falls_short(&[]));
}

#[test]
#[cfg(target_os = "linux")]
fn it_leaves_a_child_in_a_session_of_its_own() {
    everywhere("fork-away", &[], |_, put| put.falls_short(&[]));
    everywhere("fork-away --at initialize", &[], |_, put| {
        put.falls_short(&[])
    });
}

#[test]
fn it_ends_and_its_child_holds_the_pipes() {
    // Not a timeout, for which this would be a long time to wait.
    stays_with_its_case(
        "fork-exit",
        &["--timeout", "600"],
        Error,
        "the engine ended (exit status: 3)",
    );
}

#[test]
fn it_does_not_stop_when_asked_to() {
    everywhere("stubborn --at shutdown", &[], |_, put| put.falls_short(&[]));
    // Nor where it is asked to because a question came to nothing.
    times_out("stubborn", "no answer within 1s");
}

#[test]
fn it_stops_in_its_own_way() {
    for fault in [
        "exit:3", "nonsense", "killed", "fail", "decline", "close", "deaf",
    ] {
        let words = format!("{fault} --at shutdown");
        Wired::new(CASES, 1).fake(&words).run().falls_short(&[]);
    }
}

#[test]
fn it_reads_no_more() {
    // The case after that, since the one itself is answered. Its question does not fit into a pipe.
    let long = "n".repeat(100_000);
    for jobs in ["1", "4"] {
        let wired = Wired::with_nodes(CASES, |n| match n {
            7 => "trip".to_owned(),
            n => format!("{long}{n}"),
        });
        let put = wired
            .fake("deaf")
            .with(&IMPATIENT)
            .with(&["--jobs", jobs])
            .run();
        assert_eq!(put.case(7).outcome, Pass);
        assert_eq!((put.count(Timeout), put.count(Pass)), (1, CASES - 1));
        if jobs == "1" {
            put.falls_short(&[(8, Timeout, "reset: no answer within 1s")]);
        }
    }
}

#[test]
fn it_takes_one_question_at_a_time() {
    everywhere("none --no-pipeline", &[], |_, put| put.falls_short(&[]));
    errs("exit:3 --no-pipeline", "the engine ended (exit status: 3)");
    everywhere("twice --no-pipeline", &[], |trip, put| {
        let message = put.case(trip).message.clone().unwrap_or_default();
        assert!(message.ends_with(" was answered twice"), "{message}");
        put.falls_short(&[(trip, Error, &message)]);
    });
}

#[test]
fn it_declines_refuses_or_fails_at_one_question() {
    let put = Wired::new(CASES, 7).fake("decline").run();
    put.falls_short(&[(7, Unsupported, "the engine does not do `loops.resolve`")]);
    let put = Wired::new(CASES, 7).fake("refuse").run();
    put.falls_short(&[(7, Fail, "refused with `no_paper`: out of paper")]);
    errs(
        "fail",
        r#"error -32000: out of paper ({"reason":"no_paper"})"#,
    );
    // That which cannot be read has no id that could be named.
    errs(
        "null-id",
        r#"error -32700: out of paper ({"reason":"no_paper"})"#,
    );
}

#[test]
fn it_declines_to_reset() {
    let put = Wired::new(CASES, 1).fake("decline --at reset").run();
    put.falls_short(&[]);
}

#[test]
fn it_fails_to_reset() {
    for (fault, message) in [
        (
            "fail",
            r#"reset: error -32000: out of paper ({"reason":"no_paper"})"#,
        ),
        ("exit:3", "reset: the engine ended (exit status: 3)"),
    ] {
        let put = Wired::new(3, 1).fake(&format!("{fault} --at reset")).run();
        put.falls_short(&[1, 2, 3].map(|n| (n, Error, message)));
    }
}

#[test]
fn it_ends_at_every_question() {
    for jobs in ["1", "4"] {
        let put = Wired::new(CASES, 1)
            .fake("exit:3 --at any")
            .with(&["--jobs", jobs])
            .run();
        let every: Vec<_> = (1..=CASES)
            .map(|n| (n, Error, "the engine ended (exit status: 3)"))
            .collect();
        put.falls_short(&every);
    }
}

#[test]
fn what_it_does_not_forget_is_told() {
    let put = Wired::new(CASES, 7)
        .fake("leak")
        .with(&["--jobs", "1"])
        .run();
    let wrong = "/loops/head: expected, but not there";
    let rest: Vec<_> = (8..=CASES).map(|n| (n, Fail, wrong)).collect();
    put.falls_short(&rest);
    for n in 8..=CASES {
        assert!(put.case(n).passes_alone);
    }
    // One that forgets when it is told to is told to.
    everywhere("counts", &[], |_, put| put.falls_short(&[]));
}

#[test]
fn cases_are_put_at_the_same_time() {
    let wired = Wired::new(CASES, 1).fake("meet:4 --at any --note {here}/met");
    wired
        .with(&["--jobs", "4", "--timeout", "60"])
        .run()
        .falls_short(&[]);
}

#[test]
fn a_slow_engine_is_not_sent_far_ahead() {
    let put = Wired::new(CASES, 1)
        .fake("slow:50 --at any")
        .with(&["--jobs", "2"])
        .run();
    put.falls_short(&[]);
}
