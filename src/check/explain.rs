//! The page of each code: its section of `docs/diagnostics.md`.

use crate::diagnostics::Code;

const PAGES: &str = include_str!("../../docs/diagnostics.md");

/// The section about a code, from its heading to the next.
///
/// ```
/// use standing::{check::explanation, diagnostics::Code};
/// let page = explanation(Code::UnknownLevel).expect("every code has one");
/// assert!(page.starts_with("## R105 unknown-level"));
/// ```
pub fn explanation(code: Code) -> Option<&'static str> {
    let start = heading(code)?;
    let next = Code::ALL.iter().find(|c| **c > code);
    let end = next.and_then(|next| heading(*next)).unwrap_or(PAGES.len());
    let section = PAGES.get(start..end)?.trim_end();
    // The next group's own heading may stand between.
    let last = section.rfind('\n').map_or(section, |i| &section[i + 1..]);
    match last.starts_with("# ") {
        true => Some(section[..section.len() - last.len()].trim_end()),
        false => Some(section),
    }
}

fn heading(code: Code) -> Option<usize> {
    PAGES
        .find(&format!("\n## {} {}\n", code.id(), code.name()))
        .map(|i| i + 1)
}

/// The first sentence about a code.
pub fn headline(code: Code) -> Option<String> {
    let section = explanation(code)?;
    let text = section.split_once("\n\n")?.1;
    let text = text.split("\n\n").next()?.replace('\n', " ");
    let end = [". ", ": "].iter().filter_map(|mark| text.find(mark)).min();
    let end = end.unwrap_or(text.len());
    Some(text[..end].trim_end_matches('.').to_owned())
}
