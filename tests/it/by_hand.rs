//! What there is for those who write adapters: one question by hand, and what was said.

use std::fs;

use snapbox::str;

use crate::{
    fakes::{Wired, fake},
    server::{Reply, Server},
    support::snapshot,
};

const QUESTION: &str = r#"{"edges": [{"source": "head", "target": "trip"}]}"#;

/// A question to the fake engine.
fn asking(words: &str) -> Wired {
    asking_engine(&fake(words))
}

fn asking_engine(engine: &str) -> Wired {
    let question = ["ask", "loops.resolve", QUESTION, "--engine", engine];
    Wired::new(1, 1)
        .only("", &question)
        .with(&["--timeout", "1", "--start-timeout", "5"])
}

/// What is printed of an answer. What the engine had to say beside it is passed on, and only that.
#[track_caller]
fn answered(wired: &Wired, status: i32) -> String {
    let ran = wired.report();
    assert_eq!(ran.status, Some(status), "{}", ran.stderr);
    let own = |line: &str| line.starts_with("error") || line.starts_with("warning");
    assert!(!ran.stderr.lines().any(own), "{}", ran.stderr);
    ran.stdout
}

#[test]
fn what_the_engine_says_beside_its_answer() {
    let ran = asking("none").report();
    assert_eq!(ran.status, Some(0));
    snapshot(
        ran.stderr,
        str![[r#"
asked initialize
asked loops.resolve
plays None
asked shutdown

"#]],
    );
}

#[test]
fn an_answer() {
    let expected = "{\n  \"loops\": {},\n  \"memberships\": {},\n  \"diagnostics\": []\n}\n";
    for words in [
        "none",
        "fork",
        "stubborn --at shutdown",
        "none --no-pipeline",
        "flood-stderr:2",
    ] {
        assert_eq!(answered(&asking(words), 0), expected, "{words}");
    }
    let server = Server::well();
    assert_eq!(asking_engine(&server.url()).report().well(), expected);
    assert_eq!(asking_engine("reference").report().well(), expected);
}

#[test]
fn another_kind_of_answer() {
    snapshot(
        answered(&asking("refuse"), 1),
        str![[r#"
{
  "refused": {
    "reason": "no_paper",
    "message": "out of paper"
  }
}

"#]],
    );
    snapshot(
        answered(&asking("decline"), 1),
        str![[r#"
the engine declines `loops.resolve`

"#]],
    );
    snapshot(
        answered(&asking("fail"), 1),
        str![[r#"
the engine failed: error -32000: out of paper ({"reason":"no_paper"})

"#]],
    );
}

/// That there was no answer: what is said.
#[track_caller]
fn no_answer(wired: Wired, expected: impl snapbox::IntoData) {
    let ran = wired.report();
    snapshot(&ran.stderr, expected);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(3), ""));
}

#[test]
fn no_answer_at_all() {
    no_answer(
        asking("exit:3"),
        str![[r#"
error[S409]: the engine ended (exit status: 3)
 |
 = note: its standard error ends with:
         asked initialize
         asked loops.resolve
         plays Exit(3)

"#]],
    );
    no_answer(
        asking("hang"),
        str![[r#"
error[S409]: no answer within 1s
 |
 = note: its standard error ends with:
         asked initialize
         asked loops.resolve
         plays Hang

"#]],
    );
    no_answer(
        asking("half-hang"),
        str![[r#"
error[S409]: no answer within 1s: a line began and did not end: "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"loops"
 |
 = note: its standard error ends with:
         asked initialize
         asked loops.resolve
         plays HalfHang

"#]],
    );
    no_answer(
        asking("nonsense"),
        str![[r#"
error[S409]: the answer is not JSON (expected value at line 1 column 1): "once upon a time"
 |
 = note: its standard error ends with:
         asked initialize
         asked loops.resolve
         plays Nonsense

"#]],
    );
    no_answer(
        asking("fork-exit"),
        str![[r#"
error[S409]: the engine ended (exit status: 3)
 |
 = note: its standard error ends with:
         asked initialize
         asked loops.resolve
         plays ForkExit

"#]],
    );
    no_answer(
        asking("exit:3 --at initialize"),
        str![[r#"
error[S404]: the engine could not be started: the engine ended (exit status: 3); its standard error ends with:
             asked initialize
             plays Exit(3)

"#]],
    );
    let server = Server::tripping(|_| Reply::With(500, String::new(), b"oh".to_vec()));
    no_answer(
        asking_engine(&server.url()),
        str![[r#"
error[S409]: the server answered with the status 500 Internal Server Error: "oh"

"#]],
    );
}

#[test]
fn an_interrupted_question() {
    for words in ["hang", "stubborn", "hang --at initialize", "fork-hang"] {
        let words = &fake(&format!("{words} --note played"));
        let question = ["ask", "loops.resolve", QUESTION, "--engine", words];
        let patient = ["--timeout", "3600", "--start-timeout", "3600"];
        let running = Wired::new(1, 1)
            .only("", &question)
            .with(&patient)
            .start_plainly();
        running.wait_for_the_fault(1);
        running.signal(&["INT"]);
        let put = running.end();
        assert_eq!((put.status, put.stderr.as_str()), (Some(130), ""));
    }
}

#[test]
fn a_transcript_of_a_program() {
    let wired = Wired::new(3, 2)
        .fake("exit:3")
        .with(&["--jobs", "1", "--transcript", "wire.log"]);
    let put = wired.run();
    let text = fs::read_to_string(put.wired.path("wire.log")).expect("it is written");
    let of = |session: &str, sign: &str| -> Vec<String> {
        let start = format!("{session} {sign} ");
        let lines = text.lines().filter_map(|line| line.strip_prefix(&start));
        lines.map(str::to_owned).collect()
    };
    for line in text.lines() {
        let mut words = line.splitn(3, ' ');
        let session: usize = words.next().unwrap_or_default().parse().expect("a number");
        assert!((1..=3).contains(&session), "{line}");
        let sign = words.next().unwrap_or_default();
        assert!(["->", "<-", "!!", "--"].contains(&sign), "{line}");
    }
    // One process meets the fault, one goes on, and one is asked about that case alone.
    let first = of("1", "--");
    assert!(first[0].ends_with("fake-engine exit:3"), "{text}");
    // All three cases are sent ahead.
    let cases = ["WIRE-1/c01", "WIRE-1/c02", "WIRE-1/c03"];
    assert_eq!(first[1..first.len() - 1], cases);
    assert_eq!(first[first.len() - 1], "ended: exit status: 3");
    assert_eq!(of("3", "--")[1..], ["WIRE-1/c02", "ended: exit status: 3"]);
    let alone = of("3", "->");
    assert_eq!(
        alone[1],
        r#"{"jsonrpc":"2.0","id":1,"method":"reset","params":{}}"#
    );
    assert_eq!(
        alone[2],
        r#"{"jsonrpc":"2.0","id":2,"method":"loops.resolve","params":{"edges":[{"source":"head","target":"trip"},{"source":"trip","target":"head","kind":"loopback"}]}}"#
    );
    assert_eq!(
        of("3", "!!"),
        [
            "asked initialize",
            "asked reset",
            "asked loops.resolve",
            "plays Exit(3)"
        ]
    );
    assert_eq!(of("2", "->").len(), of("2", "<-").len());
    assert_eq!(
        of("2", "<-").last().map(String::as_str),
        Some(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#)
    );
}

#[test]
fn what_cannot_be_shown_is_written_out_in_a_transcript() {
    let wired = Wired::new(1, 1)
        .fake("not-utf8")
        .with(&["--transcript", "wire.log"]);
    let put = wired.run();
    let text = fs::read_to_string(put.wired.path("wire.log")).expect("it is written");
    assert!(
        text.contains("1 <- {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"caf\u{fffd}\"}\n"),
        "{text}"
    );
}

#[test]
fn a_transcript_of_a_server() {
    let server = Server::tripping(|_| Reply::With(500, String::new(), Vec::new()));
    let engine = server.url();
    let wired = Wired::new(2, 2)
        .engine(&engine)
        .with(&["--transcript", "wire.log"]);
    let put = wired.run();
    let text = fs::read_to_string(put.wired.path("wire.log")).expect("it is written");
    let signs: Vec<&str> = text.lines().filter_map(|line| line.get(..4)).collect();
    assert_eq!(
        signs,
        [
            "1 ->", "1 <-", "1 --", "1 ->", "1 <-", "1 ->", "1 <-", "1 --", "1 ->", "1 <-", "1 ->",
            "1 --"
        ]
    );
    let last = "1 -- the server answered with the status 500 Internal Server Error";
    assert_eq!(text.lines().last(), Some(last));
}

#[test]
fn a_transcript_that_cannot_be() {
    let ran = Wired::new(1, 1)
        .fake("none")
        .with(&["--transcript", "nowhere/wire.log"])
        .report();
    ran.refused(str![[r#"
error[S403]: the transcript cannot be written to `nowhere/wire.log`: no such file or directory

"#]]);
    let ran = Wired::new(1, 1)
        .with(&["--transcript", "wire.log"])
        .report();
    ran.refused(str![[r#"
error[S403]: what is built in is asked in process, without messages
 |
 = help: for a transcript, use --engine 'standing engine reference'

"#]]);
}
