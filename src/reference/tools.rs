//! The tools that are wired to nodes.

use std::collections::{BTreeMap, BTreeSet};

use super::compile::CompileReading;
use crate::operations::{
    edge::{Edge, EdgeKind},
    workflow::{NodeType, Workflow},
};

/// The tools that each node can use, by name.
//= CMP-9:1
//= CMP-9:2
//= CMP-9:3
//= CMP-10:1
//= CMP-10:2
//= DATA-10:1
//= DATA-10:3
pub(super) fn tools(
    reading: &dyn CompileReading,
    workflow: &Workflow,
    types: &[Option<&NodeType>],
    edges: &[(&Edge, usize, usize)],
) -> Result<BTreeMap<String, Vec<String>>, String> {
    let id = |n: usize| workflow.nodes[n].id.as_deref().unwrap_or_default();
    let forwards = |n: usize| types[n].is_some_and(|t| t.passthrough);
    let mut wired: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(edge, source, target) in edges {
        if reading.kind(edge) == EdgeKind::Tool {
            if types[target].is_some_and(|t| !t.accepts_tools && !t.passthrough) {
                return Err(format!("Node {} cannot use tools", id(target)));
            }
            wired.entry(target).or_default().push(source);
        }
    }
    let mut tools = BTreeMap::new();
    for &consumer in wired.keys() {
        let mut leaves = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![consumer];
        while let Some(node) = open.pop() {
            for &source in wired.get(&node).into_iter().flatten() {
                if forwards(source) && source == consumer {
                    return Err(format!("Node {} forwards tools to itself", id(consumer)));
                }
                if !seen.insert(source) {
                    continue;
                }
                if forwards(source) {
                    open.push(source);
                    continue;
                }
                let data = workflow.nodes[source].data.as_ref();
                let label = data.and_then(|d| d.label.as_deref());
                let name = reading.tool_name(label.unwrap_or(id(source)));
                if let Some(other) = leaves.insert(name.clone(), source)
                    && !forwards(consumer)
                {
                    let (a, b, at) = (id(other), id(source), id(consumer));
                    return Err(format!(
                        "Tools {a} and {b} of node {at} are both called {name}"
                    ));
                }
            }
        }
        tools.insert(id(consumer).to_owned(), leaves.into_keys().collect());
    }
    Ok(tools)
}
