//! Open ground that several questions make together.

use serde_json::Value;

use super::{super::Input, Ground, Ground::*};

pub(super) fn touch(input: &Input) -> Option<Ground> {
    resumed(input).or_else(|| runs(input))
}

/// Runs of workflows, one after another and while they are edited.
fn runs(input: &Input) -> Option<Ground> {
    let mut threads: Vec<(&Value, bool)> = Vec::new();
    let mut known: Vec<&Value> = Vec::new();
    let mut is_scripted = false;
    for question in &input.questions {
        let given = &question.params;
        let nodes = given["workflow"]["nodes"].as_array();
        let nodes = nodes.into_iter().flatten().map(|n| &n["id"]);
        match question.operation.as_str() {
            "workflow.run" | "workflow.launch" => {
                is_scripted = question.operation == "workflow.run" || given.get("script").is_some();
                known.extend(nodes);
                let options = &given["options"];
                let Some(thread) = options.get("thread") else {
                    continue;
                };
                let is_lost = options["checkpoint_store"] == "ephemeral";
                if threads
                    .iter()
                    .any(|(known, lost)| *known == thread && (*lost || is_lost))
                {
                    return Some(Open(super::EPHEMERAL_THREAD));
                }
                threads.push((thread, is_lost));
            }
            "workflow.edit" if is_scripted && nodes.into_iter().any(|n| !known.contains(&n)) => {
                return Some(Open(super::EDITED_IN));
            }
            _ => {}
        }
    }
    None
}

/// A program that is run, edited and resumed.
fn resumed(input: &Input) -> Option<Ground> {
    let mut run: Option<&Value> = None;
    let mut now = None;
    let mut has_ended = false;
    for question in &input.questions {
        let given = &question.params;
        match question.operation.as_str() {
            "resume.run" => {
                if run.is_some() {
                    return Some(Barred("one program is run and resumed"));
                }
                if let Some(ground) = program(&given["program"]) {
                    return Some(ground);
                }
                let Some(stop) = given["stop_at"].as_str() else {
                    return Some(Barred("a run that was not stopped has ended"));
                };
                let steps = steps(&given["program"]);
                let at = |name: &str| steps.iter().position(|s| s["name"] == name);
                let mark = steps.iter().position(|s| s.get("checkpoint").is_some());
                if at(stop).is_none() || mark.is_none() || at(stop) <= mark {
                    return Some(Barred("the checkpoint comes before the stop"));
                }
                run = Some(given);
                now = Some(&given["program"]);
            }
            "resume.edit" => {
                if given["program"].is_object()
                    && let Some(ground) = program(&given["program"])
                {
                    return Some(ground);
                }
                now = Some(&given["program"]);
            }
            "resume.resume" => {
                let run = run?;
                if has_ended {
                    return Some(Barred("a run that has ended is not resumed"));
                }
                let checkpoints: Vec<&Value> = steps(&run["program"])
                    .iter()
                    .filter_map(|step| step.get("checkpoint"))
                    .collect();
                if !checkpoints.contains(&&given["checkpoint"]) {
                    return Some(Barred("a checkpoint that was not taken"));
                }
                let keeps = run.get("keep_source") != Some(&Value::Bool(false));
                let supplied = given.get("program");
                if let Some(supplied) = supplied {
                    if let Some(ground) = program(supplied) {
                        return Some(ground);
                    }
                    if keeps {
                        return Some(Open(super::SUPPLIED_AND_KEPT));
                    }
                    if *supplied != run["program"] && shape(supplied) == shape(&run["program"]) {
                        return Some(Open(super::SAME_SHAPE));
                    }
                }
                let allows = given["allow_source_drift"] == true;
                let same = now == Some(&run["program"]);
                has_ended |= match supplied {
                    Some(supplied) => shape(supplied) == shape(&run["program"]),
                    None => keeps && (same || allows),
                };
            }
            _ => {}
        }
    }
    None
}

fn steps(program: &Value) -> &[Value] {
    program["steps"].as_array().map_or(&[], Vec::as_slice)
}

/// Which steps there are, and what comes after what.
fn shape(program: &Value) -> Vec<(String, String)> {
    let mut shape: Vec<(String, String)> = steps(program)
        .iter()
        .map(|step| (step["name"].to_string(), step["after"].to_string()))
        .collect();
    shape.sort();
    shape
}

/// A program that is a chain, and whose checkpoints are steps that emit nothing.
fn program(program: &Value) -> Option<Ground> {
    let steps = steps(program);
    let names: Vec<&Value> = steps.iter().map(|s| &s["name"]).collect();
    if names
        .iter()
        .enumerate()
        .any(|(i, name)| names[..i].contains(name))
    {
        return Some(Barred("two steps have one name"));
    }
    let after = |i: usize| steps[i]["after"].as_array().map_or(&[][..], Vec::as_slice);
    let is_chain = (0..steps.len()).all(|i| match i {
        0 => after(0).is_empty(),
        _ => matches!(after(i), [one] if one == names[i - 1]),
    });
    if !is_chain {
        return Some(Barred("a program whose steps are no chain"));
    }
    let takes_and_emits = |s: &Value| s.get("checkpoint").is_some() && s.get("emit").is_some();
    if steps.iter().any(takes_and_emits) {
        return Some(Barred("a checkpoint on a step that emits"));
    }
    None
}
