//! What a node receives.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Job, Machine};
use crate::{
    operations::{edge::EdgeKind, port::Source, workflow::Warning},
    reference::{
        Reading,
        ports::{self, INTERNALS},
    },
};

impl Machine {
    /// The input of an execution, or what is wrong with it.
    //= SG-2:2
    //= DATA-1:1
    //= DATA-1:2
    pub(super) fn input(
        &mut self,
        reading: &dyn Reading,
        job: &Job,
        interrupt: Option<&str>,
    ) -> Result<Map<String, Value>, String> {
        let delivered = self.delivered(reading, job)?;
        let node = &self.plan.nodes[job.node];
        let initial = self.options.initial_data.get(&node.id);
        let mut input = reading.with_initial_data(delivered, initial.unwrap_or(&Value::Null));
        let defaults: Map<String, Value> = node
            .node_type
            .parameters
            .iter()
            .filter_map(|(name, parameter)| Some((name.clone(), parameter.default.clone()?)))
            .collect();
        input = reading.with_configuration(input, &node.configuration, &defaults);
        let mut authored: Map<String, Value> = INTERNALS
            .iter()
            .filter_map(|&name| input.shift_remove_entry(name))
            .collect();
        for (name, value) in reading.internals(&self.state, interrupt) {
            if !reading.sees_internal(&node.node_type, &name) {
                continue;
            }
            let parameter = node.node_type.parameters.get(&name);
            let declared = parameter.and_then(|p| p.r#type.as_deref());
            if !reading.takes_internal(declared, &value) {
                return Err(format!("parameter {name} does not take its value"));
            }
            let value = reading.prevailing_internal(authored.remove(&name), value);
            input.insert(name, value);
        }
        Ok(input)
    }

    /// What edges bring to a node's ports.
    fn delivered(
        &mut self,
        reading: &dyn Reading,
        job: &Job,
    ) -> Result<Map<String, Value>, String> {
        let node = &self.plan.nodes[job.node];
        let mut ports: BTreeMap<&str, Vec<Source>> = BTreeMap::new();
        for &place in &node.incoming {
            let edge = &self.plan.edges[place];
            if !reading.carries_data(edge.kind)
                || edge.source_port.is_empty()
                || edge.target_port.is_empty()
            {
                continue;
            }
            let facts = self.facts(reading, edge, job);
            let brings = match edge.kind {
                EdgeKind::Loopback => {
                    job.due
                        && facts.completed
                        && facts.followed
                        && reading.loop_back_port(&node.node_type).is_some()
                }
                kind => reading.is_satisfied(kind, facts),
            };
            let Some(newest) = self.newest(edge.source).filter(|_| brings) else {
                continue;
            };
            let Some(output) = &newest.told.output else {
                continue;
            };
            if let Some(value) = brought(reading, output, &edge.source_port) {
                let port = match edge.kind {
                    EdgeKind::Loopback => reading.loop_back_port(&node.node_type),
                    _ => None,
                };
                let port = port.unwrap_or(&edge.target_port);
                ports.entry(port).or_default().push(Source {
                    node: newest.told.node.clone(),
                    order: newest.told.order,
                    value,
                });
            }
        }
        let mut input = Map::new();
        let mut warnings = Vec::new();
        for (port, sources) in ports {
            let resolved = ports::resolve(reading, port, &sources).map_err(|r| r.message)?;
            input.extend(resolved.input);
            warnings.extend(resolved.warnings.into_iter().map(|warning| match warning {
                Warning::PortCollision { port, sources, .. } => Warning::PortCollision {
                    node: Some(node.id.clone()),
                    port,
                    sources,
                },
                other => other,
            }));
        }
        self.warnings.extend(warnings);
        Ok(input)
    }
}

/// What an output has for an edge that leaves by this port.
pub(super) fn brought(
    reading: &dyn Reading,
    output: &Map<String, Value>,
    port: &str,
) -> Option<Value> {
    let own = reading.value_at(output, port);
    let unified = || {
        let unified = (port == "output").then(|| reading.unified(output))?;
        (!unified.is_empty()).then(|| unified.into())
    };
    own.or_else(unified)
}
