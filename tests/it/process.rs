//! Engines that are programs, from the command line: the reference itself over the wire, and
//! programs that are none.

use snapbox::str;

use crate::{
    fakes::Wired,
    server::{Reply, Server},
    support::{Ran, Tree, snapshot, standing, standing_here},
};

const RUN: [&str; 5] = ["run", "--rules", "rules", "--cases", "cases"];
const RECORD: [&str; 3] = ["--format", "json", "--no-timing"];

/// The command that serves the reference.
const REFERENCE: &str = concat!("'", env!("CARGO_BIN_EXE_standing"), "' engine");

fn run_against(engine: &str, more: &[&str]) -> Ran {
    standing(&[&RUN[..], &["--engine", engine], more].concat())
}

/// That the engine could not be started: what is said, and no report.
#[track_caller]
fn does_not_start(ran: Ran, expected: impl snapbox::IntoData) {
    snapshot(&ran.stderr, expected);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(3), ""));
}

#[test]
fn the_reference_has_one_record_however_it_is_reached() {
    let here = standing_here(&RECORD).well();
    let server = Server::well();
    let url = server.url();
    let shuffled = ["--shuffle", "7"];
    for engine in ["reference", REFERENCE, &url] {
        for jobs in ["1", "4"] {
            // Cases put at the same time would share what the one server keeps.
            if engine == url && jobs != "1" {
                continue;
            }
            let over = [&RECORD[..], &["--engine", engine, "--jobs", jobs]].concat();
            for more in [&[][..], &shuffled] {
                let there = standing_here(&[&over[..], more].concat()).well();
                assert!(there == here, "{engine} --jobs {jobs} {more:?}");
            }
        }
    }
    // A server that keeps runs apart by their names has nothing to forget, and can be asked by many.
    let server = Server::playing(|asked| match asked.method.as_str() {
        "reset" => Reply::declined(asked),
        _ => Reply::Well,
    });
    let some = ["RT-*", "--format", "json", "--no-timing"];
    let here = standing_here(&some).well();
    let many = ["--engine", &server.url(), "--jobs", "4"];
    assert!(standing_here(&[&some[..], &many].concat()).well() == here);
}

#[test]
fn an_engine_that_falls_short_does_so_over_the_wire_too() {
    let tree = Tree::spec().change(
        "cases/ex-loop/loop-2.yml",
        "rounds: { head: 1 }",
        "rounds: { head: 2 }",
    );
    let here = tree.run(&[&RUN[..], &RECORD].concat()).ended(1);
    let over = [&RUN[..], &RECORD, &["--engine", REFERENCE]].concat();
    assert_eq!(tree.run(&over).ended(1), here);
}

#[test]
fn what_runs_a_case_again_names_the_engine() {
    let tree = Tree::spec().change(
        "cases/ex-port/port-1-a.yml",
        "{ branch: yes }",
        "{ branch: no }",
    );
    let report = tree
        .run(&[&RUN[..], &["--engine", REFERENCE]].concat())
        .ended(1);
    let quoted = REFERENCE.replace('\'', r"'\''");
    let again = format!(
        "again standing run --rules rules --cases cases --engine '{quoted}' PORT-1/a/branch-of-an-output\n"
    );
    assert!(report.contains(&again), "{report}");
}

#[test]
fn a_program_that_is_not_there() {
    does_not_start(
        run_against("acme", &[]),
        str![[r#"
error[S404]: the engine could not be started: `acme`: no such file or directory

"#]],
    );
}

#[test]
fn a_program_that_ends_at_once() {
    does_not_start(
        run_against("true", &[]),
        str![[r#"
error[S404]: the engine could not be started: the engine ended (exit status: 0)

"#]],
    );
}

#[test]
fn a_program_that_says_something_else() {
    does_not_start(
        run_against("echo hello", &[]),
        str![[r#"
error[S404]: the engine could not be started: the answer is not JSON (expected value at line 1 column 1): "hello"

"#]],
    );
}

#[test]
fn a_program_that_says_nothing() {
    let patience = ["--start-timeout", "0.2"];
    does_not_start(
        run_against("sleep 60", &patience),
        str![[r#"
error[S404]: the engine could not be started: no answer to `initialize` within 200ms

"#]],
    );
}

#[test]
fn one_question() {
    let question = r#"{"handle": "a-output-b", "side": "output"}"#;
    let answer = standing(&["ask", "handle.port", question]).well();
    assert_eq!(answer, "{\n  \"port\": \"b\"\n}\n");
    let over = standing(&["ask", "handle.port", question, "--engine", REFERENCE]).well();
    assert_eq!(over, answer);
    let refused = r#"{"loops": {}, "rounds": {}, "loop": "tail"}"#;
    snapshot(
        standing(&["ask", "rounds.advance", refused]).ended(1),
        str![[r#"
{
  "refused": {
    "reason": "unknown_loop",
    "message": "there is no loop `tail`"
  }
}

"#]],
    );
    let unknown = standing(&["ask", "acme.frobnicate"]);
    assert_eq!(unknown.status, Some(1));
    assert_eq!(unknown.stdout, "the engine declines `acme.frobnicate`\n");
    let warning =
        "warning[C309]: there is no operation `acme.frobnicate`; it is asked all the same\n";
    assert_eq!(unknown.stderr, warning);
    standing(&["ask", "handle.port", "{\"handle\": }"]).refused(str![[r#"
error[S403]: the params are not JSON: expected value
 --> JSON:1:12
  |
1 | {"handle": }
  |            ^

"#]]);
    standing(&["ask", "handle.port", "[]"]).refused(str![[r#"
error[S403]: the params are a JSON object

"#]]);
}

/// What a program sees of these variables.
fn seen(wired: &Wired) -> String {
    let ran = wired.report();
    assert_eq!(ran.status, Some(3), "{}", ran.stderr);
    let seen = ran.stderr.lines().find_map(|line| line.split_once("sees "));
    seen.expect("what it sees").1.to_owned()
}

#[test]
fn what_is_passed_on_of_the_environment() {
    let engine = r#"sh -c 'echo "sees $LC_COMMON,$TOKEN,$ASKED,$SAID" >&2'"#;
    let wired = || {
        Wired::new(1, 1)
            .variable("LC_COMMON", "common")
            .variable("TOKEN", "secret")
            .variable("ASKED", "here")
            .variable("SAID", "before")
    };
    assert_eq!(seen(&wired().engine(engine)), "common,,,");
    let more = ["--env", "ASKED", "--env", "SAID=now", "--env", "NOT_THERE"];
    assert_eq!(
        seen(&wired().engine(engine).with(&more)),
        "common,,here,now"
    );
    let configuration = format!("engine = {engine:?}\nenv = [\"ASKED\", \"SAID=then\"]\n");
    let configured = || wired().write("conformance.toml", &configuration);
    assert_eq!(seen(&configured()), "common,,here,then");
    assert_eq!(
        seen(&configured().with(&["--env", "SAID=now"])),
        "common,,here,now"
    );

    Wired::new(1, 1)
        .engine(engine)
        .write("conformance.toml", "env = [\"\"]\n")
        .report()
        .refused(str![[r#"
error[S405]: `` is no variable: NAME or NAME=VALUE is expected
 --> conformance.toml:1:7
  |
1 | env = [""]
  |       ^^^^

"#]]);
}
