//! Findings as SARIF 2.1.0, for code scanning.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{human::encoded, json::severity};
use crate::{
    check::{Checked, explanation, headline},
    diagnostics::{Code, Diagnostic, Place},
};

/// One run with the codes that were found, and a result for each finding. Columns count Unicode code
/// points.
pub fn sarif(checked: &Checked) -> Value {
    let codes: BTreeSet<Code> = checked.findings.iter().map(|f| f.code).collect();
    let codes: Vec<Code> = codes.into_iter().collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "standing",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(|code| rule(*code)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": checked.findings.iter().map(|f| result(f, &codes)).collect::<Vec<_>>(),
        }],
    })
}

fn rule(code: Code) -> Value {
    let page = explanation(code).unwrap_or_default();
    json!({
        "id": code.id(),
        "name": code.name(),
        "shortDescription": { "text": headline(code).unwrap_or_default() },
        "help": { "text": page, "markdown": page },
    })
}

fn result(finding: &Diagnostic, codes: &[Code]) -> Value {
    let mut message = finding.message.clone();
    for more in [&finding.note, &finding.help].into_iter().flatten() {
        message.push('\n');
        message.push_str(more);
    }
    let mut result = json!({
        "ruleId": finding.code.id(),
        "ruleIndex": codes.iter().position(|c| *c == finding.code),
        "level": severity(finding),
        "message": { "text": message },
        "locations": finding.place.iter().map(location).collect::<Vec<_>>(),
    });
    if !finding.related.is_empty() {
        let related = finding.related.iter().map(|(place, what)| {
            let mut location = location(place);
            location["message"] = json!({ "text": what });
            location
        });
        result["relatedLocations"] = related.collect();
    }
    if let Some(first) = finding.fix.first() {
        let replacements = finding.fix.iter().map(|edit| {
            json!({
                "deletedRegion": region(&edit.place),
                "insertedContent": { "text": edit.text },
            })
        });
        result["fixes"] = json!([{
            "artifactChanges": [{
                "artifactLocation": artifact(&first.place),
                "replacements": replacements.collect::<Vec<_>>(),
            }],
        }]);
    }
    result
}

fn location(place: &Place) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": artifact(place),
            "region": region(place),
        },
    })
}

fn artifact(place: &Place) -> Value {
    let path = place.path();
    match path.starts_with('/') {
        true => json!({ "uri": format!("file://{}", encoded(path)) }),
        false => json!({ "uri": encoded(path) }),
    }
}

fn region(place: &Place) -> Value {
    let span = place.span();
    let (start, end) = (
        place.source().line_column(span.start),
        place.source().line_column(span.end),
    );
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}
