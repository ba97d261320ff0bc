//! The record for GitHub Actions: annotations for the log, and a summary of the job.

use std::fmt::Write as _;

use super::{
    failure,
    human::{count, tally_in_words},
    markdown::escaped,
    text::{inert, one_line},
};
use crate::standing::{CaseRecord, Record, RuleRecord, Standing};

/// A job summary may have a mebibyte; what GitHub adds itself is left room.
const MOST_BYTES: usize = 1_000_000;

/// Where an annotation is shown: path and line.
pub type AnnotationPlace = (String, usize);

/// A workflow command a failure that is not known. `place` says where each is shown; the case file
/// is, where it says nothing.
pub fn github_annotations(
    record: &Record,
    place: impl Fn(&RuleRecord, &CaseRecord) -> Option<AnnotationPlace>,
) -> String {
    let mut text = String::new();
    for (rule, case) in record.failures() {
        let (file, line) = place(rule, case).unwrap_or_else(|| own_place(case));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "::error file={},line={line},title={}::{}",
            property(&file),
            property(&format!("{} {}", case.case, case.outcome)),
            data(failure(&rule.document, case).trim_end())
        );
    }
    text
}

/// `cases/rt-sg/sg-12.yml:12`, taken apart.
fn own_place(case: &CaseRecord) -> AnnotationPlace {
    let mut parts = case.source.split(':');
    let file = parts.next().unwrap_or_default().to_owned();
    let line = parts.next().and_then(|line| line.parse().ok()).unwrap_or(1);
    (file, line)
}

/// What stands behind `::`, of which a line end would be the end.
fn data(text: &str) -> String {
    let text = inert(text).replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The summary of a job, as Markdown: the families at a glance, and each failure folded up.
pub fn github_summary(record: &Record) -> String {
    let mut text = String::new();
    let failures = record.failures().count();
    let sign = if failures == 0 { "✅" } else { "❌" };
    let _ = writeln!(
        text,
        "## {sign} Where {} stands\n",
        escaped(&record.engine.named())
    );
    let cases = &record.summary.cases;
    let known = record.cases().filter(|(_, c)| c.known.is_some()).count();
    let _ = writeln!(
        text,
        "{} of {} passed, {}{}.\n",
        cases.pass,
        count(cases.total(), "case"),
        count(failures, "failure"),
        match known {
            0 => String::new(),
            n => format!(" and {n} that {} known", if n == 1 { "is" } else { "are" }),
        }
    );
    if !record.selection.is_empty() {
        let _ = writeln!(
            text,
            "Of a selection only: {}.\n",
            escaped(&record.selection.join(" "))
        );
    }
    if record.interrupted {
        let _ = writeln!(text, "The run ended before it was done.\n");
    }
    let _ = writeln!(
        text,
        "| | family | standing | rules |\n| --- | --- | --- | --- |"
    );
    for (name, group) in &record.summary.families {
        if group.standing == Standing::Untested {
            continue;
        }
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            mark(group.standing),
            escaped(name),
            group.standing,
            tally_in_words(&group.rules)
        );
    }
    let mut left = 0;
    for (rule, case) in record.failures() {
        let one = folded(rule, case);
        match left == 0 && text.len() + one.len() < MOST_BYTES {
            true => text.push_str(&one),
            false => left += 1,
        }
    }
    if left > 0 {
        let _ = writeln!(
            text,
            "\n{} more; the reports have all.",
            count(left, "failure")
        );
    }
    let _ = writeln!(text, "\n<sub>{}</sub>", escaped(&record.statement));
    text
}

fn mark(standing: Standing) -> &'static str {
    match standing {
        Standing::Meets => "✅",
        Standing::Fails => "❌",
        Standing::Partial => "🟡",
        _ => "⚪",
    }
}

fn folded(rule: &RuleRecord, case: &CaseRecord) -> String {
    let html = |text: &str| {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        text.replace('>', "&gt;")
    };
    let why = case.message.as_deref().unwrap_or_default();
    let why = one_line(why.lines().next().unwrap_or_default());
    format!(
        "\n<details><summary><code>{}</code> {}: {}</summary>\n\n<pre>\n{}</pre>\n\n</details>\n",
        html(&one_line(&case.case)),
        case.outcome,
        html(&why),
        // An empty line would end the block of HTML, and begin Markdown.
        html(&inert(&failure(&rule.document, case))).replace("\n\n", "\n&#32;\n"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_command() {
        assert_eq!(data("a\n::error::b 100%\r"), "a%0A::error::b 100%25\\u{d}");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
