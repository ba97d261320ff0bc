//! The head of a published page: YAML between two lines of `---`.

use std::{ops::Range, sync::Arc};

use serde::Deserialize;

use super::{Level, Posture, Profile, RuleId};
use crate::diagnostics::{Code, Diagnostic, LineColumn, Place, Source};

/// What front matter says, checked.
pub(super) struct FrontMatter {
    pub(super) id: RuleId,
    pub(super) id_span: Range<usize>,
    pub(super) family: String,
    pub(super) level: Level,
    pub(super) profiles: Vec<Profile>,
    pub(super) posture: Posture,
    pub(super) added: String,
    pub(super) changed: String,
    pub(super) specification: String,
    pub(super) rule_hash: Option<String>,
}

/// Members as they are written: YAML would read the version `1.0` as a number, and some hashes.
#[derive(Deserialize)]
struct Members {
    id: String,
    family: String,
    level: String,
    profiles: Vec<String>,
    posture: String,
    added: String,
    changed: String,
    specification: String,
    rule_hash: Option<String>,
}

/// Front matter that was found but not read yet.
pub(super) struct Head<'a> {
    source: &'a Arc<Source>,
    yaml: Range<usize>,
    /// Where the rest of the document starts.
    pub(super) end: usize,
}

impl<'a> Head<'a> {
    /// Finds the front matter of a document. `Ok(None)`: it has none.
    pub(super) fn find(source: &'a Arc<Source>) -> Result<Option<Self>, Box<Diagnostic>> {
        let text = source.text();
        let mut lines = text.split_inclusive('\n');
        let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else {
            return Ok(None);
        };
        let mut end = first.len();
        for line in lines {
            if matches!(line.trim_end(), "---" | "...") {
                let yaml = first.len()..end;
                let end = end + line.len();
                return Ok(Some(Self { source, yaml, end }));
            }
            end += line.len();
        }
        Err(Box::new(
            Diagnostic::error(Code::NoFrontMatter, "the front matter does not end")
                .at(Place::line_of(source, 0))
                .help("close it with a line that is `---`"),
        ))
    }

    fn text(&self) -> &'a str {
        &self.source.text()[self.yaml.clone()]
    }

    /// Whether it speaks of a rule at all: other Markdown files have front matter too.
    pub(super) fn is_of_a_rule(&self) -> bool {
        ["id", "family", "level"]
            .iter()
            .any(|key| self.value_of(key).is_some())
    }

    /// Reads and checks every member. Faults are added to `faults`.
    pub(super) fn read(&self, faults: &mut Vec<Diagnostic>) -> Option<FrontMatter> {
        if let Some(fault) = self.repeated() {
            faults.push(fault);
            return None;
        }
        let members: Members = match serde_yaml::from_str(self.text()) {
            Ok(members) => members,
            Err(error) => {
                faults.push(self.not_readable(&error));
                return None;
            }
        };
        let before = faults.len();
        let id = RuleId::new(&members.id);
        if id.is_none() {
            faults.push(
                Diagnostic::error(Code::BadId, format!("`{}` is no rule id", members.id))
                    .at(self.place_of("id", &members.id))
                    .help("an id is an upper-case word and parts set off by `-` or `.`: SG-16, R7.e/f"),
            );
        }
        let level = self.word(
            "level",
            &members.level,
            Level::from_word,
            Code::UnknownLevel,
            Level::WORDS,
            faults,
        );
        let posture = self.word(
            "posture",
            &members.posture,
            Posture::from_word,
            Code::UnknownPosture,
            Posture::WORDS,
            faults,
        );
        let mut profiles = Vec::new();
        for profile in &members.profiles {
            profiles.extend(self.word(
                "profiles",
                profile,
                Profile::from_word,
                Code::UnknownProfile,
                Profile::WORDS,
                faults,
            ));
        }
        if members.profiles.is_empty() {
            faults.push(
                Diagnostic::error(Code::FrontMatterShape, "the rule addresses no profile")
                    .at(self.place_of("profiles", "[]"))
                    .help(format!(
                        "name at least one of {}",
                        Profile::WORDS.join(", ")
                    )),
            );
        }
        if faults.len() > before {
            return None;
        }
        Some(FrontMatter {
            id_span: self.place_of("id", &members.id).span(),
            id: id?,
            family: members.family,
            level: level?,
            profiles,
            posture: posture?,
            added: members.added,
            changed: members.changed,
            specification: members.specification,
            rule_hash: members.rule_hash,
        })
    }

    fn word<T>(
        &self,
        key: &str,
        word: &str,
        read: impl Fn(&str) -> Option<T>,
        code: Code,
        known: &[&'static str],
        faults: &mut Vec<Diagnostic>,
    ) -> Option<T> {
        let read = read(word);
        if read.is_none() {
            let kind = key.trim_end_matches('s');
            faults.push(
                Diagnostic::error(code, format!("`{word}` is no {kind}"))
                    .at(self.place_of(key, word))
                    .note(format!("a {kind} is one of {}", known.join(", ")))
                    .suggest(word, known.iter().copied()),
            );
        }
        read
    }

    fn not_readable(&self, error: &serde_yaml::Error) -> Diagnostic {
        // A missing or ill-typed member is YAML all right.
        match serde_yaml::from_str::<serde_yaml::Value>(self.text()) {
            Err(error) => {
                let (message, place) = self.place_of_error(&error);
                let fault = Diagnostic::error(
                    Code::FrontMatterNotYaml,
                    format!("the front matter is not YAML: {message}"),
                )
                .at(place);
                match self.flow_of_error(&error) {
                    Some(opened) => fault.see(opened, "inside what starts here"),
                    None => fault,
                }
            }
            Ok(_) => {
                let (message, place) = self.place_of_error(error);
                let missing = message.starts_with("missing field");
                let place = if missing {
                    Place::line_of(self.source, 0)
                } else {
                    place
                };
                let message = message.replacen("missing field", "the front matter lacks", 1);
                Diagnostic::error(Code::FrontMatterShape, message)
                    .at(place)
                    .help("a rule has id, family, level, profiles, posture, added, changed and specification")
            }
        }
    }

    /// A member that stands twice: the reader would blame the first line for it.
    fn repeated(&self) -> Option<Diagnostic> {
        let mut seen: Vec<(&str, Range<usize>)> = Vec::new();
        let mut at = self.yaml.start;
        for line in self.text().split_inclusive('\n') {
            let key = line.split_once(':').map_or("", |(key, _)| key);
            let span = at..at + key.len();
            at += line.len();
            if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                continue;
            }
            if let Some((_, first)) = seen.iter().find(|(k, _)| *k == key) {
                return Some(
                    Diagnostic::error(Code::FrontMatterShape, format!("`{key}` stands twice"))
                        .at(Place::new(self.source, span))
                        .see(Place::new(self.source, first.clone()), "first here")
                        .help("keep one of them"),
                );
            }
            seen.push((key, span));
        }
        None
    }

    /// Where the list or mapping in brackets starts that an error is in. The reader notices only
    /// on a later line that one is not closed.
    fn flow_of_error(&self, error: &serde_yaml::Error) -> Option<Place> {
        let message = error.to_string();
        let (_, at) = message
            .split_once("while parsing a flow ")?
            .1
            .split_once(" at line ")?;
        let (line, column) = at.split_once(" column ")?;
        let at = LineColumn {
            line: line.parse().ok()?,
            column: column.parse().ok()?,
        };
        let offset = self.yaml.start + Source::new("", self.text()).offset(at);
        Some(Place::new(self.source, offset..offset + 1))
    }

    fn place_of_error(&self, error: &serde_yaml::Error) -> (String, Place) {
        let message = error.to_string();
        // A character that YAML does not take is placed by its offset alone.
        if let Some((what, at)) = message.split_once(" at position ") {
            let at = self.yaml.start + at.parse().unwrap_or(0);
            return (what.to_owned(), Place::line_of(self.source, at));
        }
        let what = message.split(" at line ").next().unwrap_or(&message);
        let at = error.location().map_or(0, |at| {
            let (line, column) = (at.line(), at.column());
            Source::new("", self.text()).offset(LineColumn { line, column })
        });
        let place = Place::line_of(self.source, self.yaml.start + at);
        (what.to_owned(), place)
    }

    /// What stands behind `key:` on its line, as a range of the document.
    fn value_of(&self, key: &str) -> Option<Range<usize>> {
        let mut at = self.yaml.start;
        for line in self.text().split_inclusive('\n') {
            if let Some(value) = line
                .strip_prefix(key)
                .and_then(|rest| rest.strip_prefix(':'))
            {
                let start = at + line.len() - value.trim_start().len();
                return Some(start..(at + line.trim_end().len()).max(start));
            }
            at += line.len();
        }
        None
    }

    /// Where `word` stands in the value of `key`; that value where it stands there otherwise.
    fn place_of(&self, key: &str, word: &str) -> Place {
        let span = match self.value_of(key) {
            None => self.yaml.start..self.yaml.start,
            Some(value) => match self.source.text()[value.start..self.yaml.end].find(word) {
                Some(i) => value.start + i..value.start + i + word.len(),
                None => value,
            },
        };
        Place::new(self.source, span)
    }
}
