//! Misreadings of how the end of a run is stored, and of what may follow it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    operations::{state::State, workflow::RunStatus},
    reference::{AsWritten, records::RecordReading, seeding::SeedReading},
};

misreadings! {
    /// A state says whether its run has ended, and not how.
    "ended-is-all-that-is-stored" misreads "INT-13":1 as RecordReading {
        fn ended(&self, state: &State, outcome: &str, error: Option<&str>) -> State {
            let mut ended = AsWritten.ended(state, outcome, error);
            ended.put("status", Value::Null);
            ended
        }
    }

    /// A failure is an error in the state, and no outcome.
    "error-is-the-outcome-of-a-failure" misreads "INT-13":1 as RecordReading {
        fn ended(&self, state: &State, outcome: &str, error: Option<&str>) -> State {
            let mut ended = AsWritten.ended(state, outcome, error);
            if outcome == "failed" {
                ended.put("status", Value::Null);
            }
            ended
        }
    }

    /// A run that lives has a status, too.
    "living-run-has-a-status" misreads "INT-13":1 as SeedReading {
        fn status_at_first(&self) -> Value {
            "running".into()
        }
    }

    /// The outcome is on the run's record, and its checkpoints hold none.
    "checkpoints-hold-no-outcome" misreads "INT-13":1 as RecordReading {
        fn checkpointed(&self, state: &State) -> State {
            let mut checkpoint = state.clone();
            checkpoint.put("status", Value::Null);
            checkpoint
        }
    }

    /// A run that is finished when it is read back has completed.
    "finished-has-completed" misreads "INT-13":2 as RecordReading {
        fn status_read_back(&self, _stored: RunStatus) -> RunStatus {
            RunStatus::Completed
        }
    }

    /// A run that ended without an error has completed.
    "ended-without-an-error-has-completed" misreads "INT-13":2 as RecordReading {
        fn ended(&self, state: &State, _outcome: &str, error: Option<&str>) -> State {
            let worked_out = if error.is_some() { "failed" } else { "completed" };
            AsWritten.ended(state, worked_out, error)
        }
    }

    /// A run that is cancelled has failed.
    "cancelled-run-has-failed" misreads "INT-13":3 as RecordReading {
        fn ended(&self, state: &State, outcome: &str, error: Option<&str>) -> State {
            let outcome = if outcome == "cancelled" { "failed" } else { outcome };
            AsWritten.ended(state, outcome, error)
        }
    }

    /// A run that is cancelled leaves its state as it was.
    "cancelling-leaves-the-state" misreads "INT-13":3 as RecordReading {
        fn ended(&self, state: &State, outcome: &str, error: Option<&str>) -> State {
            if outcome == "cancelled" {
                return state.clone();
            }
            AsWritten.ended(state, outcome, error)
        }
    }

    /// The final checkpoint is that of a run which came to its end by itself.
    "cancelled-run-stops-at-once" misreads "INT-13":3 as RecordReading {
        fn writes_at_end(&self, status: RunStatus) -> bool {
            status != RunStatus::Cancelled
        }
    }

    /// A turn that was cancelled counts for nothing: the next one starts without it.
    "cancelled-turn-counts-for-nothing" misreads "INT-13":4 as SeedReading {
        fn thread<'s>(
            &self,
            named: Option<&str>,
            stored: &'s BTreeMap<String, State>,
        ) -> Option<&'s State> {
            let last = AsWritten.thread(named, stored)?;
            (last.status() != Some("cancelled")).then_some(last)
        }
    }

    /// A turn that was cancelled is gone on with where it stopped.
    "cancelled-turn-goes-on" misreads "INT-13":4 as SeedReading {
        fn next_on_thread(&self, last: &State) -> State {
            if last.status() == Some("cancelled") {
                return last.clone();
            }
            AsWritten.next_on_thread(last)
        }
    }

    /// A cancellation ends the conversation.
    "cancelled-thread-is-closed" misreads "INT-13":4 as SeedReading {
        fn refuses_thread(&self, last: &State) -> bool {
            last.status() == Some("cancelled")
        }
    }

    /// A checkpoint whose run was cancelled can be resumed by its name.
    "cancellation-can-be-taken-back" misreads "INT-13":4 as SeedReading {
        fn refuses_checkpoint(&self, state: &State) -> bool {
            state.status() != Some("cancelled") && AsWritten.refuses_checkpoint(state)
        }
    }

    /// A run is resumed wherever it stopped, at its end as well.
    "ended-run-can-be-resumed" misreads "INT-14":1 as RecordReading {
        fn refuses_resume(&self, _has_ended: bool) -> bool {
            false
        }
    }

    /// Only a run that has completed has nothing left to resume.
    "completed-alone-is-terminal" misreads "INT-14":1 as SeedReading {
        fn refuses_checkpoint(&self, state: &State) -> bool {
            state.status() == Some("completed")
        }
    }

    /// Every checkpoint may be the last one of its run and is refused.
    "every-checkpoint-is-terminal" misreads "INT-14":1 as SeedReading {
        fn refuses_checkpoint(&self, _state: &State) -> bool {
            true
        }
    }

    /// That the run has ended says enough.
    "refusal-names-nothing" misreads "INT-14":2 as SeedReading {
        fn refusal(&self, _what: &str, _outcome: &str) -> String {
            "a run that has ended cannot be resumed".into()
        }
    }

    /// The refusal names the status, which says what is wrong.
    "refusal-names-the-status-alone" misreads "INT-14":2 as SeedReading {
        fn refusal(&self, _what: &str, outcome: &str) -> String {
            format!("a run with the status {outcome} cannot be resumed")
        }
    }

    /// A run begins, and is refused what it was to start from.
    "run-begins-and-is-refused" misreads "INT-14":2 as SeedReading {
        fn begins_before_refusing(&self) -> bool {
            true
        }
    }

    /// What has ended can be taken up in no way, by the next turn of its thread neither.
    "ended-thread-is-closed" misreads "INT-14":3 as SeedReading {
        fn refuses_thread(&self, last: &State) -> bool {
            AsWritten.has_ended(last)
        }
    }

    /// A thread goes on only after a turn that has completed.
    "failed-turn-closes-the-thread" misreads "INT-14":3 as SeedReading {
        fn refuses_thread(&self, last: &State) -> bool {
            AsWritten.has_ended(last) && last.status() != Some("completed")
        }
    }

    /// A thread whose last turn failed starts anew, with nothing of what it had gathered.
    "failed-turn-is-forgotten" misreads "INT-14":3 as SeedReading {
        fn thread<'s>(
            &self,
            named: Option<&str>,
            stored: &'s BTreeMap<String, State>,
        ) -> Option<&'s State> {
            let last = AsWritten.thread(named, stored)?;
            (last.status() != Some("failed")).then_some(last)
        }
    }
}
