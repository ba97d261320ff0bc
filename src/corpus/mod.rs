//! Rule documents: what a specification says, as rules, clauses and examples.
//!
//! A [`Corpus`] is read from files, from folders, or from the documents that the library carries.
//! Nothing is run here. `load.rs` finds documents; `page.rs` reads a published page with the help
//! of `front_matter.rs` (its head), `info_string.rs` (the line that opens a fence) and `json.rs`
//! (the examples); `rule.rs` has what comes out; `registry.rs` reads the list of all ids ever
//! issued; `embedded.rs` has the documents of this library.

mod embedded;
mod front_matter;
mod http;
mod info_string;
mod json;
mod load;
mod page;
mod registry;
mod rule;

pub use http::http_message;
pub use json::{JsonError, parse_json};
pub use load::read_folder;
pub use registry::{Registered, Registry};
pub use rule::{Clause, Content, Example, Level, Posture, Profile, Related, Rule, RuleId};

pub(crate) use embedded::{embedded_cases, embedded_rules};
pub(crate) use load::{display, read_file};

use std::{collections::HashMap, path::Path, sync::Arc};

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
        let mut sources = Vec::new();
        let mut faults = Vec::new();
        for path in paths {
            load::documents(path.as_ref(), &mut sources, &mut faults);
        }
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

    /// Reads documents that are at hand as text.
    pub fn from_sources(sources: impl IntoIterator<Item = Arc<Source>>) -> (Self, Vec<Diagnostic>) {
        let mut corpus = Self::default();
        let mut faults = Vec::new();
        for source in sources {
            if load::is_registry(source.path()) {
                corpus.registries.push(Registry::read(&source, &mut faults));
            } else if let Some(rule) = page::read(&source, &mut faults) {
                corpus.rules.push(rule);
            }
        }
        corpus.rules.sort_by(|a, b| {
            (a.family.as_str(), a.id.sort_key()).cmp(&(b.family.as_str(), b.id.sort_key()))
        });
        corpus.drop_duplicates(&mut faults);
        (corpus, faults)
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
