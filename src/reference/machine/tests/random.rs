//! What holds of every run, on workflows that are drawn at random.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::Asked;

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % sides
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len() as u64) as usize]
    }

    fn item(&mut self) -> Value {
        match self.roll(12) {
            0 => json!({"fail": {"message": "no", "escapes": self.roll(4) == 0}}),
            1 => json!({"interrupt": {"id": "i"}}),
            2 => json!({"state_update": {"iterationCount": self.roll(30), "messages": [1]}}),
            3 if self.roll(4) == 0 => json!({"stop": {"payload": 1}}),
            4 | 5 => json!({"branches": [self.pick(&["A", "b", "c"])]}),
            _ => json!({"output": {"out": self.roll(9), "A": 1}}),
        }
    }

    fn workflow(&mut self) -> Value {
        let count = 2 + self.roll(7);
        let nodes: Vec<Value> = (0..count)
            .map(|n| {
                let kind = self.pick(&["plain", "plain", "plain", "gate", "each"]);
                let branches = json!([{"name": "A", "value": 1}, {"name": "B", "value": 2}]);
                let config = json!({"branches": branches, "default_branch": "B", "items": [1, 2]});
                json!({"id": format!("n{n}"), "type": kind, "data": {"config": config}})
            })
            .collect();
        let edges: Vec<Value> = (0..self.roll(2 * count))
            .map(|_| {
                let (a, b) = (self.roll(count), self.roll(count));
                let back = b <= a;
                let port = match self.roll(5) {
                    _ if back => "loop_back",
                    0 => "trigger",
                    1 => "items",
                    2 => "value",
                    _ => "in",
                };
                let out = self.pick(&["out", "A", "b", "error", "trigger", "out"]);
                json!({
                    "source": format!("n{a}"), "target": format!("n{b}"),
                    "sourceHandle": format!("n{a}-output-{out}"),
                    "targetHandle": format!("n{b}-input-{port}"),
                })
            })
            .collect();
        json!({"id": "w", "nodes": nodes, "edges": edges})
    }

    fn params(&mut self) -> Value {
        let workflow = self.workflow();
        let mut script = Map::new();
        for n in 0..workflow["nodes"].as_array().map_or(0, Vec::len) {
            let items: Vec<Value> = (0..self.roll(4)).map(|_| self.item()).collect();
            script.insert(format!("n{n}"), items.into());
        }
        json!({
            "workflow": workflow, "script": script,
            "node_types": {"gate": {"behaviour": "gateway"}, "each": {"behaviour": "foreach"}},
            "options": {"max_rounds": 1 + self.roll(3), "max_iterations": 25},
        })
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What the clauses say of every trace.
fn holds(state: &Value, params: &Value) {
    let trace = &state["trace"];
    let executions = trace["executions"].as_array().unwrap();
    let mut seen = BTreeSet::new();
    for execution in executions {
        let node = text(&execution["node"]);
        let before = seen.iter().filter(|(n, _)| *n == node).count();
        assert_eq!(execution["occurrence"], before, "{params}");
        let rounds = execution["rounds"].to_string();
        assert!(
            seen.insert((node.clone(), rounds)),
            "twice in a round: {params}"
        );
        let heads: Vec<&String> = execution["rounds"].as_object().unwrap().keys().collect();
        let around = state["memberships"]
            .get(&node)
            .cloned()
            .unwrap_or(json!([]));
        assert_eq!(json!(heads), around, "{params}");
    }
    let mut orders: Vec<u64> = executions
        .iter()
        .filter_map(|e| e["order"].as_u64())
        .collect();
    let given = orders.len();
    orders.sort_unstable();
    orders.dedup();
    assert_eq!(orders.len(), given, "{params}");
    let stopped = executions
        .iter()
        .any(|e| e["status"] == "completed" && e.get("output").is_none());
    if trace["status"] == "completed" && !stopped {
        let skipped: BTreeSet<String> = trace["skipped"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| text(&s["node"]))
            .collect();
        for node in state["progress"].as_object().unwrap().keys() {
            let executed = executions.iter().any(|e| e["node"] == *node);
            assert!(
                executed || skipped.contains(node),
                "{node} is lost: {params}"
            );
        }
    }
}

#[test]
fn every_run_ends_and_keeps_the_rules() {
    let mut dice = Dice(7);
    let mut statuses = BTreeSet::new();
    for _ in 0..400 {
        let params = dice.params();
        let mut asked = Asked::new();
        let run = asked.ask("workflow.launch", params.clone())["run"].clone();
        let mut status = Value::Null;
        for turn in 0..2_000 {
            let some = 1 + dice.roll(4);
            status = asked.ask("workflow.step", json!({"run": run, "executions": some}))["status"]
                .clone();
            if status == "running" && dice.roll(5) == 0 {
                asked.ask("workflow.pause", json!({"run": run}));
                status = json!("paused");
            }
            if dice.roll(5) == 0 {
                asked.ask("workflow.save", json!({"run": run}));
            }
            if status == "paused" || status == "interrupted" {
                asked.ask("workflow.resume", json!({"run": run}));
            } else if status != "running" {
                break;
            }
            assert!(turn < 1_999, "it never ends: {params}");
        }
        statuses.insert(text(&status));
        holds(&asked.ask("workflow.state", json!({"run": run})), &params);
    }
    let expected = ["completed", "failed", "max_iterations_exceeded"];
    assert_eq!(statuses, expected.map(str::to_owned).into());
}

#[test]
fn a_pause_that_is_stored_changes_nothing_of_what_a_run_does() {
    let mut dice = Dice(11);
    for _ in 0..150 {
        let params = dice.params();
        let whole = {
            let mut asked = Asked::new();
            let mut trace = asked.ask("workflow.run", params.clone());
            let run = trace["run"].clone();
            while trace["status"] == "interrupted" {
                asked.ask("workflow.resume", json!({"run": run}));
                asked.ask("workflow.step", json!({"run": run}));
                trace = asked.ask("workflow.state", json!({"run": run}))["trace"].clone();
            }
            trace
        };
        let mut asked = Asked::new();
        let run = asked.ask("workflow.launch", params.clone())["run"].clone();
        loop {
            let of = json!({"run": run, "executions": 1});
            let status = asked.ask("workflow.step", of)["status"].clone();
            if status == "running" {
                asked.ask("workflow.pause", json!({"run": run}));
            } else if status != "interrupted" {
                break;
            }
            asked.ask("workflow.save", json!({"run": run}));
            asked.ask("workflow.resume", json!({"run": run}));
        }
        let halting = asked.ask("workflow.state", json!({"run": run}))["trace"].clone();
        assert_eq!(halting["executions"], whole["executions"], "{params}");
        assert_eq!(halting["status"], whole["status"], "{params}");
    }
}
