//! What is wrong, where, and what to do about it.
//!
//! A [`Diagnostic`] has a stable [`Code`], a message, the place in the text that it is about, and
//! often a remedy. Every stage that reads something reports through these; `render.rs` shows them
//! as a compiler would. `code.rs` lists the codes; `source.rs` knows texts and places in them.

mod code;
mod render;
mod source;

pub use code::Code;
pub use render::{printable, render};
pub use source::{LineColumn, Place, Source};

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth a look; nothing stops.
    Warning,
    /// What was read cannot be used.
    Error,
}

/// One thing that is wrong.
///
/// # Examples
///
/// ```
/// use standing::diagnostics::{Code, Diagnostic, Place, Source};
///
/// let source = Source::new("sg-1.md", "---\nlevel: cores\n---\n");
/// let wrong = Diagnostic::error(Code::UnknownLevel, "`cores` is no level")
///     .at(Place::new(&source, 11..16))
///     .help("a level is core, extended or optional");
///
/// assert_eq!(wrong.to_string(), "sg-1.md:2:8: error[R105]: `cores` is no level");
/// ```
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Which kind of fault this is.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// Where. `None` where it is about no text (a path that does not exist).
    pub place: Option<Place>,
    /// Written under the marked text.
    pub label: Option<String>,
    /// Where else to look, each with what is to be seen there.
    pub related: Vec<(Place, String)>,
    /// Why it matters.
    pub note: Option<String>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error of this kind.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            place: None,
            label: None,
            related: Vec::new(),
            note: None,
            help: None,
        }
    }

    /// A warning of this kind.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, message)
        }
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, place: impl Into<Option<Place>>) -> Self {
        self.place = place.into();
        self
    }

    /// Says something under the marked text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Points to another place that matters.
    #[must_use]
    pub fn see(mut self, place: Place, what: impl Into<String>) -> Self {
        self.related.push((place, what.into()));
        self
    }

    /// Says why it matters.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Offers the closest of `candidates` to `word`, if one is close.
    #[must_use]
    pub fn suggest<'a>(
        mut self,
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        if let Some(close) = closest(word, candidates) {
            self.help = Some(format!("did you mean `{close}`?"));
        }
        self
    }
}

/// `path:line:column: error[CODE]: message`, on one line.
impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(place) = &self.place {
            let at = place.line_column();
            write!(f, "{}:{}:{}: ", place.path(), at.line, at.column)?;
        }
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{severity}[{}]: {}", self.code.id(), self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// The candidate that is most like `word`, if any is much like it. One that differs in a number
/// alone is another thing of the same kind, `SG-9` for `SG-19`, and nobody meant it.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = word.to_lowercase();
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let letters = |text: &str| -> String { text.chars().filter(|c| !c.is_ascii_digit()).collect() };
    candidates
        .into_iter()
        .filter(|c| {
            let c = c.to_lowercase();
            letters(&c) != letters(&wanted) || digits(&c) == digits(&wanted)
        })
        .map(|c| {
            (
                strsim::normalized_damerau_levenshtein(&wanted, &c.to_lowercase()),
                c,
            )
        })
        .filter(|(likeness, _)| *likeness >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn what_is_close_is_offered_unless_only_a_number_differs() {
        for (word, candidates, close) in [
            ("cores", &["core", "extended"][..], Some("core")),
            ("sg-16", &["SG-1", "SG-16"], Some("SG-16")),
            ("SG-19", &["SG-1", "SG-9", "SG-18"], None),
            ("SC-16", &["SG-16", "SG-17"], Some("SG-16")),
            ("xyzzy", &["core"], None),
        ] {
            assert_eq!(closest(word, candidates.iter().copied()), close, "{word}");
        }
    }
}
