//! How examples are written.

use super::index::Index;
use crate::{
    corpus::{Document, Fence},
    diagnostics::{Code, Diagnostic, Place, closest},
};

/// The attributes of a fence that mean something.
const ATTRIBUTES: &[&str] = &["title", "verdict"];

pub(super) fn check(index: &Index<'_>, findings: &mut Vec<Diagnostic>) {
    for document in index.documents() {
        let Some(markdown) = &document.markdown else {
            continue;
        };
        for (i, fence) in markdown.fences.iter().enumerate() {
            let at = |span| Place::new(&markdown.source, span);
            attributes(fence, &at, findings);
            spaces(document, fence, &at, findings);
            let mut earlier = markdown.fences[..i].iter();
            let title = fence.info.title.as_ref().filter(|t| !t.trim().is_empty());
            if let Some(first) = earlier.find(|e| title.is_some() && e.info.title.as_ref() == title)
            {
                let title = title.map_or("", String::as_str);
                findings.push(
                    Diagnostic::warning(
                        Code::DuplicateTitle,
                        format!("two examples are titled \"{title}\""),
                    )
                    .at(attribute(fence, "title").map(at))
                    .see(
                        at(attribute(first, "title").unwrap_or(first.line.clone())),
                        "the other one",
                    )
                    .note("an example is known by its title")
                    .help("say in each title what sets it apart"),
                );
            }
        }
    }
}

type Span = std::ops::Range<usize>;

/// Where an attribute stands in the document.
fn attribute(fence: &Fence, key: &str) -> Option<Span> {
    let (_, span) = fence.info.attributes.iter().find(|(k, _)| k == key)?;
    Some(in_document(fence, span))
}

/// Attributes are counted from behind the marks.
fn in_document(fence: &Fence, span: &Span) -> Span {
    let start = fence.line.start + fence.marks;
    start + span.start..start + span.end
}

fn attributes(fence: &Fence, at: &impl Fn(Span) -> Place, findings: &mut Vec<Diagnostic>) {
    for (key, span) in &fence.info.attributes {
        let place = at(in_document(fence, span));
        let value = match key.as_str() {
            "title" => &fence.info.title,
            "verdict" => &fence.info.verdict,
            _ => {
                if let Some(close) = closest(key, ATTRIBUTES.iter().copied()) {
                    findings.push(
                        Diagnostic::error(
                            Code::UnknownAttribute,
                            format!("an example has no `{key}`"),
                        )
                        .at(place)
                        .note("what is not known is passed over, and the example has no title or verdict")
                        .help(format!("did you mean `{close}`?")),
                    );
                }
                continue;
            }
        };
        if value.as_ref().is_some_and(|v| v.trim().is_empty()) {
            findings.push(
                Diagnostic::error(Code::InfoString, format!("the {key} is empty"))
                    .at(place)
                    .help("write it, or leave the attribute out"),
            );
        }
    }
}

/// White space at the ends of lines, and empty lines at the ends of an example.
fn spaces(
    document: &Document,
    fence: &Fence,
    at: &impl Fn(Span) -> Place,
    findings: &mut Vec<Diagnostic>,
) {
    if !matches!(fence.info.language.as_str(), "json" | "http") {
        return;
    }
    let Some(markdown) = &document.markdown else {
        return;
    };
    let text = &markdown.source.text()[fence.all.clone()];
    let mut lines: Vec<Span> = Vec::new();
    let mut start = fence.all.start;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        lines.push(start..start + content.len());
        start += line.len();
    }
    let source = markdown.source.text();
    for line in &lines {
        let content = &source[line.clone()];
        let kept = content.trim_end_matches([' ', '\t']);
        // The mark of a quote may have a space behind it.
        if kept.len() == content.len() || kept.trim_start_matches([' ', '>']).is_empty() {
            continue;
        }
        let span = line.start + kept.len()..line.end;
        findings.push(
            Diagnostic::warning(
                Code::FenceSpace,
                "there is white space at the end of this line",
            )
            .at(at(span.clone()))
            .help("take it out")
            .fix(at(span), ""),
        );
    }
    let is_empty = |line: &Span| {
        source[line.clone()]
            .trim_matches([' ', '\t', '>'])
            .is_empty()
    };
    if fence.info.language != "json" || lines.len() < 4 {
        return;
    }
    let body = &lines[1..lines.len() - 1];
    let first = body.iter().position(|l| !is_empty(l)).unwrap_or(body.len());
    let last = body
        .iter()
        .rposition(|l| !is_empty(l))
        .map_or(body.len(), |i| i + 1);
    for empty in [0..first, last..body.len()] {
        let (Some(from), Some(to)) = (body.get(empty.start), body.get(empty.end.wrapping_sub(1)))
        else {
            continue;
        };
        if empty.is_empty() {
            continue;
        }
        let next = source[to.end..]
            .find('\n')
            .map_or(to.end, |i| to.end + i + 1);
        let line = source[..from.start].rfind('\n').map_or(0, |i| i + 1);
        findings.push(
            Diagnostic::warning(
                Code::FenceSpace,
                "the example starts or ends with an empty line",
            )
            .at(at(from.clone()))
            .see(at(fence.line.clone()), "this example")
            .help("take it out")
            .fix(at(line..next), ""),
        );
    }
}
