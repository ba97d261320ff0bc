//! Misreadings of what a branch decision is, and of which edges it holds back.

use serde_json::Value;

use crate::{
    operations::edge::{Edge, EdgeKind},
    reference::{AsWritten, branches::BranchReading, edges::EdgeReading},
};

misreadings! {
    /// Every edge that leaves by a port with a name is gated by what is active.
    "every-named-port-is-gated" misreads "BR-1":1 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], _configured: &[String]) -> bool {
            let port = port(edge);
            port.is_empty() || active.is_empty() || holds(active, port)
        }
    }

    /// A node that has made branches active gates all edges that leave it.
    "deciding-node-gates-all-its-edges" misreads "BR-1":1 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], _configured: &[String]) -> bool {
            active.is_empty() || holds(active, port(edge))
        }
    }

    /// A branch is active if a name that is active contains its own.
    "branch-is-part-of-a-name" misreads "BR-1":2 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            let port = AsWritten.branch_form(port(edge));
            let part = active.iter().any(|name| name.contains(&port));
            part || AsWritten.is_followed(edge, active, configured)
        }
    }

    /// Of several active branches only the first is followed.
    "first-active-branch-is-followed" misreads "BR-1":2 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            AsWritten.is_followed(edge, &active[..active.len().min(1)], configured)
        }
    }

    /// A port is spelled just as the active branch is, once that is in lower case.
    "port-is-compared-as-written" misreads "BR-1":2 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            let port = port(edge);
            !AsWritten.is_branch_port(port, configured)
                || active.is_empty()
                || active.iter().any(|name| name == port)
        }
    }

    /// White space counts nowhere in a name, inside it neither.
    "white-space-is-taken-out" misreads "BR-1":2 as BranchReading {
        fn branch_form(&self, name: &str) -> String {
            name.to_lowercase().split_whitespace().collect()
        }
    }

    /// A branch port of a node that has made no decision is closed.
    "no-decision-closes-a-branch" misreads "BR-1":3 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            let port = port(edge);
            !AsWritten.is_branch_port(port, configured) || holds(active, port)
        }
    }

    /// An edge that leaves by no port belongs to no branch that could be active.
    "unnamed-port-is-gated" misreads "BR-2":1 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            let gated = port(edge).is_empty() && !active.is_empty() && !configured.is_empty();
            !gated && AsWritten.is_followed(edge, active, configured)
        }
    }

    /// A source that can decide and has not follows none of its edges.
    "no-decision-follows-nothing" misreads "BR-2":1 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            let undecided = active.is_empty() && !configured.is_empty();
            !undecided && AsWritten.is_followed(edge, active, configured)
        }
    }

    /// A port is a branch port if it is spelled as the branch is.
    "branch-port-is-spelled-alike" misreads "BR-2":2 as BranchReading {
        fn is_branch_port(&self, port: &str, configured: &[String]) -> bool {
            configured.iter().any(|name| name == port)
        }
    }

    /// A port is a branch port if the name of a branch begins so.
    "branch-port-by-its-beginning" misreads "BR-2":2 as BranchReading {
        fn is_branch_port(&self, port: &str, configured: &[String]) -> bool {
            let port = AsWritten.branch_form(port);
            configured.iter().any(|name| AsWritten.branch_form(name).starts_with(&port))
        }
    }

    /// All ports of a node with branches are branch ports.
    "node-with-branches-has-no-other-ports" misreads "BR-2":2 as BranchReading {
        fn is_branch_port(&self, _port: &str, configured: &[String]) -> bool {
            !configured.is_empty()
        }
    }

    /// All ports of a node without configured branches are branch ports.
    "no-branches-means-all-ports" misreads "BR-2":3 as BranchReading {
        fn is_branch_port(&self, port: &str, configured: &[String]) -> bool {
            configured.is_empty() || AsWritten.is_branch_port(port, configured)
        }
    }

    /// Some names are those of branch ports on every node.
    "usual-names-are-branches" misreads "BR-2":3 as BranchReading {
        fn is_branch_port(&self, port: &str, configured: &[String]) -> bool {
            let usual = ["true", "false", "yes", "no"];
            usual.contains(&AsWritten.branch_form(port).as_str())
                || AsWritten.is_branch_port(port, configured)
        }
    }

    /// One branch is active, the first in the list.
    "list-has-one-branch" misreads "BR-3":1 as BranchReading {
        fn emitted_names(&self, emitted: &Value) -> Vec<String> {
            let mut names = AsWritten.emitted_names(emitted);
            names.truncate(1);
            names
        }
    }

    /// A string with commas is a list of names.
    "string-is-split-at-commas" misreads "BR-3":2 as BranchReading {
        fn emitted_names(&self, emitted: &Value) -> Vec<String> {
            match emitted {
                Value::String(several) => several.split(',').map(str::to_owned).collect(),
                other => AsWritten.emitted_names(other),
            }
        }
    }

    /// Commas set names off, also inside a list's entries.
    "entries-are-split-at-commas" misreads "BR-3":2 as BranchReading {
        fn emitted_names(&self, emitted: &Value) -> Vec<String> {
            match emitted {
                Value::Array(_) => {
                    let names = AsWritten.emitted_names(emitted).join(",");
                    let names = names.split(',').map(str::to_owned);
                    names.filter(|name| !name.is_empty()).collect()
                }
                other => AsWritten.emitted_names(other),
            }
        }
    }

    /// A string that holds a JSON list is that list.
    "string-is-read-as-json" misreads "BR-3":2 as BranchReading {
        fn emitted_names(&self, emitted: &Value) -> Vec<String> {
            let read = emitted.as_str().and_then(|text| serde_json::from_str(text).ok());
            match read {
                Some(list @ Value::Array(_)) => AsWritten.emitted_names(&list),
                _ => AsWritten.emitted_names(emitted),
            }
        }
    }

    /// What is no list names no branch.
    "string-is-no-list" misreads "BR-3":2 as BranchReading {
        fn emitted_names(&self, emitted: &Value) -> Vec<String> {
            match emitted {
                Value::String(_) => Vec::new(),
                other => AsWritten.emitted_names(other),
            }
        }
    }

    /// Numbers and truth values are names as they are written.
    "numbers-are-names" misreads "BR-3":3 as BranchReading {
        fn emitted_names(&self, emitted: &Value) -> Vec<String> {
            let Value::Array(entries) = emitted else {
                return AsWritten.emitted_names(emitted);
            };
            let name = |entry: &Value| match entry {
                Value::String(name) => Some(name.clone()),
                Value::Number(_) | Value::Bool(_) => Some(entry.to_string()),
                _ => None,
            };
            entries.iter().filter_map(name).collect()
        }
    }

    /// A list with an entry that is no string is no list of branches.
    "mixed-list-is-none" misreads "BR-3":3 as BranchReading {
        fn emitted_names(&self, emitted: &Value) -> Vec<String> {
            let mixed = emitted.as_array().is_some_and(|list| !list.iter().all(Value::is_string));
            if mixed { Vec::new() } else { AsWritten.emitted_names(emitted) }
        }
    }

    /// Lists in the list are part of it.
    "inner-lists-are-unrolled" misreads "BR-3":3 as BranchReading {
        fn emitted_names(&self, emitted: &Value) -> Vec<String> {
            match emitted {
                Value::Array(entries) => {
                    entries.iter().flat_map(|entry| self.emitted_names(entry)).collect()
                }
                other => AsWritten.emitted_names(other),
            }
        }
    }

    /// A name keeps its case.
    "names-keep-their-case" misreads "BR-3":4 as BranchReading {
        fn branch_form(&self, name: &str) -> String {
            name.trim().to_owned()
        }
    }

    /// A name keeps the white space around it.
    "names-keep-their-white-space" misreads "BR-3":4 as BranchReading {
        fn branch_form(&self, name: &str) -> String {
            name.to_lowercase()
        }
    }

    /// White space inside a name is one space.
    "inner-white-space-is-one-space" misreads "BR-3":4 as BranchReading {
        fn branch_form(&self, name: &str) -> String {
            let words: Vec<&str> = name.split_whitespace().collect();
            words.join(" ").to_lowercase()
        }
    }

    /// Only spaces around a name are taken off, no other white space.
    "only-spaces-are-trimmed" misreads "BR-3":4 as BranchReading {
        fn branch_form(&self, name: &str) -> String {
            name.trim_matches(' ').to_lowercase()
        }
    }

    /// A branch decision gates what it starts, and data goes out all the same.
    "triggers-alone-are-gated" misreads "BR-5":1 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            AsWritten.kind(edge) != EdgeKind::Trigger
                || AsWritten.is_followed(edge, active, configured)
        }
    }

    /// The way back to a loop's head is open on every branch.
    "loopbacks-are-not-gated" misreads "BR-5":1 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            AsWritten.kind(edge) == EdgeKind::Loopback
                || AsWritten.is_followed(edge, active, configured)
        }
    }

    /// An edge that arrives at no port is not gated.
    "edges-into-no-port-are-not-gated" misreads "BR-5":1 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            edge.target_handle.as_deref().unwrap_or_default().is_empty()
                || AsWritten.is_followed(edge, active, configured)
        }
    }

    /// A branch decision gates data, and a trigger fires on whatever branch.
    "data-alone-is-gated" misreads "BR-5":2 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            AsWritten.kind(edge) == EdgeKind::Trigger
                || AsWritten.is_followed(edge, active, configured)
        }
    }

    /// What hands data on is tested by the very spelling of its port.
    "data-is-gated-to-the-letter" misreads "BR-5":2 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            let exact = AsWritten.kind(edge) != EdgeKind::Data
                || active.is_empty()
                || !AsWritten.is_branch_port(port(edge), configured)
                || active.iter().any(|name| name == port(edge));
            exact && AsWritten.is_followed(edge, active, configured)
        }
    }

    /// A trigger hangs on a decision even where its port carries a value.
    "triggers-from-value-ports-are-gated" misreads "BR-5":2 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            let port = port(edge);
            let gated = AsWritten.kind(edge) == EdgeKind::Trigger
                && !port.is_empty()
                && !active.is_empty()
                && !holds(active, port);
            !gated && AsWritten.is_followed(edge, active, configured)
        }
    }
}

/// The port by which an edge leaves; empty for the trigger port.
fn port(edge: &Edge) -> &str {
    AsWritten.branch(edge.source_handle.as_deref().unwrap_or_default())
}

fn holds(active: &[String], port: &str) -> bool {
    let port = AsWritten.branch_form(port);
    active
        .iter()
        .any(|name| AsWritten.branch_form(name) == port)
}
