//! Citations in the comments of a source, whatever its language.

use std::sync::Arc;

use crate::diagnostics::{Code, Diagnostic, Place, Source};

/// What begins a comment, in one language or another. `=` right behind it makes it a citation.
const MARKS: &[&str] = &[
    "//", "#", "--", ";;", ";", "%", "/*", "(*", "*", "<!--", "'",
];
/// What may end one.
const ENDS: &[&str] = &["*/", "*)", "-->"];

/// One clause that a comment cites.
#[derive(Clone, Debug)]
pub struct Citation {
    /// The rule's id.
    pub rule: String,
    /// The clause's number.
    pub clause: usize,
    /// The hash of the text that was meant, where the comment says it.
    pub hash: Option<String>,
    /// Where the citation stands.
    pub place: Place,
}

/// The citations in a source: comments that stand on a line of their own and are a mark, `=`, and
/// clauses with commas between them, each perhaps with `@` and the hash of its rule.
///
/// A comment that begins so and goes on otherwise is a fault.
///
/// ```
/// use standing::{diagnostics::Source, trace::citations};
///
/// let source = Source::new("acme.py", "#= SG-16:2, SG-16:3@121eafd4093a\ndef loops(edges):\n    ...\n");
/// let mut faults = Vec::new();
/// let cited = citations(&source, &mut faults);
/// assert_eq!((cited[0].rule.as_str(), cited[0].clause), ("SG-16", 2));
/// assert_eq!(cited[1].hash.as_deref(), Some("121eafd4093a"));
/// assert!(faults.is_empty());
/// ```
pub fn citations(source: &Arc<Source>, faults: &mut Vec<Diagnostic>) -> Vec<Citation> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(rest) = cited(line) else {
            continue;
        };
        let mut from =
            start + line.len() - line.trim_start().len() + (line.trim().len() - rest.len());
        let mut rest = rest.trim_end();
        for end in ENDS {
            rest = rest.strip_suffix(end).unwrap_or(rest);
        }
        for part in rest.split(',') {
            let word = part.trim();
            let begin = from + part.len() - part.trim_start().len();
            from += part.len() + 1;
            let place = Place::new(source, begin..begin + word.len());
            match read(word) {
                Some((rule, clause, hash)) => found.push(Citation {
                    rule: rule.to_owned(),
                    clause,
                    hash: hash.map(str::to_owned),
                    place,
                }),
                None => faults.push(
                    Diagnostic::error(Code::BadCitation, format!("`{word}` cites no clause"))
                        .at(place)
                        .help("a clause is cited as SG-16:2, or SG-16:2@HASH; several have commas between them"),
                ),
            }
        }
    }
    found
}

/// What follows the mark of a comment that cites. White space has to follow the `=`, and something
/// that starts as a rule id does, so that `//====` and `#= none` in other people's code are left
/// alone.
fn cited(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = MARKS
        .iter()
        .find_map(|mark| line.strip_prefix(mark)?.strip_prefix('='))?;
    let is_cited = rest.starts_with([' ', '\t'])
        && rest
            .trim_start()
            .starts_with(|c: char| c.is_ascii_uppercase());
    is_cited.then_some(rest)
}

fn read(word: &str) -> Option<(&str, usize, Option<&str>)> {
    let (clause, hash) = match word.split_once('@') {
        Some((clause, hash)) => (clause, Some(hash)),
        None => (word, None),
    };
    let (rule, number) = clause
        .rsplit_once(':')
        .or_else(|| clause.rsplit_once('¶'))?;
    let number = number.trim().parse().ok()?;
    let rule = rule.trim_end();
    let is_hash = |h: &str| h.len() == 12 && h.bytes().all(|b| b.is_ascii_hexdigit());
    (crate::corpus::RuleId::new(rule).is_some() && hash.is_none_or(is_hash))
        .then_some((rule, number, hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let source = Source::new("s", text);
        let mut faults = Vec::new();
        let mut all: Vec<String> = citations(&source, &mut faults)
            .iter()
            .map(|c| {
                let at = c.place.line_column();
                format!("{}:{} {}:{}", c.rule, c.clause, at.line, at.column)
            })
            .collect();
        all.extend(faults.iter().map(ToString::to_string));
        all
    }

    #[test]
    fn comments_of_every_kind() {
        let text = "//= SG-1:1\n  #= SG-2:1\n--= SG-3:2\n;;= SG-4:1\n/*= SG-5:1 */\n * SG-6:1\n<!--= R7.e/f:1 -->\n'= SG-8:1\n%= SG-9:3, SG-9:4\n";
        assert_eq!(
            found(text),
            [
                "SG-1:1 1:5",
                "SG-2:1 2:6",
                "SG-3:2 3:5",
                "SG-4:1 4:5",
                "SG-5:1 5:5",
                "R7.e/f:1 7:7",
                "SG-8:1 8:4",
                "SG-9:3 9:4",
                "SG-9:4 9:12"
            ]
        );
    }

    #[test]
    fn what_only_looks_like_one_is_left_alone() {
        assert_eq!(
            found(
                "//== SG-1:1\n//=SG-1:1\nlet x = 1; //= SG-1:1\n#= none\n// = SG-1:1\n//======\n"
            ),
            [""; 0]
        );
    }

    #[test]
    fn what_is_broken_is_placed() {
        assert_eq!(
            found("//= SG-1:one, SG-2\n//= SG-1:1@xyz\n"),
            [
                "s:1:5: error[T501]: `SG-1:one` cites no clause",
                "s:1:15: error[T501]: `SG-2` cites no clause",
                "s:2:5: error[T501]: `SG-1:1@xyz` cites no clause",
            ]
        );
    }
}
