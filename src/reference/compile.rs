//! Compiling: what will run of a workflow, in which order, and by which edges.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use serde_json::{Map, Value};

use super::{branches, branches::BranchReading, loops, loops::LoopReading, tools::tools};
use crate::{
    engine::Refusal,
    operations::{
        edge::{Edge, EdgeKind},
        handle::Side,
        workflow::{Compiled, Excluded, Exclusion, Node, NodeType, NodeTypes, Planned, Workflow},
    },
};

/// What the rules about compiling decide.
pub trait CompileReading: LoopReading + BranchReading {
    /// What keeps a workflow from being planned at all, if anything does: the first of these.
    //= CMP-3:1
    //= CMP-3:2
    fn precondition(&self, workflow: &Workflow) -> Option<String> {
        let missing = |text: &Option<String>| text.as_deref().unwrap_or_default().is_empty();
        if missing(&workflow.id) {
            return Some("Workflow must have an ID".into());
        }
        if workflow.nodes.is_empty() {
            return Some("Workflow must have at least one node".into());
        }
        workflow.nodes.iter().enumerate().find_map(|(n, node)| {
            if missing(&node.id) {
                return Some(format!("Node at index {n} must have an ID"));
            }
            let id = node.id.as_deref().unwrap_or_default();
            missing(&node.r#type).then(|| format!("Node {id} must have a type"))
        })
    }

    /// Whether an edge makes its target wait for its source, and counts when cycles are looked for.
    //= CMP-5:1
    //= DATA-5:1
    //= DATA-5:2
    fn is_dependency(&self, edge: &Edge) -> bool {
        self.is_forward(edge)
    }

    /// Whether a node is wired as a tool and as nothing else, given the kinds of its outgoing edges.
    //= EDGE-7:1
    //= EDGE-7:2
    fn is_tool_only(&self, outgoing: &[EdgeKind]) -> bool {
        !outgoing.is_empty() && outgoing.iter().all(|kind| *kind == EdgeKind::Tool)
    }

    /// Why a node does not run of itself, given the kinds of its edges; nothing where it does.
    //= CMP-6:1
    //= CMP-6:2
    //= CMP-6:3
    //= EDGE-7:3
    fn exclusion(
        &self,
        node_type: &NodeType,
        incoming: &[EdgeKind],
        outgoing: &[EdgeKind],
    ) -> Option<Exclusion> {
        if !node_type.executable {
            Some(Exclusion::NonExecutable)
        } else if self.is_tool_only(outgoing) {
            Some(Exclusion::ToolOnly)
        } else if !incoming.is_empty() && incoming.iter().all(|k| *k == EdgeKind::Loopback) {
            Some(Exclusion::LoopbackOnly)
        } else {
            None
        }
    }

    /// The nodes that a node waits for: those that trigger it, and the others where none does.
    //= CMP-7:1
    //= CMP-7:2
    fn dependencies(
        &self,
        triggers: BTreeSet<String>,
        others: BTreeSet<String>,
    ) -> BTreeSet<String> {
        if triggers.is_empty() {
            others
        } else {
            triggers
        }
    }

    /// The name that a tool is known by, given its label.
    //= CMP-9:1
    fn tool_name(&self, label: &str) -> String {
        let plain = label.trim().to_lowercase();
        plain
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect()
    }
}

/// A workflow that can be carried out.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The nodes that will run, in topological order.
    pub nodes: Vec<PlanNode>,
    /// Where each of them is in that list.
    pub index: HashMap<String, usize>,
    /// The edges between them.
    pub edges: Vec<PlanEdge>,
    /// What is told of it.
    pub compiled: Compiled,
}

/// A node that will run.
#[derive(Clone, Debug, Default)]
pub struct PlanNode {
    /// Its name.
    pub id: String,
    /// What is said of its type.
    pub node_type: NodeType,
    /// What the author set, save the branches.
    pub configuration: Map<String, Value>,
    /// The branches that it is configured with, as they are written.
    pub branches: Vec<Value>,
    /// The names of these.
    pub branch_names: Vec<String>,
    /// The branch that takes what matches none.
    pub default_branch: Option<String>,
    /// The edges that arrive at it, by their places in the plan.
    pub incoming: Vec<usize>,
    /// The edges that leave it, by their places in the plan.
    pub outgoing: Vec<usize>,
    /// All edges that leave it and store a condition, wherever they lead: id, source and target.
    pub conditions: Vec<(Option<String>, String, String, Value)>,
}

/// An edge between two nodes that will run.
#[derive(Clone, Debug)]
pub struct PlanEdge {
    /// The edge.
    pub edge: Edge,
    /// What it is.
    pub kind: EdgeKind,
    /// The node that it leaves, by its place in the plan.
    pub source: usize,
    /// The node that it goes to.
    pub target: usize,
    /// The port that it leaves by; empty for none.
    pub source_port: String,
    /// The port that it arrives at; empty for none.
    pub target_port: String,
}

/// Compiles a workflow.
///
/// # Errors
///
/// `compilation_failed`, with the `cause`.
//= CMP-1:1
//= CMP-1:2
//= CMP-1:3
//= CMP-2:1
//= CMP-2:2
pub fn compile(
    reading: &dyn CompileReading,
    workflow: &Workflow,
    types: &NodeTypes,
) -> Result<Plan, Refusal> {
    stages(reading, workflow, types).map_err(|cause| {
        let message = format!("Workflow compilation failed: {cause}");
        Refusal::new("compilation_failed", message).with("cause", cause)
    })
}

fn stages(
    reading: &dyn CompileReading,
    workflow: &Workflow,
    types: &NodeTypes,
) -> Result<Plan, String> {
    if let Some(missing) = reading.precondition(workflow) {
        return Err(missing);
    }
    let id = |node: &Node| node.id.clone().unwrap_or_default();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (n, node) in workflow.nodes.iter().enumerate() {
        let id = node.id.as_deref().unwrap_or_default();
        if places.insert(id, n).is_some() {
            return Err(format!("Two nodes have the ID {id}"));
        }
    }
    let edges: Vec<(&Edge, usize, usize)> = workflow
        .edges
        .iter()
        .filter_map(|edge| {
            let (source, target) = reading.ends(edge)?;
            Some((edge, *places.get(source)?, *places.get(target)?))
        })
        .collect();

    let order = sorted(reading, workflow.nodes.len(), &edges)
        .ok_or_else(|| "Circular dependency detected in workflow".to_owned())?;
    let described: Vec<Option<&NodeType>> = workflow
        .nodes
        .iter()
        .map(|node| types.get(node.r#type.as_deref().unwrap_or_default()))
        .collect();
    let tools = tools(reading, workflow, &described, &edges)?;

    let mut kinds: Vec<[Vec<EdgeKind>; 2]> = vec![Default::default(); workflow.nodes.len()];
    for &(edge, source, target) in &edges {
        let kind = reading.kind(edge);
        kinds[target][0].push(kind);
        kinds[source][1].push(kind);
    }
    let node_type = |n: usize| described[n].cloned().unwrap_or_else(plain);
    let mut plan = Plan::default();
    let excluded: Vec<Option<Exclusion>> = (0..workflow.nodes.len())
        .map(|n| reading.exclusion(&node_type(n), &kinds[n][0], &kinds[n][1]))
        .collect();
    for (n, node) in workflow.nodes.iter().enumerate() {
        match excluded[n] {
            Some(reason) => plan.compiled.excluded.push(Excluded {
                id: id(node),
                reason,
            }),
            None => plan.compiled.nodes.push(planned(node, &node_type(n))),
        }
    }
    for &n in order.iter().filter(|&&n| excluded[n].is_none()) {
        let node = plan_node(reading, &workflow.nodes[n], node_type(n));
        plan.index.insert(node.id.clone(), plan.nodes.len());
        plan.compiled.order.push(node.id.clone());
        plan.nodes.push(node);
    }
    plan.connect(reading, workflow, &edges);
    plan.compiled.tools = tools;
    let found = loops::find(reading, &workflow.edges);
    let resolved = found.resolved(reading);
    plan.compiled.reach = found.reach(reading);
    plan.compiled.loops = resolved.loops;
    plan.compiled.memberships = resolved.memberships;
    plan.compiled.diagnostics = resolved.diagnostics;
    Ok(plan)
}

/// The type of a node whose type the question does not describe.
fn plain() -> NodeType {
    NodeType {
        executable: true,
        accepts_tools: true,
        ..NodeType::default()
    }
}

//= CMP-2:1
//= CMP-11:1
fn planned(node: &Node, node_type: &NodeType) -> Planned {
    Planned {
        id: node.id.clone().unwrap_or_default(),
        node_type: node.r#type.clone().unwrap_or_default(),
        processor: node_type.processor.clone(),
        description: node_type.description.clone(),
    }
}

fn plan_node(reading: &dyn CompileReading, node: &Node, node_type: NodeType) -> PlanNode {
    let data = node.data.clone().unwrap_or_default();
    let mut configuration = data.config.unwrap_or_default();
    let branches = match configuration.shift_remove("branches") {
        Some(Value::Array(branches)) => branches,
        _ => Vec::new(),
    };
    let default_branch = configuration.shift_remove("default_branch");
    let default_branch = default_branch.and_then(|d| d.as_str().map(str::to_owned));
    let mut branch_names = branches::configured(reading, &branches);
    branch_names.extend(default_branch.clone());
    PlanNode {
        id: node.id.clone().unwrap_or_default(),
        node_type,
        configuration,
        branches,
        branch_names,
        default_branch,
        ..PlanNode::default()
    }
}

impl Plan {
    /// Adds the edges between the nodes of the plan, and what each node waits for.
    fn connect(
        &mut self,
        reading: &dyn CompileReading,
        workflow: &Workflow,
        edges: &[(&Edge, usize, usize)],
    ) {
        let name = |n: usize| workflow.nodes[n].id.clone().unwrap_or_default();
        let mut waits: BTreeMap<String, [BTreeSet<String>; 2]> = BTreeMap::new();
        for &(edge, source, target) in edges {
            let (source, target) = (name(source), name(target));
            let place = |id: &str| self.index.get(id).copied();
            let (from, to) = (place(&source), place(&target));
            let condition = edge.data.as_ref().and_then(|data| data.condition.clone());
            if let (Some(from), Some(condition)) = (from, condition) {
                let condition = (edge.id.clone(), source.clone(), target.clone(), condition);
                self.nodes[from].conditions.push(condition);
            }
            let (Some(from), Some(to)) = (from, to) else {
                continue;
            };
            let port = |handle: &Option<String>, side| {
                reading
                    .port(handle.as_deref().unwrap_or_default(), side)
                    .to_owned()
            };
            let kind = reading.kind(edge);
            let place = self.edges.len();
            self.edges.push(PlanEdge {
                kind,
                source: from,
                target: to,
                source_port: port(&edge.source_handle, Side::Output),
                target_port: port(&edge.target_handle, Side::Input),
                edge: edge.clone(),
            });
            self.nodes[from].outgoing.push(place);
            self.nodes[to].incoming.push(place);
            if reading.is_dependency(edge) {
                let class = usize::from(kind != EdgeKind::Trigger);
                waits.entry(target).or_default()[class].insert(source);
            }
        }
        for (node, [triggers, others]) in waits {
            let names = reading.dependencies(triggers, others).into_iter().collect();
            self.compiled.dependencies.insert(node, names);
        }
    }
}

/// Places in an order in which each comes after all that it depends on; nothing if there is none.
/// Those that are free at the same time come as they are given.
//= CMP-5:3
//= CMP-5:4
//= CMP-8:1
fn sorted(
    reading: &dyn CompileReading,
    nodes: usize,
    edges: &[(&Edge, usize, usize)],
) -> Option<Vec<usize>> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    let mut waiting_for = vec![0_usize; nodes];
    for &(edge, source, target) in edges {
        if reading.is_dependency(edge) {
            after[source].push(target);
            waiting_for[target] += 1;
        }
    }
    let mut free: VecDeque<usize> = (0..nodes).filter(|&n| waiting_for[n] == 0).collect();
    let mut order = Vec::with_capacity(nodes);
    while let Some(node) = free.pop_front() {
        order.push(node);
        for &next in &after[node] {
            waiting_for[next] -= 1;
            if waiting_for[next] == 0 {
                free.push_back(next);
            }
        }
    }
    (order.len() == nodes).then_some(order)
}

#[cfg(test)]
#[path = "compile_tests.rs"]
mod tests;
