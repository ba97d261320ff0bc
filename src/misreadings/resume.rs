//! Misreadings of which source a resumed run goes on with.

use std::{borrow::Cow, collections::BTreeSet};

use crate::{
    operations::resume::{Entry, Program},
    reference::{
        programs::{digest, parse, text},
        resume::{Record, ResumeReading},
    },
};

/// A file with a workflow that has no steps.
const NO_STEPS: &str = r#"{"name": "w", "steps": []}"#;

misreadings! {
    /// A resumed run goes on with what the file says by then.
    "resume-what-the-file-says" misreads "RESUME-1":1 as ResumeReading {
        fn resumed_source<'s>(
            &self,
            _record: &Record,
            _recorded: &'s str,
            now: &'s str,
        ) -> Cow<'s, str> {
            now.into()
        }
    }

    /// A resumed run goes on with what the file says by then, if that is a workflow at all.
    "resume-what-can-be-read" misreads "RESUME-1":1 as ResumeReading {
        fn resumed_source<'s>(
            &self,
            _record: &Record,
            recorded: &'s str,
            now: &'s str,
        ) -> Cow<'s, str> {
            parse(now).map_or(recorded, |_| now).into()
        }
    }

    /// Steps that the file has gained run, where none was lost.
    "run-gained-steps" misreads "RESUME-1":2 as ResumeReading {
        fn resumed_source<'s>(
            &self,
            _record: &Record,
            recorded: &'s str,
            now: &'s str,
        ) -> Cow<'s, str> {
            changed(recorded, now, |recorded, now| {
                if names(recorded).is_subset(&names(&now)) {
                    *recorded = now;
                }
            })
        }
    }

    /// A step that the file has lost does not run.
    "leave-lost-steps-out" misreads "RESUME-1":2 as ResumeReading {
        fn resumed_source<'s>(
            &self,
            _record: &Record,
            recorded: &'s str,
            now: &'s str,
        ) -> Cow<'s, str> {
            changed(recorded, now, |recorded, now| {
                let left = names(&now);
                recorded.steps.retain(|step| left.contains(&step.name));
                for step in &mut recorded.steps {
                    step.after.retain(|before| left.contains(before));
                }
            })
        }
    }

    /// The steps run in the stored order, each with the body that it has by now.
    "bodies-from-the-file" misreads "RESUME-1":3 as ResumeReading {
        fn resumed_source<'s>(
            &self,
            _record: &Record,
            recorded: &'s str,
            now: &'s str,
        ) -> Cow<'s, str> {
            changed(recorded, now, |recorded, now| {
                for step in &mut recorded.steps {
                    if let Some(now) = now.steps.iter().find(|s| s.name == step.name) {
                        step.emit.clone_from(&now.emit);
                    }
                }
            })
        }
    }

    /// The steps run with their stored bodies, in the order in which they are drawn by now.
    "order-from-the-file" misreads "RESUME-1":3 as ResumeReading {
        fn resumed_source<'s>(
            &self,
            _record: &Record,
            recorded: &'s str,
            now: &'s str,
        ) -> Cow<'s, str> {
            changed(recorded, now, |recorded, now| {
                if names(recorded) != names(&now) {
                    return;
                }
                for step in &mut recorded.steps {
                    if let Some(now) = now.steps.iter().find(|s| s.name == step.name) {
                        step.after.clone_from(&now.after);
                    }
                }
            })
        }
    }

    /// A run whose workflow is gone from the file cannot be resumed.
    "workflow-gone-is-refused" misreads "RESUME-1":4 as ResumeReading {
        fn resumed_source<'s>(
            &self,
            _record: &Record,
            recorded: &'s str,
            now: &'s str,
        ) -> Cow<'s, str> {
            parse(now).map_or(now, |_| recorded).into()
        }
    }

    /// A run whose workflow is gone from the file has nothing left to run.
    "workflow-gone-ends-the-run" misreads "RESUME-1":4 as ResumeReading {
        fn resumed_source<'s>(
            &self,
            _record: &Record,
            recorded: &'s str,
            now: &'s str,
        ) -> Cow<'s, str> {
            parse(now).map_or(NO_STEPS, |_| recorded).into()
        }
    }

    /// A run without a stored source has nothing left to run, which is no reason to refuse.
    "no-source-runs-nothing" misreads "RESUME-3":1 as ResumeReading {
        fn source_without_record<'s>(
            &self,
            _record: &Record,
            _file: &'s str,
            _drift_allowed: bool,
        ) -> Option<&'s str> {
            Some(NO_STEPS)
        }
    }

    /// That a run has no stored source is a fault like any other and needs no reason of its own.
    "no-source-is-any-fault" misreads "RESUME-3":1 as ResumeReading {
        fn source_without_record<'s>(
            &self,
            _record: &Record,
            _file: &'s str,
            _drift_allowed: bool,
        ) -> Option<&'s str> {
            Some("")
        }
    }

    /// Where no source is stored, the file stands in for it.
    "rebuild-from-the-file" misreads "RESUME-3":2 as ResumeReading {
        fn source_without_record<'s>(
            &self,
            _record: &Record,
            file: &'s str,
            _drift_allowed: bool,
        ) -> Option<&'s str> {
            Some(file)
        }
    }

    /// Where no source is stored, a file that has not changed stands in for it.
    "rebuild-from-an-unchanged-file" misreads "RESUME-3":2 as ResumeReading {
        fn source_without_record<'s>(
            &self,
            record: &Record,
            file: &'s str,
            _drift_allowed: bool,
        ) -> Option<&'s str> {
            (digest(file) == record.digest).then_some(file)
        }
    }

    /// Where no source is stored, whoever allows drift gets what the file says.
    "rebuild-where-drift-is-allowed" misreads "RESUME-3":2 as ResumeReading {
        fn source_without_record<'s>(
            &self,
            _record: &Record,
            file: &'s str,
            drift_allowed: bool,
        ) -> Option<&'s str> {
            drift_allowed.then_some(file)
        }
    }

    /// The source is stored for runs that are started from the command line.
    "host-runs-store-no-source" misreads "RESUME-4":1 as ResumeReading {
        fn keeps_source(&self, entry: Entry) -> bool {
            entry == Entry::File
        }
    }

    /// A run that a host has started goes on with what the file says by then.
    "host-runs-follow-the-file" misreads "RESUME-4":1 as ResumeReading {
        fn resumed_source<'s>(
            &self,
            record: &Record,
            recorded: &'s str,
            now: &'s str,
        ) -> Cow<'s, str> {
            match record.entry {
                Entry::File => recorded.into(),
                Entry::Embedded => now.into(),
            }
        }
    }
}

/// The recorded source, changed by what the file holds; as it is where that is no workflow.
fn changed<'s>(
    recorded: &'s str,
    now: &str,
    change: impl FnOnce(&mut Program, Program),
) -> Cow<'s, str> {
    let (Ok(mut program), Ok(now)) = (parse(recorded), parse(now)) else {
        return recorded.into();
    };
    change(&mut program, now);
    text(&program).map_or(recorded.into(), Cow::Owned)
}

/// The names of a program's steps.
fn names(program: &Program) -> BTreeSet<String> {
    program.steps.iter().map(|step| step.name.clone()).collect()
}
