//! `standing engine`, talked to over real pipes as an adapter would be.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::support::{Ran, command};

/// Longer than any answer takes, so that a test which waits for none ends.
const PATIENCE: Duration = Duration::from_secs(20);

/// A conversation with the reference.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Talk {
    fn start() -> Self {
        let mut child = command(".".as_ref(), ["engine"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (tell, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the input is open");
        writeln!(input, "{line}").expect("it reads");
    }

    /// The next answer. It comes before anything more is sent: no answer waits in a buffer.
    fn answer(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer");
        serde_json::from_str(&line).expect("JSON on one line")
    }

    /// Puts one question.
    fn ask(&mut self, id: i64, method: &str, params: Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(&request.to_string());
        self.answer()
    }

    /// Ends the input, if it is open still, and waits for the end.
    fn end(mut self) -> Ran {
        self.input = None;
        let rest: Vec<String> = self.lines.iter().collect();
        let output = self.child.wait_with_output().expect("it ends");
        Ran {
            status: output.status.code(),
            stdout: rest.join("\n"),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

fn result(id: i64, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn error(id: impl Into<Value>, code: i64, message: &str) -> Value {
    let error = json!({"code": code, "message": message});
    json!({"jsonrpc": "2.0", "id": id.into(), "error": error})
}

fn port(handle: &str) -> Value {
    json!({"handle": handle, "side": "output"})
}

#[test]
fn a_conversation_from_greeting_to_shutdown() {
    let mut talk = Talk::start();
    let greeting = json!({"protocol": 1, "harness": {"name": "test", "version": "1"}});
    let mut about = talk.ask(0, "initialize", greeting)["result"].take();
    let operations = about["operations"].take();
    let version = env!("CARGO_PKG_VERSION");
    let expected = json!({
        "protocol": 1,
        "engine": {"name": "reference", "version": version, "language": "rust"},
        "profiles": ["runtime", "storage-api", "editor-client"],
        "operations": null,
    });
    assert_eq!(about, expected);
    for operation in ["loops.resolve", "run.seed", "resume.resume"] {
        let all = operations.as_array().expect("a list");
        assert!(all.iter().any(|o| o == operation), "{operation}");
    }

    assert_eq!(talk.ask(1, "reset", json!({})), result(1, json!({})));
    let answer = talk.ask(2, "handle.port", port("a-output-b"));
    assert_eq!(answer, result(2, json!({"port": "b"})));

    let ended = json!({"checkpoint": "cp_1", "checkpoints": {"cp_1": {"status": "completed"}}});
    let refusal = talk.ask(3, "run.seed", ended);
    assert_eq!(refusal["id"], 3);
    assert_eq!(refusal["error"]["code"], 1);
    assert_eq!(refusal["error"]["data"], json!({"reason": "run_ended"}));
    assert!(
        refusal["error"]["message"]
            .as_str()
            .is_some_and(|m| m.contains("cp_1"))
    );

    assert_eq!(talk.ask(4, "shutdown", json!({})), result(4, json!({})));
    // It ends by itself: the input is open still.
    let status = talk.child.wait().expect("it ends");
    assert!(status.success(), "{status}");
}

#[test]
fn what_is_not_done_here_is_declined() {
    let mut talk = Talk::start();
    let answer = talk.ask(1, "acme.frobnicate", json!({}));
    assert_eq!(
        answer,
        error(1, -32601, "`acme.frobnicate` is not done here")
    );
    assert_eq!(talk.end().well(), "");
}

#[test]
fn nonsense_is_answered_and_the_conversation_goes_on() {
    let mut talk = Talk::start();
    for (line, code) in [
        ("hello", -32700),
        ("{\"jsonrpc\":", -32700),
        ("{}", -32600),
        ("[]", -32600),
        ("7", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"reset"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"handle.port","params":[1]}"#,
            -32602,
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"handle.port","params":{}}"#,
            -32602,
        ),
    ] {
        talk.send(line);
        let answer = talk.answer();
        assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
        assert_eq!(answer["jsonrpc"], "2.0");
        let id = if line.contains("\"id\":1") {
            json!(1)
        } else {
            Value::Null
        };
        assert_eq!(answer["id"], id, "{line}: {answer}");
    }
    let answer = talk.ask(2, "handle.port", port("a-output-b"));
    assert_eq!(answer, result(2, json!({"port": "b"})));
    assert_eq!(talk.end().well(), "");
}

#[test]
fn a_notification_and_an_empty_line_have_no_answer() {
    let mut talk = Talk::start();
    talk.send("");
    talk.send(r#"{"jsonrpc":"2.0","method":"reset","params":{}}"#);
    assert_eq!(talk.ask(1, "reset", json!({})), result(1, json!({})));
    assert_eq!(talk.end().well(), "");
}

#[test]
fn questions_that_come_before_their_answers_are_answered_in_order() {
    let mut talk = Talk::start();
    for id in 0..100 {
        let params = port(&format!("a-output-p{id}"));
        let request =
            json!({"jsonrpc": "2.0", "id": id, "method": "handle.port", "params": params});
        talk.send(&request.to_string());
    }
    for id in 0..100 {
        assert_eq!(talk.answer(), result(id, json!({"port": format!("p{id}")})));
    }
    assert_eq!(talk.end().well(), "");
}

#[test]
fn a_reset_forgets_and_nothing_else_does() {
    let mut talk = Talk::start();
    let workflow = json!({"workflow": {"edges": []}});
    let run = talk.ask(1, "workflow.launch", workflow)["result"]["run"].take();
    let state = |talk: &mut Talk, id| talk.ask(id, "workflow.state", json!({"run": run}));
    assert!(state(&mut talk, 2)["result"].is_object());
    talk.send("nonsense");
    assert_eq!(talk.answer()["error"]["code"], -32700);
    assert!(state(&mut talk, 3)["result"].is_object());
    talk.ask(4, "reset", json!({}));
    let forgotten = state(&mut talk, 5);
    assert_eq!(forgotten["error"]["code"], 1, "{forgotten}");
    assert_eq!(talk.end().well(), "");
}

#[test]
fn the_end_of_the_input_is_the_end() {
    assert_eq!(Talk::start().end().well(), "");
    // The last line need not end in a newline.
    let mut talk = Talk::start();
    let input = talk.input.as_mut().expect("the input is open");
    write!(input, r#"{{"jsonrpc":"2.0","id":1,"method":"reset"}}"#).expect("it reads");
    let last = talk.end().well();
    let last: Value = serde_json::from_str(&last).expect("an answer");
    assert_eq!(last, result(1, json!({})));
}

#[test]
fn members_and_numbers_go_through_unaltered() {
    let mut talk = Talk::start();
    let request = r#"{"jsonrpc":"2.0","id":"x","method":"state.merge","params":{"state":{"data":{"z":1,"a":9007199254740993,"m":1.0}},"update":{}}}"#;
    talk.send(request);
    let line = talk.lines.recv_timeout(PATIENCE).expect("an answer");
    assert!(
        line.contains(r#""data":{"z":1,"a":9007199254740993,"m":1.0}"#),
        "{line}"
    );
    assert!(line.contains(r#""id":"x""#), "{line}");
    assert_eq!(talk.end().well(), "");
}
