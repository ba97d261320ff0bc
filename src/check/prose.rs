//! Narratives against the rules that they explain.

use super::{
    index::{Index, stem},
    members,
};
use crate::{
    corpus::{Document, Head, Rule},
    diagnostics::{Code, Diagnostic, Place},
};

pub(super) fn check(index: &Index<'_>, findings: &mut Vec<Diagnostic>) {
    for document in index.documents() {
        if let (Some(head), Some(narrative)) = (&document.head, &document.narrative) {
            hash(document, head, narrative, findings);
        }
    }
    for orphan in index.corpus.orphans() {
        let head = orphan.head.as_ref();
        let said = head.and_then(|head| head.text("rule"));
        let place = head.map_or_else(
            || Place::line_of(&orphan.source, 0),
            |head| head.place_of("rule"),
        );
        match said.and_then(|said| index.document(said)) {
            // The rule's own file has the wrong name, and that is told there.
            Some(rule) if !rule.id().is_some_and(|id| members::is_named_for(rule, &id)) => {}
            Some(rule) => {
                let id = said.unwrap_or_default();
                let name = stem(&orphan.source.path().replace('\\', "/")).to_owned();
                findings.push(
                    Diagnostic::error(
                        Code::FileName,
                        format!("the narrative of `{id}` stands in a file named `{name}.mdx`"),
                    )
                    .at(place)
                    .see(Place::line_of(&rule.source, 0), "the rule")
                    .help(format!("name the file `{}.mdx`", id.replace('/', "-"))),
                );
            }
            None => findings.push(
                Diagnostic::error(
                    Code::ProseWithoutRule,
                    match said {
                        Some(id) => format!("this explains `{id}`, and there is no such rule"),
                        None => "this explains no rule".to_owned(),
                    },
                )
                .at(place)
                .help("bring the rule's file back, or take the narrative out"),
            ),
        }
    }
}

fn hash(document: &Document, head: &Head, narrative: &Head, findings: &mut Vec<Diagnostic>) {
    let (Some(normative), Some(said)) = (head.text("normative"), narrative.text("rule_hash"))
    else {
        return;
    };
    let hash = Rule::hash_of(normative);
    if said == hash {
        return;
    }
    let id = document.id();
    let id = id.as_ref().map_or("the rule", |id| id.as_str());
    let place = narrative.place_of("rule_hash");
    let is_quoted = place.source().text()[place.span()].starts_with(['"', '\'']);
    let written = match is_quoted {
        true => format!("\"{hash}\""),
        false => hash.clone(),
    };
    findings.push(
        Diagnostic::error(
            Code::StaleProse,
            format!("the prose explains another text of {id}"),
        )
        .at(place.clone())
        .label(format!("the rule's text has the hash {hash}"))
        .see(head.place_of("normative"), "this text")
        .note("a reader would take the explanation for that of the present text")
        .help(format!(
            "read the prose against the rule, then write `rule_hash: {hash}`"
        ))
        .fix(place, written),
    );
}
