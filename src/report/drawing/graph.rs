//! Graphs, found in the params of operations.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{
    operations::edge::{Edge, EdgeKind},
    reference::{AsWritten, edges::EdgeReading as _, loops},
};

/// What is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Graph {
    /// The names of the nodes, in the order in which they are met.
    pub(super) nodes: Vec<String>,
    pub(super) edges: Vec<Link>,
    /// The edges that lack an end.
    pub(super) loose: usize,
    /// By the head, a place in `nodes`: the nodes of each loop.
    pub(super) loops: BTreeMap<usize, Vec<usize>>,
}

/// An edge between two places in `nodes`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: EdgeKind,
}

/// The graphs in a value, each with the JSON Pointer of what holds its edges: workflows and lists of
/// edges, and the programs of runs that are resumed.
pub(super) fn in_value(value: &Value) -> Vec<(String, Graph)> {
    let mut found = Vec::new();
    search(value, "", &mut found);
    found
}

fn search(value: &Value, pointer: &str, found: &mut Vec<(String, Graph)>) {
    match value {
        Value::Object(members) => {
            let graph = of_edges(members).or_else(|| of_steps(members));
            if let Some(graph) = graph.filter(|graph| !graph.nodes.is_empty()) {
                found.push((pointer.to_owned(), graph));
                return;
            }
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                search(member, &format!("{pointer}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                search(item, &format!("{pointer}/{i}"), found);
            }
        }
        _ => {}
    }
}

impl Graph {
    fn node(&mut self, name: &str) -> usize {
        match self.nodes.iter().position(|node| node == name) {
            Some(at) => at,
            None => {
                self.nodes.push(name.to_owned());
                self.nodes.len() - 1
            }
        }
    }
}

/// `{nodes?, edges}`.
fn of_edges(members: &Map<String, Value>) -> Option<Graph> {
    let edges = members.get("edges")?.as_array()?;
    let edges: Vec<Edge> = edges
        .iter()
        .map(|edge| serde_json::from_value(edge.clone()).ok())
        .collect::<Option<_>>()?;
    let mut graph = Graph::default();
    let nodes = members.get("nodes").and_then(Value::as_array);
    for id in nodes.into_iter().flatten().filter_map(|n| n["id"].as_str()) {
        graph.node(id);
    }
    let reading = AsWritten;
    for edge in &edges {
        let Some((source, target)) = reading.ends(edge) else {
            graph.loose += 1;
            continue;
        };
        let (from, to) = (graph.node(source), graph.node(target));
        graph.edges.push(Link {
            from,
            to,
            kind: reading.kind(edge),
        });
    }
    let resolved = loops::find(&reading, &edges).resolved(&reading);
    for (head, body) in &resolved.loops {
        let head = graph.node(head);
        let body = body.iter().map(|node| graph.node(node)).collect();
        graph.loops.insert(head, body);
    }
    Some(graph)
}

/// `{steps: [{name, after?}]}`.
fn of_steps(members: &Map<String, Value>) -> Option<Graph> {
    let steps = members.get("steps")?.as_array()?;
    let mut graph = Graph::default();
    for step in steps {
        graph.node(step.get("name")?.as_str()?);
    }
    for step in steps {
        let to = graph.node(step["name"].as_str()?);
        let after = step.get("after").and_then(Value::as_array);
        for name in after.into_iter().flatten().filter_map(Value::as_str) {
            let from = graph.node(name);
            graph.edges.push(Link {
                from,
                to,
                kind: EdgeKind::Data,
            });
        }
    }
    Some(graph)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn workflows_and_programs_are_found_where_they_are() {
        let value = json!({
            "workflow": {"nodes": [{"id": "lone"}], "edges": [
                {"source": "a", "target": "b"},
                {"source": "b", "target": "a", "kind": "loopback"},
                {"source": "b"},
            ]},
            "list": [{"program": {"name": "w", "steps": [{"name": "x"}, {"name": "y", "after": ["x"]}]}}],
            "edges": "none",
        });
        let found = in_value(&value);
        let pointers: Vec<&str> = found.iter().map(|(p, _)| p.as_str()).collect();
        assert_eq!(pointers, ["/workflow", "/list/0/program"]);
        let workflow = &found[0].1;
        assert_eq!(workflow.nodes, ["lone", "a", "b"]);
        assert_eq!((workflow.edges.len(), workflow.loose), (2, 1));
        assert_eq!(workflow.loops, BTreeMap::from([(1, vec![1, 2])]));
        assert_eq!(found[1].1.edges[0].from, 0);
    }
}
