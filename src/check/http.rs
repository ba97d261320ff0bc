//! Examples that are HTTP exchanges.

use super::index::Index;
use crate::{
    corpus::{Fence, JsonFault, http_message, parse_json},
    diagnostics::{Code, Diagnostic, Place, Severity, Source},
};
use std::sync::Arc;

/// Words by which a title or a verdict says that a body is broken on purpose.
const ON_PURPOSE: &[&str] = &[
    "refus",
    "reject",
    "malformed",
    "invalid",
    "broken",
    "truncated",
    "not json",
    "no json",
    "unparsable",
    "unparseable",
    "error",
    "fail",
    "bad request",
    "corrupt",
    "incomplete",
];

pub(super) fn check(index: &Index<'_>, findings: &mut Vec<Diagnostic>) {
    for document in index.documents() {
        let Some(markdown) = &document.markdown else {
            continue;
        };
        for fence in markdown.fences.iter().filter(|f| f.info.language == "http") {
            match http_message(&fence.body.text) {
                Err((message, at)) => findings.push(
                    Diagnostic::error(Code::ExampleNotHttp, message)
                        .at(line(&markdown.source, fence, at))
                        .see(Place::new(&markdown.source, fence.line.clone()), "in this example")
                        .help("an exchange is a request line, `Name: value` lines, an empty line, and a body"),
                ),
                Ok(message) => {
                    let headers = &message["headers"];
                    let kind = headers["content-type"].as_str().unwrap_or("json");
                    if kind.contains("json") {
                        findings.extend(body(&markdown.source, fence));
                    }
                }
            }
        }
    }
}

fn line(source: &Arc<Source>, fence: &Fence, offset: usize) -> Place {
    Place::line_of(source, fence.body.place(offset).unwrap_or(fence.line.start))
}

/// A body that looks like JSON and is none, unless the example says that it is meant so.
fn body(source: &Arc<Source>, fence: &Fence) -> Option<Diagnostic> {
    let text = &fence.body.text;
    let start = text.find("\n\n")? + 2;
    let body = text[start..].trim_end();
    if !body.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let mut error = parse_json(body).err()?;
    let said = [&fence.info.title, &fence.info.verdict];
    let said = said.map(|s| s.as_deref().unwrap_or_default().to_lowercase());
    let is_refused = said[1].starts_with(['4', '5']);
    let is_meant = is_refused
        || said
            .iter()
            .any(|s| ON_PURPOSE.iter().any(|w| s.contains(w)));
    error.offset += start;
    let mut fault = error.diagnostic(source, &fence.body, fence.line.start);
    fault = fault.see(Place::new(source, fence.line.clone()), "in this example");
    match error.fault {
        // Dots stand for data that is of no concern to an exchange.
        JsonFault::Ellipsis => {
            fault.severity = Severity::Warning;
            fault.message = "dots stand for data in this body".to_owned();
            fault.help = Some("write the data out, so that the exchange can be tried".to_owned());
        }
        _ if is_meant => return None,
        _ => {
            fault.code = Code::HttpBody;
            fault.message = format!("the body is not JSON: {}", error.message);
            fault.note = Some("its verdict does not say that it is refused".to_owned());
            fault.help = Some(
                "mend the body; one that is broken on purpose has a verdict such as `400 refused`"
                    .to_owned(),
            );
        }
    }
    Some(fault)
}
