//! Expected beside actual, line by line.

use maud::{Markup, html};
use serde_json::Value;
use similar::{ChangeTag, DiffOp, TextDiff};

use crate::report::text::{inert, pretty};

/// So many lines that are the same are shown around what differs.
const AROUND: usize = 4;
/// So many lines are shown at all.
const MOST_LINES: usize = 400;
/// So many characters of a line.
const MOST_CHARS: usize = 4_000;
/// Longer lines are not compared word by word.
const MOST_COMPARED: usize = 400;

pub(super) fn sides(expected: Option<&Value>, actual: &Value) -> Markup {
    let actual = pretty(actual);
    let Some(expected) = expected.map(pretty) else {
        return html! { h5 { "Actual" } pre tabindex="0" { (super::failing::cut(&actual)) } };
    };
    let old: Vec<&str> = expected.lines().collect();
    let new: Vec<&str> = actual.lines().collect();
    let diff = TextDiff::from_slices(&old, &new);
    let mut rows: Vec<Markup> = Vec::new();
    let ops = diff.ops();
    for (i, op) in ops.iter().enumerate() {
        match *op {
            DiffOp::Equal {
                old_index,
                new_index,
                len,
            } => {
                let before = if i == 0 { 0 } else { AROUND };
                let after = if i + 1 == ops.len() { 0 } else { AROUND };
                let hidden = len.saturating_sub(before + after);
                for at in 0..len {
                    // One line is not worth a line that says so.
                    if hidden > 1 && at == before {
                        rows.push(
                            html! { tr.same { td colspan="2" { "… " (hidden) " lines alike" } } },
                        );
                    }
                    if hidden <= 1 || at < before || at >= before + hidden {
                        let (a, b) = (plain(old[old_index + at]), plain(new[new_index + at]));
                        rows.push(html! { tr { td { (a) } td { (b) } } });
                    }
                }
            }
            _ => {
                let (a, b) = (&old[op.old_range()], &new[op.new_range()]);
                for at in 0..a.len().max(b.len()) {
                    rows.push(changed(a.get(at).copied(), b.get(at).copied()));
                }
            }
        }
    }
    let left = rows.len().saturating_sub(MOST_LINES);
    html! {
        div.scroll tabindex="0" { table.diff {
            thead { tr { th scope="col" { "expected" } th scope="col" { "actual" } } }
            tbody {
                @for row in rows.iter().take(MOST_LINES) { (row) }
                @if left > 0 { tr.same { td colspan="2" { "… " (left) " more lines; the record has all of them" } } }
            }
        } }
    }
}

fn changed(old: Option<&str>, new: Option<&str>) -> Markup {
    let short = |line: &&str| line.len() <= MOST_COMPARED;
    let (a, b) = match (old.filter(short), new.filter(short)) {
        (Some(old), Some(new)) => {
            let diff = TextDiff::from_words(old, new);
            let side = |left_out: ChangeTag| -> Markup {
                html! { @for change in diff.iter_all_changes().filter(|c| c.tag() != left_out) {
                    @if change.tag() == ChangeTag::Equal { (inert(change.value())) }
                    @else { mark { (inert(change.value())) } }
                } }
            };
            (side(ChangeTag::Insert), side(ChangeTag::Delete))
        }
        _ => {
            let whole = |line: Option<&str>| html! { @if let Some(line) = line { (plain(line)) } };
            (whole(old), whole(new))
        }
    };
    html! { tr {
        td class=(if old.is_some() { "old" } else { "none" }) { (a) }
        td class=(if new.is_some() { "new" } else { "none" }) { (b) }
    } }
}

fn plain(line: &str) -> String {
    match line.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!(
            "{}… ({} characters)",
            inert(&line[..end]),
            line.chars().count()
        ),
        None => inert(line),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_differs_is_marked_and_what_is_alike_is_folded() {
        let list: Vec<u32> = (0..40).collect();
        let text = sides(
            Some(&json!({"n": "one", "l": list})),
            &json!({"n": "<two>", "l": list}),
        )
        .into_string();
        assert!(text.contains("lines alike"), "{text}");
        assert!(
            text.contains("<mark>") && text.contains("&lt;two&gt;"),
            "{text}"
        );
        assert!(!text.contains("<two>"), "{text}");
    }

    #[test]
    fn a_megabyte_on_a_line_is_cut() {
        let long = "x".repeat(1 << 20);
        let text = sides(Some(&json!("y")), &json!(long)).into_string();
        assert!(
            text.len() < 10_000 && text.contains("(1048578 characters)"),
            "{}",
            text.len()
        );
    }
}
