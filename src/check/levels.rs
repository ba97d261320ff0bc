//! How severe a finding is: what a project says of a code.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::diagnostics::{Code, Diagnostic, Severity};

/// What becomes of the findings of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// They are not told.
    Off,
    /// They are warnings.
    Warning,
    /// They are errors.
    Error,
}

/// Levels by code; what is not named keeps its own.
///
/// ```
/// use standing::check::{Level, Levels};
/// use standing::diagnostics::{Code, Diagnostic, Severity};
///
/// let levels = Levels::from_iter([(Code::DuplicateTitle, Level::Error), (Code::Heading, Level::Off)]);
/// let mut findings = vec![
///     Diagnostic::warning(Code::DuplicateTitle, "two"),
///     Diagnostic::error(Code::Heading, "none"),
/// ];
/// levels.apply(&mut findings);
/// assert_eq!(findings.len(), 1);
/// assert_eq!(findings[0].severity, Severity::Error);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Levels(BTreeMap<Code, Level>);

impl Levels {
    /// Gives each finding its level, and takes out those that are off.
    pub fn apply(&self, findings: &mut Vec<Diagnostic>) {
        findings.retain_mut(|finding| match self.0.get(&finding.code) {
            None => true,
            Some(Level::Off) => false,
            Some(Level::Warning) => {
                finding.severity = Severity::Warning;
                true
            }
            Some(Level::Error) => {
                finding.severity = Severity::Error;
                true
            }
        });
    }
}

impl FromIterator<(Code, Level)> for Levels {
    fn from_iter<I: IntoIterator<Item = (Code, Level)>>(levels: I) -> Self {
        Self(levels.into_iter().collect())
    }
}
