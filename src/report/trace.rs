//! A trace, written for somebody.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Value, json};

use super::human::{BOLD, DIM, YELLOW, count, style_of, styled};
use crate::{
    diagnostics::printable,
    run::Outcome,
    trace::{Trace, TracedClause},
};

/// A clause a line: where it is cited, how many cases bear on it, and how they came out.
pub fn trace_human(trace: &Trace) -> String {
    let mut text = String::new();
    let mut last = "";
    for clause in &trace.clauses {
        if clause.rule.as_str() != last {
            last = clause.rule.as_str();
            let _ = writeln!(text, "{}", styled(BOLD, last));
        }
        let places: Vec<String> = clause
            .citations
            .iter()
            .map(|p| printable(&p.to_string()))
            .collect();
        let cited = match (places.is_empty(), clause.untestable) {
            (false, _) => places.join("  "),
            (true, true) => styled(DIM, "untestable"),
            (true, false) => styled(YELLOW, "cited nowhere"),
        };
        let _ = writeln!(text, "  ¶{:<3} {}  {cited}", clause.clause, state(clause));
    }
    let cited = trace
        .clauses
        .iter()
        .filter(|c| !c.citations.is_empty())
        .count();
    let uncited = trace.uncited().count();
    let citations: usize = trace.clauses.iter().map(|c| c.citations.len()).sum();
    let _ = writeln!(
        text,
        "\n{cited} of {} cited, {uncited} cited nowhere; {} in {}",
        count(trace.clauses.len(), "clause"),
        count(citations, "citation"),
        count(trace.files, "file"),
    );
    if trace.beyond > 0 {
        let line = format!(
            "{} of rules that this suite does not carry",
            count(trace.beyond, "citation")
        );
        let _ = writeln!(text, "{}", styled(DIM, line));
    }
    text
}

/// How the cases of a clause came out; just their number where nothing is known.
fn state(clause: &TracedClause) -> String {
    let cases = count(clause.cases.len(), "case");
    match clause.standing {
        Some(standing) => format!(
            "{cases:>9} {}",
            styled(style_of(standing), format_args!("{standing:<12}"))
        ),
        None => format!("{cases:>9}"),
    }
}

/// The trace as JSON: a member a clause, in order.
pub fn trace_json(trace: &Trace) -> Value {
    json!({
        "format": "standing-trace/1",
        "clauses": trace.clauses,
        "files": trace.files,
        "beyond": trace.beyond,
    })
}

/// The trace as LCOV: a cited line was run as often as cases of its clauses passed, so that an
/// editor shows which citations hold.
pub fn trace_lcov(trace: &Trace) -> String {
    let mut files: BTreeMap<&str, BTreeMap<usize, usize>> = BTreeMap::new();
    for clause in &trace.clauses {
        let fails = clause
            .cases
            .iter()
            .any(|c| c.outcome.is_some_and(Outcome::is_failure));
        let passed = clause
            .cases
            .iter()
            .filter(|c| c.outcome == Some(Outcome::Pass))
            .count();
        for place in &clause.citations {
            let lines = files.entry(place.path()).or_default();
            *lines.entry(place.line_column().line).or_default() += if fails { 0 } else { passed };
        }
    }
    let mut text = String::new();
    for (path, lines) in files {
        let _ = writeln!(text, "SF:{path}");
        for (line, passed) in &lines {
            let _ = writeln!(text, "DA:{line},{passed}");
        }
        let hit = lines.values().filter(|n| **n > 0).count();
        let _ = writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
    }
    text
}
