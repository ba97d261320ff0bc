//! Findings for people: each with its lines, and a count at the end.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use crate::{
    check::Checked,
    diagnostics::{Diagnostic, printable, render},
    report::count,
};

const GREEN: Style = AnsiColor::Green.on_default().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

/// Where the links of a text lead.
#[derive(Clone, Copy, Debug)]
pub enum Links<'a> {
    /// There are none.
    Off,
    /// To the files, below this absolute path: the terminal knows OSC 8.
    Below(&'a str),
}

/// Findings as a compiler shows them, styled.
pub fn human(checked: &Checked, links: Links<'_>) -> String {
    let mut text = String::new();
    for finding in &checked.findings {
        text.push_str(&linked(finding, &render(finding, true), links));
        text.push('\n');
    }
    let read = format!(
        "{}, {}",
        count(checked.rules, "rule"),
        count(checked.examples, "example")
    );
    let _ = match (checked.errors(), checked.warnings()) {
        (0, 0) => writeln!(text, "{GREEN}all well{GREEN:#}: {read}"),
        (0, w) => writeln!(text, "{YELLOW}{}{YELLOW:#}: {read}", count(w, "warning")),
        (e, 0) => writeln!(text, "{RED}{}{RED:#}: {read}", count(e, "error")),
        (e, w) => {
            let (e, w) = (count(e, "error"), count(w, "warning"));
            writeln!(text, "{RED}{e}{RED:#}, {YELLOW}{w}{YELLOW:#}: {read}")
        }
    };
    if checked.without_cases > 0 {
        let examples = count(checked.without_cases, "example");
        let _ = writeln!(text, "{examples} of rules that no case file is about");
    }
    let mut codes: Vec<&str> = checked.findings.iter().map(|f| f.code.id()).collect();
    codes.dedup();
    if let Some(code) = codes.first() {
        let _ = writeln!(text, "`standing explain {code}` says more of {code}");
    }
    let fixable = checked.findings.iter().filter(|f| !f.fix.is_empty());
    match fixable.count() {
        0 => {}
        n => {
            let _ = writeln!(text, "{n} of them can be mended with `--fix`");
        }
    }
    text
}

/// The text of a finding with its paths as links.
fn linked(finding: &Diagnostic, text: &str, links: Links<'_>) -> String {
    let Links::Below(folder) = links else {
        return text.to_owned();
    };
    let related = finding.related.iter().map(|(place, _)| place);
    let mut text = text.to_owned();
    let mut done: Vec<&str> = Vec::new();
    for place in finding.place.iter().chain(related) {
        let path = place.path();
        if done.contains(&path) {
            continue;
        }
        done.push(path);
        let absolute = match path.starts_with('/') {
            true => path.to_owned(),
            false => format!("{folder}/{path}"),
        };
        let shown = printable(path);
        let link = format!(
            "\u{1b}]8;;file://{}\u{1b}\\{shown}\u{1b}]8;;\u{1b}\\",
            encoded(&absolute)
        );
        for arrow in ["--> ", "::: "] {
            // The renderer may have a style between the arrow and the path.
            let mut out = String::with_capacity(text.len() + link.len());
            for line in text.split_inclusive('\n') {
                match (line.find(arrow.trim_end()), line.find(&*shown)) {
                    (Some(at), Some(path)) if at < path => {
                        out.push_str(&line[..path]);
                        out.push_str(&link);
                        out.push_str(&line[path + shown.len()..]);
                    }
                    _ => out.push_str(line),
                }
            }
            text = out;
        }
    }
    text
}

/// A path as a URI says it (RFC 3986).
pub(super) fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Code, Place, Source};

    #[test]
    fn paths_are_links_and_nothing_else_is() {
        let source = Source::new("a b.md", "level: cores\n");
        let finding =
            Diagnostic::error(Code::UnknownLevel, "in a b.md").at(Place::new(&source, 7..12));
        let checked = Checked {
            findings: vec![finding],
            ..Checked::default()
        };
        let text = human(&checked, Links::Below("/x"));
        let link = "\u{1b}]8;;file:///x/a%20b.md\u{1b}\\a b.md\u{1b}]8;;\u{1b}\\:1:8";
        assert_eq!(text.matches("file://").count(), 1, "{text}");
        assert!(text.contains(link), "{text}");
        assert!(!human(&checked, Links::Off).contains("file://"));
    }
}
