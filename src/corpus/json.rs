//! JSON texts, read so that nothing is lost: a member that stands twice is an error.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Why a text is no JSON that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// What is wrong.
    pub message: String,
    /// Where in the text, in bytes.
    pub offset: usize,
    /// The name of the member that stands twice, where that is what is wrong.
    pub repeated: Option<String>,
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
        let message = match &repeated {
            Some(name) => format!("the member `{name}` stands twice"),
            None => without_position(&error.to_string()).to_owned(),
        };
        JsonError {
            message,
            offset,
            repeated,
        }
    })
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
            ("{\"a\": 1,}", 8, "trailing comma"),
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
