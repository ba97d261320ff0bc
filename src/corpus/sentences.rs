//! Clauses of a normative text: its sentences.

/// The sentences of a text, each on one line. One ends with a `.`, `?` or `!` outside a code span,
/// before white space and then a capital, a digit, a backtick, an opening quote or a bracket.
pub(super) fn sentences(text: &str) -> Vec<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    let mut start = 0;
    let mut in_code = false;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '`' => in_code = !in_code,
            '.' | '?' | '!' if !in_code => {
                let rest = &text[at + c.len_utf8()..];
                let opens =
                    |c: char| c.is_uppercase() || c.is_ascii_digit() || "`\"'“‘«([{".contains(c);
                if rest.strip_prefix(' ').is_some_and(|r| r.starts_with(opens)) {
                    found.push(text[start..=at].to_owned());
                    start = at + 2;
                    chars.next();
                }
            }
            _ => {}
        }
    }
    if start < text.len() {
        found.push(text[start..].to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn a_sentence_ends_where_another_starts() {
        for (text, expected) in [
            (
                "One.  Two\n  lines. Three",
                &["One.", "Two lines.", "Three"][..],
            ),
            (
                "It is 1.5 of it, e.g. this. `x` too.",
                &["It is 1.5 of it, e.g. this.", "`x` too."],
            ),
            (
                "Write `a. B` so. (Or not.) \"Yes.\"",
                &["Write `a. B` so.", "(Or not.) \"Yes.\""],
            ),
            (
                "Why? Because! 2 of them.",
                &["Why?", "Because!", "2 of them."],
            ),
            ("", &[]),
        ] {
            assert_eq!(sentences(text), expected, "{text}");
        }
    }
}
