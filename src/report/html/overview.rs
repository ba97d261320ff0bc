//! Where each engine stands, at a glance.

use maud::{Markup, html};

use super::{Page, anchor, badge, slug};
use crate::{
    report::{
        human::{count, rules_of},
        matrix::Row,
        text::one_line,
    },
    standing::{GroupRecord, Record, Standing, Tally},
};

pub(super) fn overview(page: &Page<'_>, rows: &[Row<'_>]) -> Markup {
    let names = page.names();
    html! {
        header {
            @match page.records {
                [record] => {
                    p.eyebrow { "Where it stands" }
                    h1 { (one_line(&record.engine.name))
                        @if let Some(version) = &record.engine.version { " " span.version { (one_line(version)) } } }
                }
                _ => {
                    p.eyebrow { "Where they stand" }
                    h1.many { (names.join(", ")) }
                }
            }
            @if let Some(record) = page.records.first() {
                p.statement { (one_line(&record.statement)) }
            }
        }
        section.overview aria-label="Overview" {
            div.engines {
                @for record in page.records { (engine(page, record)) }
            }
            @if let [record] = page.records { (at_a_glance(record, rows)) }
        }
    }
}

fn engine(page: &Page<'_>, record: &Record) -> Markup {
    let cases = &record.summary.cases;
    let known = record.cases().filter(|(_, c)| c.known.is_some()).count();
    html! {
        article.engine {
            @if page.is_matrix() { h2 { (one_line(&record.engine.named())) } }
            p.big { b { (cases.pass) } " of " (count(cases.total(), "case")) " passed"
                @if known > 0 { ", " (known) " known to fail" } }
            (bar(&record.summary.rules))
            p.counts { (counts(&record.summary.rules)) }
            div.facts {
            table.groups {
                caption.for-ears { "By level and profile" }
                thead.for-ears { tr { th { "level or profile" } th { "standing" } th { "rules" } } }
                tbody {
                    @for (level, group) in &record.summary.levels { (group_row(level.as_str(), group)) }
                    @for (profile, group) in &record.summary.profiles { (group_row(profile.as_str(), group)) }
                }
            }
            dl {
                @for specification in &record.specifications {
                    dt { "specification" }
                    dd { (one_line(&specification.name)) ", " (rules_of(specification)) " carried" }
                }
                dt { "suite" } dd { code { (one_line(record.suite.digest.get(..19).unwrap_or(&record.suite.digest))) } }
                dt { "harness" } dd { (one_line(&record.harness.name)) " " (one_line(&record.harness.version)) }
                dt { "profiles" } dd { (one_line(&record.engine.profiles.join(", "))) }
                @if let Some(language) = &record.engine.language { dt { "language" } dd { (one_line(language)) } }
                @if let Some(timing) = &record.timing {
                    @if let Some(date) = &timing.date {
                        dt { "date" } dd { time datetime=(one_line(date)) { (one_line(date.split('T').next().unwrap_or(date))) } }
                    }
                    @if let Some(engine) = &timing.engine { dt { "engine" } dd { code { (one_line(engine)) } } }
                }
            }
            }
            @if !record.selection.is_empty() {
                p.note { "Of a selection only: " (one_line(&record.selection.join(" "))) }
            }
            @if let Some(shard) = &record.shard {
                p.note { "Part " (shard.index) " of " (shard.total) " only." }
            }
            @if record.interrupted { p.note { "The run ended before it was done." } }
        }
    }
}

fn group_row(name: &str, group: &GroupRecord) -> Markup {
    html! { tr { th scope="row" { (name) } td { (badge(group.standing)) } td { (bar(&group.rules)) } } }
}

/// The rules of each family as tiles, a link each.
fn at_a_glance(record: &Record, rows: &[Row<'_>]) -> Markup {
    html! {
        nav.glance aria-label="Families" {
            @for family in rows.chunk_by(|a, b| a.rule.family == b.rule.family) {
                @let name = &family[0].rule.family;
                @let standing = record.summary.families.get(name).map_or(Standing::Untested, |g| g.standing);
                div.family {
                    a.name href=(format!("#{}", anchor(name))) { (one_line(name)) } (badge(standing))
                    ul { @for row in family {
                        li { a class=(format!("tile {}", slug(row.rule.standing)))
                            href=(format!("#{}", anchor(row.rule.id.as_str())))
                            title=(format!("{}: {}", row.rule.standing, one_line(&row.rule.title))) {
                            (row.rule.id) span.for-ears { " " (row.rule.standing) } } }
                    } }
                }
            }
        }
    }
}

fn parts(tally: &Tally) -> [(Standing, usize, &'static str); 6] {
    [
        (Standing::Meets, tally.meets, "met"),
        (Standing::Partial, tally.partial, "in part"),
        (Standing::Fails, tally.fails, "failed"),
        (Standing::Unsupported, tally.unsupported, "unsupported"),
        (Standing::Untested, tally.untested, "untested"),
        (
            Standing::NotApplicable,
            tally.not_applicable,
            "not applicable",
        ),
    ]
}

fn bar(tally: &Tally) -> Markup {
    html! {
        span.bar role="img" aria-label=(in_words(tally)) {
            @for (standing, n, _) in parts(tally) {
                @if n > 0 { i class=(slug(standing)) style=(format!("flex:{n}")) {} }
            }
        }
    }
}

fn in_words(tally: &Tally) -> String {
    let words: Vec<String> = parts(tally)
        .iter()
        .filter(|(_, n, _)| *n > 0)
        .map(|(_, n, word)| format!("{n} {word}"))
        .collect();
    match words.is_empty() {
        true => "no rule".to_owned(),
        false => format!("rules: {}", words.join(", ")),
    }
}

fn counts(tally: &Tally) -> Markup {
    html! {
        @for (standing, n, word) in parts(tally) {
            @if n > 0 { span { i class=(format!("dot {}", slug(standing))) {} b { (n) } " " (word) } }
        }
    }
}
