//! Runs of a program that stop, and are taken up again when its source may have changed.
//!
//! A run's record has the source that it was planned from, the SHA-256 of it, and which step comes
//! after which. What is resumed is that source, whatever the file holds by then. Where the two
//! differ the caller is told, and has to have accepted it. Without a recorded source there is
//! nothing to resume, save a program that the caller supplies and that has the same steps in the
//! same places: the file alone is never enough, or the same call would mean one thing or another
//! by how the run was started.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap},
    fmt::Write,
};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{
    engine::Refusal,
    operations::resume::{
        Channel, Entry, Program, Ran, ResumeParams, Resumed, RunParams, TopologyDifference,
    },
};

/// What the rules about resuming a changed program decide.
pub trait ResumeReading {
    /// Whether a run started through this door records its source: any does.
    fn keeps_source(&self, _entry: Entry) -> bool {
        true
    }

    /// The source that a run goes on with, given the recorded one and what is there now.
    fn resumed_source<'s>(&self, recorded: &'s str, _now: &'s str) -> &'s str {
        recorded
    }

    /// The source that a run goes on with if none is recorded and none supplied, given what the
    /// file holds: there is none.
    fn source_without_record<'s>(&self, _file: &'s str) -> Option<&'s str> {
        None
    }

    /// Whether the source has changed since the run, given the recorded digest and what is there
    /// now.
    fn has_drifted(&self, recorded: &str, now: &str) -> bool {
        recorded != digest(now)
    }

    /// Whether a changed source is a reason to refuse: unless the caller accepts it.
    fn refuses_drift(&self, allowed: bool) -> bool {
        !allowed
    }

    /// How a caller is told that the source has changed.
    fn channel(&self) -> Option<Channel> {
        Some(Channel::Result)
    }

    /// How the steps of a supplied program differ from those of the run, if they do.
    fn difference(&self, recorded: &Topology, supplied: &Topology) -> Option<TopologyDifference> {
        let only_in = |one: &Topology, other: &Topology| -> Vec<String> {
            one.keys()
                .filter(|step| !other.contains_key(*step))
                .cloned()
                .collect()
        };
        let difference = TopologyDifference {
            added: only_in(supplied, recorded),
            removed: only_in(recorded, supplied),
            rewired: recorded
                .iter()
                .filter(|(step, after)| supplied.get(*step).is_some_and(|now| now != *after))
                .map(|(step, _)| step.clone())
                .collect(),
        };
        (difference != TopologyDifference::default()).then_some(difference)
    }
}

/// The steps of a program, and which each comes after.
pub type Topology = BTreeMap<String, BTreeSet<String>>;

/// The file that programs are run from, and the records of the runs.
#[derive(Debug, Default)]
pub struct Resumable {
    file: String,
    runs: BTreeMap<String, Record>,
}

#[derive(Debug)]
struct Record {
    source: Option<String>,
    digest: String,
    topology: Topology,
    checkpoints: BTreeMap<String, Progress>,
    ended: bool,
}

/// How far a run is.
#[derive(Clone, Debug, Default)]
struct Progress {
    done: BTreeSet<String>,
    log: String,
}

impl Resumable {
    /// Runs a program, to its end or to where it is stopped.
    ///
    /// # Errors
    ///
    /// `invalid_program` where its steps cannot be put in order, `unknown_step` where there is no
    /// such step to stop at.
    pub fn run(&mut self, reading: &dyn ResumeReading, asked: &RunParams) -> Result<Ran, Refusal> {
        let program = &asked.program;
        let order = order(program)?;
        if let Some(stop) = &asked.stop_at
            && !program.steps.iter().any(|step| step.name == *stop)
        {
            return Err(Refusal::new(
                "unknown_step",
                format!("there is no step `{stop}`"),
            ));
        }
        let source = text(program)?;
        let mut progress = Progress::default();
        let mut checkpoints = BTreeMap::new();
        let (ran, ended) = execute(
            program,
            &order,
            asked.stop_at.as_deref(),
            &mut progress,
            &mut checkpoints,
        );

        self.file.clone_from(&source);
        let run = format!("run_{}", self.runs.len() + 1);
        let record = Record {
            digest: digest(&source),
            topology: topology(program),
            source: (asked.keep_source && reading.keeps_source(asked.entry)).then_some(source),
            checkpoints,
            ended,
        };
        self.runs.insert(run.clone(), record);
        Ok(Ran {
            run,
            ran,
            log: progress.log,
        })
    }

    /// Changes what the file holds. `None` leaves it without a workflow.
    ///
    /// # Errors
    ///
    /// `other` where the program cannot be written.
    pub fn edit(&mut self, program: Option<&Program>) -> Result<(), Refusal> {
        self.file = program.map(text).transpose()?.unwrap_or_default();
        Ok(())
    }

    /// Takes up a run at a checkpoint and runs it to its end.
    ///
    /// # Errors
    ///
    /// `unknown_run`, `unknown_checkpoint` or `run_ended`; `no_source` where nothing is recorded
    /// to go on with, `topology_mismatch` where what is supplied instead has other steps, and
    /// `source_drift` where the source has changed and the caller has not accepted that.
    // open: a run that has ended is not resumed. The log goes on from where the checkpoint had it.
    pub fn resume(
        &mut self,
        reading: &dyn ResumeReading,
        asked: &ResumeParams,
    ) -> Result<Resumed, Refusal> {
        let Some(record) = self.runs.get_mut(&asked.run) else {
            return Err(Refusal::new(
                "unknown_run",
                format!("there is no run `{}`", asked.run),
            ));
        };
        if record.ended {
            return Err(Refusal::new(
                "run_ended",
                format!("run `{}` has ended", asked.run),
            ));
        }
        let Some(checkpoint) = record.checkpoints.get(&asked.checkpoint) else {
            let message = format!(
                "run `{}` has no checkpoint `{}`",
                asked.run, asked.checkpoint
            );
            return Err(Refusal::new("unknown_checkpoint", message));
        };

        // open: a program supplied while the source was kept is what drift is measured by, as the
        // file is else.
        let now = match &asked.program {
            Some(supplied) => text(supplied)?,
            None => self.file.clone(),
        };
        let program = program(reading, record, asked.program.as_ref(), &now)?;
        let drift = reading.has_drifted(&record.digest, &now);
        if drift && reading.refuses_drift(asked.allow_source_drift) {
            let message = format!(
                "the source of run `{}` has changed since it was run",
                asked.run
            );
            return Err(Refusal::new("source_drift", message));
        }

        let mut progress = checkpoint.clone();
        let order = order(&program)?;
        let (ran, ended) = execute(
            &program,
            &order,
            None,
            &mut progress,
            &mut record.checkpoints,
        );
        record.ended = ended;
        let channel = reading.channel().filter(|_| drift);
        Ok(Resumed {
            ran,
            log: progress.log,
            drift: channel.is_some(),
            channel,
        })
    }
}

/// The program that a run goes on with.
fn program(
    reading: &dyn ResumeReading,
    record: &Record,
    supplied: Option<&Program>,
    now: &str,
) -> Result<Program, Refusal> {
    if let Some(recorded) = &record.source {
        return parse(reading.resumed_source(recorded, now));
    }
    if let Some(supplied) = supplied {
        return match reading.difference(&record.topology, &topology(supplied)) {
            None => Ok(supplied.clone()),
            Some(difference) => Err(Refusal::new(
                "topology_mismatch",
                "the supplied program does not have the steps of the run",
            )
            .with(
                "difference",
                serde_json::to_value(difference).unwrap_or(Value::Null),
            )),
        };
    }
    let source = reading
        .source_without_record(now)
        .ok_or_else(|| Refusal::new("no_source", "the run has no recorded source to go on with"))?;
    parse(source)
}

/// Runs the steps that are not yet done. Gives those that emit something, and whether all are done.
fn execute(
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
fn order(program: &Program) -> Result<Vec<usize>, Refusal> {
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

fn topology(program: &Program) -> Topology {
    let steps = program.steps.iter();
    steps
        .map(|step| (step.name.clone(), step.after.iter().cloned().collect()))
        .collect()
}

/// A program as a file holds it.
fn text(program: &Program) -> Result<String, Refusal> {
    serde_json::to_string_pretty(program).map_err(|e| Refusal::new("other", e))
}

fn parse(source: &str) -> Result<Program, Refusal> {
    serde_json::from_str(source)
        .map_err(|e| Refusal::new("other", format!("the source holds no such workflow: {e}")))
}

fn digest(source: &str) -> String {
    let mut hex = String::new();
    for byte in Sha256::digest(source) {
        // Writing to a string does not fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
#[path = "resume_tests.rs"]
mod tests;
