//! Rules, clauses and examples.

use std::{borrow::Borrow, fmt, ops::Range, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::markdown::Body;
use crate::diagnostics::{Place, Source};

/// One numbered requirement of a specification.
#[derive(Clone, Debug)]
pub struct Rule {
    /// `SG-16`.
    pub id: RuleId,
    /// `RT-SG`.
    pub family: String,
    /// How much of the specification an engine covers that meets it.
    pub level: Level,
    /// Which kinds of implementation it addresses.
    pub profiles: Vec<Profile>,
    /// How binding it is.
    pub posture: Posture,
    /// One line.
    pub title: String,
    /// What the document says between its heading and the rule.
    pub summary: Option<String>,
    /// The sentences of its normative text, in order.
    pub clauses: Vec<Clause>,
    /// Identifies the normative text: see [`Rule::hash_of`]. A restated rule has the hash of the
    /// text that it restates.
    pub hash: String,
    /// The fenced blocks of its document, in order.
    pub examples: Vec<Example>,
    /// The rules that it names and that name it.
    pub related: Related,
    /// The specification that it is part of, with its version.
    pub specification: String,
    /// The version of the specification in which it appeared, as written.
    pub added: String,
    /// The version in which its text last changed, as written.
    pub changed: String,
    /// The document.
    pub source: Arc<Source>,
    /// The document that explains it, where that is another one.
    pub narrative: Option<Arc<Source>>,
    pub(crate) id_span: Range<usize>,
}

impl Rule {
    /// The first 12 hexadecimal digits of the SHA-256 of a normative text, trimmed and with every
    /// run of white space made one space.
    ///
    /// ```
    /// use standing::corpus::Rule;
    /// assert_eq!(Rule::hash_of("Once,\n  and once only. "), Rule::hash_of("Once, and once only."));
    /// assert_eq!(Rule::hash_of("").as_str(), "e3b0c44298fc");
    /// ```
    pub fn hash_of(normative: &str) -> String {
        let mut hasher = Sha256::new();
        for (i, word) in normative.split_whitespace().enumerate() {
            if i > 0 {
                hasher.update(b" ");
            }
            hasher.update(word.as_bytes());
        }
        hasher.finalize()[..6]
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect()
    }

    /// The clause of this number, counted from 1.
    pub fn clause(&self, number: usize) -> Option<&Clause> {
        self.clauses.get(number.checked_sub(1)?)
    }

    /// Whether it counts in a standing: a rule that is deprecated, withdrawn or descriptive is
    /// shown and counts nowhere.
    pub fn counts(&self) -> bool {
        self.posture.counts()
    }

    /// Where its document says its id.
    pub fn place_of_id(&self) -> Place {
        Place::new(&self.source, self.id_span.clone())
    }
}

/// One sentence of a rule's normative text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Counted from 1.
    pub number: usize,
    /// As its document writes it, Markdown and all, on one line.
    pub text: String,
}

/// One fenced block of a rule document.
#[derive(Clone, Debug)]
pub struct Example {
    /// Counted from 1 in its document.
    pub number: usize,
    /// The first word of the info string: `json`, `http`; may be empty.
    pub language: String,
    /// The `title` of the info string, unescaped.
    pub title: Option<String>,
    /// The `verdict` of the info string, unescaped.
    pub verdict: Option<String>,
    /// What the fence encloses, without the indentation or quote marks of what it stands in.
    pub body: String,
    /// What the body says.
    pub content: Content,
    /// The line of the opening fence, counted from 1.
    pub line: usize,
    /// The document that it stands in.
    pub source: Arc<Source>,
    pub(crate) fence: Range<usize>,
    pub(crate) places: Body,
}

/// What the body of an example says.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A `json` block: its value, members in the order of the text.
    Json(Value),
    /// Any other language; a body in it is read by whoever knows it.
    Text,
}

impl Example {
    /// The line that opens it.
    pub fn place(&self) -> Place {
        Place::new(&self.source, self.fence.clone())
    }

    /// The line of the document that a byte of the body stands on.
    pub(crate) fn line_in_body(&self, offset: usize) -> Place {
        let at = self.places.place(offset).unwrap_or(self.fence.start);
        Place::line_of(&self.source, at)
    }

    /// Its title, or its place in the document where it has none.
    pub fn name(&self) -> String {
        match &self.title {
            Some(title) => format!("\"{title}\""),
            None => format!("the example on line {}", self.line),
        }
    }
}

/// The rules that a document points to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Related {
    /// Rules that this one names.
    pub names: Vec<RuleId>,
    /// Rules that name this one.
    pub referenced_by: Vec<RuleId>,
}

/// The permanent id of a rule, `SG-16` or `R7.e/f`.
///
/// ```
/// use standing::corpus::RuleId;
/// assert_eq!(RuleId::new("R7.e/f").map(|id| id.slug()), Some("r7-e-f".into()));
/// assert_eq!(RuleId::new("sg-16"), None);
/// ```
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct RuleId(String);

impl RuleId {
    /// Checks the spelling: an upper-case word, then parts set off by `-` or `.`, then perhaps a
    /// `/` and a small letter.
    pub fn new(id: &str) -> Option<Self> {
        let (stem, arm) = match id.split_once('/') {
            Some((stem, arm)) => (stem, Some(arm)),
            None => (id, None),
        };
        let arm_fits =
            arm.is_none_or(|a| a.len() == 1 && a.bytes().all(|b| b.is_ascii_lowercase()));
        let mut parts = stem.split(['-', '.']);
        let head = parts.next().unwrap_or_default();
        let head_fits = head.starts_with(|c: char| c.is_ascii_uppercase())
            && head
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        let parts_fit =
            parts.all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_alphanumeric()));
        (arm_fits && head_fits && parts_fit).then(|| Self(id.to_owned()))
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// As it stands in the name of a file: lower case, `.` and `/` made `-`.
    pub fn slug(&self) -> String {
        self.0.to_ascii_lowercase().replace(['.', '/'], "-")
    }

    /// Orders `SG-2` before `SG-10`.
    pub(crate) fn sort_key(&self) -> Vec<(u64, &str)> {
        let mut key = Vec::new();
        let mut rest = self.0.as_str();
        while !rest.is_empty() {
            let text = rest
                .find(|c: char| c.is_ascii_digit())
                .unwrap_or(rest.len());
            let (word, tail) = rest.split_at(text);
            let digits = tail
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(tail.len());
            let (number, tail) = tail.split_at(digits);
            key.push((0, word));
            if !number.is_empty() {
                key.push((number.parse().unwrap_or(u64::MAX), number));
            }
            rest = tail;
        }
        key
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for RuleId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant),+
        }

        impl $name {
            /// All of them, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The words for them, in order.
            pub const WORDS: &[&str] = &[$($word),+];

            /// The word for it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            pub(crate) fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|x| x.as_str() == word)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

words! {
    /// How much of a specification an engine covers that meets the rule.
    Level {
        /// Every engine is expected to meet it.
        Core = "core",
        /// Engines that go beyond the core.
        Extended = "extended",
        /// Engines that choose to.
        Optional = "optional",
    }
}

words! {
    /// Which kind of implementation a rule addresses.
    Profile {
        /// What runs workflows.
        Runtime = "runtime",
        /// What stores and serves them.
        StorageApi = "storage-api",
        /// What people draw them in.
        EditorClient = "editor-client",
    }
}

words! {
    /// How binding a rule is.
    Posture {
        /// Engines are held to it.
        NormativeTarget = "normative-target",
        /// It says how things are.
        Descriptive = "descriptive",
        /// It is on its way out.
        Deprecated = "deprecated",
        /// It is no longer a rule.
        Withdrawn = "withdrawn",
    }
}

impl Posture {
    /// Whether rules of this posture count in a standing.
    pub fn counts(self) -> bool {
        self == Self::NormativeTarget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_spelled_as_the_specification_spells_them() {
        for good in [
            "SG-1",
            "RT-GATE-12",
            "R1",
            "R4.a",
            "R7.e/f",
            "META-10",
            "R9.1.b",
        ] {
            assert!(RuleId::new(good).is_some(), "{good}");
        }
        for bad in [
            "", "sg-1", "SG-", "-1", "SG--1", "SG 1", "R7./f", "R7.e/F", "R7.e/fg", "R7/e/f",
            "Ä-1", "1-A",
        ] {
            assert!(RuleId::new(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn ids_order_by_number() {
        let mut ids: Vec<RuleId> = ["SG-10", "R7.e/f", "SG-2", "R10", "R7.e", "SG-1"]
            .iter()
            .filter_map(|id| RuleId::new(id))
            .collect();
        ids.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        let ids: Vec<&str> = ids.iter().map(RuleId::as_str).collect();
        assert_eq!(ids, ["R7.e", "R7.e/f", "R10", "SG-1", "SG-2", "SG-10"]);
    }
}
