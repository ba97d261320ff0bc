//! Misreadings of what an edge is, and of which branch it belongs to.

use crate::{
    operations::{edge::Edge, handle::Side},
    reference::{AsWritten, edges::EdgeReading},
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

    /// The trigger port is a branch like any other.
    "trigger-is-a-branch" misreads "SG-10":1 as EdgeReading {
        fn branch<'h>(&self, source_handle: &'h str) -> &'h str {
            self.port(source_handle, Side::Output)
        }
    }

    /// A port is a trigger port if its name ends so.
    "trigger-at-the-end-of-a-port" misreads "SG-10":1 as EdgeReading {
        fn branch<'h>(&self, source_handle: &'h str) -> &'h str {
            let port = self.port(source_handle, Side::Output);
            if port.ends_with("trigger") { "" } else { port }
        }
    }

    /// A port is a trigger port if its name begins so.
    "trigger-at-the-beginning-of-a-port" misreads "SG-10":1 as EdgeReading {
        fn branch<'h>(&self, source_handle: &'h str) -> &'h str {
            let port = self.port(source_handle, Side::Output);
            if port.starts_with("trigger") { "" } else { port }
        }
    }

    /// An edge belongs to no branch if its source handle says trigger anywhere.
    "trigger-anywhere-in-a-handle" misreads "SG-10":1 as EdgeReading {
        fn branch<'h>(&self, source_handle: &'h str) -> &'h str {
            let port = self.port(source_handle, Side::Output);
            if source_handle.contains("trigger") { "" } else { port }
        }
    }

    /// An edge that leaves by the trigger port is followed only if no branch is active.
    "trigger-where-nothing-is-active" misreads "SG-10":1 as EdgeReading {
        fn is_active(&self, edge: &Edge, active_branches: &[String]) -> bool {
            let unbranched = self.port(source_handle(edge), Side::Output) == "trigger";
            if unbranched {
                active_branches.is_empty()
            } else {
                AsWritten.is_active(edge, active_branches)
            }
        }
    }
}

fn source_handle(edge: &Edge) -> &str {
    edge.source_handle.as_deref().unwrap_or_default()
}

fn target_handle(edge: &Edge) -> &str {
    edge.target_handle.as_deref().unwrap_or_default()
}
