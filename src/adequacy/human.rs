//! The adequacy of cases as a person reads it: a misreading a line, clause by clause.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::{Adequacy, Caught, ClauseAdequacy, RuleAdequacy, Summary};
use crate::diagnostics::printable;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default();
const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// How many of the cases that catch a misreading are named.
const MOST_NAMED: usize = 2;

/// The table, with ANSI styles in it; whoever prints it takes them out where nobody sees them.
///
/// ```
/// use std::sync::Arc;
/// use standing::{adequacy::{human, measure}, suite::{Selection, Suite}};
///
/// let (suite, _) = Suite::embedded();
/// let chosen = Selection::new(&suite, &["SG-16/three-tails-one-head"]).expect("a case");
/// let table = human(&measure(&Arc::new(suite), &chosen, false)?);
/// assert!(table.contains("loop-per-tail"));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
pub fn human(adequacy: &Adequacy) -> String {
    let mut text = String::new();
    let names = adequacy.misreadings().map(|(_, _, m)| m.name.len());
    let width = names.max().unwrap_or(0);
    for rule in adequacy.rules.iter().filter(|r| is_shown(r)) {
        line(
            &mut text,
            format_args!(
                "{} {}",
                styled(BOLD, rule.id.as_str()),
                styled(DIM, printable(&rule.title))
            ),
        );
        for clause in &rule.clauses {
            clause_lines(rule, clause, width, &mut text);
        }
        text.push('\n');
    }
    let hidden = hidden(adequacy);
    if !hidden.is_empty() {
        let rules = format_args!("rules without a misreading: {}\n", hidden.join(", "));
        line(&mut text, format_args!("{}", styled(DIM, rules)));
    }
    for case in &adequacy.unsound {
        let what = styled(
            RED.bold(),
            "not passed by the reference, so it catches nothing",
        );
        line(&mut text, format_args!("{} {what}", printable(case)));
    }
    if !adequacy.unsound.is_empty() {
        text.push('\n');
    }
    sum(adequacy, &mut text);
    text
}

fn is_shown(rule: &RuleAdequacy) -> bool {
    rule.clauses.iter().any(|c| !c.misreadings.is_empty())
}

/// The rules that are not shown: a whole family as its name with their number, others by id.
fn hidden(adequacy: &Adequacy) -> Vec<String> {
    let families = adequacy.rules.chunk_by(|a, b| a.family == b.family);
    families
        .flat_map(|family| match family.iter().any(is_shown) {
            false => vec![format!("{} ({})", family[0].family, family.len())],
            true => {
                let hidden = family.iter().filter(|r| !is_shown(r));
                hidden.map(|r| r.id.to_string()).collect()
            }
        })
        .collect()
}

fn clause_lines(rule: &RuleAdequacy, clause: &ClauseAdequacy, width: usize, text: &mut String) {
    let number = format!("¶{}", clause.clause);
    if clause.misreadings.is_empty() {
        let what = match &clause.untestable {
            Some(reason) => styled(DIM, format_args!("untestable: {}", printable(reason))),
            None => styled(YELLOW, "no misreading"),
        };
        line(text, format_args!("  {number:<3} {what}"));
    }
    for misreading in &clause.misreadings {
        let what = match misreading.survives() {
            true => styled(RED.bold(), "survives") + &format!(": {}", misreading.says),
            false => caught(rule, clause.clause, misreading),
        };
        let name = misreading.name;
        line(text, format_args!("  {number:<3} {name:<width$}  {what}"));
    }
}

/// How many cases catch a misreading, and the first of them.
fn caught(rule: &RuleAdequacy, clause: usize, misreading: &Caught) -> String {
    let own = format!("{}/", rule.id);
    let by = &misreading.caught_by;
    let mut named: Vec<&str> = by
        .iter()
        .take(MOST_NAMED)
        .map(|case| case.strip_prefix(&own).unwrap_or(case))
        .collect();
    if by.len() > MOST_NAMED {
        named.push("…");
    }
    let count = styled(GREEN, format_args!("{:>3}", by.len()));
    let elsewhere = match misreading.clause_fails {
        true => String::new(),
        false => styled(YELLOW, format_args!("not by ¶{clause}: ")),
    };
    format!("{count}  {elsewhere}{}", styled(DIM, named.join(", ")))
}

fn sum(adequacy: &Adequacy, text: &mut String) {
    let Summary {
        misreadings,
        caught,
        survive,
        caught_by_one,
        caught_elsewhere,
        clauses,
        without_misreading,
        cases,
        catching,
    } = adequacy.summary;
    let what = match adequacy.examples_only {
        true => "The adequacy of the documents' examples alone",
        false => "The adequacy of the cases",
    };
    line(text, format_args!("{}", styled(BOLD, what)));
    let mut row = |what: &str, total: usize, parts: &[(usize, &str, Style)]| {
        let parts: Vec<String> = parts
            .iter()
            .filter(|(n, ..)| *n > 0)
            .map(|(n, words, style)| styled(*style, format_args!("{n} {words}")))
            .collect();
        match (what, parts.as_slice()) {
            ("", []) => {}
            (_, []) => line(
                text,
                format_args!("  {what:<12} {total:>4}  {}", styled(DIM, "none")),
            ),
            _ => line(
                text,
                format_args!("  {what:<12} {total:>4}  {}", parts.join(", ")),
            ),
        }
    };
    row(
        "misreadings",
        misreadings,
        &[(caught, "caught", GREEN), (survive, "survive", RED.bold())],
    );
    row(
        "",
        caught,
        &[
            (caught_by_one, "of these by one case alone", DIM),
            (caught_elsewhere, "only by cases of other clauses", YELLOW),
        ],
    );
    row(
        "clauses",
        clauses,
        &[
            (clauses - without_misreading, "with a misreading", GREEN),
            (without_misreading, "without", YELLOW),
        ],
    );
    row(
        "cases",
        cases,
        &[
            (catching, "catch one or more", GREEN),
            (cases - catching, "catch none", DIM),
        ],
    );
    if !adequacy.selection.is_empty() {
        let chosen = printable(&adequacy.selection.join(" "));
        let what = styled(YELLOW, format_args!("of a selection only: {chosen}"));
        line(text, format_args!("  {what}"));
    }
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{line}");
}

fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}
