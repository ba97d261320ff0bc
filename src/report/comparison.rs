//! What changed between two records.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::{
    human::{BOLD, DIM, count, styled},
    markdown::escaped,
};
use crate::{
    diagnostics::{inert_json, printable},
    run::Outcome,
    standing::{CaseChange, Change, Comparison, RuleChange, Standing},
};

/// What is told, in order, with the word for it and its style.
const TOLD: &[(Change, &str, Style)] = &[
    (Change::Worse, "worse", AnsiColor::Red.on_default().bold()),
    (Change::Better, "better", AnsiColor::Green.on_default()),
    (Change::Appeared, "appeared", AnsiColor::Cyan.on_default()),
    (Change::Vanished, "vanished", AnsiColor::Yellow.on_default()),
    (Change::Other, "otherwise", DIM),
];

/// For people, with ANSI styles.
pub fn comparison_human(comparison: &Comparison) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} {} {} {}",
        styled(BOLD, "From"),
        printable(&comparison.old.named()),
        styled(BOLD, "to"),
        printable(&comparison.new.named())
    );
    for (change, word, style) in TOLD {
        let rules = rules_of(comparison, *change);
        if rules.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{}", styled(*style, word));
        for rule in rules {
            let _ = writeln!(
                text,
                "  {} {}{}",
                styled(BOLD, &rule.rule),
                printable(&rule.title),
                styled(DIM, format_args!("  {}", notes(rule)))
            );
            for case in rule.cases.iter().filter(|c| c.change == *change) {
                let _ = writeln!(text, "    {}  {}", printable(&case.case), outcomes(case));
                if let Some(message) = first_line(case) {
                    let _ = writeln!(text, "      {}", styled(DIM, printable(message)));
                }
            }
        }
    }
    let changed = changed_texts(comparison);
    if !changed.is_empty() {
        let _ = writeln!(text, "\n{}", styled(BOLD, "text changed since"));
        for rule in changed {
            let _ = writeln!(text, "  {} {}", rule.rule, printable(&rule.title));
        }
    }
    let _ = writeln!(text, "\n{}", sum(comparison));
    text
}

/// For programs: indented JSON that ends with a newline.
///
/// # Errors
///
/// Those of `serde_json`; no comparison is known to have any.
pub fn comparison_json(comparison: &Comparison) -> Result<String, serde_json::Error> {
    let mut text = inert_json(&serde_json::to_string_pretty(comparison)?);
    text.push('\n');
    Ok(text)
}

/// For a comment on a pull request, or a page.
pub fn comparison_markdown(comparison: &Comparison) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "# From {} to {}\n\n{}",
        escaped(&comparison.old.named()),
        escaped(&comparison.new.named()),
        escaped(&sum(comparison))
    );
    for (change, word, _) in TOLD {
        let rules = rules_of(comparison, *change);
        if rules.is_empty() {
            continue;
        }
        let _ = writeln!(
            text,
            "\n## {}{}\n\n| rule | case | before | now | why |\n| --- | --- | --- | --- | --- |",
            word[..1].to_uppercase(),
            &word[1..]
        );
        for rule in rules {
            let _ = writeln!(
                text,
                "| **{}** | {} | {} | {} | {} |",
                rule.rule,
                escaped(&rule.title),
                standing(rule.old),
                standing(rule.new),
                if rule.text_changed {
                    "its text has changed since"
                } else {
                    ""
                }
            );
            for case in rule.cases.iter().filter(|c| c.change == *change) {
                let known = if case.known { " (known)" } else { "" };
                let _ = writeln!(
                    text,
                    "| | {} | {} | {}{known} | {} |",
                    escaped(&case.case),
                    outcome(case.old),
                    outcome(case.new),
                    escaped(first_line(case).unwrap_or_default())
                );
            }
        }
    }
    let changed = changed_texts(comparison);
    if !changed.is_empty() {
        let _ = writeln!(text, "\n## Text changed since\n");
        for rule in changed {
            let _ = writeln!(text, "- {} {}", rule.rule, escaped(&rule.title));
        }
    }
    text
}

/// The rules of which there is something to tell under a heading.
fn rules_of(comparison: &Comparison, change: Change) -> Vec<&RuleChange> {
    let has = |r: &&RuleChange| {
        // Standings that change between equals are told by their cases.
        let itself = r.change == change && change != Change::Other;
        itself || r.cases.iter().any(|c| c.change == change)
    };
    comparison.rules.iter().filter(has).collect()
}

fn changed_texts(comparison: &Comparison) -> Vec<&RuleChange> {
    let rules = comparison.rules.iter();
    rules.filter(|r| r.text_changed).collect()
}

fn notes(rule: &RuleChange) -> String {
    let mut notes = match (rule.old, rule.new) {
        (Some(old), Some(new)) if old == new => format!("{new}, as before"),
        (Some(old), Some(new)) => format!("{old} → {new}"),
        (None, Some(one)) | (Some(one), None) => one.to_string(),
        (None, None) => String::new(),
    };
    if rule.text_changed {
        notes.push_str(", its text has changed since");
    }
    if !rule.counts {
        notes.push_str(", counts nowhere");
    }
    notes
}

fn outcomes(case: &CaseChange) -> String {
    let known = if case.known { ", known" } else { "" };
    match (case.old, case.new) {
        (Some(old), Some(new)) => format!("{old} → {new}{known}"),
        (None, one) | (one, None) => format!("{}{known}", outcome(one)),
    }
}

fn first_line(case: &CaseChange) -> Option<&str> {
    let line = case.message.as_deref()?.lines().next()?;
    Some(line).filter(|line| !line.is_empty())
}

fn outcome(outcome: Option<Outcome>) -> &'static str {
    outcome.map_or("", Outcome::as_str)
}

fn standing(standing: Option<Standing>) -> &'static str {
    standing.map_or("", Standing::as_str)
}

fn sum(comparison: &Comparison) -> String {
    let parts: Vec<String> = TOLD
        .iter()
        .map(|(change, word, _)| (comparison.cases(*change).count(), word))
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"))
        .collect();
    let changed = changed_texts(comparison).len();
    let texts = match changed {
        0 => String::new(),
        n => format!("; the text of {} has changed since", count(n, "rule")),
    };
    match parts.is_empty() {
        true => format!("no case came out otherwise{texts}"),
        false => format!("cases: {}{texts}", parts.join(", ")),
    }
}
