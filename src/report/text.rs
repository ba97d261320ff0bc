//! Text of records, made fit for the formats that carry it.

use serde_json::Value;

use crate::diagnostics::{inert_json, printable};

/// Text that can do nothing where it is shown, and that XML and YAML may hold too: characters that
/// they forbid are written out, as control characters are.
pub(super) fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match is_forbidden(c) {
            true => out.extend(c.escape_unicode()),
            false => out.push(c),
        }
    }
    out
}

/// The same on one line.
pub(super) fn one_line(text: &str) -> String {
    inert(text).replace(['\n', '\t'], " ")
}

/// A text as a string of JSON, which is one of YAML too.
pub(super) fn json_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in inert_json(&Value::from(text).to_string()).chars() {
        match is_forbidden(c) {
            true => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => out.push(c),
        }
    }
    out
}

/// Indented JSON.
pub(super) fn pretty(value: &Value) -> String {
    format!("{value:#}")
}

/// What is no character of XML, or ends a line in YAML and in scripts.
fn is_forbidden(c: char) -> bool {
    matches!(
        c,
        '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_acts_or_is_forbidden() {
        assert_eq!(
            inert("a\u{0}\u{fffe}\u{202e}\nb"),
            "a\\u{0}\\u{fffe}\\u{202e}\nb"
        );
        assert_eq!(one_line("a\r\nb"), "a\\u{d} b");
        let text = "a\u{0}\u{85}\u{2028}\u{ffff}\"😀";
        assert_eq!(json_string(text), "\"a\\u0000\\u0085\\u2028\\uffff\\\"😀\"");
        assert_eq!(
            serde_json::from_str::<String>(&json_string(text)).expect("JSON"),
            text
        );
    }
}
