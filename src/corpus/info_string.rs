//! The line that opens a fence: `json title="…" verdict="…"`.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

/// What an info string says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InfoString {
    pub(crate) language: String,
    pub(crate) title: Option<String>,
    pub(crate) verdict: Option<String>,
    /// Every `key=value` in it: the key, and where both stand, counted from the end of the marks.
    pub(crate) attributes: Vec<(String, Range<usize>)>,
}

/// What is wrong with one, and where in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InfoStringError {
    pub(super) message: String,
    pub(super) span: Range<usize>,
}

/// Reads the info string as the document writes it: escapes are still in it, so that a quoted
/// value may hold quotes.
pub(super) fn parse(raw: &str) -> Result<InfoString, InfoStringError> {
    let mut info = InfoString::default();
    let mut rest = Cursor { text: raw, at: 0 };
    rest.skip_space();
    let first = rest.word();
    if first.contains('=') {
        rest.at -= first.len();
    } else {
        info.language = unescape(first);
    }
    loop {
        rest.skip_space();
        let start = rest.at;
        let key = rest.take_while(|c| !c.is_whitespace() && c != '=');
        if key.is_empty() && rest.peek().is_none() {
            return Ok(info);
        }
        if rest.peek() != Some('=') {
            if key == "title" || key == "verdict" {
                return Err(InfoStringError {
                    message: format!("the {key} has no value"),
                    span: start..rest.at,
                });
            }
            continue; // a bare word, `linenos`: of no concern here
        }
        rest.bump();
        let value = rest.value(start, key)?;
        info.attributes.push((key.to_owned(), start..rest.at));
        let slot = match key {
            "title" => &mut info.title,
            "verdict" => &mut info.verdict,
            _ => continue,
        };
        if slot.replace(unescape(value)).is_some() {
            return Err(InfoStringError {
                message: format!("`{key}` stands twice"),
                span: start..rest.at,
            });
        }
    }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let taken = &rest[..rest.find(|c| !fits(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn word(&mut self) -> &'a str {
        self.take_while(|c| !c.is_whitespace())
    }

    fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// A value without quotes: one word, and the next one is not meant to belong to it.
    fn bare(&mut self, start: usize, key: &str) -> Result<&'a str, InfoStringError> {
        let value = self.word();
        let is_known = key == "title" || key == "verdict";
        let next = self.text[self.at..].split_whitespace().next();
        let goes_on =
            next.is_some_and(|w| w.starts_with(char::is_alphanumeric) && !w.contains('='));
        if is_known && (value.is_empty() || goes_on) {
            return Err(InfoStringError {
                message: match value {
                    "" => format!("the {key} has no value"),
                    _ => format!("a {key} of several words needs quotes"),
                },
                span: start..self.at,
            });
        }
        Ok(value)
    }

    fn value(&mut self, start: usize, key: &str) -> Result<&'a str, InfoStringError> {
        let close = match self.peek() {
            Some('"') => '"',
            Some('\'') => '\'',
            Some('“' | '”') => '”',
            _ => return self.bare(start, key),
        };
        self.bump();
        let from = self.at;
        while let Some(c) = self.peek() {
            if c == close {
                let value = &self.text[from..self.at];
                self.bump();
                if self.peek().is_some_and(|c| !c.is_whitespace()) {
                    // The quote that was found opens the next value.
                    if value.ends_with('=') {
                        break;
                    }
                    return Err(InfoStringError {
                        message: format!("there is no space behind the {key}"),
                        span: start..self.at,
                    });
                }
                return Ok(value);
            }
            self.bump();
            if c == '\\' {
                self.bump();
            }
        }
        Err(InfoStringError {
            message: format!("the {key} has no closing quote"),
            span: start..self.text.trim_end().len().max(start),
        })
    }
}

/// Backslash escapes and character references, as CommonMark reads them in an info string.
fn unescape(value: &str) -> String {
    if !value.contains(['\\', '&']) {
        return value.to_owned();
    }
    let fence = format!("~~~ {value}\n~~~\n");
    match Parser::new(&fence).next() {
        Some(Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info)))) => info.into_string(),
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> (String, Option<String>, Option<String>) {
        let info = parse(raw).expect(raw);
        (info.language, info.title, info.verdict)
    }

    #[test]
    fn titles_and_verdicts_in_every_kind_of_quotes() {
        let some = |s: &str| Some(s.to_owned());
        for (raw, language, title, verdict) in [
            (
                r#"json title="A b" verdict="c d""#,
                "json",
                some("A b"),
                some("c d"),
            ),
            (
                r#"json verdict='c' title='it is "so"'"#,
                "json",
                some("it is \"so\""),
                some("c"),
            ),
            (
                r#"json title="an \"escaped\" one""#,
                "json",
                some("an \"escaped\" one"),
                None,
            ),
            (
                r#"json title="a &quot;named&quot; one""#,
                "json",
                some("a \"named\" one"),
                None,
            ),
            (
                "json title=“curly ones” verdict=“v”",
                "json",
                some("curly ones"),
                some("v"),
            ),
            (
                r#"json title="with “curly” ones""#,
                "json",
                some("with “curly” ones"),
                None,
            ),
            ("json title=bare", "json", some("bare"), None),
            ("json title=\"\"", "json", some(""), None),
            ("json linenos {1,2} title=\"t\"", "json", some("t"), None),
            ("title=\"t\"", "", some("t"), None),
            ("", "", None, None),
            ("  http  ", "http", None, None),
        ] {
            assert_eq!(read(raw), (language.to_owned(), title, verdict), "{raw}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_placed() {
        let error = parse(r#"json title="no end"#).expect_err("open");
        assert_eq!(
            (error.message.as_str(), error.span),
            ("the title has no closing quote", 5..18)
        );
        for (raw, says, span) in [
            ("json title", "the title has no value", 5..10),
            ("json title=", "the title has no value", 5..11),
            (
                "json title=\"a verdict=\"b\"",
                "the title has no closing quote",
                5..25,
            ),
            ("json title \"a\"", "the title has no value", 5..10),
            (
                "json title=two words",
                "a title of several words needs quotes",
                5..14,
            ),
            (
                "json title=\"a\"verdict=\"b\"",
                "there is no space behind the title",
                5..14,
            ),
        ] {
            let error = parse(raw).expect_err(raw);
            assert_eq!((error.message.as_str(), error.span), (says, span), "{raw}");
        }
        let error = parse(r#"json title="a" title="b""#).expect_err("twice");
        assert_eq!(
            (error.message.as_str(), error.span),
            ("`title` stands twice", 15..24)
        );
    }
}
