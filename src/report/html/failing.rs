//! What is told of a case that did not pass.

use maud::{Markup, html};

use super::{Page, sides::sides};
use crate::{
    report::{
        again,
        drawing::{Drawing, of_case, of_params},
        human::quoted,
        text::{inert, one_line, pretty},
    },
    standing::{CaseRecord, Record, RuleRecord},
};

/// So many drawings are shown of one case.
const MOST_DRAWINGS: usize = 4;

/// With `is_first`, the graphs of the case are drawn, too.
pub(super) fn failing(
    page: &Page<'_>,
    record: &Record,
    rule: &RuleRecord,
    case: &CaseRecord,
    is_first: bool,
) -> Markup {
    let message = case.message.as_deref().unwrap_or_default();
    // Beside each other, engines have the same graphs: those of the first are shown.
    let drawings = match is_first {
        true => drawings(page, record, case),
        false => Vec::new(),
    };
    let again = match page.is_matrix() {
        true => again(record),
        false => page.command.to_owned(),
    };
    let left = drawings.len().saturating_sub(MOST_DRAWINGS);
    html! {
        @if let Some(known) = &case.known {
            p.note { "Known: " (one_line(&known.reason))
                @if let Some(link) = &known.link {
                    " "
                    // Only what a browser opens as a page is a link.
                    @if link.starts_with("https://") || link.starts_with("http://") {
                        a href=(one_line(link)) rel="noreferrer" { (one_line(link)) }
                    } @else { (one_line(link)) }
                } }
        }
        @if !message.is_empty() {
            pre.message { @if let Some(step) = case.step { "step " (step) ": " } (cut(message)) }
        }
        @if case.passes_alone { p.note { "It passes when put alone: something leaks from case to case." } }
        @if let Some(actual) = &case.actual {
            (sides(case.nearest.as_ref().or(case.expected.as_ref()), actual))
        }
        @if let Some(operation) = &case.operation {
            details.asked { summary { "asked " code { (one_line(operation)) } }
                @if let Some(params) = &case.params { pre tabindex="0" { (cut(&pretty(params))) } } }
        }
        @for drawing in drawings.iter().take(MOST_DRAWINGS) { (drawing.markup()) }
        @if left > 0 { p { small { (left) " more with " code { "standing show " (quoted(&case.case)) " --draw" } } } }
        @if let Some(stderr) = &case.stderr {
            h5 { "Standard error, when put alone" }
            pre.stderr tabindex="0" { (cut(stderr)) }
        }
        p.again { span { "again" } code { (again) " " (quoted(&case.case)) } }
        p.again { span { "case" } code { (one_line(&case.source)) } }
        p.again { span { "rule" } code { (one_line(&rule.document)) } }
    }
}

/// The graphs of a case: all of its steps where the suite is the one that was run, else what was
/// asked at the step that decided.
fn drawings(page: &Page<'_>, record: &Record, case: &CaseRecord) -> Vec<Drawing> {
    let suite = page.suite.filter(|s| s.digest() == record.suite.digest);
    match suite.and_then(|suite| suite.case(&case.case)) {
        Some(case) => of_case(case),
        None => match (&case.operation, &case.params) {
            (Some(operation), Some(params)) => of_params(operation, params),
            _ => Vec::new(),
        },
    }
}

/// A text that a page can carry: of a long one the start.
pub(super) fn cut(text: &str) -> String {
    const MOST: usize = 20_000;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => {
            let all = text.chars().count();
            format!(
                "{}… ({all} characters; the record has all of them)",
                inert(&text[..end])
            )
        }
        None => inert(text),
    }
}
