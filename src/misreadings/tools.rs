//! Misreadings of tool edges, and of the nodes that are nothing but tools.

use serde_json::Value;

use crate::{
    operations::{
        edge::{Edge, EdgeKind},
        workflow::{Exclusion, NodeType},
    },
    reference::{AsWritten, compile::CompileReading, edges::EdgeReading, forms::FormReading},
};

misreadings! {
    /// An edge that leaves by a port named tool is a tool edge, too.
    "tool-by-source-port" misreads "EDGE-5":1 as EdgeReading {
        fn is_tool(&self, edge: &Edge) -> bool {
            let leaves = edge.source_handle.as_deref().unwrap_or_default();
            AsWritten.is_tool(edge) || leaves.ends_with("-output-tool")
        }
    }

    /// A type may be declared on the edge itself.
    "tool-declared-on-the-edge" misreads "EDGE-5":1 as EdgeReading {
        fn declared_type<'e>(&self, edge: &'e Edge) -> Option<&'e str> {
            let outside = || edge.rest.get("edgeType").and_then(Value::as_str);
            AsWritten.declared_type(edge).or_else(outside)
        }
    }

    /// What an edge's data calls its type is a declaration, too.
    "tool-declared-as-a-type" misreads "EDGE-5":1 as EdgeReading {
        fn declared_type<'e>(&self, edge: &'e Edge) -> Option<&'e str> {
            let other = || edge.data.as_ref()?.rest.get("type")?.as_str();
            AsWritten.declared_type(edge).or_else(other)
        }
    }

    /// An edge is a tool edge if it declares so; a handle is only drawn so.
    "tool-handle-decides-nothing" misreads "EDGE-5":1 as EdgeReading {
        fn is_tool(&self, edge: &Edge) -> bool {
            AsWritten.declared_type(edge) == Some("tool_availability")
        }
    }

    /// The handle is stronger than what an edge declares.
    "handle-beats-the-declaration" misreads "EDGE-5":2 as EdgeReading {
        fn is_tool(&self, edge: &Edge) -> bool {
            AsWritten.ends_in(edge.target_handle.as_deref().unwrap_or_default(), "-input-tool")
        }
    }

    /// An edge that declares itself a tool edge has to lead into a tool port all the same.
    "declaration-needs-the-handle" misreads "EDGE-5":2 as EdgeReading {
        fn is_tool(&self, edge: &Edge) -> bool {
            let handle = edge.target_handle.as_deref().unwrap_or_default();
            AsWritten.is_tool(edge) && AsWritten.ends_in(handle, "-input-tool")
        }
    }

    /// An empty declaration is one, of no kind.
    "empty-declaration-counts" misreads "EDGE-5":3 as EdgeReading {
        fn declared_type<'e>(&self, edge: &'e Edge) -> Option<&'e str> {
            edge.data.as_ref()?.edge_type.as_ref()?.as_str()
        }
    }

    /// A declaration that is no string is one, of no kind.
    "declaration-of-any-type-counts" misreads "EDGE-5":3 as EdgeReading {
        fn declared_type<'e>(&self, edge: &'e Edge) -> Option<&'e str> {
            match edge.data.as_ref()?.edge_type.as_ref()? {
                Value::String(_) | Value::Null => AsWritten.declared_type(edge),
                _ => Some("data"),
            }
        }
    }

    /// An edge may declare several types, of which the first counts.
    "declarations-come-in-lists" misreads "EDGE-5":3 as EdgeReading {
        fn declared_type<'e>(&self, edge: &'e Edge) -> Option<&'e str> {
            let first = || edge.data.as_ref()?.edge_type.as_ref()?.get(0)?.as_str();
            AsWritten.declared_type(edge).or_else(first)
        }
    }

    /// A declared type that nobody recognises is saved and decides nothing.
    "unrecognised-type-is-saved" misreads "EDGE-5":4 as FormReading {
        fn is_recognised(&self, _declared: &str) -> bool {
            true
        }
    }

    /// A declared type that begins as a recognised one is taken for that.
    "beginning-of-a-type-is-enough" misreads "EDGE-5":4 as FormReading {
        fn is_recognised(&self, declared: &str) -> bool {
            declared.starts_with("tool_avail") || AsWritten.is_recognised(declared)
        }
    }

    /// Where the handle says that an edge is a tool edge, a declared type is not looked at.
    "tool-handle-needs-no-declaration" misreads "EDGE-5":4 as EdgeReading {
        fn declared_type<'e>(&self, edge: &'e Edge) -> Option<&'e str> {
            let handle = edge.target_handle.as_deref().unwrap_or_default();
            let said = AsWritten.ends_in(handle, "-input-tool");
            AsWritten.declared_type(edge).filter(|_| !said)
        }
    }

    /// A node is tool-only if all edges that lead to it are tool edges.
    "tool-only-by-what-leads-to-it" misreads "EDGE-7":1 as CompileReading {
        fn exclusion(
            &self,
            node_type: &NodeType,
            incoming: &[EdgeKind],
            _outgoing: &[EdgeKind],
        ) -> Option<Exclusion> {
            AsWritten.exclusion(node_type, incoming, incoming)
        }
    }

    /// A node that other nodes feed is not tool-only, whatever leaves it.
    "fed-tool-is-not-tool-only" misreads "EDGE-7":1 as CompileReading {
        fn exclusion(
            &self,
            node_type: &NodeType,
            incoming: &[EdgeKind],
            outgoing: &[EdgeKind],
        ) -> Option<Exclusion> {
            let fed = !incoming.is_empty();
            let found = AsWritten.exclusion(node_type, incoming, outgoing);
            found.filter(|reason| !(fed && *reason == Exclusion::ToolOnly))
        }
    }

    /// A node without outgoing edges has none but tool edges.
    "all-of-none-are-tool-edges" misreads "EDGE-7":2 as CompileReading {
        fn is_tool_only(&self, outgoing: &[EdgeKind]) -> bool {
            outgoing.iter().all(|kind| *kind == EdgeKind::Tool)
        }
    }

    /// One tool edge makes a node tool-only.
    "one-tool-edge-is-enough" misreads "EDGE-7":2 as CompileReading {
        fn is_tool_only(&self, outgoing: &[EdgeKind]) -> bool {
            outgoing.contains(&EdgeKind::Tool)
        }
    }

    /// A node is tool-only unless it hands data on.
    "data-alone-keeps-a-node" misreads "EDGE-7":2 as CompileReading {
        fn is_tool_only(&self, outgoing: &[EdgeKind]) -> bool {
            outgoing.contains(&EdgeKind::Tool) && !outgoing.contains(&EdgeKind::Data)
        }
    }

    /// Error edges lead out of the regular course and keep no node from being tool-only.
    "error-edge-beside-tools-is-passed-over" misreads "EDGE-7":2 as CompileReading {
        fn is_tool_only(&self, outgoing: &[EdgeKind]) -> bool {
            let mut regular = outgoing.iter().filter(|kind| **kind != EdgeKind::Error);
            AsWritten.is_tool_only(outgoing) || {
                outgoing.contains(&EdgeKind::Tool) && regular.all(|kind| *kind == EdgeKind::Tool)
            }
        }
    }

    /// A tool-only node is in the execution graph and runs when its turn comes.
    "tools-run-like-others" misreads "EDGE-7":3 as CompileReading {
        fn exclusion(
            &self,
            node_type: &NodeType,
            incoming: &[EdgeKind],
            outgoing: &[EdgeKind],
        ) -> Option<Exclusion> {
            let found = AsWritten.exclusion(node_type, incoming, outgoing);
            found.filter(|reason| *reason != Exclusion::ToolOnly)
        }
    }

    /// A tool-only node is left out because it cannot be executed.
    "tools-are-not-executable" misreads "EDGE-7":3 as CompileReading {
        fn exclusion(
            &self,
            node_type: &NodeType,
            incoming: &[EdgeKind],
            outgoing: &[EdgeKind],
        ) -> Option<Exclusion> {
            AsWritten
                .exclusion(node_type, incoming, outgoing)
                .map(|reason| match reason {
                    Exclusion::ToolOnly => Exclusion::NonExecutable,
                    other => other,
                })
        }
    }
}
