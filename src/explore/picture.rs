//! A graph as lines of text.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    operations::edge::{Edge, EdgeKind},
    reference::{AsWritten, edges::EdgeReading},
};

/// Edges as chains: `h -> a -> t => h`. `->` carries data, `=>` goes back; other kinds are named. A
/// chain that begins at a node which another has is written below that node.
///
/// ```
/// use serde_json::json;
/// use standing::explore::picture;
///
/// let edges = json!([
///     {"source": "h", "target": "a"}, {"source": "a", "target": "t"}, {"source": "a", "target": "b"},
///     {"source": "t", "target": "h", "kind": "loopback"},
/// ]);
/// assert_eq!(picture(&edges).join("\n"), "h -> a -> t => h\n     a -> b");
/// ```
pub fn picture(edges: &Value) -> Vec<String> {
    let read = |edge: &Value| serde_json::from_value::<Edge>(edge.clone()).ok();
    let edges: Vec<Edge> = edges
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(read)
        .collect();
    let ends = |e: &Edge| {
        (
            e.source.clone().unwrap_or_default(),
            e.target.clone().unwrap_or_default(),
        )
    };
    let is_back = |e: &Edge| AsWritten.kind(e) == EdgeKind::Loopback;
    let mut left: Vec<&Edge> = edges.iter().collect();
    let mut lines: Vec<String> = Vec::new();
    // Where each node was written first.
    let mut columns: Vec<(String, usize)> = Vec::new();
    while !left.is_empty() {
        let arrived: BTreeSet<String> = left
            .iter()
            .filter(|e| !is_back(e))
            .map(|e| ends(e).1)
            .collect();
        let known = |e: &&Edge| columns.iter().any(|(node, _)| *node == ends(e).0);
        let first = left
            .iter()
            .position(known)
            .or_else(|| {
                left.iter()
                    .position(|e| !arrived.contains(&ends(e).0) && !is_back(e))
            })
            .unwrap_or(0);
        let mut at = ends(left[first]).0;
        let indent = columns
            .iter()
            .find(|(node, _)| *node == at)
            .map_or(0, |(_, c)| *c);
        let mut line = format!("{:indent$}{}", "", shown(&at));
        columns.push((at.clone(), indent));
        let mut next = Some(first);
        while let Some(place) = next {
            let edge = left.remove(place);
            let is_end = is_back(edge);
            at = ends(edge).1;
            line.push_str(arrow(AsWritten.kind(edge)));
            let column = line.chars().count();
            line.push_str(&shown(&at));
            if is_end {
                break;
            }
            let is_known = columns.iter().any(|(node, _)| *node == at);
            if is_known {
                break;
            }
            columns.push((at.clone(), column));
            let leaves = |back: bool| {
                left.iter()
                    .position(|e| ends(e).0 == at && is_back(e) == back)
            };
            next = leaves(false).or_else(|| leaves(true));
        }
        lines.push(line);
    }
    lines
}

fn shown(node: &str) -> String {
    match node {
        "" => "(nothing)".to_owned(),
        node => crate::diagnostics::printable(node),
    }
}

fn arrow(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Data => " -> ",
        EdgeKind::Loopback => " => ",
        EdgeKind::Trigger => " -trigger-> ",
        EdgeKind::Error => " -error-> ",
        EdgeKind::Tool => " -tool-> ",
        EdgeKind::AgentResult => " -agent result-> ",
    }
}
