//! What an edge is and which branch it belongs to, read off its handles.

use crate::operations::{
    edge::{Edge, EdgeKind},
    handle::Side,
};

/// What the rules about handles and edges decide.
pub trait EdgeReading {
    /// The port that a handle names, as one of that side: all that comes after the side's first
    /// marker, further markers included. Empty where the handle has no such marker.
    //= EDGE-1:1
    //= EDGE-1:2
    fn port<'h>(&self, handle: &'h str, side: Side) -> &'h str {
        let marker = match side {
            Side::Input => "-input-",
            Side::Output => "-output-",
        };
        handle.split_once(marker).map_or("", |(_, port)| port)
    }

    /// Whether a handle ends in a reserved port, written with its marker (`-input-trigger`).
    /// Holding it somewhere else is not enough.
    //= EDGE-1:3
    fn ends_in(&self, handle: &str, reserved: &str) -> bool {
        handle.ends_with(reserved)
    }

    /// Whether an edge starts its target: by its target handle and by nothing else.
    //= EDGE-3:1
    //= EDGE-3:2
    fn is_trigger(&self, edge: &Edge) -> bool {
        self.ends_in(target_handle(edge), "-input-trigger")
    }

    /// Whether an edge goes back to a loop's head. Only this spelling is reserved.
    //= EDGE-4:1
    //= EDGE-4:2
    fn is_loopback(&self, edge: &Edge) -> bool {
        self.ends_in(target_handle(edge), "-input-loop_back")
    }

    /// The type that an edge declares, where it declares any.
    //= EDGE-5:3
    fn declared_type<'e>(&self, edge: &'e Edge) -> Option<&'e str> {
        let declared = edge.data.as_ref()?.edge_type.as_ref()?.as_str()?;
        (!declared.is_empty()).then_some(declared)
    }

    /// Whether an edge offers a tool: as it declares, and by its handle if it declares nothing.
    // open: CMP-4 has a declared type decide nothing at all; EDGE-5 is followed.
    //= EDGE-5:1
    //= EDGE-5:2
    fn is_tool(&self, edge: &Edge) -> bool {
        match self.declared_type(edge) {
            Some(declared) => declared == "tool_availability",
            None => self.ends_in(target_handle(edge), "-input-tool"),
        }
    }

    /// Whether an edge carries a failure.
    //= EDGE-6:1
    fn is_error(&self, edge: &Edge) -> bool {
        self.ends_in(source_handle(edge), "-output-error")
    }

    /// What an edge is. Where the question says it, that is it.
    fn kind(&self, edge: &Edge) -> EdgeKind {
        if let Some(said) = edge.kind {
            return said;
        }
        // open: an edge that two of the rules claim (a declared tool into a loopback port, an
        // error output into a trigger port) is what comes first here.
        // open: `agent_result` as a declaration makes no such edge.
        if self.is_tool(edge) {
            EdgeKind::Tool
        } else if self.is_loopback(edge) {
            EdgeKind::Loopback
        } else if self.is_trigger(edge) {
            EdgeKind::Trigger
        } else if self.is_error(edge) {
            EdgeKind::Error
        } else {
            EdgeKind::Data
        }
    }

    /// The branch that an edge belongs to: the port it leaves by, as it is spelled. The reserved
    /// trigger port is no branch.
    //= SG-10:1
    fn branch<'h>(&self, source_handle: &'h str) -> &'h str {
        match self.port(source_handle, Side::Output) {
            "trigger" => "",
            port => port,
        }
    }

    /// Whether the branch that an edge belongs to is active. An edge of no branch always is, and
    /// so is every edge of a source that made nothing active.
    // open: whether the port is a branch port at all (BR-2) cannot be told from an edge alone, so
    // every named port is taken for one.
    //= BR-1:1
    //= BR-1:2
    //= BR-1:3
    fn is_active(&self, edge: &Edge, active_branches: &[String]) -> bool {
        let branch = same_name(self.branch(source_handle(edge)));
        branch.is_empty()
            || active_branches.is_empty()
            || active_branches.iter().any(|name| same_name(name) == branch)
    }

    /// The two nodes that an edge joins. An end that is missing reads as empty, and an edge with
    /// an empty end joins nothing: it takes no part in any graph.
    // Naming the empty string outright is the same: else all loose ends would meet in one node.
    //= EDGE-2:1
    fn ends<'e>(&self, edge: &'e Edge) -> Option<(&'e str, &'e str)> {
        let source = edge.source.as_deref().unwrap_or_default();
        let target = edge.target.as_deref().unwrap_or_default();
        (!source.is_empty() && !target.is_empty()).then_some((source, target))
    }
}

fn source_handle(edge: &Edge) -> &str {
    edge.source_handle.as_deref().unwrap_or_default()
}

fn target_handle(edge: &Edge) -> &str {
    edge.target_handle.as_deref().unwrap_or_default()
}

/// Branch names are compared without surrounding space and without case.
fn same_name(branch: &str) -> String {
    branch.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::reference::AsWritten;

    fn kind(edge: Value) -> EdgeKind {
        AsWritten.kind(&serde_json::from_value(edge).unwrap())
    }

    #[test]
    fn a_port_is_what_follows_the_first_marker_of_its_side() {
        for (handle, side, port) in [
            ("a-output-b-output-c", Side::Output, "b-output-c"),
            ("weird-input-node-output-text", Side::Output, "text"),
            (
                "weird-input-node-output-text",
                Side::Input,
                "node-output-text",
            ),
            ("a-input-b-input-c", Side::Input, "b-input-c"),
            ("n-output-", Side::Output, ""),
            ("n-input-x", Side::Output, ""),
            ("output-x", Side::Output, ""),
            ("", Side::Input, ""),
            ("é-output-naïve", Side::Output, "naïve"),
        ] {
            assert_eq!(AsWritten.port(handle, side), port, "{handle}");
        }
    }

    #[test]
    fn a_kind_is_read_off_the_end_of_a_handle() {
        for (edge, expected) in [
            (json!({}), EdgeKind::Data),
            (
                json!({"targetHandle": "n-input-trigger"}),
                EdgeKind::Trigger,
            ),
            (json!({"targetHandle": "n-input-trigger-2"}), EdgeKind::Data),
            (json!({"targetHandle": "n-input-Trigger"}), EdgeKind::Data),
            (json!({"sourceHandle": "n-output-trigger"}), EdgeKind::Data),
            (json!({"sourceHandle": "n-input-trigger"}), EdgeKind::Data),
            (
                json!({"targetHandle": "n-input-loop_back"}),
                EdgeKind::Loopback,
            ),
            (json!({"targetHandle": "n-input-loopback"}), EdgeKind::Data),
            (
                json!({"targetHandle": "n-input-loop_back-x"}),
                EdgeKind::Data,
            ),
            (json!({"sourceHandle": "n-output-error"}), EdgeKind::Error),
            (
                json!({"sourceHandle": "n-output-error_log"}),
                EdgeKind::Data,
            ),
            (json!({"source_handle": "n-output-error"}), EdgeKind::Data),
            (json!({"targetHandle": "n-input-tool"}), EdgeKind::Tool),
            (json!({"targetHandle": "n-input-toolbox"}), EdgeKind::Data),
        ] {
            assert_eq!(kind(edge.clone()), expected, "{edge}");
        }
    }

    #[test]
    fn a_declaration_decides_about_tools_and_nothing_else() {
        for (declared, handle, expected) in [
            (json!("tool_availability"), "n-input-x", EdgeKind::Tool),
            (json!("data"), "n-input-tool", EdgeKind::Data),
            (json!("nonsense"), "n-input-tool", EdgeKind::Data),
            (json!(""), "n-input-tool", EdgeKind::Tool),
            (json!(null), "n-input-tool", EdgeKind::Tool),
            (json!(7), "n-input-tool", EdgeKind::Tool),
            (json!(["tool_availability"]), "n-input-x", EdgeKind::Data),
            (json!("trigger"), "n-input-x", EdgeKind::Data),
            (json!("data"), "n-input-trigger", EdgeKind::Trigger),
            (json!("loopback"), "n-input-x", EdgeKind::Data),
            (json!("agent_result"), "n-input-x", EdgeKind::Data),
        ] {
            let edge = json!({"targetHandle": handle, "data": {"edgeType": declared}});
            assert_eq!(kind(edge.clone()), expected, "{edge}");
        }
    }

    #[test]
    fn a_kind_that_is_said_wins() {
        let edge = json!({"targetHandle": "n-input-trigger", "kind": "agent_result"});
        assert_eq!(kind(edge), EdgeKind::AgentResult);
    }

    #[test]
    fn a_branch_is_the_port_and_the_trigger_port_is_none() {
        for (handle, branch) in [
            ("gw.1-output-trigger", ""),
            ("gw.1-output-False", "False"),
            ("gw.1-output-Trigger", "Trigger"),
            ("trigger", ""),
            ("", ""),
        ] {
            assert_eq!(AsWritten.branch(handle), branch, "{handle}");
        }
    }

    #[test]
    fn only_a_branch_that_was_not_chosen_is_inactive() {
        let edge = Edge {
            source_handle: Some("gw-output-False".into()),
            ..Edge::default()
        };
        let of = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
        assert!(AsWritten.is_active(&edge, &of(&[" FALSE "])));
        assert!(AsWritten.is_active(&edge, &of(&["true", "false"])));
        assert!(AsWritten.is_active(&edge, &of(&[])));
        assert!(!AsWritten.is_active(&edge, &of(&["true"])));
        assert!(AsWritten.is_active(&Edge::default(), &of(&["true"])));
    }

    #[test]
    fn an_edge_without_an_end_joins_nothing() {
        assert_eq!(AsWritten.ends(&Edge::between("a", "b")), Some(("a", "b")));
        assert_eq!(AsWritten.ends(&Edge::between("a", "")), None);
        let loose = Edge {
            source: Some("a".into()),
            ..Edge::default()
        };
        assert_eq!(AsWritten.ends(&loose), None);
    }
}
