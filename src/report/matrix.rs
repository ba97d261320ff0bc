//! Several records beside each other: rules down, engines across.

use std::fmt::Write as _;

use super::{
    human::{BOLD, DIM, style_of, styled},
    markdown::escaped,
};
use crate::{
    corpus::RuleId,
    diagnostics::printable,
    run::Outcome,
    standing::{CaseRecord, Record, RuleRecord, STATEMENT},
};

/// A rule, as each of the records has it.
#[derive(Debug)]
pub(super) struct Row<'a> {
    /// From the first record that has it.
    pub(super) rule: &'a RuleRecord,
    /// One a record, in order. `None`: the record is not about this rule.
    pub(super) cells: Vec<Option<&'a RuleRecord>>,
}

impl<'a> Row<'a> {
    /// Whether the records differ in it: a standing, a clause's, or the outcome of a case.
    pub(super) fn differs(&self) -> bool {
        let mut told = self.cells.iter().map(|cell| {
            cell.map(|rule| {
                let clauses: Vec<_> = rule.clauses.iter().map(|c| c.standing).collect();
                let cases: Vec<_> = rule.cases.iter().map(|c| (&c.case, c.outcome)).collect();
                (rule.standing, clauses, cases)
            })
        });
        let first = told.next();
        told.any(|one| Some(&one) != first.as_ref())
    }

    /// The names of the cases, as the records have them together.
    pub(super) fn cases(&self) -> Vec<&'a str> {
        let mut names: Vec<&str> = Vec::new();
        for case in self.cells.iter().flatten().flat_map(|rule| &rule.cases) {
            if !names.contains(&case.case.as_str()) {
                names.push(&case.case);
            }
        }
        names
    }
}

/// A case of a rule.
pub(super) fn case_of<'a>(rule: &'a RuleRecord, name: &str) -> Option<&'a CaseRecord> {
    rule.cases.iter().find(|c| c.case == name)
}

/// How many cases of a rule passed, of how many.
pub(super) fn passed(rule: &RuleRecord) -> (usize, usize) {
    let pass = |c: &&CaseRecord| c.outcome == Outcome::Pass;
    (rule.cases.iter().filter(pass).count(), rule.cases.len())
}

/// The rules of all records. Where the records order them otherwise, the first that has one decides.
pub(super) fn rows(records: &[Record], differences: bool) -> Vec<Row<'_>> {
    let mut rules: Vec<&RuleRecord> = Vec::new();
    let has = |rules: &[&RuleRecord], id: &RuleId| rules.iter().position(|r| r.id == *id);
    for record in records {
        let mut after = None;
        for rule in &record.rules {
            match has(&rules, &rule.id) {
                Some(at) => after = Some(at),
                None => {
                    // Behind the rule that it follows here, or else behind its family.
                    let family = rules.iter().rposition(|r| r.family == rule.family);
                    let at = match after.filter(|&at: &usize| rules[at].family == rule.family) {
                        Some(at) => at + 1,
                        None => family.map_or(rules.len(), |at| at + 1),
                    };
                    rules.insert(at, rule);
                    after = Some(at);
                }
            }
        }
    }
    let rows = rules.into_iter().map(|rule| Row {
        rule,
        cells: records
            .iter()
            .map(|record| record.rules.iter().find(|r| r.id == rule.id))
            .collect(),
    });
    rows.filter(|row| !differences || row.differs()).collect()
}

/// The matrix for people, with ANSI styles.
pub fn matrix_human(records: &[Record], differences: bool) -> String {
    let rows = rows(records, differences);
    let names: Vec<String> = records
        .iter()
        .map(|r| printable(&r.engine.named()))
        .collect();
    let ids = rows.iter().map(|row| row.rule.id.as_str().len());
    let first = ids.max().unwrap_or(0);
    // The last is as wide as it comes: no line ends with spaces.
    let widths: Vec<usize> = names
        .iter()
        .enumerate()
        .map(|(i, name)| match i + 1 == names.len() {
            true => 0,
            false => name.chars().count().max(20),
        })
        .collect();
    let mut text = String::new();
    let heads = names
        .iter()
        .zip(&widths)
        .map(|(name, w)| format!("{name:<w$}"));
    let heads: Vec<String> = heads.collect();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{:first$}  {}",
        "",
        styled(BOLD, heads.join("  ").trim_end())
    );
    let mut family = "";
    for row in &rows {
        if row.rule.family != family {
            family = &row.rule.family;
            let _ = writeln!(text, "{}", styled(BOLD, printable(family)));
        }
        let cells = row.cells.iter().zip(&widths).map(|(cell, w)| match cell {
            None => styled(DIM, format_args!("{:<w$}", "—")),
            Some(rule) => {
                let (pass, all) = passed(rule);
                let shown = format!("{:<14} {pass}/{all}", rule.standing);
                styled(style_of(rule.standing), format_args!("{shown:<w$}"))
            }
        });
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(
            text,
            "{:first$}  {}",
            row.rule.id.as_str(),
            cells.join("  ")
        );
    }
    if rows.is_empty() {
        let _ = writeln!(text, "{}", none(differences));
    }
    let _ = writeln!(text, "\n{}", styled(DIM, STATEMENT));
    text
}

/// The matrix as Markdown: a table a family.
pub fn matrix_markdown(records: &[Record], differences: bool) -> String {
    let rows = rows(records, differences);
    let names: Vec<String> = records.iter().map(|r| escaped(&r.engine.named())).collect();
    let mut text = format!("# {}\n\n{STATEMENT}\n", names.join(", "));
    for (record, name) in records.iter().zip(&names) {
        let cases = &record.summary.cases;
        let _ = write!(
            text,
            "\n- {name}: {} of {} cases passed",
            cases.pass,
            cases.total()
        );
        if !record.selection.is_empty() {
            let _ = write!(
                text,
                ", of a selection only: {}",
                escaped(&record.selection.join(" "))
            );
        }
        if record.interrupted {
            text.push_str(", and the run ended before it was done");
        }
        let date = record.timing.as_ref().and_then(|t| t.date.as_deref());
        if let Some(day) = date.and_then(|date| date.split('T').next()) {
            let _ = write!(text, "; made on {}", escaped(day));
        }
    }
    text.push('\n');
    for family in rows.chunk_by(|a, b| a.rule.family == b.rule.family) {
        let _ = writeln!(text, "\n## {}\n", escaped(&family[0].rule.family));
        let _ = writeln!(text, "| rule | {} | title |", names.join(" | "));
        let _ = writeln!(text, "| --- |{} --- |", " --- |".repeat(names.len()));
        for row in family {
            let cells = row.cells.iter().map(|cell| match cell {
                None => "—".to_owned(),
                Some(rule) => {
                    let (pass, all) = passed(rule);
                    format!("{} {pass}/{all}", rule.standing)
                }
            });
            let cells: Vec<String> = cells.collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} |",
                row.rule.id,
                cells.join(" | "),
                escaped(&row.rule.title)
            );
        }
    }
    if rows.is_empty() {
        let _ = writeln!(text, "\n{}", none(differences));
    }
    text
}

fn none(differences: bool) -> &'static str {
    match differences {
        true => "They differ in no rule.",
        false => "There is no rule.",
    }
}
