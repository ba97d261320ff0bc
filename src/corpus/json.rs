//! JSON texts, read so that nothing is lost: a member that stands twice is an error.

use std::sync::Arc;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::markdown::Body;
use crate::diagnostics::{Code, Diagnostic, Place, Source};

/// Why a text is no JSON that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// What is wrong.
    pub message: String,
    /// Which kind of fault this is.
    pub fault: JsonFault,
    /// Where in the text, in bytes.
    pub offset: usize,
    /// The name of the member that stands twice, where that is what is wrong.
    pub repeated: Option<String>,
}

/// Kinds of fault that have a name of their own: things that people write and JSON does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// A comma with nothing behind it.
    TrailingComma,
    /// A comment.
    Comment,
    /// Dots that stand for data.
    Ellipsis,
    /// A member that stands twice.
    Repeated,
    /// Anything else.
    Syntax,
}

impl JsonFault {
    /// What stands at `offset`, where a reader could not go on; and where that starts.
    fn at(text: &str, offset: usize) -> (Self, usize) {
        let rest = &text[offset.min(text.len())..];
        if rest.starts_with('…') || rest.starts_with("...") {
            return (Self::Ellipsis, offset);
        }
        if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') {
            return (Self::Comment, offset);
        }
        let before = text[..offset].trim_end();
        match before.strip_suffix(',') {
            Some(before) if rest.starts_with(['}', ']']) => (Self::TrailingComma, before.len()),
            _ => (Self::Syntax, offset),
        }
    }
}

impl JsonError {
    /// As a fault of a document: the code, what is wrong, the place and what to do. `body` says
    /// where the text stands in `source`; `start` is where the example does.
    pub(crate) fn diagnostic(&self, source: &Arc<Source>, body: &Body, start: usize) -> Diagnostic {
        let at = body.place(self.offset).unwrap_or(start);
        let rest = &source.text()[at.min(source.text().len())..];
        let (code, help, length) = match self.fault {
            JsonFault::TrailingComma => (Code::TrailingComma, "take it out", 1),
            JsonFault::Comment => {
                let end = match rest.strip_prefix("/*").and_then(|r| r.find("*/")) {
                    Some(end) => end + 4,
                    None => rest.lines().next().unwrap_or_default().trim_end().len(),
                };
                (
                    Code::JsonComment,
                    "say it in the text around the example",
                    end,
                )
            }
            JsonFault::Ellipsis => {
                let length = rest.chars().take_while(|c| matches!(c, '.' | '…'));
                let length = length.map(char::len_utf8).sum();
                (
                    Code::Ellipsis,
                    "write the data out, or leave it away",
                    length,
                )
            }
            JsonFault::Repeated => {
                let name = self.repeated.as_deref().unwrap_or_default();
                let quoted = Value::from(name).to_string();
                let length = if rest.starts_with(&quoted) {
                    quoted.len()
                } else {
                    1
                };
                (
                    Code::RepeatedMember,
                    "keep one of them, or rename one",
                    length,
                )
            }
            JsonFault::Syntax => (
                Code::ExampleNotJson,
                "mend it here, or in the line above",
                1,
            ),
        };
        let message = match self.fault {
            JsonFault::Repeated => self.message.clone(),
            _ => format!("the example is not JSON: {}", self.message),
        };
        Diagnostic::error(code, message)
            .at(Place::new(source, at..at + length))
            .help(help)
    }
}

/// Reads a JSON text, members in their order.
///
/// # Errors
///
/// The first fault: a syntax error, a member that stands twice in one object (which `serde_json`
/// would pass over in silence), or nesting beyond 128.
///
/// ```
/// use standing::corpus::parse_json;
/// let wrong = parse_json(r#"{"a": 1, "a": 2}"#).unwrap_err();
/// assert_eq!((wrong.repeated.as_deref(), wrong.offset), (Some("a"), 9));
/// ```
pub fn parse_json(text: &str) -> Result<Value, JsonError> {
    let mut repeated = None;
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Strict(&mut repeated)
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| {
        let mut offset = offset(text, error.line(), error.column());
        if let Some(name) = &repeated {
            // The reader stops behind the name; its opening quote is what to point at.
            let quoted = Value::from(name.as_str()).to_string();
            let behind = text.ceil_char_boundary(offset + 1);
            offset = text[..behind].rfind(&quoted).unwrap_or(offset);
        }
        let (fault, offset) = match &repeated {
            Some(_) => (JsonFault::Repeated, offset),
            None => JsonFault::at(text, offset),
        };
        let message = match (&repeated, fault) {
            (Some(name), _) => format!("the member `{name}` stands twice"),
            (_, JsonFault::TrailingComma) => "nothing follows this comma".to_owned(),
            (_, JsonFault::Comment) => "it has no comments".to_owned(),
            (_, JsonFault::Ellipsis) => "dots stand for data".to_owned(),
            _ => without_position(&error.to_string()).to_owned(),
        };
        JsonError {
            message,
            fault,
            offset,
            repeated,
        }
    })
}

/// A token of a JSON Pointer as an index into a list.
pub(crate) fn index(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with(['0', '+']);
    token.parse().ok().filter(|_| plain)
}

fn without_position(message: &str) -> &str {
    message.split(" at line ").next().unwrap_or(message)
}

/// `serde_json` counts lines from 1 and columns in bytes; its column is that of the last byte read.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let mut offset = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

struct Strict<'a>(&'a mut Option<String>);

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, v: bool) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_i64<E>(self, v: i64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_u64<E>(self, v: u64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_f64<E: Error>(self, v: f64) -> Result<Value, E> {
        Number::from_f64(v)
            .map(Value::Number)
            .ok_or_else(|| E::custom("a number that JSON cannot say"))
    }

    fn visit_str<E>(self, v: &str) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_string<E>(self, v: String) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Strict(self.0))? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            if members.contains_key(&name) {
                *self.0 = Some(name);
                return Err(A::Error::custom("repeated member"));
            }
            let value = map.next_value_seed(Strict(self.0))?;
            members.insert(name, value);
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order_and_numbers_their_value() {
        let text = r#"{"b":1,"a":[18446744073709551615,-1,1.5,null,"\ud83d\ude00"]}"#;
        let value = parse_json(text).expect("valid");
        assert_eq!(
            value.to_string(),
            r#"{"b":1,"a":[18446744073709551615,-1,1.5,null,"😀"]}"#
        );
    }

    #[test]
    fn faults_are_placed() {
        for (text, at, says) in [
            ("{\"a\": 1,}", 7, "nothing follows this comma"),
            ("[1, 2 , ]", 6, "nothing follows this comma"),
            ("[1, // one\n 2]", 4, "it has no comments"),
            ("[1] # one", 4, "it has no comments"),
            ("{\"a\": 1 /* b */}", 8, "it has no comments"),
            ("{\"a\": [1, …]}", 10, "dots stand for data"),
            ("{\"a\": 1, ...}", 9, "dots stand for data"),
            ("[, 1]", 1, "expected value"),
            ("[,]", 1, "expected value"),
            ("[1,\n 2,\n x]", 9, "expected value"),
            ("", 0, "EOF while parsing a value"),
            ("{} x", 3, "trailing characters"),
            ("{\"ä\": tru}", 10, "expected ident"),
        ] {
            let error = parse_json(text).expect_err(text);
            assert_eq!((error.offset, error.message.as_str()), (at, says), "{text}");
        }
        let deep = "[".repeat(200);
        assert_eq!(
            parse_json(&deep).expect_err("deep").message,
            "recursion limit exceeded"
        );
    }

    #[test]
    fn a_repeated_member_is_found_at_any_depth_and_however_it_is_spelled() {
        let error = parse_json(r#"[{"x": {"k": 1, "l": 2, "k": 3}}]"#).expect_err("twice");
        assert_eq!((error.offset, error.repeated.as_deref()), (24, Some("k")));
        let error = parse_json(r#"{"a": 1, "\u0061": 2}"#).expect_err("twice");
        assert_eq!(error.repeated.as_deref(), Some("a"));
    }
}
