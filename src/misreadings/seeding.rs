//! Misreadings of where a run's starting state comes from.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    operations::{run::Origin, state::State},
    reference::{AsWritten, seeding::SeedReading},
};

misreadings! {
    /// A named checkpoint comes before an initial snapshot.
    "checkpoint-before-snapshot" misreads "SG-12":1 as SeedReading {
        fn order(&self) -> [Origin; 3] {
            [Origin::Checkpoint, Origin::Snapshot, Origin::Thread]
        }
    }

    /// The latest state of the thread comes before a named checkpoint.
    "thread-before-checkpoint" misreads "SG-12":1 as SeedReading {
        fn order(&self) -> [Origin; 3] {
            [Origin::Snapshot, Origin::Thread, Origin::Checkpoint]
        }
    }

    /// The latest state of the thread comes before everything else.
    "thread-before-all-else" misreads "SG-12":1 as SeedReading {
        fn order(&self) -> [Origin; 3] {
            [Origin::Thread, Origin::Snapshot, Origin::Checkpoint]
        }
    }

    /// A snapshot without any data is none.
    "blank-snapshot-is-none" misreads "SG-12":1 as SeedReading {
        fn takes_snapshot(&self, snapshot: &State) -> bool {
            let data = snapshot.get("data").and_then(Value::as_object);
            data.is_some_and(|data| !data.is_empty())
        }
    }

    /// Whoever names a checkpoint gets the newest one.
    "newest-checkpoint" misreads "SG-12":1 as SeedReading {
        fn checkpoint<'s>(
            &self,
            _named: &str,
            stored: &'s BTreeMap<String, State>,
        ) -> Option<&'s State> {
            stored.values().next_back()
        }
    }

    /// A checkpoint is found by the beginning of its name.
    "checkpoint-by-prefix" misreads "SG-12":1 as SeedReading {
        fn checkpoint<'s>(
            &self,
            named: &str,
            stored: &'s BTreeMap<String, State>,
        ) -> Option<&'s State> {
            let found = stored.iter().find(|(name, _)| name.starts_with(named));
            found.map(|(_, state)| state)
        }
    }

    /// A thread that has no state yet goes on from another's.
    "state-of-any-thread" misreads "SG-12":1 as SeedReading {
        fn thread<'s>(
            &self,
            named: Option<&str>,
            stored: &'s BTreeMap<String, State>,
        ) -> Option<&'s State> {
            stored.get(named?).or_else(|| stored.values().next_back())
        }
    }

    /// A caller who names no thread goes on with the latest there is.
    "thread-that-nobody-named" misreads "SG-12":1 as SeedReading {
        fn thread<'s>(
            &self,
            named: Option<&str>,
            stored: &'s BTreeMap<String, State>,
        ) -> Option<&'s State> {
            match named {
                Some(named) => stored.get(named),
                None => stored.values().next_back(),
            }
        }
    }

    /// A caller who names no checkpoint goes on from the newest there is.
    "checkpoint-that-nobody-named" misreads "SG-12":1 as SeedReading {
        fn checkpoint_unasked<'s>(
            &self,
            stored: &'s BTreeMap<String, State>,
        ) -> Option<&'s State> {
            stored.values().next_back()
        }
    }

    /// Where the named checkpoint does not exist, the thread's state is next.
    "missing-checkpoint-falls-back" misreads "SG-12":1 as SeedReading {
        fn starts_fresh_without(&self, _checkpoint: &str) -> bool {
            false
        }
    }

    /// That the named checkpoint does not exist is not worth a warning.
    "missing-checkpoint-goes-unsaid" misreads "SG-12":1 as SeedReading {
        fn warns_without(&self, _checkpoint: &str) -> bool {
            false
        }
    }

    /// A named checkpoint that does not exist is an error.
    "missing-checkpoint-is-refused" misreads "SG-12":1 as SeedReading {
        fn refuses_without(&self, _checkpoint: &str) -> bool {
            true
        }
    }

    /// A checkpoint can be gone back to, whatever has become of its run.
    "resume-an-ended-checkpoint" misreads "SG-12":1 as SeedReading {
        fn refuses_checkpoint(&self, _state: &State) -> bool {
            false
        }
    }

    /// Only a run that was completed has ended; one that failed or was cancelled can be resumed.
    "failed-checkpoint-can-be-resumed" misreads "SG-12":1 as SeedReading {
        fn refuses_checkpoint(&self, state: &State) -> bool {
            state.status() == Some("completed")
        }
    }

    /// A run that was cancelled has not ended and can be resumed.
    "cancelled-checkpoint-can-be-resumed" misreads "SG-12":1 as SeedReading {
        fn refuses_checkpoint(&self, state: &State) -> bool {
            matches!(state.status(), Some("completed" | "failed"))
        }
    }

    /// The next run on a thread has the outcome of the one that ended.
    "keep-outcome-on-new-turn" misreads "SG-12":2 as SeedReading {
        fn outcome(&self, ended: &State) -> Map<String, Value> {
            members(ended, &["status", "isComplete", "error"])
        }
    }

    /// The next run on a thread has the error of the one that ended.
    "keep-error-on-new-turn" misreads "SG-12":2 as SeedReading {
        fn outcome(&self, ended: &State) -> Map<String, Value> {
            let mut outcome = members(ended, &["error"]);
            outcome.insert("status".into(), Value::Null);
            outcome.insert("isComplete".into(), false.into());
            outcome
        }
    }

    /// The next run on a thread is complete as the one that ended is.
    "keep-completion-on-new-turn" misreads "SG-12":2 as SeedReading {
        fn outcome(&self, ended: &State) -> Map<String, Value> {
            let mut outcome = members(ended, &["isComplete"]);
            outcome.insert("status".into(), Value::Null);
            outcome.insert("error".into(), Value::Null);
            outcome
        }
    }

    /// The next run on a thread starts where the one that ended had got to.
    "keep-position-on-new-turn" misreads "SG-12":2 as SeedReading {
        fn position(&self, ended: &State) -> Map<String, Value> {
            members(ended, &["currentNodeId", "iterationCount", "iterator"])
        }
    }

    /// The next run on a thread goes on with the iterator of the one that ended.
    "keep-iterator-on-new-turn" misreads "SG-12":2 as SeedReading {
        fn position(&self, ended: &State) -> Map<String, Value> {
            let mut position = members(ended, &["iterator"]);
            position.insert("currentNodeId".into(), "".into());
            position.insert("iterationCount".into(), 0.into());
            position
        }
    }

    /// The next run on a thread counts its iterations on from the one that ended.
    "keep-iteration-count-on-new-turn" misreads "SG-12":2 as SeedReading {
        fn position(&self, ended: &State) -> Map<String, Value> {
            let mut position = members(ended, &["iterationCount"]);
            position.insert("currentNodeId".into(), "".into());
            position.insert("iterator".into(), Value::Null);
            position
        }
    }

    /// The messages belong to the run that has ended.
    "forget-messages-on-new-turn" misreads "SG-12":2 as SeedReading {
        fn is_kept(&self, member: &str) -> bool {
            matches!(member, "data" | "metadata" | "threadId")
        }
    }

    /// The metadata belongs to the run that has ended.
    "forget-metadata-on-new-turn" misreads "SG-12":2 as SeedReading {
        fn is_kept(&self, member: &str) -> bool {
            matches!(member, "messages" | "data" | "threadId")
        }
    }

    /// Of a thread only its name and its messages go on, not what the runs have gathered.
    "keep-the-conversation-alone" misreads "SG-12":2 as SeedReading {
        fn is_kept(&self, member: &str) -> bool {
            matches!(member, "messages" | "threadId")
        }
    }

    /// A run that follows one that has ended is on a thread of its own.
    "new-thread-on-new-turn" misreads "SG-12":2 as SeedReading {
        fn is_kept(&self, member: &str) -> bool {
            matches!(member, "messages" | "data" | "metadata")
        }
    }

    /// A run that failed or was cancelled is taken up again where it stood.
    "failed-turn-goes-on" misreads "SG-12":2 as SeedReading {
        fn next_on_thread(&self, last: &State) -> State {
            match last.status() {
                Some("failed" | "cancelled") => last.clone(),
                _ => AsWritten.next_on_thread(last),
            }
        }
    }

    /// What is called like a member of the run is reset inside the thread's data, too.
    "reset-namesakes-in-data" misreads "SG-12":2 as SeedReading {
        fn next_on_thread(&self, last: &State) -> State {
            let mut next = AsWritten.next_on_thread(last);
            if self.has_ended(last)
                && let Some(Value::Object(data)) = next.get("data").cloned()
            {
                let kept = |key: &str| next.get(key).is_none() || self.is_kept(key);
                let data = data.into_iter().filter(|(key, _)| kept(key)).collect();
                next.put("data", Value::Object(data));
            }
            next
        }
    }

    /// The next run on a thread starts at its beginning, also where the last one is paused.
    "paused-turn-starts-over" misreads "SG-12":3 as SeedReading {
        fn next_on_thread(&self, last: &State) -> State {
            let mut next = State::default();
            for (member, value) in last.members().iter().filter(|(m, _)| self.is_kept(m)) {
                next.put(member, value.clone());
            }
            let reset = self.outcome(last).into_iter().chain(self.position(last));
            reset.for_each(|(member, value)| next.put(&member, value));
            next
        }
    }

    /// A run that is not running has ended, and so has one that is paused.
    "pause-is-an-end" misreads "SG-12":3 as SeedReading {
        fn has_ended(&self, _state: &State) -> bool {
            true
        }
    }

    /// A paused run is running again as soon as its state is taken over, and says so.
    "resume-sets-a-status" misreads "SG-12":3 as SeedReading {
        fn resumed_state(&self, paused: &State) -> State {
            with(paused, [("status".into(), "running".into())])
        }
    }

    /// A paused run starts again at its first node.
    "resume-at-the-beginning" misreads "SG-12":3 as SeedReading {
        fn resumed_state(&self, paused: &State) -> State {
            with(paused, self.position(paused))
        }
    }

    /// A paused run sets up its iterator anew.
    "resume-without-iterator" misreads "SG-12":3 as SeedReading {
        fn resumed_state(&self, paused: &State) -> State {
            with(paused, [("iterator".into(), Value::Null)])
        }
    }

    /// A paused run has its whole number of iterations again.
    "resume-with-iterations-renewed" misreads "SG-12":3 as SeedReading {
        fn resumed_state(&self, paused: &State) -> State {
            with(paused, [("iterationCount".into(), 0.into())])
        }
    }

    /// A paused run goes on with the item after the one that it was paused in.
    "resume-at-the-next-item" misreads "SG-12":3 as SeedReading {
        fn resumed_state(&self, paused: &State) -> State {
            let mut iterator = paused.get("iterator").cloned().unwrap_or_default();
            if let Some(index) = iterator.get_mut("current_index") {
                *index = json!(index.as_u64().unwrap_or(0) + 1);
            }
            with(paused, [("iterator".into(), iterator)])
        }
    }

    /// Of a paused run its position is taken over, and the conversation starts anew.
    "resume-the-position-alone" misreads "SG-12":3 as SeedReading {
        fn resumed_state(&self, paused: &State) -> State {
            with(paused, [("messages".into(), json!([])), ("data".into(), json!({}))])
        }
    }

    /// A run that is handed the snapshot of a paused one starts it at its first node.
    "snapshot-starts-at-the-beginning" misreads "SG-12":3 as SeedReading {
        fn state_of_snapshot(&self, snapshot: &State) -> State {
            with(snapshot, self.position(snapshot))
        }
    }
}

/// These members of a state, as far as it has them.
fn members(state: &State, names: &[&str]) -> Map<String, Value> {
    let members = state.members().iter();
    members
        .filter(|(member, _)| names.contains(&member.as_str()))
        .map(|(member, value)| (member.clone(), value.clone()))
        .collect()
}

/// A state with other values for these members.
fn with(state: &State, members: impl IntoIterator<Item = (String, Value)>) -> State {
    let mut changed = state.clone();
    for (member, value) in members {
        changed.put(&member, value);
    }
    changed
}
