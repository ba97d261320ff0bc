//! What the groups of findings look things up in: built once.

use std::collections::{HashMap, HashSet};

use crate::corpus::{Corpus, Document, RuleId};

/// The documents by id, and what the registries say.
pub(super) struct Index<'a> {
    pub(super) corpus: &'a Corpus,
    by_id: HashMap<RuleId, &'a Document>,
    /// What the names of the documents say that they are: lower case, as in [`RuleId::slug`].
    slugs: HashSet<String>,
    /// The first words of the ids that were read: `SG`.
    prefixes: HashSet<String>,
    is_lone: bool,
}

impl<'a> Index<'a> {
    pub(super) fn new(corpus: &'a Corpus, is_lone: bool) -> Self {
        let mut by_id = HashMap::new();
        let mut slugs = HashSet::new();
        for document in corpus.documents() {
            slugs.insert(
                stem(document.source.path())
                    .to_ascii_lowercase()
                    .replace('.', "-"),
            );
            if let Some(id) = document.id() {
                by_id.entry(id).or_insert(document);
            }
        }
        let prefixes = by_id
            .keys()
            .map(|id: &RuleId| prefix(id.as_str()).to_owned());
        Self {
            corpus,
            prefixes: prefixes.collect(),
            by_id,
            slugs,
            is_lone,
        }
    }

    pub(super) fn documents(&self) -> impl Iterator<Item = &'a Document> {
        self.corpus.documents().iter()
    }

    pub(super) fn document(&self, id: &str) -> Option<&'a Document> {
        self.by_id.get(id).copied()
    }

    /// Whether a document has this id, or at least the name that goes with it.
    pub(super) fn has_document(&self, id: &RuleId) -> bool {
        self.by_id.contains_key(id) || self.slugs.contains(&id.slug())
    }

    /// Whether an id was issued; `None` where that cannot be known: there is no registry, and no
    /// rule of its kind was read.
    pub(super) fn exists(&self, id: &RuleId) -> Option<bool> {
        let mut registries = self.corpus.registries().iter();
        if self.has_document(id) || registries.any(|r| r.contains(id.as_str())) {
            return Some(true);
        }
        let knows_all = !self.corpus.registries().is_empty();
        let knows_kind = !self.is_lone && self.prefixes.contains(prefix(id.as_str()));
        (knows_all || knows_kind).then_some(false)
    }

    /// Every id that is known.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        let registered = self.corpus.registries().iter().flat_map(|r| r.ids());
        let registered = registered.map(|r| r.id.as_str());
        self.by_id.keys().map(RuleId::as_str).chain(registered)
    }
}

/// The name of a file, without its ending.
pub(super) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// What an id starts with, up to its last part: `SG` of `SG-16`, `RT-GATE` of `RT-GATE-1`.
pub(super) fn prefix(id: &str) -> &str {
    let id = id.split_once('/').map_or(id, |(stem, _)| stem);
    id.rsplit_once('-').map_or("", |(prefix, _)| prefix)
}
