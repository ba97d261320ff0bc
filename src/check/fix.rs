//! Mends what has one right answer, and shows what it did.

use std::{collections::BTreeMap, sync::Arc};

use similar::TextDiff;

use crate::diagnostics::{Diagnostic, Edit, Source};

/// A document with its findings mended.
#[derive(Debug)]
pub struct Fixed {
    /// The document as it was.
    pub source: Arc<Source>,
    /// Its text afterwards.
    pub text: String,
    /// How many findings that mends.
    pub findings: usize,
}

impl Fixed {
    /// The text as it stands in the file: a byte-order mark is no part of it, and stays.
    pub fn written(&self) -> String {
        match self.source.has_mark() {
            true => format!("\u{feff}{}", self.text),
            false => self.text.clone(),
        }
    }

    /// What changed, as a unified diff.
    pub fn diff(&self) -> String {
        let diff = TextDiff::from_lines(self.source.text(), &self.text);
        let path = self.source.path();
        let mut unified = diff.unified_diff();
        unified
            .context_radius(2)
            .header(&format!("a/{path}"), &format!("b/{path}"));
        unified.to_string()
    }
}

/// What the documents are like with every finding mended that can be, by path. A finding whose
/// change would touch that of another is left for the next time.
pub fn fix(findings: &[Diagnostic]) -> Vec<Fixed> {
    let mut by_path: BTreeMap<&str, (&Arc<Source>, Vec<&Edit>, usize)> = BTreeMap::new();
    for finding in findings {
        let Some(first) = finding.fix.first() else {
            continue;
        };
        let source = first.place.source();
        let (_, edits, count) = by_path
            .entry(source.path())
            .or_insert_with(|| (source, Vec::new(), 0));
        // Insertions at one place follow one another.
        let clash = |edit: &Edit| {
            let new = edit.place.span();
            edits.iter().any(|old| {
                let old = old.place.span();
                new.start < old.end && old.start < new.end
            })
        };
        if !finding.fix.iter().any(clash) {
            edits.extend(&finding.fix);
            *count += 1;
        }
    }
    by_path
        .into_values()
        .map(|(source, mut edits, findings)| {
            edits.sort_by_key(|edit| edit.place.span().start);
            let mut text = String::with_capacity(source.text().len());
            let mut at = 0;
            for edit in edits {
                let span = edit.place.span();
                text.push_str(&source.text()[at..span.start]);
                // A second line is added behind the first, which ended the text.
                let piece = match text.ends_with('\n') || text.is_empty() {
                    true => edit.text.strip_prefix('\n').unwrap_or(&edit.text),
                    false => &edit.text,
                };
                text.push_str(piece);
                at = span.end;
            }
            text.push_str(&source.text()[at..]);
            Fixed {
                source: Arc::clone(source),
                text,
                findings,
            }
        })
        .collect()
}
