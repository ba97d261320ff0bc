//! Workflows that are carried out: a chain of scripted nodes, one loop, a handler of failures.
//!
//! Any two nodes are ordered by the edges, so that there is one way to carry the workflow out.

use serde_json::{Map, Value, json};

use crate::explore::{Dice, Input};

const CHAIN: &[&str] = &["start", "head", "work", "tail", "after"];

/// What a run is launched with.
struct Launch {
    params: Value,
    /// The nodes of the chain.
    nodes: Vec<&'static str>,
}

fn value(dice: &mut Dice) -> Value {
    match dice.below(6) {
        0 => Value::Null,
        1 => json!(false),
        2 => json!(0),
        _ => json!(dice.pick(&["x", "y", "z"])),
    }
}

/// An update of the state by a node.
fn update(dice: &mut Dice, counts: bool, count: &mut usize) -> Value {
    let mut update = Map::new();
    if dice.percent(45) {
        let mut data = Map::new();
        for key in ["k", "deep"] {
            if dice.percent(60) {
                let deep = if key == "deep" {
                    json!({ dice.pick(&["p", "q"]): 1 })
                } else {
                    value(dice)
                };
                data.insert(key.to_owned(), deep);
            }
        }
        update.insert("data".into(), data.into());
    }
    if dice.percent(25) {
        update.insert(
            "messages".into(),
            json!([{ "role": "user", "content": "new" }]),
        );
    }
    if dice.percent(20) {
        update.insert(
            "error".into(),
            dice.weighted(&[(1, None), (1, Some("")), (1, Some("oh"))])
                .into(),
        );
    }
    if counts {
        *count += dice.weighted(&[(5, 1), (3, 2), (2, 0)]);
        update.insert("iterationCount".into(), json!(count));
    }
    update.into()
}

fn branches(names: &[&str]) -> Value {
    names
        .iter()
        .map(|name| json!({ "name": name, "value": name }))
        .collect()
}

/// What else a workflow may be about. One thing at a time, most often.
#[derive(Clone, Copy, PartialEq)]
enum Theme {
    Plain,
    State,
    Budget,
    Internals,
    Failing,
    Checkpoints,
    Configuration,
    Conditions,
    Interrupted,
}

fn theme(dice: &mut Dice) -> Theme {
    dice.weighted(&[
        (2, Theme::Plain),
        (4, Theme::State),
        (4, Theme::Budget),
        (5, Theme::Internals),
        (2, Theme::Failing),
        (3, Theme::Checkpoints),
        (4, Theme::Configuration),
        (3, Theme::Conditions),
        (4, Theme::Interrupted),
    ])
}

fn launch(dice: &mut Dice, theme: Theme) -> Launch {
    let length = dice.from_to(1, 5);
    let mut nodes = CHAIN[..length].to_vec();
    let last = length - 1;
    // The loop: from where, to where; what comes after it is on the branch that ends it.
    let turns = length >= 3 && dice.percent(60);
    let (head, tail) = (1, last.min(3));
    if !turns && dice.percent(40) {
        nodes[0] = "Start-Node";
    }
    let rounds = if turns { dice.from_to(0, 2) } else { 0 };
    let fails = (theme == Theme::Failing && dice.percent(70)).then(|| dice.below(length));
    let mut written = Vec::new();
    let mut edges = Vec::new();
    let mut types = Map::new();
    let mut script = Map::new();
    let mut count = 0;
    for (i, node) in nodes.iter().enumerate() {
        let in_loop = turns && (head..=tail).contains(&i);
        let visits = if in_loop { rounds + 1 } else { 1 };
        let mut items = Vec::new();
        for visit in 0..visits {
            let mut item = Map::new();
            let mut output = Map::new();
            if dice.percent(75) {
                output.insert("text".into(), value(dice));
            }
            if theme == Theme::Interrupted && dice.percent(30) && i < last {
                item.insert(
                    "interrupt".into(),
                    json!({ "id": format!("int_{i}_{visit}") }),
                );
            }
            if !output.is_empty() {
                item.insert("output".into(), output.into());
            }
            if matches!(
                theme,
                Theme::State
                    | Theme::Budget
                    | Theme::Checkpoints
                    | Theme::Internals
                    | Theme::Configuration
                    | Theme::Failing
                    | Theme::Interrupted
            ) && dice.percent(60)
            {
                let counts = matches!(theme, Theme::Budget | Theme::Configuration);
                item.insert("state_update".into(), update(dice, counts, &mut count));
            }
            if turns && i == tail {
                let branch = if visit < rounds { "again" } else { "done" };
                item.insert("branches".into(), json!([branch]));
            }
            if fails == Some(i) && visit == 0 {
                let mut fail = json!({ "message": "no paper" });
                if dice.percent(30) {
                    fail["escapes"] = json!(true);
                }
                item.insert("fail".into(), fail);
            } else if theme == Theme::Failing && dice.percent(10) && i == last && !turns {
                item.insert("stop".into(), json!({ "payload": "p" }));
            }
            items.push(item);
        }
        script.insert((*node).to_owned(), json!(items));
        let mut written_node = json!({ "id": node, "type": "plain" });
        if turns && i == tail {
            written_node["data"] =
                json!({ "config": { "branches": branches(&["again", "done"]) } });
        }
        if matches!(theme, Theme::Internals | Theme::State | Theme::Interrupted) && dice.percent(60)
        {
            let kind = format!("type_{i}");
            let mut node_type = json!({});
            let mut parameters = Map::new();
            for name in [
                "__state__",
                "__messages__",
                "__data__",
                "__interrupt_id__",
                "__iterator__",
                "__current_item__",
                "text",
            ] {
                if dice.percent(25) {
                    let declared = if dice.percent(30) {
                        json!({ "type": "string" })
                    } else {
                        json!({})
                    };
                    parameters.insert(name.to_owned(), declared);
                }
            }
            node_type["parameters"] = parameters.into();
            if dice.percent(35) {
                node_type["state_aware"] = json!(true);
            }
            if dice.percent(35) {
                let hidden = dice.pick(&["state_update", "text", "active_branches"]);
                node_type["outputs"] = json!({ hidden: { "exposed": false } });
            }
            types.insert(kind.clone(), node_type);
            written_node["type"] = json!(kind);
            if dice.percent(20) {
                written_node["data"]["config"]["__data__"] = json!({ "by": "author" });
            }
        }
        written.push(written_node);
        if i > 0 {
            let before = nodes[i - 1];
            let on_branch = turns && i - 1 == tail;
            let source_port = match (on_branch, dice.percent(50)) {
                (true, _) => "done",
                (_, true) => "trigger",
                _ => "text",
            };
            let target_port = if on_branch || source_port == "trigger" {
                "trigger"
            } else {
                "text"
            };
            let mut edge = json!({
                "id": format!("e{i}"), "source": before, "target": node,
                "sourceHandle": format!("{before}-output-{source_port}"),
                "targetHandle": format!("{node}-input-{target_port}"),
            });
            if theme == Theme::Conditions && dice.percent(60) && !on_branch {
                edge["data"] = json!({ "condition": dice.pick(&["false", "true", "x > 1", ""]) });
            }
            edges.push(edge);
        }
    }
    if turns {
        let (head, tail) = (nodes[head], nodes[tail]);
        edges.push(json!({
            "id": "back", "source": tail, "target": head,
            "sourceHandle": format!("{tail}-output-again"),
            "targetHandle": format!("{head}-input-loop_back"),
        }));
    }
    if let Some(failing) = fails.filter(|_| dice.percent(50)) {
        let source = nodes[failing];
        written.push(json!({ "id": "handler", "type": "plain" }));
        edges.push(json!({
            "source": source, "target": "handler",
            "sourceHandle": format!("{source}-output-error"),
            "targetHandle": "handler-input-failure",
        }));
    }
    let mut workflow = json!({ "id": "w", "nodes": written, "edges": edges });
    let mut options = json!({ "max_rounds": 10 });
    match theme {
        Theme::Budget => options["max_iterations"] = json!(dice.from_to(2, 5)),
        Theme::Configuration => {
            let mut settings = Map::new();
            if dice.percent(60) {
                settings.insert("max_iterations".into(), json!(dice.from_to(3, 5)));
            }
            if dice.percent(45) {
                options["max_iterations"] = json!(dice.from_to(1, 3));
            }
            for (name, words) in [
                ("thread", ["t_1", "t_2"]),
                ("checkpoint_store", ["durable", "ephemeral"]),
            ] {
                if dice.percent(40) {
                    settings.insert(name.into(), json!(dice.pick(&words)));
                }
                if dice.percent(30) {
                    options[name] = json!(dice.pick(&words));
                }
            }
            if dice.percent(10) {
                match dice.percent(50) {
                    true => options["checkpoint_store"] = json!("shelf"),
                    false => {
                        settings.insert("checkpoint_store".into(), json!("shelf"));
                    }
                }
            }
            workflow["settings"] = settings.into();
            if dice.percent(40) {
                options["execution_id"] = json!("exec_7");
            }
        }
        Theme::Checkpoints => {
            options["checkpoint_store"] =
                json!(dice.pick(&["durable", "durable", "ephemeral", "shelf"]))
        }
        _ => {}
    }
    if matches!(theme, Theme::Internals | Theme::State) && dice.percent(60) {
        options["snapshot"] = json!({
            "status": null, "isComplete": false, "data": { "k": "v", "deep": { "p": 0 } },
            "messages": [{ "role": "user", "content": "hello" }],
            "error": "old", "currentNodeId": "start",
            "iterationCount": 0,
        });
    } else if theme != Theme::Configuration && dice.percent(15) {
        options["execution_id"] = json!("exec_7");
    }
    let mut params = json!({ "workflow": workflow, "script": script, "options": options });
    if !types.is_empty() {
        params["node_types"] = types.into();
    }
    Launch { params, nodes }
}

/// A whole run, from beginning to end.
pub(super) fn run(dice: &mut Dice) -> Input {
    let theme = theme(dice);
    Input::one("workflow.run", launch(dice, theme).params)
}

/// A run that is carried on by questions: steps, pauses, edits of its settings, saving, cancelling.
pub(super) fn live(dice: &mut Dice) -> Input {
    let theme = match dice.percent(50) {
        true => Theme::Configuration,
        false => theme(dice),
    };
    let Launch { params, nodes } = launch(dice, theme);
    let workflow = params["workflow"].clone();
    let mut input = Input::default()
        .then("workflow.launch", params)
        .bind("run", "/run");
    let run = json!({ "run": "$run" });
    if dice.percent(75) {
        let some = dice.from_to(1, nodes.len());
        input = input.then(
            "workflow.step",
            json!({ "run": "$run", "executions": some }),
        );
    }
    let pauses = theme != Theme::Interrupted && dice.percent(60);
    if pauses {
        input = input.then("workflow.pause", run.clone());
    }
    if dice.percent(50) {
        let mut edited = workflow.clone();
        for (name, value) in [
            ("max_iterations", json!(dice.pick(&[&1_u64, &2, &9]))),
            ("thread", json!("t_9")),
            (
                "checkpoint_store",
                json!(dice.pick(&["durable", "ephemeral"])),
            ),
        ] {
            if dice.percent(50) {
                edited["settings"][name] = value;
            }
        }
        input = input.then(
            "workflow.edit",
            json!({ "run": "$run", "workflow": edited }),
        );
    }
    if dice.percent(45) {
        let mut save = run.clone();
        if dice.percent(40) {
            save["without"] = json!(["configuration"]);
        }
        input = input.then("workflow.save", save);
    }
    if dice.percent(30) {
        input = input.then("workflow.state", run.clone());
    }
    if dice.percent(15) {
        input = input.then("workflow.cancel", run.clone());
    }
    if pauses || theme == Theme::Interrupted {
        let mut resume = run.clone();
        if dice.percent(30) {
            resume["max_iterations"] = json!(dice.from_to(1, 5));
        }
        input = input.then("workflow.resume", resume);
    }
    if dice.percent(85) {
        input = input.then("workflow.step", run.clone());
    }
    input.then("workflow.state", run)
}

/// A run whose nodes are not carried out: its loops turn by themselves, and its workflow is edited.
pub(super) fn edited(dice: &mut Dice) -> Input {
    let before = super::loops::edges(dice);
    let workflow = |edges: &[Value]| json!({ "edges": edges });
    let mut input = Input::default()
        .then("workflow.launch", json!({ "workflow": workflow(&before) }))
        .bind("run", "/run");
    let run = json!({ "run": "$run" });
    let heads: Vec<String> = before
        .iter()
        .filter(|e| {
            e["kind"] == "loopback"
                || e["targetHandle"]
                    .as_str()
                    .is_some_and(|h| h.ends_with("-input-loop_back"))
        })
        .filter_map(|e| e["target"].as_str().map(str::to_owned))
        .collect();
    let advance = |dice: &mut Dice| {
        let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
        json!({ "run": "$run", "loop": if heads.is_empty() { "a" } else { dice.pick(&heads) } })
    };
    if dice.percent(50) {
        input = input.then("workflow.advance", advance(dice));
    }
    let mut after = before.clone();
    match dice.below(4) {
        0 => {
            after.remove(dice.below(before.len()));
        }
        1 => after.push(json!({ "source": "new", "target": before[0]["target"] })),
        2 => after = super::loops::edges(dice),
        _ => {
            let edge = &before[dice.below(before.len())];
            after.push(
                json!({ "source": edge["target"], "target": edge["source"], "kind": "loopback" }),
            );
        }
    }
    let pauses = dice.percent(40);
    if pauses {
        input = input.then("workflow.pause", run.clone());
    }
    if dice.percent(85) {
        input = input.then(
            "workflow.edit",
            json!({ "run": "$run", "workflow": workflow(&after) }),
        );
    }
    if dice.percent(40) {
        input = input.then("workflow.save", run.clone());
    }
    if pauses {
        input = input.then("workflow.resume", run.clone());
    }
    if dice.percent(40) {
        input = input.then("workflow.advance", advance(dice));
    }
    if dice.percent(25) {
        // A second run, of the workflow as it is by now.
        input = input
            .then("workflow.launch", json!({ "workflow": workflow(&after) }))
            .bind("second", "/run")
            .then("workflow.state", json!({ "run": "$second" }));
    }
    input.then("workflow.state", run)
}
