//! Rules that point to rules.

use std::collections::HashSet;

use super::index::Index;
use crate::{
    corpus::{Document, Layout, RelationKind, RuleId},
    diagnostics::{Code, Diagnostic, Place},
};

pub(super) fn check(index: &Index<'_>, findings: &mut Vec<Diagnostic>) {
    // Pages whose own lists are wrong: what follows from that is not told again.
    let mut wrong: HashSet<&str> = HashSet::new();
    for document in index.documents() {
        let Some(id) = document.id() else { continue };
        let before = findings.len();
        match document.layout {
            Layout::Files => files(index, document, &id, findings),
            Layout::Page => page(index, document, &id, findings),
        }
        if findings.len() > before {
            wrong.insert(document.source.path());
        }
    }
    for document in index.documents() {
        let is_read = document.is_whole && !wrong.contains(document.source.path());
        if document.layout == Layout::Page && is_read {
            both_ways(index, document, &wrong, findings);
        }
    }
}

fn files(index: &Index<'_>, document: &Document, id: &RuleId, findings: &mut Vec<Diagnostic>) {
    let Some(head) = &document.head else { return };
    if let Some(related) = head.root.get("related") {
        let items = related.items().iter();
        let ids = items.filter_map(|node| Some((head.written(node)?, head.place(node))));
        list(index, id, ids.collect(), findings);
    }
    let Some(by) = head.text("supersededBy") else {
        return;
    };
    match RuleId::new(by) {
        Some(other) if other == *id => findings.push(
            Diagnostic::error(
                Code::RelatedToItself,
                format!("`{id}` is superseded by itself"),
            )
            .at(head.place_of("supersededBy"))
            .help("name the rule that takes its place"),
        ),
        Some(other) => findings.extend(
            unknown(index, &other, "superseding").map(|f| f.at(head.place_of("supersededBy"))),
        ),
        None => findings.push(no_id(by).at(head.place_of("supersededBy"))),
    }
}

fn page(index: &Index<'_>, document: &Document, id: &RuleId, findings: &mut Vec<Diagnostic>) {
    let Some(markdown) = &document.markdown else {
        return;
    };
    for kind in [RelationKind::Names, RelationKind::ReferencedBy] {
        let relations = markdown.relations.iter().filter(|r| r.kind == kind);
        let ids = relations.map(|r| (r.id.as_str(), Place::new(&document.source, r.span.clone())));
        list(index, id, ids.collect(), findings);
    }
}

fn list(
    index: &Index<'_>,
    id: &RuleId,
    others: Vec<(&str, Place)>,
    findings: &mut Vec<Diagnostic>,
) {
    let mut seen: Vec<(RuleId, Place)> = Vec::new();
    for (text, place) in others {
        let Some(other) = RuleId::new(text) else {
            // In a rule file it was told when that was read.
            if place.source().path().ends_with(".md") {
                findings.push(no_id(text).at(place));
            }
            continue;
        };
        if other == *id {
            findings.push(
                Diagnostic::error(
                    Code::RelatedToItself,
                    format!("`{id}` is related to itself"),
                )
                .at(place)
                .help("take it out"),
            );
        } else if let Some((_, first)) = seen.iter().find(|(o, _)| *o == other) {
            findings.push(
                Diagnostic::error(Code::RelatedTwice, format!("`{other}` stands here twice"))
                    .at(place)
                    .see(first.clone(), "first here")
                    .help("take one of them out"),
            );
        } else {
            findings.extend(unknown(index, &other, "related").map(|f| f.at(place.clone())));
            seen.push((other, place));
        }
    }
}

fn no_id(text: &str) -> Diagnostic {
    Diagnostic::error(Code::BadId, format!("`{text}` is no rule id"))
        .help("an id is an upper-case word and parts set off by `-` or `.`: SG-16, R7.e/f")
}

fn unknown(index: &Index<'_>, other: &RuleId, how: &str) -> Option<Diagnostic> {
    (index.exists(other) == Some(false)).then(|| {
        let message = format!("the {how} rule `{other}` does not exist");
        // Without a registry it may be a part that is checked.
        match index.corpus.registries().is_empty() {
            true => Diagnostic::warning(Code::UnknownRelated, message)
                .note("no document has this id, and no registry was read"),
            false => Diagnostic::error(Code::UnknownRelated, message)
                .note("no document has this id, and no registry"),
        }
        .help("mend the id, or take it out")
        .suggest(other.as_str(), index.ids())
    })
}

/// That what one page says of another, that one says of it.
fn both_ways(
    index: &Index<'_>,
    document: &Document,
    wrong: &HashSet<&str>,
    findings: &mut Vec<Diagnostic>,
) {
    let (Some(id), Some(markdown)) = (document.id(), &document.markdown) else {
        return;
    };
    for relation in &markdown.relations {
        let other = index.document(&relation.id).filter(|other| {
            other.is_whole && other.layout == Layout::Page && !wrong.contains(other.source.path())
        });
        let Some((other, theirs)) = other.and_then(|o| Some((o, o.markdown.as_ref()?))) else {
            continue;
        };
        let (back, list, verb) = match relation.kind {
            RelationKind::Names => (RelationKind::ReferencedBy, "Referenced by", "names"),
            RelationKind::ReferencedBy => (RelationKind::Names, "Names", "is referenced by"),
        };
        let mut answers = theirs.relations.iter().filter(|r| r.kind == back);
        if answers.any(|r| r.id == id.as_str()) {
            continue;
        }
        findings.push(
            Diagnostic::error(
                Code::NotReferencedBack,
                format!(
                    "`{id}` {verb} `{}`, which does not list it under `{list}`",
                    relation.id
                ),
            )
            .at(Place::new(&document.source, relation.span.clone()))
            .see(Place::line_of(&other.source, heading(other)), "its page")
            .help(format!(
                "add `{id}` to `{list}` of `{}`, or take `{}` out here",
                relation.id, relation.id
            )),
        );
    }
}

fn heading(document: &Document) -> usize {
    let markdown = document.markdown.as_ref();
    let heading = markdown.and_then(|m| m.heading.as_ref());
    heading.map_or(0, |span| span.start)
}
