//! Findings for programs.

use serde_json::{Value, json};

use crate::{
    check::Checked,
    diagnostics::{Diagnostic, Place, Severity},
};

/// All that is known of each finding, in the format `standing-check/1`. Lines and columns count from
/// 1, columns in characters; offsets count from 0, in bytes.
pub fn json(checked: &Checked) -> Value {
    json!({
        "format": "standing-check/1",
        "findings": checked.findings.iter().map(finding).collect::<Vec<_>>(),
        "summary": {
            "errors": checked.errors(),
            "warnings": checked.warnings(),
            "rules": checked.rules,
            "examples": checked.examples,
            "examples_without_case_files": checked.without_cases,
        },
    })
}

pub(super) fn severity(finding: &Diagnostic) -> &'static str {
    match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn finding(finding: &Diagnostic) -> Value {
    let related = finding.related.iter();
    let fix = finding.fix.iter();
    json!({
        "code": finding.code.id(),
        "name": finding.code.name(),
        "severity": severity(finding),
        "message": finding.message,
        "place": finding.place.as_ref().map(place),
        "label": finding.label,
        "related": related
            .map(|(at, what)| json!({ "place": place(at), "message": what }))
            .collect::<Vec<_>>(),
        "note": finding.note,
        "help": finding.help,
        "fix": fix
            .map(|edit| json!({ "place": place(&edit.place), "text": edit.text }))
            .collect::<Vec<_>>(),
    })
}

fn place(place: &Place) -> Value {
    let span = place.span();
    let at = |offset| {
        let at = place.source().line_column(offset);
        json!({ "line": at.line, "column": at.column, "offset": offset })
    };
    json!({ "path": place.path(), "start": at(span.start), "end": at(span.end) })
}
