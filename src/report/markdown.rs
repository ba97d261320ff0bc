//! The record as a statement to put into an engine's own documentation.

use std::fmt::Write as _;

use crate::{
    diagnostics::printable,
    run::Outcome,
    standing::{Record, RuleRecord, STATEMENT, Standing},
};

use super::human::{count, rules_of};

/// The record as Markdown: a table a family, then what is not met and why.
pub fn markdown(record: &Record) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# Where {} stands\n", escaped(&record.engine.named()));
    let _ = writeln!(text, "{STATEMENT}\n");
    for specification in &record.specifications {
        let _ = writeln!(
            text,
            "- {}: {} carried by {} {}",
            escaped(&specification.name),
            rules_of(specification),
            record.harness.name,
            record.harness.version
        );
    }
    let c = &record.summary.cases;
    let _ = writeln!(
        text,
        "- {}: {} passed, {} failed, {} erred, {} timed out, {} unsupported, {} skipped",
        count(c.total(), "case"),
        c.pass,
        c.fail,
        c.error,
        c.timeout,
        c.unsupported,
        c.skipped
    );
    if !record.selection.is_empty() {
        let _ = writeln!(
            text,
            "- of a selection only: {}",
            escaped(&record.selection.join(" "))
        );
    }
    if record.interrupted {
        let _ = writeln!(text, "- the run ended before it was done");
    }
    if let Some(date) = record.timing.as_ref().and_then(|t| t.date.as_deref()) {
        let _ = writeln!(
            text,
            "- made on {}",
            escaped(date.split('T').next().unwrap_or(date))
        );
    }
    for (name, rules) in record.families() {
        table(name, rules, &mut text);
    }
    shortfalls(record, &mut text);
    text
}

fn table(name: &str, rules: &[RuleRecord], text: &mut String) {
    let _ = writeln!(text, "\n## {}\n", escaped(name));
    if rules.iter().all(|r| r.standing == Standing::Untested) {
        let _ = writeln!(text, "{}, untested.", count(rules.len(), "rule"));
        return;
    }
    let _ = writeln!(
        text,
        "| rule | level | standing | cases passed | clauses not met | title |"
    );
    let _ = writeln!(text, "| --- | --- | --- | --- | --- | --- |");
    for rule in rules {
        let passed = rule
            .cases
            .iter()
            .filter(|c| c.outcome == Outcome::Pass)
            .count();
        let below: Vec<String> = rule
            .clauses
            .iter()
            .filter(|c| ![Standing::Meets, Standing::NotApplicable].contains(&c.standing))
            .map(|c| format!("¶{} {}", c.clause, c.standing))
            .collect();
        let posture = match rule.posture.counts() {
            true => String::new(),
            false => format!(" ({}: counts nowhere)", rule.posture),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {passed} of {} | {} | {}{posture} |",
            rule.id,
            rule.level,
            rule.standing,
            rule.cases.len(),
            below.join(", "),
            escaped(&rule.title)
        );
    }
}

fn shortfalls(record: &Record, text: &mut String) {
    let mut failed = record
        .cases()
        .filter(|(_, c)| c.outcome.is_failure())
        .peekable();
    if failed.peek().is_none() {
        return;
    }
    let _ = writeln!(text, "\n## What is not met\n");
    for (_, case) in failed {
        let clauses: Vec<String> = case.clauses.iter().map(|n| format!("¶{n}")).collect();
        let message = case.message.as_deref().unwrap_or_default();
        let first = message.lines().next().unwrap_or_default();
        let known = case
            .known
            .as_ref()
            .map(|k| format!(" — known: {}", escaped(&k.reason)))
            .unwrap_or_default();
        let alone = if case.passes_alone {
            " (passes when put alone)"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "- {} {} ({}): {}{alone}{known}",
            escaped(&case.case),
            case.outcome,
            clauses.join(" "),
            escaped(first)
        );
    }
}

/// Text in which nothing is Markdown or HTML, on one line.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in printable(text).chars() {
        match c {
            '\n' | '\t' => out.push(' '),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
