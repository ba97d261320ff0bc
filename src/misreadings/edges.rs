//! Misreadings of what an edge is, and of which branch it belongs to.

use crate::{
    operations::{edge::Edge, handle::Side},
    reference::edges::EdgeReading,
};

misreadings! {
    /// A loopback edge is taken again whichever branch is active.
    "branch-does-not-matter" misreads "SG-7":1 as EdgeReading {
        fn is_active(&self, _edge: &Edge, _active_branches: &[String]) -> bool {
            true
        }
    }

    /// The branch of a loopback edge is spelled just as the active one is.
    "branch-case-matters" misreads "SG-7":1 as EdgeReading {
        fn is_active(&self, edge: &Edge, active_branches: &[String]) -> bool {
            let branch = self.port(source_handle(edge), Side::Output);
            branch.is_empty()
                || active_branches.is_empty()
                || active_branches.iter().any(|name| name == branch)
        }
    }

    /// Of several active branches the first is the one that is followed.
    "first-active-branch-counts" misreads "SG-7":1 as EdgeReading {
        fn is_active(&self, edge: &Edge, active_branches: &[String]) -> bool {
            let branch = self.branch(source_handle(edge)).to_lowercase();
            let first = active_branches.first();
            branch.is_empty() || first.is_none_or(|name| name.to_lowercase() == branch)
        }
    }

    /// An edge loops back if its target handle says so anywhere.
    "loopback-anywhere-in-a-handle" misreads "SG-16":1 as EdgeReading {
        fn is_loopback(&self, edge: &Edge) -> bool {
            target_handle(edge).contains("-input-loop_back")
        }
    }

    /// An edge loops back if the name of its target port ends so.
    "loopback-at-the-end-of-a-port" misreads "SG-16":1 as EdgeReading {
        fn is_loopback(&self, edge: &Edge) -> bool {
            target_handle(edge).ends_with("loop_back")
        }
    }

    /// An edge loops back if it leaves by a port of that name, too.
    "loopback-by-either-handle" misreads "SG-16":1 as EdgeReading {
        fn is_loopback(&self, edge: &Edge) -> bool {
            target_handle(edge).ends_with("-input-loop_back")
                || source_handle(edge).ends_with("-output-loop_back")
        }
    }

    /// An edge loops back if its port is named so with or without the underscore.
    "loopback-without-underscore" misreads "SG-16":1 as EdgeReading {
        fn is_loopback(&self, edge: &Edge) -> bool {
            target_handle(edge).replace('_', "").ends_with("-input-loopback")
        }
    }

    /// An edge is a tool edge if it declares so, whatever its handle says.
    "tool-edge-by-declaration-alone" misreads "SG-16":1 as EdgeReading {
        fn is_tool(&self, edge: &Edge) -> bool {
            self.declared_type(edge) == Some("tool_availability")
        }
    }
}

fn source_handle(edge: &Edge) -> &str {
    edge.source_handle.as_deref().unwrap_or_default()
}

fn target_handle(edge: &Edge) -> &str {
    edge.target_handle.as_deref().unwrap_or_default()
}
