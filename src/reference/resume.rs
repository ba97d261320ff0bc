//! Runs of a program that stop, and are taken up again when its source may have changed.
//!
//! A run's record has the source that it was planned from, the SHA-256 of it, and which step comes
//! after which. What is resumed is that source, whatever the file holds by then. Where the two
//! differ the caller is told, and has to have accepted it. Without a recorded source there is
//! nothing to resume, save a program that the caller supplies and that has the same steps in the
//! same places: the file alone is never enough, or the same call would mean one thing or another
//! by how the run was started.

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::Value;

pub use super::programs::{Progress, Topology};
use super::programs::{digest, execute, order, parse, text, topology};
use crate::{
    engine::Refusal,
    operations::resume::{
        Channel, Entry, Program, Ran, ResumeParams, Resumed, RunParams, TopologyDifference,
    },
};

/// What the rules about resuming a changed program decide.
pub trait ResumeReading {
    /// Whether a run started through this door records its source: any does.
    //= RESUME-4:1
    fn keeps_source(&self, _entry: Entry) -> bool {
        true
    }

    /// The source that a run goes on with, given the recorded one and what is there now: as
    /// recorded.
    //= RESUME-1:1
    //= RESUME-1:2
    //= RESUME-1:3
    //= RESUME-1:4
    //= RESUME-4:1
    fn resumed_source<'s>(
        &self,
        _record: &Record,
        recorded: &'s str,
        _now: &'s str,
    ) -> Cow<'s, str> {
        recorded.into()
    }

    /// The source that a run goes on with if none is recorded and none supplied, given what the
    /// file holds and whether drift is allowed: there is none.
    //= RESUME-3:1
    //= RESUME-3:2
    fn source_without_record<'s>(
        &self,
        _record: &Record,
        _file: &'s str,
        _drift_allowed: bool,
    ) -> Option<&'s str> {
        None
    }

    /// Whether the source has changed since the run, given what is there now: if it reads
    /// otherwise.
    //= RESUME-2:1
    //= RESUME-2:3
    fn has_drifted(&self, record: &Record, now: &File) -> bool {
        record.digest != digest(&now.text)
    }

    /// Whether a resume is refused for drift, given whether there is any and whether the caller
    /// allows it.
    //= RESUME-6:1
    //= RESUME-6:2
    //= RESUME-6:3
    fn refuses_drift(&self, _record: &Record, drift: bool, allowed: bool) -> bool {
        drift && !allowed
    }

    /// How a caller is told that the source has changed, given through which door the run was
    /// started.
    //= RESUME-2:2
    //= RESUME-4:2
    fn channel(&self, _entry: Entry) -> Option<Channel> {
        Some(Channel::Result)
    }

    /// How the steps of a supplied program differ from those of the run, if they do, given whether
    /// drift is allowed.
    //= RESUME-5:1
    //= RESUME-5:5
    fn difference(
        &self,
        recorded: &Topology,
        supplied: &Topology,
        _drift_allowed: bool,
    ) -> Option<TopologyDifference> {
        let difference = compare(recorded, supplied);
        (difference != TopologyDifference::default()).then_some(difference)
    }

    /// How a caller is told that the supplied program has other steps, given whether drift is
    /// allowed: alike.
    //= RESUME-5:1
    //= RESUME-5:2
    //= RESUME-5:4
    fn mismatch(&self, difference: TopologyDifference, _drift_allowed: bool) -> Refusal {
        Refusal::new(
            "topology_mismatch",
            "the supplied program does not have the steps of the run",
        )
        .with(
            "difference",
            serde_json::to_value(difference).unwrap_or(Value::Null),
        )
    }

    /// What an attempt that was refused, for drift or for the program that was supplied, leaves
    /// behind in the run's record: nothing.
    //= RESUME-5:3
    //= RESUME-6:2
    fn after_refusal(&self, _record: &mut Record, _checkpoint: &str, _supplied: Option<&Program>) {}

    /// Where a run goes on, given whether its program was supplied and whether its source has
    /// changed: where the checkpoint was taken.
    //= RESUME-5:5
    //= RESUME-6:2
    fn goes_on_from(&self, checkpoint: &Progress, _supplied: bool, _drift: bool) -> Progress {
        checkpoint.clone()
    }
}

/// How the steps of one program differ from those of another.
pub fn compare(recorded: &Topology, supplied: &Topology) -> TopologyDifference {
    let only_in = |one: &Topology, other: &Topology| -> Vec<String> {
        one.keys()
            .filter(|step| !other.contains_key(*step))
            .cloned()
            .collect()
    };
    TopologyDifference {
        added: only_in(supplied, recorded),
        removed: only_in(recorded, supplied),
        rewired: recorded
            .iter()
            .filter(|(step, after)| supplied.get(*step).is_some_and(|now| now != *after))
            .map(|(step, _)| step.clone())
            .collect(),
    }
}

/// The file that programs are run from, and the records of the runs.
#[derive(Debug, Default)]
pub struct Resumable {
    file: File,
    runs: BTreeMap<String, Record>,
}

/// A file, as far as an engine can look at it.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// What it holds.
    pub text: String,
    /// How often it has been written, for the time at which it was.
    pub written: u64,
}

/// What is recorded of a run.
#[derive(Debug)]
pub struct Record {
    /// The door through which it was started.
    pub entry: Entry,
    /// Its source, if it is kept.
    pub source: Option<String>,
    /// The digest of its source.
    pub digest: String,
    /// How often its file had been written.
    pub written: u64,
    /// The shape of its program.
    pub topology: Topology,
    /// How far it was at each checkpoint.
    pub checkpoints: BTreeMap<String, Progress>,
    /// Whether it has ended.
    pub ended: bool,
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

        self.write(source.clone());
        let run = format!("run_{}", self.runs.len() + 1);
        let record = Record {
            entry: asked.entry,
            digest: digest(&source),
            written: self.file.written,
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
        let text = program.map(text).transpose()?;
        self.write(text.unwrap_or_default());
        Ok(())
    }

    fn write(&mut self, text: String) {
        self.file = File {
            text,
            written: self.file.written + 1,
        };
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
        let Some(checkpoint) = record.checkpoints.get(&asked.checkpoint).cloned() else {
            let message = format!(
                "run `{}` has no checkpoint `{}`",
                asked.run, asked.checkpoint
            );
            return Err(Refusal::new("unknown_checkpoint", message));
        };

        // open: a program supplied while the source was kept is what drift is measured by, as the
        // file is else.
        let now = match &asked.program {
            Some(supplied) => File {
                text: text(supplied)?,
                written: self.file.written,
            },
            None => self.file.clone(),
        };
        let program = program(reading, record, asked, &now.text)?;
        let drift = reading.has_drifted(record, &now);
        if reading.refuses_drift(record, drift, asked.allow_source_drift) {
            reading.after_refusal(record, &asked.checkpoint, asked.program.as_ref());
            let message = format!(
                "the source of run `{}` has changed since it was run",
                asked.run
            );
            return Err(Refusal::new("source_drift", message));
        }

        let mut progress = reading.goes_on_from(&checkpoint, asked.program.is_some(), drift);
        let order = order(&program)?;
        let (ran, ended) = execute(
            &program,
            &order,
            None,
            &mut progress,
            &mut record.checkpoints,
        );
        record.ended = ended;
        let channel = reading.channel(record.entry).filter(|_| drift);
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
    record: &mut Record,
    asked: &ResumeParams,
    now: &str,
) -> Result<Program, Refusal> {
    if let Some(recorded) = &record.source {
        return parse(&reading.resumed_source(record, recorded, now));
    }
    let allowed = asked.allow_source_drift;
    let Some(supplied) = &asked.program else {
        let source = reading.source_without_record(record, now, allowed);
        let message = "the run has no recorded source to go on with";
        return parse(source.ok_or_else(|| Refusal::new("no_source", message))?);
    };
    match reading.difference(&record.topology, &topology(supplied), allowed) {
        None => Ok(supplied.clone()),
        Some(difference) => {
            reading.after_refusal(record, &asked.checkpoint, Some(supplied));
            Err(reading.mismatch(difference, allowed))
        }
    }
}

#[cfg(test)]
#[path = "resume_tests.rs"]
mod tests;
