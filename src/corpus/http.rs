//! `http` examples: a request line, header lines, a blank line, a body.

use serde_json::{Map, Value, json};

use super::parse_json;

/// What an `http` example says, as the object `{method, target, headers, body}`.
///
/// `headers` is an object of strings, names in lower case. `body` is the JSON that the body is,
/// the text itself where it is no JSON, and null where there is none. Whether it is the request's
/// or the answer's is for a case to say.
///
/// # Errors
///
/// What is wrong, and the byte offset of the line.
///
/// ```
/// use serde_json::json;
/// let message = standing::corpus::http_message("GET /runs/1\nIf-None-Match: \"3\"\n\n{\"ok\": true}\n");
/// assert_eq!(message, Ok(json!({
///     "method": "GET",
///     "target": "/runs/1",
///     "headers": { "if-none-match": "\"3\"" },
///     "body": { "ok": true }
/// })));
/// assert!(standing::corpus::http_message("no request line").is_err());
/// ```
pub fn http_message(text: &str) -> Result<Value, (String, usize)> {
    let (head, body) = match text.split_once("\n\n") {
        Some((head, body)) => (head, body.trim_end()),
        None => (text, ""),
    };
    let mut at = 0;
    let mut lines = head.split_inclusive('\n').map(|line| {
        let start = at;
        at += line.len();
        (start, line.trim_end())
    });
    let request = lines.next().map_or("", |(_, line)| line);
    let (method, target) = request
        .split_once(' ')
        .map(|(m, t)| (m, t.trim()))
        .map(|(m, t)| (m, t.strip_suffix(" HTTP/1.1").unwrap_or(t)))
        .filter(|(m, t)| {
            !m.is_empty()
                && m.bytes().all(|b| b.is_ascii_uppercase())
                && !t.is_empty()
                && !t.contains(' ')
        })
        .ok_or((
            "the first line is no request line: `METHOD /target`".to_owned(),
            0,
        ))?;
    let mut headers = Map::new();
    for (start, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let (name, value) = line
            .split_once(':')
            .filter(|(n, _)| !n.is_empty() && !n.contains(char::is_whitespace))
            .ok_or(("a header line is `Name: value`".to_owned(), start))?;
        headers.insert(name.to_ascii_lowercase(), value.trim().into());
    }
    let body = match body {
        "" => Value::Null,
        text => parse_json(text).unwrap_or_else(|_| text.into()),
    };
    Ok(json!({ "method": method, "target": target, "headers": headers, "body": body }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_is_no_json_is_kept_as_text() {
        let message = http_message("POST /a\n\n{\"data\": [ … ]}\n").expect("readable");
        assert_eq!(message["body"], "{\"data\": [ … ]}");
        assert_eq!(
            http_message("GET /a").expect("readable")["body"],
            Value::Null
        );
    }

    #[test]
    fn faults_are_placed() {
        assert_eq!(http_message("get /a").expect_err("method").1, 0);
        assert_eq!(http_message("GET /a b c").expect_err("target").1, 0);
        assert_eq!(
            http_message("GET /a\nA: b\nnonsense\n\n")
                .expect_err("header")
                .1,
            12
        );
    }
}
