//! A page for the browser, all in one file: nothing is fetched, and nothing that an engine said can
//! act in it.
//!
//! Every text goes through maud, which escapes it, and through `text.rs`, which writes out what acts
//! by itself; the policy in the page's head lets no script run but its own. `overview.rs` is the part
//! above the rules, `rules.rs` the rules, `failing.rs` what is told of a case that did not pass,
//! `sides.rs` expected beside actual. The same page is of one record, or of several beside each other.

mod failing;
mod overview;
mod rules;
mod sides;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::{
    drawing,
    matrix::{Row, rows},
    text::one_line,
};
use crate::{
    run::Outcome,
    standing::{Record, Standing},
    suite::Suite,
};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What a page is made from.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    /// One record, or several beside each other.
    pub records: &'a [Record],
    /// Where the texts of rules are taken from, as far as their hashes are those of the records; and
    /// the graphs of cases, where the suite is the one that a record is of.
    pub suite: Option<&'a Suite>,
    /// The command that made the record, without its selectors.
    pub command: &'a str,
    /// Only the rules in which the records differ.
    pub differences: bool,
}

/// The page.
///
/// ```
/// use std::sync::Arc;
/// use standing::{reference, report, run, standing::Record, suite::{Selection, Suite}};
///
/// let (suite, _) = Suite::embedded();
/// let suite = Arc::new(suite);
/// let chosen = Selection::new(&suite, &["GR-EDGE"]).expect("a family");
/// let outcomes = run::run(&suite, &chosen, Arc::new(reference::engine()), &run::Options::default(), &|_| {})?;
/// let page = report::html(&report::Page {
///     records: &[Record::new(&suite, &chosen, &outcomes)],
///     suite: Some(&*suite),
///     command: "standing run",
///     differences: false,
/// });
/// assert!(page.contains("id=\"EDGE-1\""));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
pub fn html(page: &Page<'_>) -> String {
    let names: Vec<String> = page.names();
    let title = format!("Where {} stands", names.join(", "));
    let digest = STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; \
         base-uri 'none'; form-action 'none'"
    );
    let rows = rows(page.records, page.differences);
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(drawing::STYLE)) }
            }
            body class=[page.is_matrix().then_some("matrix")] style=(format!("--engines:{}", page.records.len())) {
                a.skip href="#rules" { "Skip to the rules" }
                (overview::overview(page, &rows))
                (filters(page, &rows))
                main #rules tabindex="-1" {
                    (rules::rules(page, &rows))
                    p.nothing hidden { "No rule fits the filters." }
                }
                footer {
                    p { "Made by " (page.records.first().map_or("", |r| &r.harness.name)) " "
                        (page.records.first().map_or("", |r| &r.harness.version)) ". "
                        kbd { "/" } " goes to the search, " kbd { "Esc" } " clears it." }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    let mut text = markup.into_string();
    text.push('\n');
    text
}

impl Page<'_> {
    fn names(&self) -> Vec<String> {
        let names = self.records.iter();
        names.map(|r| one_line(&r.engine.named())).collect()
    }

    fn is_matrix(&self) -> bool {
        self.records.len() > 1
    }
}

fn filters(page: &Page<'_>, rows: &[Row<'_>]) -> Markup {
    let standings = [
        Standing::Fails,
        Standing::Partial,
        Standing::Unsupported,
        Standing::Meets,
        Standing::Untested,
        Standing::NotApplicable,
    ];
    let count = |standing: Standing| {
        let is = |row: &&Row<'_>| row.cells.iter().flatten().any(|r| r.standing == standing);
        rows.iter().filter(is).count()
    };
    let mut levels: Vec<&str> = rows.iter().map(|r| r.rule.level.as_str()).collect();
    levels.sort_unstable();
    levels.dedup();
    let profiles = rows
        .iter()
        .flat_map(|r| r.rule.profiles.iter().map(|p| p.as_str()));
    let mut profiles: Vec<&str> = profiles.collect();
    profiles.sort_unstable();
    profiles.dedup();
    html! {
        form.filters role="search" aria-label="Filters" hidden {
            label.search { span.for-ears { "Search rules, cases and messages" }
                input type="search" name="q" placeholder="Search…" autocomplete="off"; }
            fieldset { legend.for-ears { "Standing" }
                @for standing in standings {
                    @let n = count(standing);
                    @if n > 0 {
                        label.chip { input type="checkbox" name="standing" value=(slug(standing));
                            span { (badge_sign(standing)) " " (standing) " " small { (n) } } }
                    }
                }
            }
            label { span.for-ears { "Level" } select name="level" {
                option value="" { "every level" }
                @for level in levels { option value=(level) { (level) } }
            } }
            label { span.for-ears { "Profile" } select name="profile" {
                option value="" { "every profile" }
                @for profile in profiles { option value=(profile) { (profile) } }
            } }
            @if page.is_matrix() && !page.differences {
                label.chip { input type="checkbox" name="differences" value="1"; span { "differences only" } }
            }
            button type="button" name="open" { "Open all" }
            button type="reset" { "Reset" }
            output role="status" {}
        }
    }
}

/// The word for a class of CSS and for the URL.
fn slug(standing: Standing) -> String {
    standing.as_str().replace(' ', "-")
}

/// A sign beside the colour, for those who do not see colours.
fn badge_sign(standing: Standing) -> Markup {
    let sign = match standing {
        Standing::Meets => "✓",
        Standing::Fails => "✕",
        Standing::Partial => "◐",
        Standing::Unsupported => "–",
        Standing::Untested => "○",
        Standing::NotApplicable | Standing::Untestable => "·",
    };
    html! { span aria-hidden="true" { (sign) } }
}

fn badge(standing: Standing) -> Markup {
    html! { b class=(format!("badge {}", slug(standing))) { (badge_sign(standing)) (standing) } }
}

fn outcome_badge(outcome: Outcome) -> Markup {
    let (class, sign) = match outcome {
        Outcome::Pass => ("meets", "✓"),
        Outcome::Fail | Outcome::Error | Outcome::Timeout => ("fails", "✕"),
        Outcome::Unsupported => ("unsupported", "–"),
        Outcome::Skipped => ("untested", "○"),
    };
    html! { b class=(class) { (sign) " " (outcome.as_str()) } }
}

/// An id for a link to a rule or a case: what an id cannot have is encoded, one to one.
fn anchor(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || "-_.:/".contains(c) => out.push(c),
            c => out.push_str(&format!("~{:x}~", u32::from(c))),
        }
    }
    out
}

/// A sentence with its code spans.
fn sentence(text: &str) -> Markup {
    let text = one_line(text);
    let parts: Vec<&str> = text.split('`').collect();
    html! {
        @for (i, part) in parts.iter().enumerate() {
            @if i % 2 == 1 && i + 1 < parts.len() { code { (part) } }
            @else { (part) }
        }
    }
}
