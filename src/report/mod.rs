//! A record, written for somebody: one file a format.
//!
//! `human.rs` and `json.rs` are what a run prints; `markdown.rs` is a statement, `junit.rs`, `tap.rs`,
//! `github.rs`, `badges.rs` and `earl.rs` are for other programs, `html/` is a page of one record or
//! of several beside each other, with `drawing/` of the graphs in it. `matrix.rs` has several records
//! as text, `comparison.rs` what changed between two. `text.rs` makes text fit for all of them.

#[cfg(feature = "reports")]
mod badges;
#[cfg(feature = "reports")]
mod comparison;
#[cfg(feature = "reports")]
mod drawing;
#[cfg(feature = "reports")]
mod earl;
#[cfg(feature = "reports")]
mod github;
#[cfg(feature = "reports")]
mod html;
mod human;
mod json;
#[cfg(feature = "reports")]
mod junit;
mod markdown;
#[cfg(feature = "reports")]
mod matrix;
#[cfg(feature = "reports")]
mod tap;
#[cfg(feature = "reports")]
mod text;
#[cfg(feature = "cli")]
mod trace;

#[cfg(feature = "reports")]
pub use badges::badges;
#[cfg(feature = "reports")]
pub use comparison::{comparison_human, comparison_json, comparison_markdown};
#[cfg(feature = "reports")]
pub use drawing::svg;
#[cfg(feature = "reports")]
pub use earl::earl;
#[cfg(feature = "reports")]
pub use github::{AnnotationPlace, github_annotations, github_summary};
#[cfg(feature = "reports")]
pub use html::{Page, html};
pub use human::{Human, human};
pub use json::json;
#[cfg(feature = "reports")]
pub use junit::junit;
pub use markdown::markdown;
#[cfg(feature = "reports")]
pub use matrix::{matrix_human, matrix_markdown};
#[cfg(feature = "reports")]
pub use tap::tap;
#[cfg(feature = "cli")]
pub use trace::{trace_human, trace_json, trace_lcov};

#[cfg(any(feature = "cli", feature = "check"))]
pub(crate) use human::count;
#[cfg(feature = "explore")]
pub(crate) use human::diff;
pub(crate) use human::failure;
#[cfg(feature = "cli")]
pub(crate) use human::quoted;

/// The command that made a record, without its selectors, as far as the record tells.
#[cfg(feature = "reports")]
pub(crate) fn again(record: &crate::standing::Record) -> String {
    match record.timing.as_ref().and_then(|t| t.engine.as_ref()) {
        Some(engine) => format!("standing run --engine {}", human::quoted(engine)),
        None if record.engine.name == "reference" => "standing run".to_owned(),
        None => "standing run --engine ENGINE".to_owned(),
    }
}
