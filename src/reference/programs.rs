//! Programs: their shape, their steps in order, how they are carried out, and as a file holds them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap},
    fmt::Write,
};

use sha2::{Digest, Sha256};

use crate::{engine::Refusal, operations::resume::Program};

/// The steps of a program, and which each comes after.
pub type Topology = BTreeMap<String, BTreeSet<String>>;

/// How far a run is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The steps that have run.
    pub done: BTreeSet<String>,
    /// What they emitted, one after the other.
    pub log: String,
}

/// Runs the steps that are not yet done. Gives those that emit something, and whether all are done.
pub(super) fn execute(
    program: &Program,
    order: &[usize],
    stop_at: Option<&str>,
    progress: &mut Progress,
    checkpoints: &mut BTreeMap<String, Progress>,
) -> (Vec<String>, bool) {
    let mut ran = Vec::new();
    for step in order.iter().filter_map(|&n| program.steps.get(n)) {
        if progress.done.contains(&step.name) {
            continue;
        }
        if stop_at == Some(step.name.as_str()) {
            return (ran, false);
        }
        if let Some(emit) = &step.emit {
            ran.push(step.name.clone());
            progress.log.push_str(emit);
        }
        progress.done.insert(step.name.clone());
        if let Some(label) = &step.checkpoint {
            checkpoints.insert(label.clone(), progress.clone());
        }
    }
    (ran, true)
}

/// The order in which a program's steps run: each after those it comes after, else as written.
pub(super) fn order(program: &Program) -> Result<Vec<usize>, Refusal> {
    let invalid = |message: String| Refusal::new("invalid_program", message);
    let mut number: HashMap<&str, usize> = HashMap::new();
    for (n, step) in program.steps.iter().enumerate() {
        if number.insert(&step.name, n).is_some() {
            return Err(invalid(format!("there are two steps `{}`", step.name)));
        }
    }
    let mut followers = vec![Vec::new(); program.steps.len()];
    let mut waiting_for = vec![0_usize; program.steps.len()];
    for (n, step) in program.steps.iter().enumerate() {
        for before in &step.after {
            let Some(&before) = number.get(before.as_str()) else {
                let message = format!("step `{}` comes after `{before}`, which is none", step.name);
                return Err(invalid(message));
            };
            followers[before].push(n);
            waiting_for[n] += 1;
        }
    }
    let mut free: BinaryHeap<Reverse<usize>> = (0..waiting_for.len())
        .filter(|&n| waiting_for[n] == 0)
        .map(Reverse)
        .collect();
    let mut order = Vec::new();
    while let Some(Reverse(n)) = free.pop() {
        order.push(n);
        for &follower in &followers[n] {
            waiting_for[follower] -= 1;
            if waiting_for[follower] == 0 {
                free.push(Reverse(follower));
            }
        }
    }
    if order.len() < program.steps.len() {
        return Err(invalid("some steps come after each other".into()));
    }
    Ok(order)
}

/// The shape of a program.
pub fn topology(program: &Program) -> Topology {
    let steps = program.steps.iter();
    steps
        .map(|step| (step.name.clone(), step.after.iter().cloned().collect()))
        .collect()
}

/// A program as a file holds it.
///
/// # Errors
///
/// `other` where it cannot be written.
pub fn text(program: &Program) -> Result<String, Refusal> {
    serde_json::to_string_pretty(program).map_err(|e| Refusal::new("other", e))
}

/// The program that a file holds.
///
/// # Errors
///
/// `other` where it holds none.
pub fn parse(source: &str) -> Result<Program, Refusal> {
    serde_json::from_str(source)
        .map_err(|e| Refusal::new("other", format!("the source holds no such workflow: {e}")))
}

/// The SHA-256 of a source, in hex.
pub fn digest(source: &str) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(source) {
        // Writing to a string does not fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}
