//! YAML as trees that know where each of their parts stands.
//!
//! YAML is read as a way of writing JSON: what JSON cannot say (tags, anchors, keys that are no
//! strings) is an error, and so is a key that stands twice.

use std::{ops::Range, sync::Arc};

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use serde_json::Value;

use super::json::index;
use crate::diagnostics::{Code, Diagnostic, Place, Source};

/// Deeper than any case has reason to go, and shallow enough for recursion over the tree.
const MAX_DEPTH: usize = 128;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Null, a boolean, a number or a string.
    Scalar(Value),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// A key and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
}

impl Node {
    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.members()
            .iter()
            .find(|(k, _)| k.name == key)
            .map(|(_, v)| v)
    }

    /// The members of a mapping; none where it is something else.
    pub(crate) fn members(&self) -> &[(Key, Node)] {
        match &self.kind {
            Kind::Map(members) => members,
            _ => &[],
        }
    }

    /// The items of a list; none where it is something else.
    pub(crate) fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    /// The value without its places.
    pub(crate) fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Scalar(value) => value.clone(),
            Kind::List(items) => items.iter().map(Self::to_value).collect(),
            Kind::Map(members) => {
                let members = members.iter().map(|(k, v)| (k.name.clone(), v.to_value()));
                Value::Object(members.collect())
            }
        }
    }

    /// What a JSON Pointer, split into its tokens, leads to, as far as it is written out here: a
    /// reference to an example is not looked through.
    pub(crate) fn nearest(&self, pointer: &[String]) -> &Node {
        let Some((first, rest)) = pointer.split_first() else {
            return self;
        };
        let next = match &self.kind {
            Kind::Scalar(_) => None,
            Kind::List(items) => index(first).and_then(|i| items.get(i)),
            Kind::Map(_) => self.get(first),
        };
        next.map_or(self, |next| next.nearest(rest))
    }

    /// What it is, for messages.
    pub(crate) fn describe(&self) -> &'static str {
        match &self.kind {
            Kind::List(_) => "a list",
            Kind::Map(_) => "a mapping",
            Kind::Scalar(Value::Null) => "null",
            Kind::Scalar(Value::Bool(_)) => "a boolean",
            Kind::Scalar(Value::Number(_)) => "a number",
            Kind::Scalar(_) => "a string",
        }
    }
}

/// What is read: the words and codes of its faults.
pub(crate) struct Manner {
    /// `a case file`.
    pub(crate) what: &'static str,
    /// What it starts with.
    pub(crate) starts: &'static str,
    /// Not YAML.
    pub(crate) not_yaml: Code,
    /// What JSON cannot say.
    pub(crate) beyond: Code,
    /// A key that stands twice.
    pub(crate) twice: Code,
    /// There is nothing.
    pub(crate) empty: Code,
}

impl Manner {
    /// A case file.
    pub(crate) const CASES: Self = Self {
        what: "a case file",
        starts: "it starts with `rule:` and `cases:`",
        not_yaml: Code::CasesNotYaml,
        beyond: Code::BeyondJson,
        twice: Code::DuplicateKey,
        empty: Code::CaseShape,
    };
}

/// Reads a whole document.
pub(crate) fn read(source: &Arc<Source>, manner: &Manner) -> Result<Node, Box<Diagnostic>> {
    read_part(source, 0..source.text().len(), manner)
}

/// Reads a piece of a document.
pub(crate) fn read_part(
    source: &Arc<Source>,
    part: Range<usize>,
    manner: &Manner,
) -> Result<Node, Box<Diagnostic>> {
    let text = &source.text()[part.clone()];
    let lines = Lines::new(text, part.start);
    let mut open: Vec<Open> = Vec::new();
    let mut root: Option<Node> = None;
    let mut parser = Parser::new_from_str(text);
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let at = lines.offset(error.marker().line(), error.marker().col());
            not_yaml(source, manner, error.info(), at, open.last())
        })?;
        let span = lines.range(&span);
        let at = span.clone();
        let beyond =
            |what: &str, help: &str| Box::new(beyond(source, manner, at.clone(), what, help));
        let (anchor, tag) = match &event {
            Event::Scalar(_, _, anchor, tag) => (*anchor, tag.is_some()),
            Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag) => {
                (*anchor, tag.is_some())
            }
            Event::Alias(_) => (1, false),
            _ => (0, false),
        };
        if anchor > 0 {
            return Err(beyond("an anchor or alias", "write the value out"));
        }
        if tag {
            return Err(beyond(
                "a tag",
                "leave it out; quote the value to make it a string",
            ));
        }
        let done = match event {
            Event::DocumentStart(_) if root.is_some() => {
                return Err(beyond(
                    "a second document",
                    "leave out the line that is `---`",
                ));
            }
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new(), span.clone()));
                None
            }
            Event::MappingStart(..) => {
                if let Some(Open::Map(_, None, _)) = open.last() {
                    return Err(beyond("a key that is no string", "a key is a word"));
                }
                open.push(Open::Map(Vec::new(), None, span.clone()));
                None
            }
            Event::SequenceEnd | Event::MappingEnd => open.pop().map(|o| o.close(span.end)),
            Event::Scalar(text, style, ..) => {
                if let Some(Open::Map(members, key @ None, _)) = open.last_mut() {
                    let name = key_name(&text, style)
                        .ok_or_else(|| beyond("a key that is no string", "put it in quotes"))?;
                    if let Some((first, _)) = members.iter().find(|(k, _)| k.name == name) {
                        return Err(Diagnostic::error(
                            manner.twice,
                            format!("`{name}` stands twice"),
                        )
                        .at(Place::new(source, span))
                        .see(Place::new(source, first.span.clone()), "first here")
                        .help("keep one of them")
                        .into());
                    }
                    *key = Some(Key { name, span });
                    None
                } else {
                    let value = scalar(&text, style).ok_or_else(|| {
                        beyond(
                            "a number that JSON cannot say",
                            "put it in quotes to make it a string",
                        )
                    })?;
                    Some(Node {
                        kind: Kind::Scalar(value),
                        span,
                    })
                }
            }
            _ => None,
        };
        if open.len() > MAX_DEPTH {
            return Err(Box::new(too_deep(source, manner, at)));
        }
        if let Some(node) = done {
            match open.last_mut() {
                None => root = Some(node),
                Some(Open::List(items, _)) => items.push(node),
                Some(Open::Map(members, key, _)) => match key.take() {
                    Some(key) => members.push((key, node)),
                    None => return Err(beyond("a key that is no string", "a key is a word")),
                },
            }
        }
    }
    root.ok_or_else(|| {
        let what = manner.what.split_once(' ').map_or(manner.what, |(_, w)| w);
        Diagnostic::error(manner.empty, format!("the {what} is empty"))
            .at(Place::new(source, part.start..part.start))
            .help(manner.starts)
            .into()
    })
}

fn beyond(
    source: &Arc<Source>,
    manner: &Manner,
    at: Range<usize>,
    what: &str,
    help: &str,
) -> Diagnostic {
    Diagnostic::error(
        manner.beyond,
        format!("{what} has no meaning in {}", manner.what),
    )
    .at(Place::new(source, at))
    .help(help)
}

fn too_deep(source: &Arc<Source>, manner: &Manner, at: Range<usize>) -> Diagnostic {
    let what = format!("nesting beyond {MAX_DEPTH}");
    beyond(source, manner, at, &what, "flatten it")
}

/// What the parser cannot go on with. It notices only on a later line that brackets are not closed.
fn not_yaml(
    source: &Arc<Source>,
    manner: &Manner,
    what: &str,
    at: usize,
    inside: Option<&Open>,
) -> Diagnostic {
    // The parser looks ahead, and has a limit of its own.
    if what == "recursion limit exceeded" {
        return too_deep(source, manner, at..at + 1);
    }
    let subject = match manner.not_yaml {
        Code::CasesNotYaml => String::new(),
        _ => format!("{} is ", manner.what.replacen("a ", "the ", 1)),
    };
    let fault = Diagnostic::error(manner.not_yaml, format!("{subject}not YAML: {what}"))
        .at(Place::new(source, at..at + 1))
        .help("close what is open, and put a text that holds `: ` or ` #` in quotes");
    let Some(Open::List(_, start) | Open::Map(_, _, start)) = inside else {
        return fault;
    };
    match source.text()[start.start..].starts_with(['[', '{']) {
        true => fault.see(
            Place::new(source, start.start..start.start + 1),
            "inside what starts here",
        ),
        false => fault,
    }
}

/// A list or mapping whose end has not come yet.
enum Open {
    List(Vec<Node>, Range<usize>),
    Map(Vec<(Key, Node)>, Option<Key>, Range<usize>),
}

impl Open {
    fn close(self, end: usize) -> Node {
        match self {
            Open::List(items, span) => Node {
                kind: Kind::List(items),
                span: span.start..end.max(span.end),
            },
            Open::Map(members, _, span) => Node {
                kind: Kind::Map(members),
                span: span.start..end.max(span.end),
            },
        }
    }
}

/// A plain scalar is what YAML 1.2's core schema says; any other is a string. `None`: a number
/// that JSON does not have.
fn scalar(text: &str, style: ScalarStyle) -> Option<Value> {
    if style != ScalarStyle::Plain {
        return Some(text.into());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Some(Value::Null),
        "true" | "True" | "TRUE" => Some(true.into()),
        "false" | "False" | "FALSE" => Some(false.into()),
        _ if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
            Some(text.into())
        }
        _ => match serde_yaml::from_str::<Value>(text) {
            Ok(number @ Value::Number(_)) => Some(number),
            // What is no number of JSON comes out as null: `.inf`.
            Ok(Value::Null) => None,
            Err(_) if text.parse::<f64>().is_ok() => None,
            // `-` and the like are no documents of their own, and plain text here.
            _ => Some(text.into()),
        },
    }
}

/// A plain whole number is a name too: `3: loopback`.
fn key_name(text: &str, style: ScalarStyle) -> Option<String> {
    match scalar(text, style)? {
        Value::String(name) => Some(name),
        Value::Number(n) if n.is_u64() => Some(text.to_owned()),
        _ => None,
    }
}

/// Byte offsets of the lines of a text: the parser counts lines from 1, columns in characters.
struct Lines<'a> {
    text: &'a str,
    /// Where the text starts in its document.
    base: usize,
    starts: Vec<usize>,
    /// Where a character is a byte, nothing has to be counted.
    is_ascii: bool,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str, base: usize) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let starts = std::iter::once(0)
            .chain(breaks.map(|(i, _)| i + 1))
            .collect();
        let is_ascii = text.is_ascii();
        Self {
            text,
            base,
            starts,
            is_ascii,
        }
    }

    fn offset(&self, line: usize, column: usize) -> usize {
        let Some(&start) = self.starts.get(line.saturating_sub(1)) else {
            return self.base + self.text.len();
        };
        let rest = &self.text[start..];
        if self.is_ascii {
            return self.base + start + column.min(rest.len());
        }
        self.base
            + start
            + rest
                .char_indices()
                .nth(column)
                .map_or(rest.len(), |(i, _)| i)
    }

    fn range(&self, span: &Span) -> Range<usize> {
        let start = self.offset(span.start.line(), span.start.col());
        let end = self.offset(span.end.line(), span.end.col());
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(text: &str) -> Value {
        read(&Source::new("c.yml", text), &Manner::CASES)
            .unwrap_or_else(|e| panic!("{e}"))
            .to_value()
    }

    fn fault(text: &str) -> String {
        match read(&Source::new("c.yml", text), &Manner::CASES) {
            Ok(node) => panic!("{node:?}"),
            Err(fault) => fault.to_string(),
        }
    }

    #[test]
    fn scalars_are_what_yaml_1_2_says() {
        assert_eq!(
            value(
                "[1, 1.0, -2, 1e3, 0x10, true, True, no, on, null, ~, '1', \"true\", 12:30, 1.2.3, .5, a b, 18446744073709551615]"
            ),
            json!([
                1,
                1.0,
                -2,
                1e3,
                16,
                true,
                true,
                "no",
                "on",
                null,
                null,
                "1",
                "true",
                "12:30",
                "1.2.3",
                0.5,
                "a b",
                18446744073709551615_u64
            ])
        );
        assert_eq!(
            value("a:\nb: |\n  x\n  y\n"),
            json!({"a": null, "b": "x\ny\n"})
        );
    }

    #[test]
    fn keys_are_strings_or_whole_numbers() {
        assert_eq!(
            value("{3: x, on: y, 'true': z}"),
            json!({"3": "x", "on": "y", "true": "z"})
        );
        for text in [
            "true: x",
            "1.5: x",
            "~: x",
            "{[a]: x}",
            "{{a: b}: x}",
            "? [a]\n: x",
        ] {
            assert!(fault(text).contains("C302"), "{text}");
        }
    }

    #[test]
    fn what_json_cannot_say_is_refused_where_it_stands() {
        for (text, says) in [
            (
                "a: &x 1\nb: *x\n",
                "c.yml:1:4: error[C302]: an anchor or alias has no meaning in a case file",
            ),
            (
                "a: !!str 1\n",
                "c.yml:1:4: error[C302]: a tag has no meaning in a case file",
            ),
            (
                "a: .inf\n",
                "c.yml:1:4: error[C302]: a number that JSON cannot say has no meaning in a case file",
            ),
            (
                "a: 1\n---\nb: 1\n",
                "c.yml:2:1: error[C302]: a second document has no meaning in a case file",
            ),
            (
                "ä: {b: 1, c: 2, b: 3}\n",
                "c.yml:1:17: error[C303]: `b` stands twice",
            ),
            ("a: [1\nb: 2\n", "c.yml:2:2: error[C301]: not YAML: "),
            ("", "c.yml:1:1: error[C304]: the case file is empty"),
        ] {
            let fault = fault(text);
            assert!(fault.starts_with(says), "{text}\n{fault}\n{says}");
        }
        for depth in [129, 500] {
            let deep = fault(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
            assert!(deep.contains("nesting beyond 128"), "{deep}");
        }
        value(&format!("{}{}", "[".repeat(128), "]".repeat(128)));
    }

    #[test]
    fn places_are_bytes() {
        let source = Source::new("c.yml", "ä: [ö, é]\n");
        let node = read(&source, &Manner::CASES).unwrap_or_else(|e| panic!("{e}"));
        let Some(Kind::List(items)) = node.get("ä").map(|n| &n.kind) else {
            panic!("{node:?}")
        };
        assert_eq!(&source.text()[items[1].span.clone()], "é");
    }
}
