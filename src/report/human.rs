//! The record as a person reads it: a rule a line, the failures in full, the sum at the end.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use crate::{
    diagnostics::{inert_json, printable},
    run::Outcome,
    standing::{
        CaseRecord, GroupRecord, Record, RuleRecord, STATEMENT, SpecificationRecord, Standing,
        Tally,
    },
};

/// How the report is written.
#[derive(Clone, Copy, Debug)]
pub struct Human<'a> {
    /// The command that made the record, without its selectors: what runs a failed case again.
    pub command: &'a str,
    /// Only what is not well, and the sum.
    pub quiet: bool,
}

/// The report of a record, with ANSI styles in it; whoever prints it takes them out where nobody
/// sees them.
///
/// Nothing that comes from an engine or a document can act on a terminal: control characters are
/// written out.
pub fn human(record: &Record, how: &Human<'_>) -> String {
    let mut out = Out(String::new());
    if !how.quiet {
        families(record, &mut out);
    }
    failures(record, how, &mut out);
    sum(record, &mut out);
    out.0
}

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default();
const GREEN: Style = AnsiColor::Green.on_default();
pub(super) const YELLOW: Style = AnsiColor::Yellow.on_default();

/// The text so far.
struct Out(String);

impl Out {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{text}");
    }

    fn gap(&mut self) {
        self.0.push('\n');
    }
}

pub(super) fn styled(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

pub(super) fn style_of(standing: Standing) -> Style {
    match standing {
        Standing::Meets => GREEN,
        Standing::Fails => RED.bold(),
        Standing::Partial => YELLOW,
        _ => DIM,
    }
}

fn families(record: &Record, out: &mut Out) {
    let width = record
        .rules
        .iter()
        .map(|r| r.id.as_str().len())
        .max()
        .unwrap_or(0);
    for (name, family) in record.families() {
        let standing = record.summary.families.get(name).map(|g| g.standing);
        let shown: Vec<&RuleRecord> = family.iter().filter(|r| is_shown(r)).collect();
        if shown.is_empty() {
            // A family that nothing is known of is one line.
            let what = standing.unwrap_or(Standing::Untested);
            let count = count(family.len(), "rule");
            out.line(format_args!(
                "{} {}",
                styled(BOLD, printable(name)),
                styled(DIM, format_args!("{count} {what}"))
            ));
            continue;
        }
        out.line(format_args!("{}", styled(BOLD, printable(name))));
        for rule in &shown {
            rule_line(rule, width, !record.selection.is_empty(), out);
        }
        let hidden: Vec<&str> = family
            .iter()
            .filter(|r| !is_shown(r))
            .map(|r| r.id.as_str())
            .collect();
        if !hidden.is_empty() {
            let ids = hidden.join(", ");
            out.line(format_args!(
                "  {}",
                styled(DIM, format_args!("{:<14} {ids}", Standing::Untested))
            ));
        }
        out.gap();
    }
    if !out.0.ends_with("\n\n") && !out.0.is_empty() {
        out.gap();
    }
}

fn is_shown(rule: &RuleRecord) -> bool {
    rule.standing != Standing::Untested || !rule.cases.is_empty()
}

fn rule_line(rule: &RuleRecord, width: usize, is_selection: bool, out: &mut Out) {
    let passed = rule
        .cases
        .iter()
        .filter(|c| c.outcome == Outcome::Pass)
        .count();
    let standing = rule.standing;
    let posture = match rule.posture.counts() {
        true => String::new(),
        false => styled(DIM, format_args!(" ({}: counts nowhere)", rule.posture)),
    };
    out.line(format_args!(
        "  {} {:width$} {:>7}  {}{posture}",
        styled(style_of(standing), format_args!("{standing:<14}")),
        rule.id.as_str(),
        format!("{passed}/{}", rule.cases.len()),
        printable(&rule.title),
    ));
    // What all clauses are is said by the rule, and what a selection leaves out is no news.
    let alike = rule.clauses.iter().all(|c| c.standing == standing);
    let below: Vec<String> = rule
        .clauses
        .iter()
        .filter(|c| ![Standing::Meets, Standing::NotApplicable].contains(&c.standing))
        .filter(|c| !(alike || is_selection && c.standing == Standing::Untested))
        .map(|c| format!("¶{} {}", c.clause, c.standing))
        .collect();
    if !below.is_empty() {
        let indent = 2 + 15 + width + 8 + 2;
        out.line(format_args!(
            "{:indent$}{}",
            "",
            styled(DIM, below.join(", "))
        ));
    }
}

fn failures(record: &Record, how: &Human<'_>, out: &mut Out) {
    for (rule, case) in record.failures() {
        let clauses: Vec<String> = case.clauses.iter().map(|n| format!("¶{n}")).collect();
        out.line(format_args!(
            "{} {} {}",
            styled(RED.bold(), format_args!("{:<7}", case.outcome)),
            styled(BOLD, printable(&case.case)),
            styled(DIM, format_args!("bears on {}", clauses.join(" "))),
        ));
        details(&rule.document, case, out);
        let again = format!("{} {}", how.command, quoted(&case.case));
        out.line(format_args!("        {} {again}", styled(DIM, "again")));
        out.gap();
    }
}

/// What is wrong with one case, without styles.
pub(crate) fn failure(document: &str, case: &CaseRecord) -> String {
    let mut out = Out(String::new());
    details(document, case, &mut out);
    anstream::adapter::strip_str(&out.0).to_string()
}

fn details(document: &str, case: &CaseRecord, out: &mut Out) {
    if let Some(message) = &case.message {
        let step = case.step.map(|n| format!("step {n}: ")).unwrap_or_default();
        for line in format!("{step}{}", printable(message)).lines() {
            out.line(format_args!("        {line}"));
        }
    }
    if let Some(operation) = &case.operation {
        question(operation, case.params.as_ref(), out);
    }
    if let Some(actual) = &case.actual {
        let expected = case.nearest.as_ref().or(case.expected.as_ref());
        difference(expected, actual, out);
    }
    if let Some(stderr) = &case.stderr {
        /// The end is what tells why.
        const MOST_LINES: usize = 10;
        out.line(format_args!(
            "        {}",
            styled(DIM, "standard error, when put alone")
        ));
        let lines: Vec<&str> = stderr.trim_end().lines().collect();
        for line in &lines[lines.len().saturating_sub(MOST_LINES)..] {
            out.line(format_args!("          {}", printable(line)));
        }
    }
    if case.passes_alone {
        out.line(format_args!(
            "        {}",
            styled(YELLOW, "passes alone: something leaks from case to case")
        ));
    }
    out.line(format_args!(
        "        {} {}",
        styled(DIM, "rule"),
        printable(document)
    ));
    out.line(format_args!(
        "        {} {}",
        styled(DIM, "case"),
        printable(&case.source)
    ));
}

/// Expected against actual as `run` shows it, with styles.
#[cfg(feature = "explore")]
pub(crate) fn diff(expected: Option<&Value>, actual: &Value) -> String {
    let mut out = Out(String::new());
    difference(expected, actual, &mut out);
    out.0
}

/// What was asked, on one line, cut where it is long.
fn question(operation: &str, params: Option<&Value>, out: &mut Out) {
    const MOST: usize = 300;
    let params = inert_json(&params.map(Value::to_string).unwrap_or_default());
    let shown = match params.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &params[..end]),
        None => params,
    };
    out.line(format_args!(
        "        {} {} {shown}",
        styled(DIM, "asked"),
        printable(operation)
    ));
}

/// Expected against actual, line by line, as far as they differ.
fn difference(expected: Option<&Value>, actual: &Value, out: &mut Out) {
    /// Enough to see what is wrong; the record has all of it.
    const MOST_LINES: usize = 60;
    let pretty =
        |value: &Value| serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string());
    let actual = pretty(actual);
    let Some(expected) = expected.map(pretty) else {
        for line in actual.lines().take(MOST_LINES) {
            out.line(format_args!("          {}", printable(line)));
        }
        return;
    };
    let diff = TextDiff::from_lines(&expected, &actual);
    out.line(format_args!(
        "        {} {}",
        styled(GREEN, "- expected"),
        styled(RED, "+ actual")
    ));
    let mut lines = 0;
    for (i, group) in diff.grouped_ops(3).iter().enumerate() {
        if i > 0 {
            out.line(format_args!("        {}", styled(DIM, "  …")));
        }
        for change in group.iter().flat_map(|op| diff.iter_inline_changes(op)) {
            lines += 1;
            if lines > MOST_LINES {
                out.line(format_args!(
                    "        {}",
                    styled(DIM, "  … (all of it with --format json)")
                ));
                return;
            }
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ('-', GREEN),
                ChangeTag::Insert => ('+', RED),
                ChangeTag::Equal => (' ', DIM),
            };
            let mut text = String::new();
            for (emphasized, part) in change.iter_strings_lossy() {
                let style = if emphasized {
                    style.bold().underline()
                } else {
                    style
                };
                text.push_str(&styled(style, printable(part.trim_end_matches('\n'))));
            }
            out.line(format_args!("        {} {text}", styled(style, sign)));
        }
    }
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", printable(word).replace('\'', r"'\''")),
    }
}

fn sum(record: &Record, out: &mut Out) {
    let name = printable(&record.engine.named());
    out.line(format_args!(
        "{} {}",
        styled(BOLD, "The standing of"),
        styled(BOLD.fg_color(Some(AnsiColor::Cyan.into())), name)
    ));
    let summary = &record.summary;
    row("rules", summary.rules.total(), &tally(&summary.rules), out);
    let c = &summary.cases;
    let cases = parts(&[
        (c.pass, "passed", GREEN),
        (c.fail, "failed", RED.bold()),
        (c.error, "erred", RED.bold()),
        (c.timeout, "timed out", RED.bold()),
        (c.unsupported, "unsupported", YELLOW),
        (c.skipped, "skipped", DIM),
    ]);
    row("cases", c.total(), &cases, out);
    if !summary.declined.is_empty() {
        let each = summary
            .declined
            .iter()
            .map(|(name, n)| format!("{} ({n})", printable(name)));
        let names: Vec<String> = each.collect();
        let line = format!("not done: {}", names.join(", "));
        row("", c.unsupported, &styled(DIM, line), out);
    }
    let known: Vec<&CaseRecord> = record
        .cases()
        .map(|(_, c)| c)
        .filter(|c| c.known.is_some())
        .collect();
    if !known.is_empty() {
        row(
            "",
            known.len(),
            &styled(DIM, "known to fail, and not shown above:"),
            out,
        );
    }
    for case in known {
        let why = case
            .known
            .as_ref()
            .map(|k| k.reason.as_str())
            .unwrap_or_default();
        let line = format!("{}: {}", printable(&case.case), printable(why));
        out.line(format_args!("{:24}{}", "", styled(DIM, line)));
    }
    let e = &summary.examples;
    let unbound = e.total - e.bound;
    row(
        "examples",
        e.total,
        &parts(&[
            (e.bound, "bound to a case", GREEN),
            (unbound, "unbound", DIM),
        ]),
        out,
    );
    for (level, group) in &summary.levels {
        group_row(level.as_str(), group, out);
    }
    for (profile, group) in &summary.profiles {
        group_row(profile.as_str(), group, out);
    }
    for specification in &record.specifications {
        let name = printable(&specification.name);
        let line = format!("{name}: {} carried", rules_of(specification));
        out.line(format_args!("  {}", styled(DIM, line)));
    }
    if !record.selection.is_empty() {
        const MOST: usize = 8;
        let mut chosen = printable(&record.selection[..record.selection.len().min(MOST)].join(" "));
        if record.selection.len() > MOST {
            let _ = write!(chosen, " and {} more", record.selection.len() - MOST);
        }
        out.line(format_args!(
            "  {}",
            styled(YELLOW, format_args!("of a selection only: {chosen}"))
        ));
    }
    if record.interrupted {
        out.line(format_args!(
            "  {}",
            styled(YELLOW, "the run ended before it was done")
        ));
    }
    out.line(format_args!("  {}", styled(DIM, STATEMENT)));
}

fn row(what: &str, total: usize, parts: &str, out: &mut Out) {
    out.line(format_args!("  {what:<14} {total:>5}  {parts}"));
}

fn group_row(what: &str, group: &GroupRecord, out: &mut Out) {
    let standing = styled(style_of(group.standing), group.standing);
    row(
        what,
        group.rules.total(),
        &format!(
            "{standing} {}",
            styled(DIM, format_args!("({})", tally(&group.rules)))
        ),
        out,
    );
}

fn tally(t: &Tally) -> String {
    parts(&[
        (t.meets, "met", GREEN),
        (t.partial, "in part", YELLOW),
        (t.fails, "failed", RED.bold()),
        (t.unsupported, "unsupported", YELLOW),
        (t.untested, "untested", DIM),
        (t.not_applicable, "not applicable", DIM),
    ])
}

/// The same without styles: `18 met, 2 failed`.
#[cfg(feature = "reports")]
pub(super) fn tally_in_words(t: &Tally) -> String {
    anstream::adapter::strip_str(&tally(t)).to_string()
}

fn parts(counts: &[(usize, &str, Style)]) -> String {
    let shown = counts.iter().filter(|(n, ..)| *n > 0);
    let shown: Vec<String> = shown
        .map(|(n, word, style)| styled(*style, format_args!("{n} {word}")))
        .collect();
    match shown.is_empty() {
        true => styled(DIM, "none"),
        false => shown.join(", "),
    }
}

/// `1 rule`, or `1 of 3 rules` where it is known how many there are.
pub(super) fn rules_of(specification: &SpecificationRecord) -> String {
    match specification.registered {
        0 => count(specification.rules, "rule"),
        all => format!("{} of {}", specification.rules, count(all, "rule")),
    }
}

/// `1 rule`, `2 rules`.
pub(crate) fn count(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}
