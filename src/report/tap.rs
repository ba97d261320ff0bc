//! The record as TAP 14: a subtest a rule, a test point a case.

use std::fmt::Write as _;

use super::text::{json_string, one_line, pretty};
use crate::{
    run::Outcome,
    standing::{CaseRecord, Record, RuleRecord},
};

/// The record as version 14 of the Test Anything Protocol. A known failure is a `TODO`, what was not
/// put a `SKIP`.
pub fn tap(record: &Record) -> String {
    let mut text = String::from("TAP version 14\n");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# {}", one_line(&record.engine.named()));
    let _ = writeln!(text, "# {}", one_line(&record.statement));
    let _ = writeln!(text, "{}", plan(record.rules.len(), "no rule"));
    for (i, rule) in record.rules.iter().enumerate() {
        rule_points(record, rule, i + 1, &mut text);
    }
    text
}

fn plan(count: usize, none: &str) -> String {
    match count {
        0 => format!("1..0 # SKIP {none}"),
        n => format!("1..{n}"),
    }
}

fn rule_points(record: &Record, rule: &RuleRecord, number: usize, text: &mut String) {
    let name = description(&format!("{} {}", rule.id, rule.title));
    let _ = writeln!(text, "# Subtest: {name}");
    let _ = writeln!(text, "    {}", plan(rule.cases.len(), "no case"));
    for (i, case) in rule.cases.iter().enumerate() {
        case_point(record, case, i + 1, text);
    }
    let fails = |c: &&CaseRecord| c.outcome.is_failure();
    let is_ok = !rule.cases.iter().filter(fails).any(|c| c.known.is_none());
    let directive = match is_ok && rule.cases.iter().all(|c| is_skipped(c.outcome)) {
        true => format!(" # SKIP {}", rule.standing),
        false => String::new(),
    };
    let _ = writeln!(text, "{} {number} - {name}{directive}", word(is_ok));
}

fn case_point(record: &Record, case: &CaseRecord, number: usize, text: &mut String) {
    let message = case.message.as_deref().unwrap_or_default();
    let first = one_line(message.lines().next().unwrap_or_default());
    let directive = match (&case.known, case.outcome) {
        (Some(known), _) => format!(" # TODO {}", one_line(&known.reason)),
        (None, Outcome::Unsupported) => format!(" # SKIP unsupported: {first}"),
        (None, Outcome::Skipped) => format!(" # SKIP {first}"),
        (None, _) => String::new(),
    };
    let _ = writeln!(
        text,
        "    {} {number} - {}{directive}",
        word(!case.outcome.is_failure()),
        description(case.short_name())
    );
    let took = record.timing.as_ref().and_then(|t| t.cases.get(&case.case));
    if !case.outcome.is_failure() && took.is_none() {
        return;
    }
    text.push_str("      ---\n");
    let mut member = |name: &str, value: String| {
        let _ = writeln!(text, "      {name}: {value}");
    };
    if let Some(took) = took.filter(|t| t.is_finite()) {
        member("duration_ms", format!("{:.3}", took * 1000.0));
    }
    if case.outcome.is_failure() {
        member("outcome", case.outcome.as_str().to_owned());
        member("message", json_string(message));
        let clauses: Vec<String> = case.clauses.iter().map(usize::to_string).collect();
        member("clauses", format!("[{}]", clauses.join(", ")));
        member("at", json_string(&case.source));
        if let Some(operation) = &case.operation {
            member("operation", json_string(operation));
        }
        if let Some(expected) = case.nearest.as_ref().or(case.expected.as_ref()) {
            member("expected", json_string(&pretty(expected)));
        }
        if let Some(actual) = &case.actual {
            member("actual", json_string(&pretty(actual)));
        }
        if let Some(stderr) = &case.stderr {
            member("stderr", json_string(stderr));
        }
    }
    text.push_str("      ...\n");
}

fn is_skipped(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Unsupported | Outcome::Skipped)
}

fn word(is_ok: bool) -> &'static str {
    if is_ok { "ok" } else { "not ok" }
}

/// A description in which nothing is a directive.
fn description(text: &str) -> String {
    one_line(text).replace('\\', "\\\\").replace('#', "\\#")
}
