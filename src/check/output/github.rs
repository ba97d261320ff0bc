//! Findings as annotations of GitHub Actions: workflow commands, a line each.

use std::fmt::Write as _;

use super::json::severity;
use crate::check::Checked;

/// A `::error` or `::warning` command for each finding. GitHub shows ten of each kind for a step.
pub fn github(checked: &Checked) -> String {
    let mut text = String::new();
    for finding in &checked.findings {
        let _ = write!(text, "::{} ", severity(finding));
        if let Some(place) = &finding.place {
            let span = place.span();
            let (start, end) = (
                place.source().line_column(span.start),
                place.source().line_column(span.end),
            );
            let _ = write!(
                text,
                "file={},line={},endLine={},col={}",
                property(place.path()),
                start.line,
                end.line,
                start.column
            );
            if start.line == end.line {
                let _ = write!(text, ",endColumn={}", end.column);
            }
            text.push(',');
        }
        let title = format!("{} {}", finding.code.id(), finding.code.name());
        let mut message = finding.message.clone();
        for more in [&finding.note, &finding.help].into_iter().flatten() {
            let _ = write!(message, "\n{more}");
        }
        let _ = writeln!(text, "title={}::{}", property(&title), data(&message));
    }
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Code, Diagnostic, Place, Source};

    #[test]
    fn what_a_command_gives_a_meaning_is_escaped() {
        let source = Source::new("a,b:c.md", "x\nä 100%\n");
        let finding = Diagnostic::error(Code::Heading, "100% so").at(Place::new(&source, 5..9));
        let checked = Checked {
            findings: vec![finding.help("first\nsecond")],
            ..Checked::default()
        };
        assert_eq!(
            github(&checked),
            "::error file=a%2Cb%3Ac.md,line=2,endLine=2,col=3,endColumn=7,title=R110 heading::100%25 so%0Afirst%0Asecond\n"
        );
    }
}
