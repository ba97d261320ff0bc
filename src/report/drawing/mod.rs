//! Drawings of the graphs that cases are about, with their loops coloured and named.
//!
//! `graph.rs` finds graphs in the params of operations, `layout.rs` says where everything goes, and
//! `svg.rs` draws it. Nothing of this needs a browser.

mod graph;
mod layout;
mod svg;

use maud::Markup;
use serde_json::Value;

use self::graph::Graph;
use crate::suite::{Bindings, Case, Template};

/// No more nodes or edges are drawn: nobody would see through more.
const MOST_NODES: usize = 60;
const MOST_EDGES: usize = 160;

/// A graph, and where it is from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    caption: String,
    graph: Graph,
}

impl Drawing {
    /// As a part of a page, which has the [`STYLE`] of it.
    pub(super) fn markup(&self) -> Markup {
        svg::figure(&self.caption, &self.graph)
    }
}

/// The rules of CSS that drawings need.
pub(super) const STYLE: &str = include_str!("drawing.css");

/// The graphs in the params of an operation.
pub(super) fn of_params(operation: &str, params: &Value) -> Vec<Drawing> {
    let mut drawings: Vec<Drawing> = Vec::new();
    for (pointer, graph) in graph::in_value(params) {
        let caption = match pointer.as_str() {
            "" => operation.to_owned(),
            pointer => format!("{operation} {pointer}"),
        };
        drawings.push(Drawing { caption, graph });
    }
    drawings
}

/// The graphs that a case gives, in the order of its steps; one that comes again is shown once.
pub(crate) fn of_case(case: &Case) -> Vec<Drawing> {
    let mut drawings: Vec<Drawing> = Vec::new();
    for (i, step) in case.steps.iter().enumerate() {
        let numbered = match case.steps.len() {
            1 => step.operation.clone(),
            _ => format!("step {}: {}", i + 1, step.operation),
        };
        for drawing in of_params(&numbered, &filled(&step.given)) {
            if drawings.iter().all(|d| d.graph != drawing.graph) {
                drawings.push(drawing);
            }
        }
    }
    drawings
}

/// A template in which what is not known yet stands as `$name`.
fn filled(template: &Template) -> Value {
    let mut names = Bindings::new();
    template.each_bound(&mut |name| {
        names.insert(name.to_owned(), Value::from(format!("${name}")));
    });
    template.fill(&names).into_owned()
}

/// Drawings as one SVG document, below each other. `None`: there is none.
///
/// ```
/// use standing::{report::svg, suite::Suite};
///
/// let (suite, _) = Suite::embedded();
/// let case = suite.case("SG-16/two-tails-one-head").expect("it is carried");
/// assert!(svg(case).expect("it is about a graph").starts_with("<svg"));
/// ```
pub fn svg(case: &Case) -> Option<String> {
    let drawings = of_case(case);
    let one = |d: &Drawing| (d.caption.clone(), d.graph.clone());
    let all: Vec<(String, Graph)> = drawings.iter().map(one).collect();
    (!all.is_empty()).then(|| svg::document(&all))
}
