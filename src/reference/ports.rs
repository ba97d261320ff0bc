//! Input ports: what arrives at them, and what a node gets to see.

use std::{cmp::Ordering, collections::BTreeSet};

use serde_json::{Map, Value};

use crate::{
    engine::Refusal,
    operations::{
        edge::EdgeKind,
        port::{Resolved, Source},
        state::State,
        workflow::{Behaviour, NodeType, Warning},
    },
};

/// The names that only the runtime has values for.
pub const INTERNALS: [&str; 6] = [
    "__state__",
    "__messages__",
    "__data__",
    "__iterator__",
    "__current_item__",
    "__interrupt_id__",
];

/// What the rules about ports decide.
pub trait PortReading {
    /// Whether an edge of this kind carries a value to a port. One into a loop does, once the loop
    /// is entered again.
    //= DATA-3:1
    //= DATA-3:2
    fn carries_data(&self, kind: EdgeKind) -> bool {
        matches!(kind, EdgeKind::Data | EdgeKind::Error | EdgeKind::Loopback)
    }

    /// What a source has for an edge that leaves by this port: what its output has under that very
    /// name, null included.
    //= DATA-1:1
    //= DATA-1:3
    //= DATA-1:4
    fn value_at(&self, output: &Map<String, Value>, port: &str) -> Option<Value> {
        output.get(port).cloned()
    }

    /// What the port `output` has where a node fills none of that name: all that it outputs, save
    /// plumbing.
    //= DATA-9:1
    //= DATA-9:2
    //= DATA-9:3
    fn unified(&self, output: &Map<String, Value>) -> Map<String, Value> {
        output
            .iter()
            .filter(|(name, _)| !name.starts_with('_') && *name != "trigger")
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Which of two sources of one port prevails, the latter being [`Ordering::Greater`]: the one
    /// that was executed last, any that has an order over one without, and else the
    /// node that comes first in the alphabet.
    // open: one node by two edges; the edge that is drawn last prevails.
    //= DATA-2:2
    //= SG-8:3
    fn prevails(&self, one: &Source, other: &Source) -> Ordering {
        let (a, b) = (one.order, other.order);
        a.cmp(&b).then_with(|| match (a, b) {
            (None, None) => other.node.cmp(&one.node),
            _ => Ordering::Equal,
        })
    }

    /// What a port receives from the source that prevails: its value, not a list of them.
    //= DATA-2:1
    fn received(&self, prevailing: &Source, _all: &[Source]) -> Value {
        prevailing.value.clone()
    }

    /// Whether a port may have a value from each of these nodes: from any number of them.
    //= DATA-2:3
    fn tolerates(&self, _sources: &BTreeSet<&str>) -> bool {
        true
    }

    /// Whether a collision on a port is warned of, given the different nodes that had a value.
    //= DATA-2:3
    fn warns_of(&self, sources: &BTreeSet<&str>) -> bool {
        sources.len() > 1
    }

    /// A node's ports with what initial data there is for them: it fills those that no edge did,
    /// also if what the edge brought is null. What is no map of ports is ignored.
    //= DATA-6:1
    //= DATA-6:2
    fn with_initial_data(
        &self,
        delivered: Map<String, Value>,
        initial: &Value,
    ) -> Map<String, Value> {
        let Value::Object(initial) = initial else {
            return delivered;
        };
        under(delivered, initial)
    }

    /// A node's ports with its configuration, and then the defaults, for those that have no value.
    //= DATA-1:4
    //= DATA-7:1
    //= DATA-7:2
    fn with_configuration(
        &self,
        delivered: Map<String, Value>,
        configuration: &Map<String, Value>,
        defaults: &Map<String, Value>,
    ) -> Map<String, Value> {
        under(under(delivered, configuration), defaults)
    }

    /// Whether a node sees what came back to it over a loop: a ForEach does, and so does a
    /// type with a port of that name.
    // open: for all others the value is not part of the input that the trace shows.
    //= SG-5:1
    //= SG-5:2
    //= SG-5:3
    fn sees_loop_back(&self, node_type: &NodeType) -> bool {
        node_type.behaviour == Behaviour::Foreach || node_type.parameters.contains_key("loop_back")
    }

    /// The input by which a node gets what came back to it over a loop, if it sees it.
    //= SG-5:1
    //= SG-5:2
    fn loop_back_port(&self, node_type: &NodeType) -> Option<&'static str> {
        self.sees_loop_back(node_type).then_some("loop_back")
    }

    /// What the runtime has for the reserved names.
    //= SG-2:2
    fn internals(&self, state: &State, interrupt: Option<&str>) -> Map<String, Value> {
        let member = |name: &str| state.get(name).cloned().unwrap_or_default();
        let mut internals = Map::new();
        internals.insert("__state__".into(), state.members().clone().into());
        internals.insert("__messages__".into(), member("messages"));
        internals.insert("__data__".into(), member("data"));
        let iterator = member("iterator");
        if !iterator.is_null() {
            let index = iterator.get("index").and_then(Value::as_u64);
            let item = index
                .and_then(|i| iterator.get("items")?.get(usize::try_from(i).ok()?))
                .cloned();
            internals.insert("__current_item__".into(), item.unwrap_or_default());
            internals.insert("__iterator__".into(), iterator);
        }
        if let Some(id) = interrupt {
            internals.insert("__interrupt_id__".into(), id.into());
        }
        internals
    }

    /// Whether a node of this type sees a reserved name: if its own parameters declare it.
    //= SG-2:2
    fn sees_internal(&self, node_type: &NodeType, name: &str) -> bool {
        node_type.parameters.contains_key(name)
    }

    /// Whether a parameter takes the runtime's value for a reserved name, given the type that it
    /// declares: always.
    //= SG-2:2
    fn takes_internal(&self, _declared: Option<&str>, _value: &Value) -> bool {
        true
    }

    /// What a node receives under a reserved name, given what edges, configuration or a default
    /// have for it, and what the run has: that.
    //= SG-2:2
    fn prevailing_internal(&self, _authored: Option<Value>, of_the_run: Value) -> Value {
        of_the_run
    }

    /// Whether nodes of a type are handed the live state: those that say so.
    //= SG-2:3
    fn gets_live_state(&self, node_type: &NodeType) -> bool {
        node_type.state_aware
    }

    /// Whether a member of a node's input is recorded with its execution.
    //= SG-2:4
    fn is_recorded(&self, name: &str) -> bool {
        !INTERNALS.contains(&name)
    }

    /// Whether a node's output keeps a port, given whether it is exposed. What steers the run is
    /// never taken away.
    //= SG-3:2
    //= DATA-8:1
    fn keeps_output(&self, port: &str, exposed: bool) -> bool {
        exposed || matches!(port, "state_update" | "active_branches")
    }
}

/// Some members, with others for the names that they lack.
fn under(mut over: Map<String, Value>, under: &Map<String, Value>) -> Map<String, Value> {
    for (name, value) in under {
        if !over.contains_key(name) {
            over.insert(name.clone(), value.clone());
        }
    }
    over
}

/// What a port receives from its sources, and what is warned of.
///
/// # Errors
///
/// `other` where the reading does not let these sources meet.
pub fn resolve(
    reading: &dyn PortReading,
    port: &str,
    sources: &[Source],
) -> Result<Resolved, Refusal> {
    let mut resolved = Resolved::default();
    let prevailing = sources
        .iter()
        .reduce(|best, next| match reading.prevails(best, next) {
            Ordering::Greater => best,
            Ordering::Less | Ordering::Equal => next,
        });
    let Some(prevailing) = prevailing else {
        return Ok(resolved);
    };
    let value = reading.received(prevailing, sources);
    resolved.input.insert(port.to_owned(), value);
    let nodes: BTreeSet<&str> = sources.iter().map(|s| s.node.as_str()).collect();
    if !reading.tolerates(&nodes) {
        let message = format!("port {port} has several sources");
        return Err(Refusal::new("other", message));
    }
    if reading.warns_of(&nodes) {
        resolved.warnings.push(Warning::PortCollision {
            node: None,
            port: port.to_owned(),
            sources: nodes.into_iter().map(str::to_owned).collect(),
        });
    }
    Ok(resolved)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::reference::AsWritten;

    fn source(node: &str, order: Option<u64>, value: &str) -> Source {
        Source {
            node: node.into(),
            order,
            value: value.into(),
        }
    }

    #[test]
    fn the_latest_prevails_and_else_the_alphabet() {
        for (sources, expected) in [
            (
                vec![
                    source("a", Some(1), "first"),
                    source("b", Some(2), "second"),
                ],
                "second",
            ),
            (
                vec![
                    source("b", Some(2), "second"),
                    source("a", Some(1), "first"),
                ],
                "second",
            ),
            (
                vec![source("b", None, "from_b"), source("a", None, "from_a")],
                "from_a",
            ),
            (
                vec![source("z", Some(0), "ordered"), source("a", None, "not")],
                "ordered",
            ),
            (
                vec![source("n9", None, "nine"), source("n10", None, "ten")],
                "ten",
            ),
        ] {
            let resolved = resolve(&AsWritten, "p", &sources).unwrap();
            assert_eq!(json!(resolved.input), json!({"p": expected}));
            assert_eq!(resolved.warnings.len(), 1);
        }
        let one = resolve(&AsWritten, "p", &[source("a", None, "x")]).unwrap();
        assert_eq!(one.warnings, []);
        assert_eq!(resolve(&AsWritten, "p", &[]).unwrap(), Resolved::default());
    }

    #[test]
    fn initial_data_lies_under_what_was_delivered() {
        let map = |value: Value| value.as_object().cloned().unwrap();
        let filled = AsWritten.with_initial_data(
            map(json!({"message": null})),
            &json!({"message": "no", "seed": "yes"}),
        );
        assert_eq!(json!(filled), json!({"message": null, "seed": "yes"}));
        let ignored = AsWritten.with_initial_data(Map::new(), &json!(["x"]));
        assert!(ignored.is_empty());
    }
}
