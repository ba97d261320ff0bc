//! The messages of the wire protocol, JSON-RPC 2.0, as whoever asks sees them.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    About, Answer, EngineError, PROTOCOL, Refusal,
    serve::{METHOD_NOT_FOUND, REFUSAL},
};
use crate::diagnostics::{brief, excerpt};

/// A question as one line of JSON, without the newline.
pub(super) fn question(id: u64, method: &str, params: &Value) -> String {
    let method = Value::from(method);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{params}}}"#)
}

/// The params of `initialize`.
pub(super) fn initialize_params() -> Value {
    json!({
        "protocol": PROTOCOL,
        "harness": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
    })
}

/// A message that came back.
pub(super) struct Message {
    /// The question that it answers; `None` where the engine could not tell.
    pub(super) id: Option<u64>,
    /// What it says.
    pub(super) answer: Result<Answer, EngineError>,
}

/// Reads a message. An error says why it is none; whoever sent it cannot be trusted any further.
pub(super) fn message(bytes: &[u8]) -> Result<Message, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| {
        let shown = excerpt(&String::from_utf8_lossy(bytes));
        format!("the answer is not UTF-8: {shown}")
    })?;
    let value: Value = serde_json::from_str(text)
        .map_err(|error| format!("the answer is not JSON ({error}): {}", excerpt(text)))?;
    let Value::Object(mut members) = value else {
        return Err(format!(
            "the answer is no JSON-RPC message: {}",
            excerpt(text)
        ));
    };
    if members.get("jsonrpc").is_none_or(|v| v != "2.0") {
        return Err(format!(
            "the answer lacks `\"jsonrpc\": \"2.0\"`: {}",
            excerpt(text)
        ));
    }
    let id = match members.get("id") {
        None => return Err(format!("the answer has no id: {}", excerpt(text))),
        Some(Value::Null) => None,
        Some(id) => match id.as_u64() {
            Some(id) => Some(id),
            None => return Err(format!("no question has the id {}", brief(id))),
        },
    };
    let answer = match (
        members.shift_remove("result"),
        members.shift_remove("error"),
    ) {
        (Some(result), None) => Ok(Answer::Value(result)),
        (None, Some(error)) => error_answer(error)?,
        _ => {
            return Err(format!(
                "an answer has a `result` or an `error`: {}",
                excerpt(text)
            ));
        }
    };
    Ok(Message { id, answer })
}

fn error_answer(error: Value) -> Result<Result<Answer, EngineError>, String> {
    #[derive(Deserialize)]
    struct ErrorObject {
        code: i64,
        #[serde(default)]
        message: String,
        #[serde(default)]
        data: Value,
    }
    let shown = brief(&error);
    let error: ErrorObject = serde_json::from_value(error)
        .map_err(|_| format!("an error has a `code` and a `message`: {shown}"))?;
    Ok(match error.code {
        METHOD_NOT_FOUND => Ok(Answer::Declined),
        REFUSAL => {
            let mut data = match error.data {
                Value::Object(data) => data,
                _ => Map::new(),
            };
            let reason = match data.shift_remove("reason") {
                Some(Value::String(reason)) => reason,
                _ => "other".to_owned(),
            };
            let message = error.message;
            Ok(Answer::Refused(Refusal {
                reason,
                message,
                data,
            }))
        }
        code => {
            let data = match &error.data {
                Value::Null => String::new(),
                data => format!(" ({})", brief(data)),
            };
            Err(EngineError::Failed(format!(
                "error {code}: {}{data}",
                error.message
            )))
        }
    })
}

/// What `initialize` told.
#[derive(Clone, Debug)]
pub(super) struct Hello {
    pub(super) about: About,
    /// Whether questions may be sent before earlier answers have come.
    #[cfg_attr(
        not(feature = "cli"),
        expect(dead_code, reason = "a server is not sent ahead")
    )]
    pub(super) pipeline: bool,
}

/// Reads the answer to `initialize`. An engine that declines it is known by `name`.
pub(super) fn hello(answer: Result<Answer, EngineError>, name: &str) -> Result<Hello, EngineError> {
    #[derive(Deserialize)]
    #[serde(expecting = "an object")]
    struct Told {
        protocol: Option<u64>,
        engine: Option<Who>,
        profiles: Option<Vec<String>>,
        operations: Option<BTreeSet<String>>,
        pipeline: Option<bool>,
    }
    #[derive(Deserialize)]
    #[serde(expecting = "an object")]
    struct Who {
        name: Option<String>,
        version: Option<String>,
        language: Option<String>,
    }
    let unnamed = About {
        name: name.to_owned(),
        ..About::default()
    };
    let value = match answer {
        Ok(Answer::Value(value)) => value,
        Ok(Answer::Declined) => {
            return Ok(Hello {
                about: unnamed,
                pipeline: true,
            });
        }
        Ok(Answer::Refused(no)) => {
            return Err(EngineError::Start(format!(
                "`initialize` was refused: {}",
                no.message
            )));
        }
        Err(error) => return Err(EngineError::Start(format!("`initialize` failed: {error}"))),
    };
    let told: Told = serde_json::from_value(value).map_err(|error| {
        EngineError::Start(format!(
            "the answer to `initialize` cannot be read: {error}"
        ))
    })?;
    if let Some(protocol) = told.protocol.filter(|p| *p != PROTOCOL) {
        let message = format!(
            "the engine speaks version {protocol} of the protocol, and {PROTOCOL} is spoken here"
        );
        return Err(EngineError::Start(message));
    }
    let who = told.engine.unwrap_or(Who {
        name: None,
        version: None,
        language: None,
    });
    Ok(Hello {
        about: About {
            name: who.name.unwrap_or(unnamed.name),
            version: who.version,
            language: who.language,
            profiles: told.profiles.unwrap_or_default(),
            operations: told.operations,
        },
        pipeline: told.pipeline.unwrap_or(true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str) -> Result<Answer, EngineError> {
        message(line.as_bytes()).map(|m| m.answer).expect(line)
    }

    #[test]
    fn values_refusals_declining_and_failures() {
        assert_eq!(
            answer(r#"{"jsonrpc":"2.0","id":1,"result":null}"#),
            Ok(Answer::Value(Value::Null))
        );
        assert_eq!(
            answer(
                r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","data":{"reason":"r","more":1}}}"#
            ),
            Ok(Answer::Refused(Refusal::new("r", "m").with("more", 1)))
        );
        assert_eq!(
            answer(r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}"#),
            Ok(Answer::Refused(Refusal::new("other", "m")))
        );
        assert_eq!(
            answer(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"?"}}"#),
            Ok(Answer::Declined)
        );
        assert_eq!(
            answer(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"oh","data":[1]}}"#),
            Err(EngineError::Failed("error -32000: oh ([1])".into()))
        );
    }

    #[test]
    fn what_is_no_message_is_told_apart() {
        for (line, says) in [
            (&b"\xff\n"[..], "not UTF-8"),
            (b"hello", "not JSON"),
            (b"{\"id\":1,\"resu", "not JSON"),
            (b"[]", "no JSON-RPC message"),
            (b"{\"id\":1,\"result\":1}", "lacks `\"jsonrpc\""),
            (b"{\"jsonrpc\":\"2.0\",\"result\":1}", "no id"),
            (
                b"{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":1}",
                "no question has the id \"1\"",
            ),
            (
                b"{\"jsonrpc\":\"2.0\",\"id\":1}",
                "a `result` or an `error`",
            ),
            (
                b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{}}",
                "a `result` or an `error`",
            ),
            (
                b"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"oh\"}",
                "a `code` and a `message`",
            ),
        ] {
            let why = message(line).err().unwrap_or_default();
            assert!(why.contains(says), "{why}");
        }
    }

    #[test]
    fn an_engine_may_leave_out_all_of_hello() {
        let hello = hello(Ok(Answer::Declined), "adapter.py").expect("fine");
        assert_eq!(
            (hello.about.name.as_str(), hello.pipeline),
            ("adapter.py", true)
        );
        let hello = super::hello(Ok(Answer::Value(json!({"pipeline": false}))), "x").expect("fine");
        assert!(!hello.pipeline && hello.about.operations.is_none());
        let two = super::hello(Ok(Answer::Value(json!({"protocol": 2}))), "x");
        assert!(matches!(two, Err(EngineError::Start(_))));
    }
}
