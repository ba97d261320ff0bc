//! Names, titles, versions and families: what a document says of itself.

use super::index::{Index, prefix, stem};
use crate::{
    corpus::{Document, Head, Layout, RuleId},
    diagnostics::{Code, Diagnostic, Place, closest},
    report::count,
};

/// The members that the front matter of a page may have.
const PAGE_KEYS: &[&str] = &[
    "id",
    "family",
    "level",
    "profiles",
    "posture",
    "added",
    "changed",
    "source",
    "specification",
    "licence",
    "rule_hash",
];
/// The members that a rule file may have where no schema says it.
const FILE_KEYS: &[&str] = &[
    "id",
    "family",
    "part",
    "title",
    "summary",
    "normative",
    "posture",
    "level",
    "profiles",
    "added",
    "changed",
    "rulings",
    "related",
    "references",
    "supersededBy",
];
const NARRATIVE_KEYS: &[&str] = &["rule", "rule_hash"];

/// How many characters a title has, where no schema says it.
const TITLE: std::ops::RangeInclusive<usize> = 4..=90;

pub(super) fn check(index: &Index<'_>, findings: &mut Vec<Diagnostic>) {
    let has_schema = !index.corpus.schemas().is_empty();
    for document in index.documents() {
        if let Some(head) = &document.head {
            match document.layout {
                Layout::Page => keys(head, PAGE_KEYS, findings),
                Layout::Files if !has_schema => keys(head, FILE_KEYS, findings),
                Layout::Files => {}
            }
            versions(head, findings);
        }
        if let Some(head) = &document.narrative {
            keys(head, NARRATIVE_KEYS, findings);
        }
        if document.layout == Layout::Page || !has_schema {
            title(document, findings);
        }
        if let Some(id) = document.id() {
            file_name(document, &id, findings);
            family(index, document, &id, findings);
        }
    }
}

fn keys(head: &Head, known: &[&str], findings: &mut Vec<Diagnostic>) {
    for (key, _) in head.root.members() {
        if !known.contains(&key.name.as_str()) {
            let place = Place::new(&head.source, key.span.clone());
            findings.push(unknown_key(&key.name, known, place));
        }
    }
}

/// A key that nobody reads.
pub(super) fn unknown_key(key: &str, known: &[&str], place: Place) -> Diagnostic {
    let fault = Diagnostic::error(Code::UnknownKey, format!("there is no key `{key}`"))
        .at(place)
        .note(format!("the keys are {}", known.join(", ")));
    match closest(key, known.iter().copied()) {
        Some(_) => fault.suggest(key, known.iter().copied()),
        None => fault.help("take it out"),
    }
}

/// A version as two numbers; `None` where it is none.
fn version(text: &str) -> Option<(u64, u64)> {
    let (major, minor) = text.split_once('.')?;
    let is_number = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    match is_number(major) && is_number(minor) {
        true => Some((major.parse().ok()?, minor.parse().ok()?)),
        false => None,
    }
}

fn versions(head: &Head, findings: &mut Vec<Diagnostic>) {
    let mut read = |key| {
        let text = head.text(key)?;
        let version = version(text);
        if version.is_none() {
            findings.push(
                Diagnostic::error(Code::BadVersion, format!("`{text}` is no version"))
                    .at(head.place_of(key))
                    .help("a version is two numbers: \"1.0\""),
            );
        }
        version
    };
    if let (Some(added), Some(changed)) = (read("added"), read("changed"))
        && changed < added
    {
        findings.push(
            Diagnostic::error(
                Code::ChangedBeforeAdded,
                format!(
                    "the rule changed in {}.{}, before it was added in {}.{}",
                    changed.0, changed.1, added.0, added.1
                ),
            )
            .at(head.place_of("changed"))
            .see(head.place_of("added"), "added here")
            .help("`changed` is the version of the last change, or of the addition"),
        );
    }
}

fn title(document: &Document, findings: &mut Vec<Diagnostic>) {
    let found = match document.layout {
        Layout::Files => document.head.as_ref().and_then(|head| {
            let text = head.text("title")?;
            Some((text.trim().to_owned(), head.place_of("title")))
        }),
        Layout::Page => page_title(document),
    };
    if let Some((title, place)) = found {
        let length = title.chars().count();
        if !TITLE.contains(&length) {
            findings.push(title_bounds(length, *TITLE.start(), *TITLE.end()).at(place));
        }
    }
}

/// A title that is too short or too long.
pub(super) fn title_bounds(length: usize, least: usize, most: usize) -> Diagnostic {
    let (message, help) = match length < least {
        true => (
            format!(
                "the title has {}, and needs {least}",
                count(length, "character")
            ),
            "say what the rule requires".to_owned(),
        ),
        false => (
            format!(
                "the title has {}, and may have {most}",
                count(length, "character")
            ),
            "shorten it; `summary` and the text have room for more".to_owned(),
        ),
    };
    Diagnostic::error(Code::TitleBounds, message).help(help)
}

fn page_title(document: &Document) -> Option<(String, Place)> {
    let markdown = document.markdown.as_ref()?;
    let span = markdown.heading.clone()?;
    let text = &document.source.text()[span.clone()];
    let rest = text.strip_prefix(document.id()?.as_str())?.trim_start();
    let rest = rest.strip_prefix(['—', '–', '-', ':'])?.trim_start();
    let start = span.end - rest.len();
    let place = match rest.is_empty() {
        true => span,
        false => start..span.end,
    };
    Some((rest.trim().to_owned(), Place::new(&document.source, place)))
}

/// Whether a document has the name that goes with its id.
pub(super) fn is_named_for(document: &Document, id: &RuleId) -> bool {
    let stem = stem(document.source.path());
    match document.layout {
        Layout::Page => stem == id.slug(),
        Layout::Files => stem == id.as_str().replace('/', "-"),
    }
}

fn file_name(document: &Document, id: &RuleId, findings: &mut Vec<Diagnostic>) {
    let place = document.head.as_ref().map(|head| head.place_of("id"));
    if !is_named_for(document, id) {
        let (name, ending) = match document.layout {
            Layout::Page => (id.slug(), "md"),
            Layout::Files => (id.as_str().replace('/', "-"), "yml"),
        };
        let file = document
            .source
            .path()
            .rsplit('/')
            .next()
            .unwrap_or_default();
        findings.push(
            Diagnostic::error(
                Code::FileName,
                format!("`{id}` stands in a file named `{file}`"),
            )
            .at(place)
            .note("a rule's number finds everything about it by name")
            .help(format!("name the file `{name}.{ending}`, or mend the id")),
        );
    }
    if let Some(head) = &document.narrative
        && let Some(said) = head.text("rule")
        && said != id.as_str()
        && is_named_for(document, id)
    {
        findings.push(
            Diagnostic::error(
                Code::FileName,
                format!("the narrative of `{id}` says that it explains `{said}`"),
            )
            .at(head.place_of("rule"))
            .help(format!("write `rule: {id}`, or name the file for `{said}`")),
        );
    }
}

/// The folder of a page is its family's; and where no registry says it, the family of an id ends
/// with what the id starts with.
fn family(index: &Index<'_>, document: &Document, id: &RuleId, findings: &mut Vec<Diagnostic>) {
    let Some(head) = &document.head else { return };
    let Some(family) = head.text("family") else {
        return;
    };
    let mut registries = index.corpus.registries().iter();
    let registered = registries.find_map(|r| r.get(id.as_str()));
    // A family that is not the registered one is told as that.
    if registered.is_some_and(|r| r.family != family) {
        return;
    }
    let slug = family.to_ascii_lowercase();
    let folder = document
        .source
        .path()
        .rsplit('/')
        .nth(1)
        .unwrap_or_default();
    let is_family_like = folder.contains('-') && folder == folder.to_ascii_lowercase();
    if document.layout == Layout::Page && is_family_like && folder != slug {
        findings.push(
            Diagnostic::error(
                Code::FamilyOfId,
                format!("the family is `{family}`, and the folder is `{folder}`"),
            )
            .at(head.place_of("family"))
            .help(format!("move the page to `{slug}/`, or mend the family")),
        );
        return;
    }
    if document.layout == Layout::Page && folder == slug {
        return;
    }
    let prefix = prefix(id.as_str());
    let fits = family == prefix || family.ends_with(&format!("-{prefix}"));
    if registered.is_none() && !prefix.is_empty() && !fits {
        findings.push(
            Diagnostic::error(
                Code::FamilyOfId,
                format!("`{id}` is no id of the family `{family}`"),
            )
            .at(head.place_of("family"))
            .note(format!(
                "ids of a family start with its last word, this one with `{prefix}`"
            ))
            .help("mend the family or the id"),
        );
    }
}
