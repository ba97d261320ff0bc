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
    let heading = format!("## {} {}\n", code.id(), code.name());
    let start = PAGES.find(&heading)?;
    let rest = &PAGES[start..];
    let end = rest[3..].find("\n## ").or_else(|| rest[3..].find("\n# "));
    let section = end.map_or(rest, |end| &rest[..end + 3]);
    // The next group's own heading may stand between.
    let section = section.split("\n# ").next().unwrap_or(section);
    Some(section.trim_end())
}

/// The first sentence about a code.
pub fn headline(code: Code) -> Option<&'static str> {
    let section = explanation(code)?;
    let text = section.split_once("\n\n")?.1;
    let end = text.find(['\n']).unwrap_or(text.len());
    let line = &text[..end];
    Some(line.find(". ").map_or(line, |i| &line[..=i]))
}
