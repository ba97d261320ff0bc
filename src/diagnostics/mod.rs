//! What is wrong, where, and what to do about it.
//!
//! A [`Diagnostic`] has a stable [`Code`], a message, the place in the text that it is about, and
//! often a remedy. Every stage that reads something reports through these; `render.rs` shows them
//! as a compiler would. `code.rs` lists the codes; `source.rs` knows texts and places in them;
//! `text.rs` makes any text fit for a line of a message.

mod code;
mod render;
mod source;
mod text;

pub use code::Code;
pub use render::render;
pub use source::{LineColumn, Place, Source};
pub use text::{closest, printable};

#[cfg(any(feature = "cli", feature = "http"))]
pub(crate) use text::excerpt;
pub(crate) use text::inert_json;
pub(crate) use text::{brief, plain};

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
    /// What mends it, where there is one right answer.
    pub fix: Vec<Edit>,
}

/// A change of a text.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The piece that is replaced; may be empty.
    pub place: Place,
    /// What stands there afterwards.
    pub text: String,
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
            fix: Vec::new(),
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

    /// Says what mends it; with several, all of them together.
    #[must_use]
    pub fn fix(mut self, place: Place, text: impl Into<String>) -> Self {
        self.fix.push(Edit {
            place,
            text: text.into(),
        });
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
