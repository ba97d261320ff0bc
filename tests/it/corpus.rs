//! Rule documents: the specification's own pages where a checkout of it stands beside the project,
//! and the documents that this project carries.
//!
//! What the corpus says is held against what can be seen without it: lines that open a fence,
//! texts of the specification's source, hashes that its narratives name.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use standing::corpus::{Content, Corpus, Rule};

use crate::support::files;

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn shared(path: &str) -> PathBuf {
    package().join("../shared").join(path)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every rule under a folder; none may have a fault.
fn corpus(folder: &Path) -> Corpus {
    let (corpus, faults) = Corpus::read(&[folder]);
    assert!(faults.is_empty(), "{faults:#?}");
    corpus
}

/// Documents of a folder, by the name that the corpus gives them.
fn documents(folder: &Path) -> BTreeMap<String, String> {
    files(folder)
        .into_iter()
        .filter(|f| f.extension().is_some_and(|e| e == "md"))
        .filter(|f| f.file_name().is_some_and(|n| n != "README.md"))
        .map(|f| (f.to_string_lossy().into_owned(), read(&f)))
        .collect()
}

/// A fence as a reader sees it who knows nothing of Markdown but lines that start with ```.
#[derive(Debug, PartialEq)]
struct Fence {
    line: usize,
    language: String,
    title: Option<String>,
    verdict: Option<String>,
    body: String,
}

fn fences(text: &str) -> Vec<Fence> {
    let quoted = |line: &str, key: &str| {
        let (_, rest) = line.split_once(&format!(" {key}=\""))?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    let mut found: Vec<Fence> = Vec::new();
    let mut open = false;
    for (i, line) in text.lines().enumerate() {
        match line.strip_prefix("```") {
            Some("") if open => open = false,
            Some(info) if !open => {
                open = true;
                found.push(Fence {
                    line: i + 1,
                    language: info.split(' ').next().unwrap_or_default().to_owned(),
                    title: quoted(line, "title"),
                    verdict: quoted(line, "verdict"),
                    body: String::new(),
                });
            }
            _ => {
                if let Some(fence) = found.last_mut().filter(|_| open) {
                    fence.body.push_str(line);
                    fence.body.push('\n');
                }
            }
        }
    }
    assert!(!open, "a fence that nothing closes");
    found
}

fn fences_of(rule: &Rule) -> Vec<Fence> {
    let examples = rule.examples.iter();
    examples
        .map(|e| Fence {
            line: e.line,
            language: e.language.clone(),
            title: e.title.clone(),
            verdict: e.verdict.clone(),
            body: e.body.clone(),
        })
        .collect()
}

/// That the corpus has just the fences of each document, in order; how many there are.
fn compare_fences(folder: &Path) -> usize {
    let corpus = corpus(folder);
    let documents = documents(folder);
    assert_eq!(corpus.rules().len(), documents.len());
    let rules = corpus.rules().iter();
    rules
        .map(|rule| {
            let expected = fences(&documents[rule.source.path()]);
            assert_eq!(fences_of(rule), expected, "{}", rule.id);
            expected.len()
        })
        .sum()
}

/// JSON without the white space between its tokens.
fn squeezed(text: &str) -> String {
    let mut out = String::new();
    let mut in_string = false;
    let mut escaped = false;
    for c in text.chars() {
        if in_string || !c.is_whitespace() {
            out.push(c);
        }
        match (in_string, escaped, c) {
            (true, false, '\\') => escaped = true,
            (_, false, '"') => in_string = !in_string,
            _ => escaped = false,
        }
    }
    out
}

/// That the value of every JSON example, written again, is its text: no member has moved, and no
/// number has changed. How many there are.
fn compare_values(folder: &Path) -> usize {
    let corpus = corpus(folder);
    let examples = corpus.rules().iter().flat_map(|r| &r.examples);
    let json = examples.filter_map(|e| match &e.content {
        Content::Json(value) => Some((value, e)),
        Content::Text => None,
    });
    json.map(|(value, e)| assert_eq!(value.to_string(), squeezed(&e.body), "{}", e.name()))
        .count()
}

/// One rule as the specification's own repository keeps it.
fn source(rule: &Rule) -> Value {
    let name = rule.id.as_str().replace('/', "-");
    let text = read(&shared("flowdrop-spec/rules").join(format!("{name}.yml")));
    serde_yaml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
#[cfg_attr(
    not(specification_checkout),
    ignore = "no checkout of the specification beside the project"
)]
fn every_page_is_read_with_every_fence_in_it() {
    let pages = shared("pages");
    assert_eq!(documents(&pages).len(), 192);
    assert_eq!(compare_fences(&pages), 248);
}

#[test]
fn every_document_of_the_project_is_read_with_every_fence_in_it() {
    assert!(compare_fences(&package().join("rules")) > 0);
}

#[test]
#[cfg_attr(
    not(specification_checkout),
    ignore = "no checkout of the specification beside the project"
)]
fn json_examples_of_the_pages_are_kept_to_the_letter() {
    // 209 blocks are JSON, the others HTTP.
    assert_eq!(compare_values(&shared("pages")), 209);
}

#[test]
fn json_examples_of_the_project_are_kept_to_the_letter() {
    assert!(compare_values(&package().join("rules")) > 0);
}

#[test]
fn what_is_squeezed_keeps_the_white_space_of_strings() {
    let text = "{\"b c\": [1,\n 2], \"a\": \"x \\\" y\\\\\" , \"d\" : null}";
    let expected = "{\"b c\":[1,2],\"a\":\"x \\\" y\\\\\",\"d\":null}";
    assert_eq!(squeezed(text), expected);
}

#[test]
#[cfg_attr(
    not(specification_checkout),
    ignore = "no checkout of the specification beside the project"
)]
fn pages_say_what_the_source_says() {
    for rule in corpus(&shared("pages")).rules() {
        let source = source(rule);
        let text = |member: &str| one_line(source[member].as_str().unwrap_or_default());
        assert_eq!(rule.id.as_str(), text("id"));
        let clauses: Vec<&str> = rule.clauses.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(clauses.join(" "), text("normative"), "{}", rule.id);
        assert_eq!(rule.title, text("title"), "{}", rule.id);
        assert_eq!(rule.family, text("family"), "{}", rule.id);
        assert_eq!(rule.level.as_str(), text("level"), "{}", rule.id);
        assert_eq!(rule.posture.as_str(), text("posture"), "{}", rule.id);
        assert_eq!(rule.added, text("added"), "{}", rule.id);
        assert_eq!(rule.changed, text("changed"), "{}", rule.id);
        let profiles = serde_json::to_value(&rule.profiles).expect("words");
        assert_eq!(profiles, source["profiles"], "{}", rule.id);
    }
}

/// The hash that a rule's narrative names. The line is read as it is written: some hashes are all
/// digits.
fn narrated_hash(path: &Path) -> (String, String) {
    let text = read(path);
    let line = |key: &str| {
        let mut values = text.lines().filter_map(|l| l.strip_prefix(key));
        values
            .next()
            .unwrap_or_default()
            .trim()
            .trim_matches('"')
            .to_owned()
    };
    (line("rule:"), line("rule_hash:"))
}

#[test]
#[cfg_attr(
    not(specification_checkout),
    ignore = "no checkout of the specification beside the project"
)]
fn hashes_are_those_that_the_narratives_name() {
    let pages = corpus(&shared("pages"));
    let narratives = files(&shared("flowdrop-spec/narrative"));
    assert_eq!(narratives.len(), 117);
    for narrative in narratives {
        let (id, hash) = narrated_hash(&narrative);
        let rule = pages
            .rule(&id)
            .unwrap_or_else(|| panic!("no page of `{id}`"));
        assert_eq!(hash.len(), 12, "{id}");
        assert_eq!(rule.hash, hash, "{id}");
    }
}

#[test]
#[cfg_attr(
    not(specification_checkout),
    ignore = "no checkout of the specification beside the project"
)]
fn a_restated_rule_has_the_hash_and_the_clauses_and_the_examples_of_its_page() {
    let pages = corpus(&shared("pages"));
    let (carried, faults) = Corpus::embedded();
    assert!(faults.is_empty(), "{faults:#?}");
    let mut restated = 0;
    for rule in carried.rules() {
        let Some(page) = pages.rule(rule.id.as_str()) else {
            continue;
        };
        restated += 1;
        assert_eq!(rule.hash, page.hash, "{}", rule.id);
        assert_eq!(rule.clauses.len(), page.clauses.len(), "{}", rule.id);
        assert_eq!(rule.title, page.title, "{}", rule.id);
        let data = |rule: &Rule| {
            let mut fences = fences_of(rule);
            fences.iter_mut().for_each(|f| f.line = 0);
            fences
        };
        assert_eq!(data(rule), data(page), "{}", rule.id);
    }
    assert!(restated > 0);
}

#[test]
#[cfg_attr(
    not(specification_checkout),
    ignore = "no checkout of the specification beside the project"
)]
fn both_layouts_give_the_same_rules() {
    let pages = corpus(&shared("pages"));
    for root in ["flowdrop-spec", "flowdrop-spec/rules"] {
        let source = corpus(&shared(root));
        assert_eq!(source.rules().len(), 192);
        let ids = |corpus: &Corpus| {
            corpus
                .rules()
                .iter()
                .map(|r| r.id.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(ids(&source), ids(&pages));
        let mut examples = 0;
        for (rule, page) in source.rules().iter().zip(pages.rules()) {
            let id = &rule.id;
            assert_eq!(rule.clauses, page.clauses, "{id}");
            assert_eq!(rule.hash, page.hash, "{id}");
            assert_eq!(rule.title, page.title, "{id}");
            assert_eq!(rule.summary, page.summary, "{id}");
            assert_eq!(rule.family, page.family, "{id}");
            assert_eq!(
                (rule.level, &rule.profiles, rule.posture),
                (page.level, &page.profiles, page.posture),
                "{id}"
            );
            assert_eq!(
                (&rule.added, &rule.changed),
                (&page.added, &page.changed),
                "{id}"
            );
            assert_eq!(rule.related.names, page.related.names, "{id}");
            assert_eq!(rule.specification, page.specification, "{id}");
            for by in &rule.related.referenced_by {
                assert!(page.related.referenced_by.contains(by), "{id} by {by}");
            }
            let data = |rule: &Rule| {
                let mut fences = fences_of(rule);
                fences.iter_mut().for_each(|f| f.line = 0);
                fences
            };
            assert_eq!(data(rule), data(page), "{id}");
            let values = |rule: &Rule| -> Vec<Content> {
                rule.examples.iter().map(|e| e.content.clone()).collect()
            };
            assert_eq!(values(rule), values(page), "{id}");
            examples += rule.examples.len();
        }
        assert_eq!(examples, 248);
        assert_eq!(source.registered(&pages.rules()[0].specification), 399);
    }
}

#[test]
#[cfg_attr(
    not(specification_checkout),
    ignore = "no checkout of the specification beside the project"
)]
fn one_file_of_a_checkout_brings_its_narrative() {
    let (rule, faults) = Corpus::read(&[shared("flowdrop-spec/rules/SG-16.yml")]);
    assert!(faults.is_empty(), "{faults:?}");
    let rule = rule.rule("SG-16").expect("it is read");
    assert_eq!(rule.examples.len(), 4);
    assert_eq!(rule.examples[0].line, 33);
}
