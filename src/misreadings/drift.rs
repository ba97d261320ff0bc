//! Misreadings of when a source has changed, how that is told, and when it is refused.

use crate::{
    operations::resume::{Channel, Entry, Program, Step},
    reference::{
        programs::{Progress, digest, parse, topology},
        resume::{File, Record, ResumeReading},
    },
};

misreadings! {
    /// Nobody is told that the source has changed.
    "drift-goes-unsaid" misreads "RESUME-2":1 as ResumeReading {
        fn channel(&self, _entry: Entry) -> Option<Channel> {
            None
        }
    }

    /// A source has changed if its steps have other names.
    "drift-is-in-the-names" misreads "RESUME-2":1 as ResumeReading {
        fn has_drifted(&self, record: &Record, now: &File) -> bool {
            parse(&now.text).is_ok_and(|now| !topology(&now).keys().eq(record.topology.keys()))
        }
    }

    /// A source has changed if its steps come after others than before.
    "drift-is-in-the-shape" misreads "RESUME-2":1 as ResumeReading {
        fn has_drifted(&self, record: &Record, now: &File) -> bool {
            parse(&now.text).map_or(true, |now| topology(&now) != record.topology)
        }
    }

    /// A source has changed if steps have that are still to run.
    "drift-is-in-what-is-left" misreads "RESUME-2":1 as ResumeReading {
        fn has_drifted(&self, record: &Record, now: &File) -> bool {
            let left = |program: Program| -> Vec<Step> {
                let done = |step: &Step| {
                    let mut checkpoints = record.checkpoints.values();
                    checkpoints.any(|progress| progress.done.contains(&step.name))
                };
                program.steps.into_iter().filter(|step| !done(step)).collect()
            };
            match record.source.as_deref().map(parse) {
                Some(Ok(recorded)) => Some(left(recorded)) != parse(&now.text).ok().map(left),
                _ => digest(&now.text) != record.digest,
            }
        }
    }

    /// A file without the workflow has nothing in it that could have changed.
    "workflow-gone-is-no-drift" misreads "RESUME-2":1 as ResumeReading {
        fn has_drifted(&self, record: &Record, now: &File) -> bool {
            !now.text.is_empty() && digest(&now.text) != record.digest
        }
    }

    /// That the source has changed is told by an event.
    "drift-is-an-event" misreads "RESUME-2":2 as ResumeReading {
        fn channel(&self, _entry: Entry) -> Option<Channel> {
            Some(Channel::Event)
        }
    }

    /// That the source has changed is written to a log.
    "drift-is-logged" misreads "RESUME-2":2 as ResumeReading {
        fn channel(&self, _entry: Entry) -> Option<Channel> {
            Some(Channel::Log)
        }
    }

    /// A source counts as changed at every resume.
    "drift-is-always-told" misreads "RESUME-2":3 as ResumeReading {
        fn has_drifted(&self, _record: &Record, _now: &File) -> bool {
            true
        }
    }

    /// A source has changed if its file was written since.
    "drift-is-in-the-time" misreads "RESUME-2":3 as ResumeReading {
        fn has_drifted(&self, record: &Record, now: &File) -> bool {
            now.written != record.written
        }
    }

    /// A host is not told that the source has changed.
    "drift-goes-unsaid-to-hosts" misreads "RESUME-4":2 as ResumeReading {
        fn channel(&self, entry: Entry) -> Option<Channel> {
            (entry == Entry::File).then_some(Channel::Result)
        }
    }

    /// A host is told by an event that the source has changed.
    "drift-is-an-event-to-hosts" misreads "RESUME-4":2 as ResumeReading {
        fn channel(&self, entry: Entry) -> Option<Channel> {
            match entry {
                Entry::File => Some(Channel::Result),
                Entry::Embedded => Some(Channel::Event),
            }
        }
    }

    /// A source that has changed is no ground for refusal.
    "drift-is-not-refused" misreads "RESUME-6":1 as ResumeReading {
        fn refuses_drift(&self, _record: &Record, _drift: bool, _allowed: bool) -> bool {
            false
        }
    }

    /// A host that resumes a run has allowed drift by that.
    "hosts-allow-drift" misreads "RESUME-6":1 as ResumeReading {
        fn refuses_drift(&self, record: &Record, drift: bool, allowed: bool) -> bool {
            drift && !allowed && record.entry == Entry::File
        }
    }

    /// A run that is refused for drift is over.
    "refused-drift-ends-the-run" misreads "RESUME-6":1 as ResumeReading {
        fn after_refusal(&self, record: &mut Record, _at: &str, _supplied: Option<&Program>) {
            record.ended = true;
        }
    }

    /// A source that has changed is refused, whatever the caller allows.
    "allowed-drift-is-refused" misreads "RESUME-6":2 as ResumeReading {
        fn refuses_drift(&self, _record: &Record, drift: bool, _allowed: bool) -> bool {
            drift
        }
    }

    /// A run whose source has changed starts over.
    "drift-starts-over" misreads "RESUME-6":2 as ResumeReading {
        fn goes_on_from(&self, checkpoint: &Progress, _supplied: bool, drift: bool) -> Progress {
            if drift { Progress::default() } else { checkpoint.clone() }
        }
    }

    /// A resume is refused unless drift is allowed, also where there is none.
    "refuse-unless-allowed" misreads "RESUME-6":3 as ResumeReading {
        fn refuses_drift(&self, _record: &Record, _drift: bool, allowed: bool) -> bool {
            !allowed
        }
    }

    /// Drift that is allowed has to be there.
    "refuse-what-was-allowed-in-vain" misreads "RESUME-6":3 as ResumeReading {
        fn refuses_drift(&self, _record: &Record, drift: bool, allowed: bool) -> bool {
            drift != allowed
        }
    }
}
