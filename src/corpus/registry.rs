//! The list of every id that a specification ever issued: `ID FAMILY [withdrawn]`, a line each.

use std::{collections::HashMap, ops::Range, sync::Arc};

use super::RuleId;
use crate::diagnostics::{Code, Diagnostic, Place, Source};

/// A list of ids. Ids are never used again, so it only grows.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    ids: Vec<Registered>,
    /// Where each stands: the whole line.
    spans: Vec<Range<usize>>,
    source: Option<Arc<Source>>,
    index: HashMap<RuleId, usize>,
}

/// One id that was issued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// `SG-16`.
    pub id: RuleId,
    /// `RT-SG`.
    pub family: String,
    /// Whether the rule was taken back.
    pub withdrawn: bool,
}

impl Registry {
    /// Reads a registry; a line that cannot be read is a fault, and the rest is read all the same.
    pub fn read(source: &Arc<Source>, faults: &mut Vec<Diagnostic>) -> Self {
        let mut registry = Self {
            source: Some(Arc::clone(source)),
            ..Self::default()
        };
        let mut at = 0;
        for line in source.text().split_inclusive('\n') {
            let start = at;
            at += line.len();
            let whole = line.trim_end();
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            let withdrawn = words.get(2) == Some(&"withdrawn");
            match (words.as_slice(), words.first().and_then(|id| RuleId::new(id))) {
                ([_, family] | [_, family, "withdrawn"], Some(id)) => {
                    let at = registry.ids.len();
                    registry.index.entry(id.clone()).or_insert(at);
                    registry.spans.push(start..start + whole.len());
                    registry.ids.push(Registered {
                        id,
                        family: (*family).to_owned(),
                        withdrawn,
                    });
                }
                _ => faults.push(
                    Diagnostic::error(Code::RegistryLine, "this line of the registry cannot be read")
                        .at(Place::line_of(source, start))
                        .help("a line is an id and its family: `SG-16 RT-SG`, perhaps with `withdrawn` behind"),
                ),
            }
        }
        registry
    }

    /// All ids, in the order of the list.
    pub fn ids(&self) -> &[Registered] {
        &self.ids
    }

    /// Whether this id was ever issued.
    pub fn contains(&self, id: &str) -> bool {
        self.index.contains_key(id)
    }

    /// What it says of an id, first.
    pub fn get(&self, id: &str) -> Option<&Registered> {
        self.index.get(id).map(|&i| &self.ids[i])
    }

    /// The document that it was read from.
    #[cfg(feature = "check")]
    pub(crate) fn source(&self) -> Option<&Arc<Source>> {
        self.source.as_ref()
    }

    /// Where the id at this place of the list stands.
    #[cfg(feature = "check")]
    pub(crate) fn place(&self, at: usize) -> Option<Place> {
        let source = self.source.as_ref()?;
        Some(Place::line_of(source, self.spans.get(at)?.start))
    }

    /// Where in the list an id stands first.
    #[cfg(feature = "check")]
    pub(crate) fn position(&self, id: &str) -> Option<usize> {
        self.index.get(id).copied()
    }

    /// How many ids have not been withdrawn.
    pub fn in_force(&self) -> usize {
        self.ids.iter().filter(|r| !r.withdrawn).count()
    }
}
