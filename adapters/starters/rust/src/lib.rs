//! A stand-in for your engine, which knows about loops and nothing else.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// What an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Data,
    Trigger,
    Error,
    Loopback,
    Tool,
    AgentResult,
}

/// A wire of a workflow. What a document leaves out is empty here.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    pub source: String,
    pub target: String,
    pub source_handle: String,
    pub target_handle: String,
    /// The type that the document declares.
    pub declared: String,
    /// What the edge is, where that was said outright.
    pub kind: Option<Kind>,
}

impl Edge {
    /// What the edge is: what was said, else what handles and declared type say.
    pub fn kind(&self) -> Kind {
        let arrives_at = |port| self.target_handle.ends_with(port);
        let is_tool = match self.declared.as_str() {
            "" => arrives_at("-input-tool"),
            declared => declared == "tool_availability",
        };
        self.kind.unwrap_or(if is_tool {
            Kind::Tool
        } else if arrives_at("-input-loop_back") {
            Kind::Loopback
        } else if arrives_at("-input-trigger") {
            Kind::Trigger
        } else if self.source_handle.ends_with("-output-error") {
            Kind::Error
        } else {
            Kind::Data
        })
    }
}

/// What is odd about a loopback edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagnostic {
    /// The head does not lead to the tail.
    NoCycle { head: String, tail: String },
    /// Loops were made one.
    Merged { head: String, absorbed: Vec<String> },
}

/// The loops of a workflow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    /// The nodes of each loop, sorted, by its head.
    pub bodies: BTreeMap<String, Vec<String>>,
    /// The heads of the loops that a node is in, outermost first.
    pub memberships: BTreeMap<String, Vec<String>>,
    pub diagnostics: Vec<Diagnostic>,
}

/// The engine. Every case begins with a new one.
#[derive(Debug, Default)]
pub struct Engine;

type Nodes<'e> = BTreeSet<&'e str>;
type Steps<'e> = BTreeMap<&'e str, Nodes<'e>>;

#[derive(Clone, Debug)]
struct Loop<'e> {
    head: &'e str,
    body: Nodes<'e>,
    /// How many nodes it had before it was merged with others.
    drawn: usize,
    absorbed: Nodes<'e>,
}

impl Engine {
    /// Which loops the edges make, which of them each node is in, and what is odd about them.
    pub fn resolve_loops(&self, edges: &[Edge]) -> Loops {
        let (mut after, mut before, mut tails) = (Steps::new(), Steps::new(), Steps::new());
        for edge in edges {
            let (source, target) = (edge.source.as_str(), edge.target.as_str());
            if source.is_empty() || target.is_empty() {
                continue; // a loose end joins nothing
            }
            match edge.kind() {
                Kind::Tool | Kind::AgentResult => {}
                Kind::Loopback => {
                    tails.entry(target).or_default().insert(source);
                }
                Kind::Data | Kind::Trigger | Kind::Error => {
                    after.entry(source).or_default().insert(target);
                    before.entry(target).or_default().insert(source);
                }
            }
        }

        // One loop a head, however many tails: all that lies on a way from the head to any of
        // them. A head that leads to no tail is a loop of its own.
        let mut found = Loops::default();
        let mut loops = Vec::new();
        for (head, tails) in tails {
            let below = reach(&after, [head].into());
            let (closing, stray): (Nodes, Nodes) =
                tails.into_iter().partition(|tail| below.contains(tail));
            let mut body = &below & &reach(&before, closing);
            body.insert(head);
            let (drawn, absorbed) = (body.len(), Nodes::new());
            loops.push(Loop {
                head,
                body,
                drawn,
                absorbed,
            });
            let no_cycle = |tail: &str| Diagnostic::NoCycle {
                head: head.into(),
                tail: tail.into(),
            };
            found.diagnostics.extend(stray.into_iter().map(no_cycle));
        }

        let mut loops = merge(loops);
        loops.sort_by_key(|l| l.head);
        for l in loops.iter().filter(|l| !l.absorbed.is_empty()) {
            let (head, absorbed) = (l.head.into(), owned(&l.absorbed));
            found
                .diagnostics
                .push(Diagnostic::Merged { head, absorbed });
        }

        // Loops that still share a node are nested, so the larger one is the outer one.
        loops.sort_by_key(|l| Reverse(l.body.len()));
        for l in loops {
            for &node in &l.body {
                let heads = found.memberships.entry(node.into()).or_default();
                heads.push(l.head.into());
            }
            found.bodies.insert(l.head.into(), owned(&l.body));
        }
        found
    }
}

/// These nodes, and all that can be come to from them.
fn reach<'e>(steps: &Steps<'e>, mut seen: Nodes<'e>) -> Nodes<'e> {
    let mut waiting: Vec<&str> = seen.iter().copied().collect();
    while let Some(node) = waiting.pop() {
        for &next in steps.get(node).into_iter().flatten() {
            if seen.insert(next) {
                waiting.push(next);
            }
        }
    }
    seen
}

/// Makes one of the loops that share nodes while neither lies within the other.
fn merge(mut loops: Vec<Loop>) -> Vec<Loop> {
    loop {
        let before = loops.len();
        let mut groups: Vec<Vec<Loop>> = Vec::new();
        for this in loops {
            let touches = |group: &Vec<Loop>| group.iter().any(|other| tangled(&this, other));
            let (touching, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
            groups = apart;
            groups.push(touching.into_iter().flatten().chain([this]).collect());
        }
        loops = groups.into_iter().filter_map(merged).collect();
        // What a merger gives can be as large as another loop, and is then looked at again.
        if loops.len() == before {
            return loops;
        }
    }
}

fn tangled(one: &Loop, other: &Loop) -> bool {
    let (one, other) = (&one.body, &other.body);
    let is_nested = one.len() != other.len() && (one.is_subset(other) || other.is_subset(one));
    !is_nested && !one.is_disjoint(other)
}

/// The head of the largest body as drawn, or of the first by name, stands for all of them.
fn merged(mut group: Vec<Loop>) -> Option<Loop> {
    group.sort_by_key(|l| (Reverse(l.drawn), l.head));
    group.into_iter().reduce(|mut survivor, other| {
        survivor.body.extend(other.body);
        survivor.absorbed.insert(other.head);
        survivor.absorbed.extend(other.absorbed);
        survivor
    })
}

fn owned(nodes: &Nodes) -> Vec<String> {
    nodes.iter().map(|&node| node.into()).collect()
}
