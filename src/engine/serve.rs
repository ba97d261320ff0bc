//! An engine as a server of the wire protocol: newline-delimited JSON-RPC 2.0.

use std::io::{self, BufRead, Write};

use serde_json::{Map, Value, json};

use super::{Answer, Engine, EngineError, Session};

/// The version of the protocol that is spoken here.
pub const PROTOCOL: u64 = 1;

/// The error code of a refusal.
pub(crate) const REFUSAL: i64 = 1;
/// JSON-RPC's own codes.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;
const INTERNAL_ERROR: i64 = -32603;

/// Answers the questions on `input` until it ends or `shutdown` is asked.
///
/// A line is a request; answers come in order, a line each. A line that is no JSON, and a request
/// that is none, are answered with JSON-RPC's own errors, and the next line is read.
///
/// # Errors
///
/// Those of reading and writing, and an engine that gives no session.
///
/// # Examples
///
/// ```
/// let input = br#"{"jsonrpc":"2.0","id":7,"method":"handle.port","params":{"handle":"a-output-b","side":"output"}}"#;
/// let mut output = Vec::new();
/// standing::engine::serve(&standing::reference::engine(), &input[..], &mut output)?;
/// assert_eq!(output, b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"port\":\"b\"}}\n");
/// # std::io::Result::Ok(())
/// ```
pub fn serve(
    engine: &dyn Engine,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut session = engine.session().map_err(io::Error::other)?;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let (answer, last) = answer_line(engine, session.as_mut(), text);
        if let Some(answer) = answer {
            serde_json::to_writer(&mut output, &answer)?;
            output.write_all(b"\n")?;
            output.flush()?;
        }
        if last {
            return Ok(());
        }
    }
}

/// The answer to one line, and whether it was the last. A notification has no answer.
fn answer_line(
    engine: &dyn Engine,
    session: &mut dyn Session,
    line: &[u8],
) -> (Option<Value>, bool) {
    let request: Value = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => {
            let message = format!("the line is no JSON: {error}");
            return (
                Some(error_answer(Value::Null, PARSE_ERROR, &message, None)),
                false,
            );
        }
    };
    let id = request.get("id").cloned();
    let method = request.get("method").and_then(Value::as_str);
    let is_request = request.get("jsonrpc").is_some_and(|v| v == "2.0");
    let (Some(method), true) = (method, is_request) else {
        let message = "a request has `\"jsonrpc\": \"2.0\"` and a `method`";
        return (
            Some(error_answer(
                id.unwrap_or_default(),
                INVALID_REQUEST,
                message,
                None,
            )),
            false,
        );
    };
    let none = Value::Object(Map::new());
    let params = request.get("params").unwrap_or(&none);
    let answer = match method {
        "initialize" => Ok(initialize(engine)),
        "reset" => session
            .reset()
            .map(|()| json!({}))
            .map_err(|e| (INTERNAL_ERROR, e.to_string(), None)),
        "shutdown" => Ok(json!({})),
        _ if !params.is_object() => Err((INVALID_PARAMS, "params are an object".to_owned(), None)),
        operation => ask(session, operation, params),
    };
    let answer = id.map(|id| match answer {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, message, data)) => error_answer(id, code, &message, data),
    });
    (answer, method == "shutdown")
}

type Asked = Result<Value, (i64, String, Option<Value>)>;

fn ask(session: &mut dyn Session, operation: &str, params: &Value) -> Asked {
    match session.ask(operation, params) {
        Ok(Answer::Value(value)) => Ok(value),
        Ok(Answer::Refused(refusal)) => {
            let mut data = Map::new();
            data.insert("reason".into(), refusal.reason.into());
            data.extend(refusal.data);
            Err((REFUSAL, refusal.message, Some(data.into())))
        }
        Ok(Answer::Declined) => Err((
            METHOD_NOT_FOUND,
            format!("`{operation}` is not done here"),
            None,
        )),
        Err(EngineError::Failed(message)) => Err((INVALID_PARAMS, message, None)),
        Err(error) => Err((INTERNAL_ERROR, error.to_string(), None)),
    }
}

fn initialize(engine: &dyn Engine) -> Value {
    let about = engine.about();
    let mut who = Map::new();
    who.insert("name".into(), about.name.into());
    if let Some(version) = about.version {
        who.insert("version".into(), version.into());
    }
    if let Some(language) = about.language {
        who.insert("language".into(), language.into());
    }
    let mut answer = Map::new();
    answer.insert("protocol".into(), PROTOCOL.into());
    answer.insert("engine".into(), who.into());
    if !about.profiles.is_empty() {
        answer.insert("profiles".into(), about.profiles.into());
    }
    if let Some(operations) = about.operations {
        answer.insert("operations".into(), operations.into_iter().collect());
    }
    answer.into()
}

fn error_answer(id: Value, code: i64, message: &str, data: Option<Value>) -> Value {
    let mut error = Map::new();
    error.insert("code".into(), code.into());
    error.insert("message".into(), message.into());
    if let Some(data) = data {
        error.insert("data".into(), data);
    }
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;

    fn talk(input: &[u8]) -> Vec<Value> {
        let mut output = Vec::new();
        serve(&reference::engine(), input, &mut output).expect("no fault of reading or writing");
        let text = String::from_utf8(output).expect("UTF-8");
        text.lines()
            .map(|l| serde_json::from_str(l).expect("JSON"))
            .collect()
    }

    #[test]
    fn a_whole_conversation() {
        let answers = talk(
            br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocol":1,"harness":{"name":"t","version":"0"}}}
{"jsonrpc":"2.0","id":"a","method":"reset"}

{"jsonrpc":"2.0","method":"reset"}
{"jsonrpc":"2.0","id":2,"method":"run.seed","params":{"checkpoint":"c","checkpoints":{"c":{"status":"failed"}}}}
{"jsonrpc":"2.0","id":3,"method":"no.such","params":{}}
{"jsonrpc":"2.0","id":4,"method":"handle.port","params":{"handle":1}}
{"jsonrpc":"2.0","id":5,"method":"shutdown","params":{}}
{"jsonrpc":"2.0","id":6,"method":"reset","params":{}}
"#,
        );
        assert_eq!(answers[0]["result"]["engine"]["name"], "reference");
        assert_eq!(
            answers[1],
            json!({"jsonrpc": "2.0", "id": "a", "result": {}})
        );
        assert_eq!(answers[2]["error"]["code"], 1);
        assert_eq!(answers[2]["error"]["data"]["reason"], "run_ended");
        assert_eq!(answers[3]["error"]["code"], -32601);
        assert_eq!(answers[4]["error"]["code"], -32602);
        assert_eq!(answers[5], json!({"jsonrpc": "2.0", "id": 5, "result": {}}));
        assert_eq!(answers.len(), 6, "nothing is answered after shutdown");
    }

    #[test]
    fn nonsense_is_answered_and_the_next_line_read() {
        let answers = talk(b"{\n[1]\n\xff\n{\"id\":1,\"method\":\"reset\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"x.y\",\"params\":[]}\n{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"reset\"}");
        let codes: Vec<i64> = answers
            .iter()
            .filter_map(|a| a["error"]["code"].as_i64())
            .collect();
        assert_eq!(codes, [-32700, -32600, -32700, -32600, -32602]);
        assert_eq!(answers[5]["id"], 3);
    }
}
