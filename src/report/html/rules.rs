//! The rules, a section each: clauses and cases, an engine a column.

use maud::{Markup, html};

use super::{Page, anchor, badge, failing, outcome_badge, sentence, slug};
use crate::{
    corpus::Rule,
    report::{
        matrix::{Row, case_of, passed},
        text::one_line,
    },
    standing::{CaseRecord, RuleRecord},
};

pub(super) fn rules(page: &Page<'_>, rows: &[Row<'_>]) -> Markup {
    let names = page.names();
    html! {
        @if page.is_matrix() {
            div.heads aria-hidden="true" { span {} @for name in &names { b { (name) } } }
        }
        @for family in rows.chunk_by(|a, b| a.rule.family == b.rule.family) {
            section.family {
                h2 #(anchor(&family[0].rule.family)) { (one_line(&family[0].rule.family)) }
                @for row in family { (rule(page, row, &names)) }
            }
        }
        @if rows.is_empty() && page.differences { p { "They differ in no rule." } }
    }
}

fn rule(page: &Page<'_>, row: &Row<'_>, names: &[String]) -> Markup {
    let one = row.rule;
    let standings: Vec<String> = row
        .cells
        .iter()
        .flatten()
        .map(|r| slug(r.standing))
        .collect();
    let profiles: Vec<&str> = one.profiles.iter().map(|p| p.as_str()).collect();
    html! {
        details.rule #(anchor(one.id.as_str())) data-standing=(standings.join(" ")) data-level=(one.level.as_str())
            data-profile=(profiles.join(" ")) data-differs[row.differs()] {
            summary {
                h3.what { b.id { (one.id) } " " span.title { (sentence(&one.title)) }
                    @if !one.posture.counts() { " " small { (one.posture.as_str()) ", counts nowhere" } } }
                @for (cell, name) in row.cells.iter().zip(names) {
                    span.cell { @if page.is_matrix() { span.of { (name) ": " } }
                        @match cell {
                            Some(rule) => { (badge(rule.standing)) @let (pass, all) = passed(rule);
                                @if all > 0 { " " small { (pass) "/" (all) } } }
                            None => { small { "not in its record" } }
                        }
                    }
                }
            }
            div.body {
                p.facets { (one.level.as_str()) " · " (profiles.join(", ")) " · hash " code { (one_line(&one.rule_hash)) }
                    " · " code { (one_line(&one.document)) } }
                @for text in other_texts(row) { p.note { (text) } }
                (clauses(page, row, names))
                (cases(page, row, names))
            }
        }
    }
}

/// Records that are about another text of the rule than the first.
fn other_texts(row: &Row<'_>) -> Vec<String> {
    let others = row.cells.iter().flatten();
    let others = others.filter(|rule| rule.rule_hash != row.rule.rule_hash);
    let hashes = others.map(|rule| {
        format!(
            "One record is about another text of this rule: {}",
            one_line(&rule.rule_hash)
        )
    });
    hashes.collect()
}

/// The rule's text, where it is the one that the record is about.
fn text_of<'a>(page: &Page<'a>, rule: &RuleRecord) -> Option<&'a Rule> {
    let text = page.suite?.corpus().rule(rule.id.as_str())?;
    (text.hash == rule.rule_hash).then_some(text)
}

fn clauses(page: &Page<'_>, row: &Row<'_>, names: &[String]) -> Markup {
    let text = text_of(page, row.rule);
    html! {
        table.clauses {
            caption.for-ears { "Clauses of " (row.rule.id) }
            thead class=[(!page.is_matrix()).then_some("for-ears")] { tr { th scope="col" { "clause" } th scope="col" { "text" }
                @for name in names { th scope="col" { (name) } } } }
            tbody { @for clause in &row.rule.clauses {
                tr { th scope="row" { "¶" (clause.clause) }
                    td { @if let Some(clause) = text.and_then(|rule| rule.clause(clause.clause)) { (sentence(&clause.text)) }
                        @if let Some(reason) = &clause.reason { " " small { (sentence(reason)) } } }
                    @for (cell, name) in row.cells.iter().zip(names) {
                        @let same = cell.and_then(|rule| rule.clauses.iter().find(|c| c.clause == clause.clause));
                        td.cell { @if page.is_matrix() { span.of { (name) ": " } } @match same { Some(c) => (badge(c.standing)), None => "" } }
                    }
                }
            } }
        }
    }
}

fn cases(page: &Page<'_>, row: &Row<'_>, names: &[String]) -> Markup {
    let mut cases = row.cases();
    // What is not well comes first; else they stay in their order.
    let fails = |name: &str| {
        let of = row
            .cells
            .iter()
            .flatten()
            .filter_map(|rule| case_of(rule, name));
        of.into_iter().any(|case| case.outcome.is_failure())
    };
    cases.sort_by_key(|name| !fails(name));
    html! {
        @if !cases.is_empty() {
            ul.cases { @for name in cases {
                @let of: Vec<Option<&CaseRecord>> = row.cells.iter().map(|cell| case_of((*cell)?, name)).collect();
                @let is_told = fails(name);
                li #(anchor(name)) {
                    @let first = of.iter().position(|case| case.is_some_and(|case| case.outcome.is_failure()));
                    @if is_told {
                        details { summary { (case_line(page, name, &of, names)) }
                            div.body { @for (i, case) in of.iter().enumerate() {
                                @if let Some(case) = case.filter(|case| case.outcome.is_failure()) {
                                    @if page.is_matrix() { h4 { (names[i]) } }
                                    (failing::failing(page, &page.records[i], row.rule, case, first == Some(i)))
                                }
                            } }
                        }
                    } @else { (case_line(page, name, &of, names)) }
                }
            } }
        }
    }
}

fn case_line(page: &Page<'_>, name: &str, of: &[Option<&CaseRecord>], names: &[String]) -> Markup {
    let first = of.iter().flatten().next();
    html! {
        span.name {
            code { (one_line(first.map_or(name, |case| case.short_name()))) }
            @if let Some(case) = first {
                small { @for n in &case.clauses { " ¶" (n) } }
                @if let (false, Some(why)) = (case.outcome.is_failure() || page.is_matrix(), &case.message) {
                    small { " " (one_line(why.lines().next().unwrap_or_default())) }
                }
            }
        }
        @for (case, engine) in of.iter().zip(names) {
            span.cell { @if page.is_matrix() { span.of { (engine) ": " } }
                @if let Some(case) = case { (outcome_badge(case.outcome))
                    @if case.known.is_some() { small { " known" } } } }
        }
    }
}
