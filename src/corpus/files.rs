//! The source layout: `rules/<ID>.yml` states a rule, and `narrative/<ID>.mdx` explains it.

use std::sync::Arc;

use super::{
    Clause, Related, Rule, RuleId,
    document::{Document, Layout, Orphan},
    head::{self, Head},
    markdown::{self, Markdown},
    sentences::sentences,
    yaml::Kind,
};
use crate::diagnostics::{Code, Diagnostic, Source};

/// The keys that tell a rule file from other YAML.
const RULE_KEYS: &[&str] = &["id", "family", "level", "normative"];

/// Whether a `.yml` file found in a folder states a rule.
pub(super) fn is_rule_file(source: &Source) -> bool {
    let has = |key| head::has_key(source.text(), &[key]);
    let is_of_cases = has("cases") || has("rule");
    !is_of_cases && RULE_KEYS.iter().filter(|key| has(key)).count() > 1
}

/// What pairs a rule file with its narrative: the folder above theirs, and their names.
pub(super) fn pair_key(path: &str) -> (&str, &str) {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let above = match folder.rsplit_once('/') {
        Some((above, _)) => above,
        None if folder.is_empty() => "..",
        None => "",
    };
    (above, name.rsplit_once('.').map_or(name, |(stem, _)| stem))
}

/// Reads a rule's file and its narrative, if it has one. The specification is named by whoever
/// knows it, and the rules that name this one are filled in when all are read.
pub(super) fn read(
    source: &Arc<Source>,
    narrative: Option<&Arc<Source>>,
    faults: &mut Vec<Diagnostic>,
) -> (Document, Option<Rule>) {
    let mut document = Document::new(Layout::Files, source);
    let before = faults.len();
    let head = Head::of_rule_file(source, faults);
    let rule = head.as_ref().and_then(|head| state(head, faults));
    let prose = narrative.and_then(|source| explain(source, faults));
    document.is_whole = faults.len() == before;
    let rule = rule.filter(|_| document.is_whole).map(|mut rule| {
        if let Some((_, markdown)) = &prose {
            rule.examples = markdown.examples();
            rule.narrative = narrative.cloned();
        }
        rule
    });
    document.head = head;
    if let Some((head, markdown)) = prose {
        document.narrative = Some(head);
        document.markdown = Some(markdown);
    }
    (document, rule)
}

/// Reads a narrative that belongs to no rule file.
pub(super) fn read_orphan(source: &Arc<Source>, faults: &mut Vec<Diagnostic>) -> Orphan {
    Orphan {
        source: Arc::clone(source),
        head: explain(source, faults).map(|(head, _)| head),
    }
}

fn state(head: &Head, faults: &mut Vec<Diagnostic>) -> Option<Rule> {
    let facts = head.facts(faults);
    let title = head.needed("title", faults);
    let normative = head.needed("normative", faults);
    if normative.is_some_and(|text| text.trim().is_empty()) {
        faults.push(
            Diagnostic::error(Code::NoNormativeText, "the rule has no normative text")
                .at(head.place_of("normative"))
                .help("write what the rule requires, in whole sentences"),
        );
    }
    let names = related(head, faults);
    let (facts, normative) = (facts?, normative?);
    let clauses = sentences(normative).into_iter().enumerate();
    Some(Rule {
        hash: Rule::hash_of(normative),
        title: one_line(title?),
        summary: head.text("summary").map(one_line),
        id: facts.id,
        id_span: head.place_of("id").span(),
        family: facts.family,
        level: facts.level,
        profiles: facts.profiles,
        posture: facts.posture,
        added: facts.added,
        changed: facts.changed,
        specification: String::new(),
        clauses: clauses
            .map(|(i, text)| Clause {
                number: i + 1,
                text,
            })
            .collect(),
        examples: Vec::new(),
        related: Related {
            names,
            referenced_by: Vec::new(),
        },
        source: Arc::clone(&head.source),
        narrative: None,
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn related(head: &Head, faults: &mut Vec<Diagnostic>) -> Vec<RuleId> {
    let Some(node) = head.root.get("related") else {
        return Vec::new();
    };
    let Kind::List(items) = &node.kind else {
        faults.push(head.ill_typed("related", "a list of ids", node));
        return Vec::new();
    };
    let mut ids = Vec::new();
    for item in items {
        match head.written(item).and_then(RuleId::new) {
            Some(id) => ids.push(id),
            None => faults.push(
                Diagnostic::error(Code::BadId, "this is no rule id")
                    .at(head.place(item))
                    .help("`related` lists ids: SG-16, R7.e/f"),
            ),
        }
    }
    ids
}

fn explain(source: &Arc<Source>, faults: &mut Vec<Diagnostic>) -> Option<(Head, Markdown)> {
    let (yaml, end) = head::needed_front_matter(source, faults)?;
    let head = Head::of_page(source, yaml, faults);
    if let Some(head) = &head {
        for key in ["rule", "rule_hash"] {
            if head.text(key).is_none() {
                faults.push(
                    Diagnostic::error(
                        Code::FrontMatterShape,
                        format!("{} lacks `{key}`", head.what),
                    )
                    .at(head.place_of(key))
                    .help("a narrative has `rule:`, the id, and `rule_hash:`, the hash of the text that it explains"),
                );
            }
        }
    }
    let markdown = markdown::narrative(source, end, faults);
    Some((head?, markdown))
}
