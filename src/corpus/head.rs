//! The head of a document: the YAML between two lines of `---`, or a whole `.yml` file.

use std::{ops::Range, sync::Arc};

use serde_json::Value;

use super::{
    Level, Posture, Profile, RuleId,
    yaml::{self, Kind, Manner, Node},
};
use crate::diagnostics::{Code, Diagnostic, Place, Source};

/// How the head of a Markdown document is read.
const FRONT_MATTER: Manner = Manner {
    what: "the front matter",
    starts: "it has a line for each member: `id: SG-16`",
    not_yaml: Code::FrontMatterNotYaml,
    beyond: Code::FrontMatterShape,
    twice: Code::FrontMatterShape,
    empty: Code::FrontMatterShape,
};

/// How a rule's own file is read.
const RULE_FILE: Manner = Manner {
    what: "the rule file",
    starts: "it has a line for each member: `id: SG-16`",
    ..FRONT_MATTER
};

/// The members that every rule has, in every layout.
const EVERY: &[&str] = &[
    "id", "family", "level", "profiles", "posture", "added", "changed",
];

/// What a head says of a rule, checked.
pub(super) struct Facts {
    pub(super) id: RuleId,
    pub(super) family: String,
    pub(super) level: Level,
    pub(super) profiles: Vec<Profile>,
    pub(super) posture: Posture,
    pub(super) added: String,
    pub(super) changed: String,
}

/// The members of a head, with their places.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) source: Arc<Source>,
    pub(crate) root: Node,
    /// What it is called in messages: `the front matter`.
    pub(crate) what: &'static str,
}

/// Where front matter stands in a document: its YAML, and where the rest starts. `Ok(None)`: there
/// is none.
pub(super) fn front_matter(
    source: &Arc<Source>,
) -> Result<Option<(Range<usize>, usize)>, Box<Diagnostic>> {
    let mut lines = source.text().split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else {
        return Ok(None);
    };
    let mut end = first.len();
    for line in lines {
        if matches!(line.trim_end(), "---" | "...") {
            return Ok(Some((first.len()..end, end + line.len())));
        }
        end += line.len();
    }
    Err(Box::new(
        Diagnostic::error(Code::NoFrontMatter, "the front matter does not end")
            .at(Place::line_of(source, 0))
            .help("close it with a line that is `---`"),
    ))
}

/// Finds the front matter of a document that has to have some; faults are added to `faults`.
pub(super) fn needed_front_matter(
    source: &Arc<Source>,
    faults: &mut Vec<Diagnostic>,
) -> Option<(Range<usize>, usize)> {
    match front_matter(source) {
        Ok(Some(found)) => return Some(found),
        Ok(None) => faults.push(
            Diagnostic::error(Code::NoFrontMatter, "the document has no front matter")
                .at(Place::line_of(source, 0))
                .help("a rule document starts with a line that is `---`"),
        ),
        Err(fault) => faults.push(*fault),
    }
    None
}

/// Whether a text has one of these keys at the start of a line, in quotes or not. It need not be
/// YAML: what is broken is still about a rule.
pub(super) fn has_key(yaml: &str, keys: &[&str]) -> bool {
    yaml.lines().any(|line| {
        let line = line.strip_prefix(['"', '\'']).unwrap_or(line);
        keys.iter().any(|key| {
            line.strip_prefix(key).is_some_and(|rest| {
                let rest = rest.strip_prefix(['"', '\'']).unwrap_or(rest);
                rest.trim_start().starts_with(':')
            })
        })
    })
}

impl Head {
    /// Reads front matter.
    pub(super) fn of_page(
        source: &Arc<Source>,
        yaml: Range<usize>,
        faults: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        Self::read(source, yaml, &FRONT_MATTER, faults)
    }

    /// Reads a rule's own file.
    pub(super) fn of_rule_file(source: &Arc<Source>, faults: &mut Vec<Diagnostic>) -> Option<Self> {
        Self::read(source, 0..source.text().len(), &RULE_FILE, faults)
    }

    fn read(
        source: &Arc<Source>,
        yaml: Range<usize>,
        manner: &Manner,
        faults: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let root = match yaml::read_part(source, yaml, manner) {
            Ok(root) => root,
            Err(fault) => {
                faults.push(*fault);
                return None;
            }
        };
        let head = Self {
            source: Arc::clone(source),
            root,
            what: manner.what,
        };
        if !matches!(head.root.kind, Kind::Map(_)) {
            let message = format!("{} is {}", manner.what, head.root.describe());
            faults.push(
                Diagnostic::error(Code::FrontMatterShape, message)
                    .at(Place::line_of(source, head.root.span.start))
                    .help(manner.starts),
            );
            return None;
        }
        Some(head)
    }

    /// A text as it is written: YAML would read the version `1.0` as a number, and some hashes.
    pub(crate) fn written<'n>(&'n self, node: &'n Node) -> Option<&'n str> {
        match &node.kind {
            Kind::Scalar(Value::String(text)) => Some(text),
            Kind::Scalar(Value::Null) | Kind::List(_) | Kind::Map(_) => None,
            Kind::Scalar(_) => Some(self.source.text()[node.span.clone()].trim()),
        }
    }

    /// A member that is a text.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.root.get(key).and_then(|node| self.written(node))
    }

    /// Where a piece of it stands.
    pub(crate) fn place(&self, node: &Node) -> Place {
        Place::new(&self.source, node.span.clone())
    }

    /// Where the value of a member stands; the first line where there is none.
    pub(crate) fn place_of(&self, key: &str) -> Place {
        match self.root.get(key) {
            Some(node) => self.place(node),
            None => Place::line_of(&self.source, 0),
        }
    }

    /// A member that has to be there, and a text.
    pub(super) fn needed(&self, key: &str, faults: &mut Vec<Diagnostic>) -> Option<&str> {
        let Some(node) = self.root.get(key) else {
            faults.push(self.lacks(key));
            return None;
        };
        let text = self.written(node);
        if text.is_none() {
            faults.push(self.ill_typed(key, "a text", node));
        }
        text
    }

    fn lacks(&self, key: &str) -> Diagnostic {
        let close = self.root.members().iter().map(|(k, _)| k);
        let close = close
            .filter(|k| crate::diagnostics::closest(&k.name, [key]).is_some())
            .find(|k| !EVERY.contains(&k.name.as_str()));
        let fault = Diagnostic::error(
            Code::FrontMatterShape,
            format!("{} lacks `{key}`", self.what),
        )
        .at(Place::line_of(&self.source, 0));
        match close {
            Some(close) => fault
                .see(
                    Place::new(&self.source, close.span.clone()),
                    "is this meant for it?",
                )
                .help(format!("write `{key}:`")),
            None => fault.help(format!(
                "write `{key}:`; a rule has {}, and what its layout adds",
                EVERY.join(", ")
            )),
        }
    }

    pub(crate) fn ill_typed(&self, key: &str, what: &str, node: &Node) -> Diagnostic {
        Diagnostic::error(
            Code::FrontMatterShape,
            format!("`{key}` is {what}, not {}", node.describe()),
        )
        .at(self.place(node))
        .help(format!("write {what} behind `{key}:`"))
    }

    /// Reads and checks what every rule has. Faults are added to `faults`.
    pub(super) fn facts(&self, faults: &mut Vec<Diagnostic>) -> Option<Facts> {
        let before = faults.len();
        let id = self.needed("id", faults).and_then(|text| {
            let id = RuleId::new(text);
            if id.is_none() {
                faults.push(
                    Diagnostic::error(Code::BadId, format!("`{text}` is no rule id"))
                        .at(self.place_of("id"))
                        .help("an id is an upper-case word and parts set off by `-` or `.`: SG-16, R7.e/f"),
                );
            }
            id
        });
        let family = self.needed("family", faults).map(str::to_owned);
        let level = self.word(
            "level",
            Level::from_word,
            Code::UnknownLevel,
            Level::WORDS,
            faults,
        );
        let profiles = self.profiles(faults);
        let posture = self.word(
            "posture",
            Posture::from_word,
            Code::UnknownPosture,
            Posture::WORDS,
            faults,
        );
        let added = self.needed("added", faults).map(str::to_owned);
        let changed = self.needed("changed", faults).map(str::to_owned);
        if faults.len() > before {
            return None;
        }
        Some(Facts {
            id: id?,
            family: family?,
            level: level?,
            profiles,
            posture: posture?,
            added: added?,
            changed: changed?,
        })
    }

    fn word<T>(
        &self,
        key: &str,
        read: impl Fn(&str) -> Option<T>,
        code: Code,
        known: &[&'static str],
        faults: &mut Vec<Diagnostic>,
    ) -> Option<T> {
        let word = self.needed(key, faults)?;
        let read = read(word);
        if read.is_none() {
            faults.push(unknown_word(word, key, code, known).at(self.place_of(key)));
        }
        read
    }

    fn profiles(&self, faults: &mut Vec<Diagnostic>) -> Vec<Profile> {
        let Some(node) = self.root.get("profiles") else {
            faults.push(self.lacks("profiles"));
            return Vec::new();
        };
        let Kind::List(items) = &node.kind else {
            faults.push(
                self.ill_typed("profiles", "a list", node)
                    .help("write `profiles: [runtime]`"),
            );
            return Vec::new();
        };
        if items.is_empty() {
            faults.push(
                Diagnostic::error(Code::FrontMatterShape, "the rule addresses no profile")
                    .at(self.place(node))
                    .help(format!(
                        "name at least one of {}",
                        Profile::WORDS.join(", ")
                    )),
            );
        }
        let mut profiles = Vec::new();
        for item in items {
            let Some(word) = self.written(item) else {
                faults.push(self.ill_typed("profiles", "a list of texts", item));
                continue;
            };
            match Profile::from_word(word) {
                Some(profile) => profiles.push(profile),
                None => {
                    let code = Code::UnknownProfile;
                    let fault = unknown_word(word, "profile", code, Profile::WORDS);
                    faults.push(fault.at(self.place(item)));
                }
            }
        }
        profiles
    }
}

fn unknown_word(word: &str, kind: &str, code: Code, known: &[&'static str]) -> Diagnostic {
    Diagnostic::error(code, format!("`{word}` is no {kind}"))
        .note(format!("a {kind} is one of {}", known.join(", ")))
        .suggest(word, known.iter().copied())
}
