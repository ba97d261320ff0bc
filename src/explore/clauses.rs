//! Which clauses an input bears on.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};

use super::{
    ask::{Answers, Asker},
    compare::difference,
    input::Input,
};
use crate::{
    engine::EngineError,
    misreadings::{self, Misreading},
    operations::Operations,
    reference,
    suite::{Shapes, Suite},
};

/// What can be said of a difference from the reference.
#[derive(Clone, Debug, Default)]
pub struct Bearing {
    /// The misreadings that say just what the engine says.
    pub likewise: Vec<&'static Misreading>,
    /// The clauses that the input bears on: those that these misread; without any, those that some
    /// misreading of shows in this input; without any, those that cases with these operations cite.
    pub clauses: BTreeSet<(String, usize)>,
}

/// Says which clauses an input bears on, to which an engine said this; or nothing that could be held against the
/// reference.
///
/// # Errors
///
/// None that the engines that are built in are known to have.
pub fn bearing(
    suite: &Suite,
    input: &Input,
    actual: Option<&Answers>,
) -> Result<Bearing, EngineError> {
    const LIMIT: Duration = Duration::from_secs(60);
    let shapes = Shapes::new(Operations::standard());
    let reference = reference::engine();
    let expected = Asker::start(&reference, LIMIT)?.put(input)?;
    let mut bearing = Bearing::default();
    let mut shown = BTreeSet::new();
    for misreading in misreadings::ALL.iter() {
        let engine = misreading.engine();
        let misread = Asker::start(&engine, LIMIT)?.put(input)?;
        if difference(&shapes, input, &expected, &misread).is_none() {
            continue;
        }
        let clause = (misreading.rule.to_owned(), misreading.clause);
        if actual.is_some_and(|said| difference(&shapes, input, &misread, said).is_none()) {
            bearing.likewise.push(misreading);
            bearing.clauses.insert(clause.clone());
        }
        shown.insert(clause);
    }
    if bearing.clauses.is_empty() {
        bearing.clauses = shown;
    }
    if bearing.clauses.is_empty() {
        let asked: BTreeSet<&str> = input
            .questions
            .iter()
            .map(|q| q.operation.as_str())
            .collect();
        for case in suite.cases() {
            if case
                .steps
                .iter()
                .any(|s| asked.contains(s.operation.as_str()))
            {
                let rule = suite.rule_of(case).id.as_str();
                let clauses = case.clauses.iter().map(|clause| (rule.to_owned(), *clause));
                bearing.clauses.extend(clauses);
            }
        }
    }
    Ok(bearing)
}

/// A difference as a case file: the first rule that it bears on, the input, and what is expected.
/// `how` is the command that found it.
pub fn case_file(
    bearing: &Bearing,
    input: &Input,
    question: usize,
    expected: Option<&Value>,
    how: &str,
) -> Option<String> {
    let (rule, _) = bearing.clauses.first()?;
    let clauses: Vec<usize> = bearing
        .clauses
        .iter()
        .filter(|(r, _)| r == rule)
        .map(|(_, c)| *c)
        .collect();
    let operation = &input.questions.get(question)?.operation;
    let name = operation.replace(['.', '_'], "-");
    let mut text = format!(
        "# Found by: {how}\n# What is expected is what the reference answers. Check it by the rule before you keep it.\n\
         rule: {rule}\ncases:\n  - name: explored-{name}\n    clauses: {}\n    steps:\n",
        json!(clauses)
    );
    for (i, q) in input.questions.iter().enumerate().take(question + 1) {
        text.push_str(&format!(
            "      - operation: {}\n        given: {}\n",
            q.operation, q.params
        ));
        if let Some((name, pointer)) = &q.bind {
            text.push_str(&format!("        bind: {}\n", json!({ name: pointer })));
        }
        if i < question {
            continue;
        }
        match expected.map(|e| e.get("refused").ok_or(e)) {
            Some(Ok(refusal)) => text.push_str(&format!(
                "        refused: {}\n",
                json!({ "reason": refusal["reason"] })
            )),
            Some(Err(value)) => {
                text.push_str(&format!(
                    "        expect: {value}\n        match: {}\n",
                    modes(operation, value)
                ));
            }
            None => {}
        }
    }
    Some(text)
}

/// How the answer of an operation is matched, as `compare.rs` compares it.
fn modes(operation: &str, expected: &Value) -> Value {
    match operation {
        "loops.resolve" => json!({ "": "exact", "/diagnostics": "unordered" }),
        "port.resolve" => json!({ "": "exact", "/warnings": "unordered" }),
        "workflow.validate" => json!({ "": "exact", "/errors": "unordered" }),
        "state.merge" | "run.seed" => {
            let mut modes = json!({ "": "includes" });
            for part in ["state", "before"] {
                for (member, value) in expected[part].as_object().into_iter().flatten() {
                    if value.is_object() {
                        modes[format!("/{part}/{member}")] = json!("exact");
                    }
                }
            }
            modes
        }
        "loops.reach" | "foreach.run" | "edge.record" => json!("includes"),
        name if name.starts_with("workflow.") => json!("includes"),
        _ => json!("exact"),
    }
}
