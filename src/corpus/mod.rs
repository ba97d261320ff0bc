//! Rule documents: what a specification says, as rules, clauses and examples.
//!
//! A [`Corpus`] is read from files, from folders, or from the documents that the library carries.
//! Nothing is run here. `load.rs` finds documents; `page.rs` reads a published page and `files.rs`
//! the source layout, with the help of `head.rs` (their members, over trees from `yaml.rs` that know
//! their places), `markdown.rs` (the text), `sentences.rs` (clauses), `info_string.rs` (the line that
//! opens a fence) and `json.rs` (the examples). `rule.rs` has what comes out, and `document.rs` what
//! was read for it; `registry.rs` reads the list of all ids ever issued; `embedded.rs` has the
//! documents of this library.

mod document;
mod embedded;
mod files;
mod head;
mod http;
mod info_string;
mod json;
mod load;
mod markdown;
mod page;
mod registry;
mod rule;
mod sentences;
pub(crate) mod yaml;

pub use http::http_message;
pub use json::{JsonError, JsonFault, parse_json};
pub use load::read_folder;
pub use registry::{Registered, Registry};
pub use rule::{Clause, Content, Example, Level, Posture, Profile, Related, Rule, RuleId};

pub(crate) use embedded::{embedded_cases, embedded_page, embedded_rules};
pub(crate) use json::index;
pub(crate) use load::{display, read_file};
#[cfg(feature = "check")]
pub(crate) use {
    document::{Document, Layout},
    head::Head,
    markdown::{Fence, RelationKind},
};

use std::{
    collections::{BTreeSet, HashMap},
    path::Path,
    sync::Arc,
};

use crate::diagnostics::{Code, Diagnostic, Source};

/// Every rule that was read, ordered by family and number, and the registries of ids.
///
/// # Examples
///
/// ```
/// use standing::corpus::Corpus;
///
/// let (corpus, faults) = Corpus::embedded();
/// assert!(faults.is_empty());
/// let rule = corpus.rule("SG-16").expect("the library carries it");
/// assert_eq!(rule.family, "RT-SG");
/// assert_eq!(rule.clauses.len(), 4);
/// assert_eq!(rule.examples[0].title.as_deref(), Some("Two tails re-entering one head"));
/// ```
#[derive(Debug, Default)]
pub struct Corpus {
    rules: Vec<Rule>,
    index: HashMap<RuleId, usize>,
    registries: Vec<Registry>,
    documents: Vec<document::Document>,
    orphans: Vec<document::Orphan>,
    schemas: Vec<Arc<Source>>,
}

impl Corpus {
    /// The documents that the library carries. The list of faults is empty unless the library
    /// itself is broken.
    pub fn embedded() -> (Self, Vec<Diagnostic>) {
        Self::from_sources(embedded_rules())
    }

    /// Reads documents from paths: a file is one document, a folder all that are in it.
    ///
    /// What cannot be read is a diagnostic; the rest is loaded all the same. The registry of the
    /// library is known too, so that a report can count what a folder leaves out.
    pub fn read<P: AsRef<Path>>(paths: &[P]) -> (Self, Vec<Diagnostic>) {
        let (mut sources, mut faults) = Self::sources(paths);
        let carried = embedded_rules()
            .into_iter()
            .filter(|s| load::is_registry(s.path()));
        let found = sources.iter().any(|s| load::is_registry(s.path()));
        if !found {
            sources.extend(carried);
        }
        let (corpus, more) = Self::from_sources(sources);
        faults.extend(more);
        (corpus, faults)
    }

    /// As [`read`](Self::read), with no registry but those at the paths.
    #[cfg(feature = "check")]
    pub(crate) fn read_alone<P: AsRef<Path>>(paths: &[P]) -> (Self, Vec<Diagnostic>) {
        let (sources, mut faults) = Self::sources(paths);
        let (corpus, more) = Self::from_sources(sources);
        faults.extend(more);
        (corpus, faults)
    }

    fn sources<P: AsRef<Path>>(paths: &[P]) -> (Vec<Arc<Source>>, Vec<Diagnostic>) {
        let mut sources = Vec::new();
        let mut faults = Vec::new();
        for path in paths {
            load::documents(path.as_ref(), &mut sources, &mut faults);
        }
        (sources, faults)
    }

    /// Reads documents that are at hand as text. What each is tells its name: `.yml` states a rule,
    /// `.mdx` explains one, `.lock` is a registry, `.json` a schema, and all others are pages.
    pub fn from_sources(sources: impl IntoIterator<Item = Arc<Source>>) -> (Self, Vec<Diagnostic>) {
        let mut corpus = Self::default();
        let mut faults = Vec::new();
        let mut files = Vec::new();
        let mut narratives = Vec::new();
        for source in sources {
            match load::Kind::of(source.path()) {
                load::Kind::Registry => {
                    corpus.registries.push(Registry::read(&source, &mut faults));
                }
                load::Kind::Schema => corpus.schemas.push(source),
                load::Kind::RuleFile => files.push(source),
                load::Kind::Narrative => narratives.push(source),
                load::Kind::Page => corpus.add(page::read(&source, &mut faults)),
            }
        }
        let mut by_key: HashMap<(&str, &str), &Arc<Source>> = narratives
            .iter()
            .map(|n| (files::pair_key(n.path()), n))
            .collect();
        for source in &files {
            let narrative = by_key.remove(&files::pair_key(source.path()));
            corpus.add(files::read(source, narrative, &mut faults));
        }
        for narrative in &narratives {
            if by_key.contains_key(&files::pair_key(narrative.path())) {
                let orphan = files::read_orphan(narrative, &mut faults);
                corpus.orphans.push(orphan);
            }
        }
        corpus.rules.sort_by(|a, b| {
            (a.family.as_str(), a.id.sort_key()).cmp(&(b.family.as_str(), b.id.sort_key()))
        });
        corpus.drop_duplicates(&mut faults);
        corpus.complete();
        (corpus, faults)
    }

    fn add(&mut self, (document, rule): (document::Document, Option<Rule>)) {
        self.documents.push(document);
        self.rules.extend(rule);
    }

    /// What the source layout does not write down: which rules name a rule, and the name of the
    /// specification. That is known where this library carries a rule of the same text.
    fn complete(&mut self) {
        if self
            .documents
            .iter()
            .all(|d| d.layout == document::Layout::Page)
        {
            return;
        }
        let mut naming: HashMap<RuleId, BTreeSet<&str>> = HashMap::new();
        for rule in &self.rules {
            for named in &rule.related.names {
                naming
                    .entry(named.clone())
                    .or_default()
                    .insert(rule.id.as_str());
            }
        }
        let naming: HashMap<RuleId, Vec<RuleId>> = naming
            .into_iter()
            .map(|(id, by)| (id, by.into_iter().filter_map(RuleId::new).collect()))
            .collect();
        let known = self.rules.iter().find_map(|rule| {
            let page = embedded_page(&rule.id)?;
            let is_same = page
                .text()
                .contains(&format!("\nrule_hash: {}\n", rule.hash));
            let same = page::read(&page, &mut Vec::new()).1.filter(|_| is_same)?;
            Some(same.specification)
        });
        let mut pages = self.rules.iter().map(|r| &r.specification);
        let specification = known
            .or_else(|| pages.find(|name| !name.is_empty()).cloned())
            .unwrap_or_else(|| "a specification without a name".to_owned());
        for rule in self.rules.iter_mut().filter(|r| r.specification.is_empty()) {
            rule.specification.clone_from(&specification);
            rule.related.referenced_by = naming.get(&rule.id).cloned().unwrap_or_default();
        }
    }

    /// The first document of an id counts; the others are faults.
    fn drop_duplicates(&mut self, faults: &mut Vec<Diagnostic>) {
        let mut kept: Vec<Rule> = Vec::with_capacity(self.rules.len());
        for rule in self.rules.drain(..) {
            match self.index.get(&rule.id) {
                Some(&first) => faults.push(
                    Diagnostic::error(
                        Code::DuplicateRule,
                        format!("`{}` has two documents", rule.id),
                    )
                    .at(rule.place_of_id())
                    .see(kept[first].place_of_id(), "the other one")
                    .help("give one of them an id of its own, or leave one of them out"),
                ),
                None => {
                    self.index.insert(rule.id.clone(), kept.len());
                    kept.push(rule);
                }
            }
        }
        self.rules = kept;
    }

    /// All rules, ordered by family and number.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rule with this id.
    pub fn rule(&self, id: &str) -> Option<&Rule> {
        self.index.get(id).map(|&i| &self.rules[i])
    }

    /// Where in [`rules`](Self::rules) the rule with this id is.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.index.get(id).copied()
    }

    /// The lists of all ids ever issued.
    pub fn registries(&self) -> &[Registry] {
        &self.registries
    }

    /// What was read, rule or not.
    #[cfg(feature = "check")]
    pub(crate) fn documents(&self) -> &[document::Document] {
        &self.documents
    }

    /// Narratives that belong to no rule file.
    #[cfg(feature = "check")]
    pub(crate) fn orphans(&self) -> &[document::Orphan] {
        &self.orphans
    }

    /// The published schemas of rule files.
    #[cfg(feature = "check")]
    pub(crate) fn schemas(&self) -> &[Arc<Source>] {
        &self.schemas
    }

    /// How many ids were ever issued in the specification of this name, and not withdrawn since:
    /// the size of the registry that one of its rules stands in. 0 where there is none.
    pub fn registered(&self, specification: &str) -> usize {
        self.registries
            .iter()
            .find(|registry| {
                self.rules
                    .iter()
                    .any(|r| r.specification == specification && registry.contains(r.id.as_str()))
            })
            .map_or(0, Registry::in_force)
    }
}
