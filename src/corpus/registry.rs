//! The list of every id that a specification ever issued: `ID FAMILY [withdrawn]`, a line each.

use std::{collections::HashMap, sync::Arc};

use super::RuleId;
use crate::diagnostics::{Code, Diagnostic, Place, Source};

/// A list of ids. Ids are never used again, so it only grows.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    ids: Vec<Registered>,
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
        let mut registry = Self::default();
        let mut at = 0;
        for line in source.text().split_inclusive('\n') {
            let start = at;
            at += line.len();
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let words: Vec<&str> = line.split_whitespace().collect();
            let withdrawn = words.get(2) == Some(&"withdrawn");
            match (words.as_slice(), words.first().and_then(|id| RuleId::new(id))) {
                ([_, family] | [_, family, "withdrawn"], Some(id)) => {
                    registry.index.insert(id.clone(), registry.ids.len());
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

    /// How many ids have not been withdrawn.
    pub fn in_force(&self) -> usize {
        self.ids.iter().filter(|r| !r.withdrawn).count()
    }
}
