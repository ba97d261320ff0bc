//! Runs whose traces are worked out by hand from the clauses.

mod barrier;
mod flow;
mod life;
mod random;

use serde_json::{Value, json};

use crate::{
    engine::{Answer, Engine, Session},
    reference::engine,
};

/// A workflow of nodes of the type that is called like the node's first word, with edges written
/// `source.port -> target.port`; `=>` and no port at the target make a loopback.
fn workflow(nodes: &[&str], edges: &[&str]) -> Value {
    let nodes: Vec<Value> = nodes
        .iter()
        .map(|id| json!({"id": id, "type": id.split('_').next()}))
        .collect();
    let edges: Vec<Value> = edges
        .iter()
        .map(|edge| {
            let (from, to) = edge.split_once(" -> ").or(edge.split_once(" => ")).unwrap();
            let (source, out) = from.split_once('.').unwrap_or((from, "out"));
            let back = if edge.contains("=>") {
                "loop_back"
            } else {
                "in"
            };
            let (target, port) = to.split_once('.').unwrap_or((to, back));
            json!({
                "id": edge, "source": source, "target": target,
                "sourceHandle": format!("{source}-output-{out}"),
                "targetHandle": format!("{target}-input-{port}"),
            })
        })
        .collect();
    json!({"id": "w", "nodes": nodes, "edges": edges})
}

fn with_branches(mut workflow: Value, node: &str, names: &[&str]) -> Value {
    for n in workflow["nodes"].as_array_mut().unwrap() {
        if n["id"] == node {
            let branches: Vec<Value> = names
                .iter()
                .map(|b| json!({"name": b, "value": b}))
                .collect();
            n["data"] = json!({"config": {"branches": branches}});
        }
    }
    workflow
}

struct Asked(Box<dyn Session>);

impl Asked {
    fn new() -> Self {
        Self(engine().session().unwrap())
    }

    fn ask(&mut self, operation: &str, params: Value) -> Value {
        match self.0.ask(operation, &params).unwrap() {
            Answer::Value(value) => value,
            other => panic!("{operation}: {other:?}"),
        }
    }

    fn refused(&mut self, operation: &str, params: Value) -> String {
        match self.0.ask(operation, &params).unwrap() {
            Answer::Refused(refusal) => refusal.reason,
            other => panic!("{operation}: {other:?}"),
        }
    }
}

fn run(params: Value) -> Value {
    Asked::new().ask("workflow.run", params)
}

fn keys(trace: &Value) -> Vec<&str> {
    let executions = trace["executions"].as_array().unwrap();
    executions
        .iter()
        .map(|e| e["key"].as_str().unwrap())
        .collect()
}

fn execution<'t>(trace: &'t Value, key: &str) -> &'t Value {
    let executions = trace["executions"].as_array().unwrap();
    executions.iter().find(|e| e["key"] == key).unwrap()
}
