//! Text made fit for a line of a message.

use serde_json::Value;

/// Text with its control characters written out, so that it can do nothing to a terminal.
///
/// Newlines and tabs stay.
///
/// ```
/// assert_eq!(standing::diagnostics::printable("a\u{1b}[2J\u{202e}b"), "a\\u{1b}[2J\\u{202e}b");
/// ```
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            c if c.is_control() || is_bidi(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Marks that change the order in which text is shown.
pub(super) fn is_bidi(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The candidate that is most like `word`, if any is much like it. One that differs in a number
/// alone is another thing of the same kind, `SG-9` for `SG-19`, and nobody meant it.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = word.to_lowercase();
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let letters = |text: &str| -> String { text.chars().filter(|c| !c.is_ascii_digit()).collect() };
    candidates
        .into_iter()
        .filter(|c| {
            let c = c.to_lowercase();
            letters(&c) != letters(&wanted) || digits(&c) == digits(&wanted)
        })
        .map(|c| {
            (
                strsim::normalized_damerau_levenshtein(&wanted, &c.to_lowercase()),
                c,
            )
        })
        .filter(|(likeness, _)| *likeness >= 0.5)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}

/// What the system says, without its error number and what else stands behind it.
pub(crate) fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut rest = text.chars();
    match rest.next() {
        Some(first) => first.to_lowercase().chain(rest).collect(),
        None => String::new(),
    }
}

/// JSON text that can do nothing to a terminal: characters that act there are written as `\\uXXXX`,
/// which means the same wherever JSON is read. They can stand in strings only.
pub(crate) fn inert_json(text: &str) -> String {
    let acts = |c: char| (c.is_control() && c != '\n') || is_bidi(c);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match acts(c) {
            true => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => out.push(c),
        }
    }
    out
}

/// A value on one line, cut where it is long.
pub(crate) fn brief(value: &Value) -> String {
    cut(&value.to_string(), 60)
}

/// The start of a text in quotes, on one line.
#[cfg(any(feature = "cli", feature = "http"))]
pub(crate) fn excerpt(text: &str) -> String {
    cut(&format!("{:?}", text.trim_end()), 80)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn what_is_close_is_offered_unless_only_a_number_differs() {
        for (word, candidates, close) in [
            ("cores", &["core", "extended"][..], Some("core")),
            ("sg-16", &["SG-1", "SG-16"], Some("SG-16")),
            ("SG-19", &["SG-1", "SG-9", "SG-18"], None),
            ("SC-16", &["SG-16", "SG-17"], Some("SG-16")),
            ("xyzzy", &["core"], None),
        ] {
            assert_eq!(closest(word, candidates.iter().copied()), close, "{word}");
        }
    }
}
