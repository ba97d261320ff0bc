//! Engines that are programs and do not start, or not again.

use std::fs;

use snapbox::str;
use standing::run::Outcome;

use crate::{
    fakes::{CASES, Put, Wired, by_turns},
    support::snapshot,
};

use Outcome::{Error, Pass, Skipped};

/// That the engine could not be started: what is said, and no report.
#[track_caller]
fn does_not_start(wired: Wired, expected: impl snapbox::IntoData) {
    let ran = wired.report();
    snapshot(&ran.stderr, expected);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(3), ""));
}

fn fake(words: &str) -> Wired {
    Wired::new(CASES, 1).fake(words)
}

#[test]
fn it_was_never_there() {
    let folder = Wired::new(1, 1).engine("./rules");
    does_not_start(
        folder,
        str![[r#"
error[S404]: the engine could not be started: `./rules`: permission denied

"#]],
    );
    does_not_start(
        Wired::new(1, 1).engine("./rules/ex-wire/wire-1.md"),
        str![[r#"
error[S404]: the engine could not be started: `./rules/ex-wire/wire-1.md`: permission denied

"#]],
    );
    does_not_start(
        Wired::new(1, 1).engine("./acme --fast"),
        str![[r#"
error[S404]: the engine could not be started: `./acme`: no such file or directory

"#]],
    );
    does_not_start(
        Wired::new(1, 1).engine("./rules/ex-wire/wire-1.md/acme"),
        str![[r#"
error[S404]: the engine could not be started: `./rules/ex-wire/wire-1.md/acme`: not a directory

"#]],
    );
}

#[test]
fn it_ends_at_start() {
    does_not_start(
        fake("exit:3 --at start"),
        str![[r#"
error[S404]: the engine could not be started: the engine ended (exit status: 3); its standard error ends with:
             plays Exit(3)

"#]],
    );
    does_not_start(
        fake("killed --at initialize"),
        str![[r#"
error[S404]: the engine could not be started: the engine ended (signal: 9 (SIGKILL)); its standard error ends with:
             asked initialize
             plays Killed

"#]],
    );
    does_not_start(
        fake("fork-exit --at initialize"),
        str![[r#"
error[S404]: the engine could not be started: the engine ended (exit status: 3); its standard error ends with:
             asked initialize
             plays ForkExit

"#]],
    );
}

#[test]
fn it_says_something_else_first() {
    // It goes on, so what it has said to standard error by then is not the same every time.
    let ran = fake("nonsense --at start").report();
    let says = "error[S404]: the engine could not be started: the answer is not JSON \
        (expected value at line 1 column 1): \"once upon a time\"; its standard error ends with:\n";
    assert!(ran.stderr.starts_with(says), "{}", ran.stderr);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(3), ""));
}

#[test]
fn it_says_nothing() {
    let impatient = ["--start-timeout", "1"];
    does_not_start(
        fake("hang --at initialize").with(&impatient),
        str![[r#"
error[S404]: the engine could not be started: no answer to `initialize` within 1s; its standard error ends with:
             asked initialize
             plays Hang

"#]],
    );
    does_not_start(
        fake("half-hang --at initialize").with(&impatient),
        str![[r#"
error[S404]: the engine could not be started: no answer within 1s: a line began and did not end: "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocol\":1,\"engine\":{\"name\":\…; its standard error ends with:
             asked initialize
             plays HalfHang

"#]],
    );
    does_not_start(
        fake("stubborn --at initialize").with(&impatient),
        str![[r#"
error[S404]: the engine could not be started: no answer to `initialize` within 1s; its standard error ends with:
             asked initialize
             plays Stubborn

"#]],
    );
    does_not_start(
        fake("close --at initialize"),
        str![[r#"
error[S404]: the engine could not be started: the engine closed its output; its standard error ends with:
             asked initialize
             plays Close

"#]],
    );
}

#[test]
fn it_speaks_another_protocol() {
    does_not_start(
        fake("protocol:2 --at initialize"),
        str![[r#"
error[S404]: the engine could not be started: the engine speaks version 2 of the protocol, and 1 is spoken here

"#]],
    );
    does_not_start(
        fake("refuse --at initialize"),
        str![[r#"
error[S404]: the engine could not be started: `initialize` was refused: out of paper

"#]],
    );
    does_not_start(
        fake("fail --at initialize"),
        str![[r#"
error[S404]: the engine could not be started: `initialize` failed: error -32000: out of paper ({"reason":"no_paper"})

"#]],
    );
    does_not_start(
        fake("long:9 --at initialize"),
        str![[r#"
error[S404]: the engine could not be started: the answer to `initialize` cannot be read: invalid type: string "xxxxxxxxx", expected an object

"#]],
    );
}

#[test]
fn it_does_not_say_who_it_is() {
    let put = fake("decline --at initialize").run();
    put.falls_short(&[]);
    assert_eq!(put.record().engine.name, "fake-engine");
}

/// An engine that trips in its first process, and has a fault from the start in the others.
fn once(fault: &str) -> Wired {
    let engine = by_turns("= 1", "exit:3", &format!("{fault} --at start"));
    let patience = ["--start-timeout", "1"];
    Wired::new(CASES, 7).engine(&engine).with(&patience)
}

/// That the case in the middle met its fault, and that the engine could not be had after that.
#[track_caller]
fn gives_up(put: &Put, why: &str) {
    let first = format!("error[S404]: the engine could not be started: {why}; its standard error");
    assert!(put.stderr.starts_with(&first), "{}", put.stderr);
    let last = "\n |\n = note: the report is of what was answered until then\n";
    assert!(put.stderr.ends_with(last), "{}", put.stderr);
    assert_eq!(put.status, Some(3));
    let counts = (put.count(Pass), put.count(Error), put.count(Skipped));
    assert_eq!(counts, (6, 1, 5));
    let message = |n| put.case(n).message.as_deref().unwrap_or_default();
    assert_eq!(message(7), "the engine ended (exit status: 3)");
    assert_eq!(message(8), "the engine could not be started again");
    assert!(put.record().interrupted);
    let starts = fs::read_to_string(put.wired.path("starts")).expect("it was started");
    assert_eq!(starts.lines().count(), 4, "once, and three times in vain");
}

#[test]
fn it_does_not_start_again() {
    for (fault, why) in [
        ("exit:7", "the engine ended (exit status: 7)"),
        ("killed", "the engine ended (signal: 9 (SIGKILL))"),
        ("hang", "no answer to `initialize` within 1s"),
        (
            "nonsense",
            "the answer is not JSON (expected value at line 1 column 1): \"once upon a time\"",
        ),
    ] {
        let wired = once(fault);
        gives_up(&wired.with(&["--jobs", "1"]).run(), why);
    }
}

#[test]
fn it_does_not_start_for_the_other_workers() {
    // Whichever worker gives up, what was answered is in the report.
    let wired = once("exit:7").with(&["--jobs", "4"]);
    let put = wired.run();
    assert_eq!(put.status, Some(3));
    assert!(put.record().interrupted);
    assert_eq!(
        put.count(Pass) + put.count(Error) + put.count(Skipped),
        CASES
    );
}

#[test]
fn one_failed_start_is_not_the_end() {
    let engine = by_turns("= 2", "exit:7 --at start", "exit:3");
    let wired = Wired::new(CASES, 7).engine(&engine);
    let put = wired.with(&["--jobs", "1"]).run();
    put.falls_short(&[(7, Error, "the engine ended (exit status: 3)")]);
}
