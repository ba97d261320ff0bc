//! A graph as SVG.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};

use super::{
    MOST_EDGES, MOST_NODES, STYLE,
    graph::{Graph, Link},
    layout::{Layout, NODE_HEIGHT, Placed, Way, layout},
};
use crate::{operations::edge::EdgeKind, report::text::one_line};

/// So many colours there are for loops.
const COLOURS: usize = 6;
/// The most characters of a label that are shown.
const LONGEST: usize = 22;
/// How far from a node an edge turns that goes back.
const TURN: f64 = 16.0;
const CORNER: f64 = 8.0;

/// A drawing with what it is of, for a page.
pub(super) fn figure(caption: &str, graph: &Graph) -> Markup {
    html! {
        figure.drawing {
            figcaption { (one_line(caption)) }
            @match drawn(graph) {
                Some((_, svg)) => div.scroll tabindex="0" { (svg) },
                None => p { (too_large(graph)) },
            }
            (legend(graph))
        }
    }
}

/// Drawings below each other, as a document of its own.
pub(super) fn document(drawings: &[(String, Graph)]) -> String {
    let mut top = 0.0;
    let mut width: f64 = 240.0;
    let mut parts = Vec::new();
    for (caption, graph) in drawings {
        let mut lines = vec![one_line(caption)];
        lines.extend(names_of_loops(graph).into_iter().map(|(_, line)| line));
        let drawing = drawn(graph);
        if drawing.is_none() {
            lines.push(too_large(graph));
        }
        let longest = lines
            .iter()
            .map(|line| super::layout::width_of(line))
            .fold(0.0, f64::max);
        width = width.max(longest);
        let texts_at = top + 20.0;
        top += 20.0 * lines.len() as f64 + 8.0;
        let at = top;
        if let Some((size, _)) = &drawing {
            width = width.max(size.0);
            top += size.1;
        }
        parts.push((lines, texts_at, drawing, at));
    }
    let markup = html! {
        svg.graph xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width:.0} {top:.0}"))
            width=(format!("{width:.0}")) height=(format!("{top:.0}")) {
            style { (PreEscaped(STYLE)) }
            rect.paper width="100%" height="100%" {}
            @for (lines, texts_at, drawing, at) in &parts {
                @for (i, line) in lines.iter().enumerate() {
                    text.caption x="12" y=(format!("{:.0}", texts_at + 20.0 * i as f64)) { (line) }
                }
                @if let Some((_, svg)) = drawing {
                    g transform=(format!("translate(0 {at:.0})")) { (svg) }
                }
            }
        }
    };
    let mut text = markup.into_string();
    text.push('\n');
    text
}

fn too_large(graph: &Graph) -> String {
    let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
    format!("A graph of {nodes} nodes and {edges} edges is too large to be drawn.")
}

/// The size, and the drawing.
fn drawn(graph: &Graph) -> Option<((f64, f64), Markup)> {
    if graph.nodes.len() > MOST_NODES || graph.edges.len() > MOST_EDGES {
        return None;
    }
    let labels: Vec<String> = graph.nodes.iter().map(|name| label(name)).collect();
    let placed = layout(graph, &labels);
    let (width, height) = (placed.width, placed.height);
    let svg = html! {
        svg.graph xmlns="http://www.w3.org/2000/svg" role="img" aria-label=(told(graph))
            viewBox=(format!("0 0 {width:.0} {height:.0}"))
            width=(format!("{width:.0}")) height=(format!("{height:.0}")) {
            @for (i, link) in graph.edges.iter().enumerate() {
                (edge(graph, link, i, &placed))
            }
            @for (i, node) in placed.nodes.iter().enumerate() {
                (one_node(graph, i, *node, &labels[i]))
            }
        }
    };
    Some(((width, height), svg))
}

fn label(name: &str) -> String {
    let name = one_line(name);
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
}

fn one_node(graph: &Graph, node: usize, at: Placed, label: &str) -> Markup {
    let loops = loops_of(graph, node);
    // The smallest loop that it is in gives the colour inside, each a line around.
    let inner = loops
        .iter()
        .min_by_key(|(_, size)| *size)
        .map(|(i, _)| i % COLOURS);
    let class = match inner {
        Some(colour) => format!("node in loop{colour}"),
        None => "node".to_owned(),
    };
    let (x, y) = (at.left(), at.y - NODE_HEIGHT / 2.0);
    html! {
        g class=(class) {
            title { (one_line(&graph.nodes[node])) }
            @for (ring, (i, _)) in loops.iter().enumerate().skip(1) {
                @let by = 3.5 * ring as f64;
                rect class=(format!("ring loop{}", i % COLOURS)) x=(num(x - by)) y=(num(y - by))
                    width=(num(at.width + 2.0 * by)) height=(num(NODE_HEIGHT + 2.0 * by)) rx=(num(9.0 + by)) {}
            }
            rect x=(num(x)) y=(num(y)) width=(num(at.width)) height=(num(NODE_HEIGHT)) rx="9" {}
            text x=(num(at.x)) y=(num(at.y)) { (label) }
        }
    }
}

/// The loops that a node is in, the innermost first: the place of each in the list, and its size.
fn loops_of(graph: &Graph, node: usize) -> Vec<(usize, usize)> {
    let loops = graph.loops.values().enumerate();
    let mut its: Vec<(usize, usize)> = loops
        .filter(|(_, body)| body.contains(&node))
        .map(|(i, body)| (i, body.len()))
        .collect();
    its.sort_by_key(|(i, size)| (*size, *i));
    its
}

fn edge(graph: &Graph, link: &Link, number: usize, placed: &Layout) -> Markup {
    let (from, to) = (placed.nodes[link.from], placed.nodes[link.to]);
    // Edges between the same two nodes are drawn beside each other.
    let same = |l: &&Link| (l.from, l.to) == (link.from, link.to);
    let beside = graph.edges[..number].iter().filter(same).count() as f64 * 7.0;
    let mut path = String::new();
    // Writing to a string cannot fail.
    let (x, y) = match &placed.ways[number] {
        Way::Forward(by) => {
            let start = (from.right(), from.y + beside);
            let end = (to.left(), to.y + beside);
            let _ = write!(path, "M{} {}", num(start.0), num(start.1));
            let mut last = start;
            for next in by.iter().map(|(x, y)| (*x, y + beside)).chain([end]) {
                let bend = (next.0 - last.0) / 2.0;
                let _ = write!(
                    path,
                    "C{} {} {} {} {} {}",
                    num(last.0 + bend),
                    num(last.1),
                    num(next.0 - bend),
                    num(next.1),
                    num(next.0),
                    num(next.1)
                );
                last = next;
            }
            end
        }
        Way::Back(lane) => {
            let (out, back) = (from.right() + TURN, to.left() - TURN);
            let (start, end) = (from.y + 6.0, to.y + 6.0);
            let _ = write!(
                path,
                "M{} {}H{}q{CORNER} 0 {CORNER} {CORNER}V{}q0 {CORNER} -{CORNER} {CORNER}H{}q-{CORNER} 0 -{CORNER} -{CORNER}V{}q0 -{CORNER} {CORNER} -{CORNER}H{}",
                num(from.right()),
                num(start),
                num(out - CORNER),
                num(lane - CORNER),
                num(back + CORNER),
                num(end + CORNER),
                num(to.left())
            );
            (to.left(), end)
        }
        Way::Itself => {
            let top = from.y - NODE_HEIGHT / 2.0;
            let _ = write!(
                path,
                "M{} {}c12 -26 -40 -26 -28 0",
                num(from.x + 14.0),
                num(top)
            );
            let head = format!("M{} {}l-1 -9l8 5z", num(from.x - 14.0), num(top));
            return line(graph, link, &path, &head);
        }
    };
    let head = format!("M{} {}l-8 -4v8z", num(x), num(y));
    line(graph, link, &path, &head)
}

fn line(graph: &Graph, link: &Link, path: &str, head: &str) -> Markup {
    let name = kind(link.kind);
    let at = graph.loops.keys().position(|head| *head == link.to);
    let class = match (link.kind, at) {
        (EdgeKind::Loopback, Some(at)) => format!("edge {name} loop{}", at % COLOURS),
        _ => format!("edge {name}"),
    };
    html! {
        g class=(class) {
            title {
                (one_line(&graph.nodes[link.from])) " → " (one_line(&graph.nodes[link.to])) ", " (name)
            }
            path.way d=(path) {}
            path.head d=(head) {}
        }
    }
}

fn num(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

fn kind(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Data => "data",
        EdgeKind::Trigger => "trigger",
        EdgeKind::Error => "error",
        EdgeKind::Loopback => "loopback",
        EdgeKind::Tool => "tool",
        EdgeKind::AgentResult => "agent_result",
    }
}

/// The colour of each loop, and the loop in words.
fn names_of_loops(graph: &Graph) -> Vec<(usize, String)> {
    let name = |node: &usize| one_line(&graph.nodes[*node]);
    let loops = graph.loops.iter().enumerate();
    loops
        .map(|(i, (head, body))| {
            let body: Vec<String> = body.iter().map(name).collect();
            (
                i % COLOURS,
                format!("loop {}: {}", name(head), body.join(", ")),
            )
        })
        .collect()
}

/// The drawing in words, for those who do not see it.
fn told(graph: &Graph) -> String {
    let mut text = format!(
        "{} nodes and {} edges",
        graph.nodes.len(),
        graph.edges.len()
    );
    for (_, line) in names_of_loops(graph) {
        let _ = write!(text, "; {line}");
    }
    for link in &graph.edges {
        let (from, to) = (&graph.nodes[link.from], &graph.nodes[link.to]);
        let _ = write!(text, "; {} to {}", one_line(from), one_line(to));
        if link.kind != EdgeKind::Data {
            let _ = write!(text, " ({})", kind(link.kind));
        }
    }
    text
}

fn legend(graph: &Graph) -> Markup {
    let mut kinds: Vec<EdgeKind> = Vec::new();
    for link in &graph.edges {
        if link.kind != EdgeKind::Data && !kinds.contains(&link.kind) {
            kinds.push(link.kind);
        }
    }
    html! {
        ul.legend {
            @for (colour, line) in names_of_loops(graph) {
                li { i class=(format!("dot loop{colour}")) {} (line) }
            }
            @for of in kinds {
                li { i class=(format!("dash {}", kind(of))) {} (kind(of)) " edge" }
            }
            @if graph.loose > 0 {
                li { (graph.loose) " more without an end" }
            }
        }
    }
}
