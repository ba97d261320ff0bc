//! Where a run's starting state comes from.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{
    engine::Refusal,
    operations::{
        run::{Origin, SeedParams, SeedWarning, Seeded},
        state::State,
    },
};

/// What the rules about starting a run decide.
pub trait SeedReading {
    /// Where a starting state is looked for, first place first.
    //= SG-12:1
    fn order(&self) -> [Origin; 3] {
        [Origin::Snapshot, Origin::Checkpoint, Origin::Thread]
    }

    /// Whether an initial snapshot counts as given: any does.
    //= SG-12:1
    fn takes_snapshot(&self, _snapshot: &State) -> bool {
        true
    }

    /// The stored checkpoint that a caller means who names this one: that one.
    //= SG-12:1
    fn checkpoint<'s>(
        &self,
        named: &str,
        stored: &'s BTreeMap<String, State>,
    ) -> Option<&'s State> {
        stored.get(named)
    }

    /// The stored checkpoint that a caller means who names none: none.
    //= SG-12:1
    fn checkpoint_unasked<'s>(&self, _stored: &'s BTreeMap<String, State>) -> Option<&'s State> {
        None
    }

    /// The latest state of the thread that a caller names, if any: what is stored for it.
    //= SG-12:1
    fn thread<'s>(
        &self,
        named: Option<&str>,
        stored: &'s BTreeMap<String, State>,
    ) -> Option<&'s State> {
        stored.get(named?)
    }

    /// Whether a caller is refused who names a checkpoint that does not exist.
    //= SG-12:1
    fn refuses_without(&self, _checkpoint: &str) -> bool {
        false
    }

    /// Whether a run starts fresh when the checkpoint that its caller named does not exist. Else
    /// the search would go on.
    //= SG-12:1
    fn starts_fresh_without(&self, _checkpoint: &str) -> bool {
        true
    }

    /// Whether the caller is warned that a checkpoint does not exist.
    //= SG-12:1
    fn warns_without(&self, _checkpoint: &str) -> bool {
        true
    }

    /// Whether a checkpoint's state is refused: if its run has ended.
    //= SG-12:1
    fn refuses_checkpoint(&self, state: &State) -> bool {
        self.has_ended(state)
    }

    /// Whether a snapshot is refused: if its run has ended.
    // open: SG-12 takes any initial snapshot; INT-14 has nobody resume from a terminal one.
    //= INT-14:1
    fn refuses_snapshot(&self, state: &State) -> bool {
        self.has_ended(state)
    }

    /// Whether a thread's next turn is refused for the way in which the last one ended: never.
    //= INT-14:3
    fn refuses_thread(&self, _last: &State) -> bool {
        false
    }

    /// What a caller is told whose snapshot or checkpoint is of a run that has ended.
    //= INT-14:2
    fn refusal(&self, what: &str, outcome: &str) -> String {
        format!("{what} belongs to a run that has ended ({outcome})")
    }

    /// Whether a run begins before it is found out that its caller has to be refused.
    //= INT-14:2
    fn begins_before_refusing(&self) -> bool {
        false
    }

    /// The status of a run that has not begun: unset, as for every run that lives.
    //= INT-13:1
    fn status_at_first(&self) -> Value {
        Value::Null
    }

    /// Whether a state is of a run that has ended: its recorded outcome says so. One without an
    /// outcome that is complete all the same has ended too.
    // open: a run that went past its iteration budget has ended.
    //= INT-13:1
    //= INT-13:2
    fn has_ended(&self, state: &State) -> bool {
        let outcome = state.status().unwrap_or_default();
        matches!(
            outcome,
            "completed" | "failed" | "cancelled" | "max_iterations_exceeded"
        ) || state.is_complete()
    }

    /// Whether a new turn on a thread keeps a member of the last run's state: what the thread has
    /// gathered, and what it is called.
    // open: members that no rule names count as the finished run's.
    //= SG-12:2
    fn is_kept(&self, member: &str) -> bool {
        matches!(member, "messages" | "data" | "metadata" | "threadId")
    }

    /// The outcome that a new turn starts with, given the last run's state: none.
    //= SG-12:2
    //= INT-13:4
    fn outcome(&self, _ended: &State) -> Map<String, Value> {
        object(json!({"status": null, "isComplete": false, "error": null}))
    }

    /// The place where a new turn starts, given the last run's state: the beginning.
    //= SG-12:2
    //= INT-13:4
    fn position(&self, _ended: &State) -> Map<String, Value> {
        object(json!({"currentNodeId": "", "iterationCount": 0, "iterator": null}))
    }

    /// The state that a run starts with which was handed a snapshot: just that.
    //= SG-12:1
    //= SG-12:3
    fn state_of_snapshot(&self, snapshot: &State) -> State {
        snapshot.clone()
    }

    /// The state that a run takes up which was paused: just as it was.
    //= SG-12:3
    fn resumed_state(&self, paused: &State) -> State {
        paused.clone()
    }

    /// The state that a thread hands to its next run.
    // open: a thread whose last run still lives is taken as if that run were paused.
    //= SG-12:2
    //= SG-12:3
    //= INT-14:3
    fn next_on_thread(&self, last: &State) -> State {
        if !self.has_ended(last) {
            return self.resumed_state(last);
        }
        let mut next = State::default();
        for (member, value) in last.members().iter().filter(|(m, _)| self.is_kept(m)) {
            next.put(member, value.clone());
        }
        for (member, value) in self.outcome(last).into_iter().chain(self.position(last)) {
            next.put(&member, value);
        }
        next
    }
}

/// The state that a run starts from, where it comes from, and what the caller is warned of.
///
/// # Errors
///
/// `run_ended` where the snapshot or the checkpoint is of a run that is over.
pub fn seed(reading: &dyn SeedReading, given: &SeedParams) -> Result<Seeded, Refusal> {
    let mut warnings = Vec::new();
    for origin in reading.order() {
        let state = match origin {
            Origin::Snapshot => match given
                .snapshot
                .as_ref()
                .filter(|state| reading.takes_snapshot(state))
            {
                Some(state) if reading.refuses_snapshot(state) => {
                    return Err(ended(reading, "the snapshot", state));
                }
                Some(state) => Some(reading.state_of_snapshot(state)),
                None => None,
            },
            Origin::Checkpoint => match &given.checkpoint {
                Some(id) => match reading.checkpoint(id, &given.checkpoints) {
                    Some(state) if reading.refuses_checkpoint(state) => {
                        return Err(ended(reading, &format!("checkpoint `{id}`"), state));
                    }
                    Some(state) => Some(reading.resumed_state(state)),
                    None if reading.refuses_without(id) => {
                        let message = format!("there is no checkpoint `{id}`");
                        return Err(Refusal::new("other", message));
                    }
                    None => {
                        if reading.warns_without(id) {
                            warnings.push(SeedWarning::CheckpointNotFound);
                        }
                        if reading.starts_fresh_without(id) {
                            break;
                        }
                        None
                    }
                },
                None => reading
                    .checkpoint_unasked(&given.checkpoints)
                    .map(|state| reading.resumed_state(state)),
            },
            Origin::Thread => match reading.thread(given.thread.as_deref(), &given.threads) {
                Some(last) if reading.refuses_thread(last) => {
                    return Err(ended(reading, "the thread", last));
                }
                last => last.map(|state| reading.next_on_thread(state)),
            },
            Origin::Fresh => break,
        };
        if let Some(state) = state {
            return Ok(seeded(state, origin, warnings));
        }
    }
    Ok(seeded(
        fresh(reading, given.thread.as_deref()),
        Origin::Fresh,
        warnings,
    ))
}

fn seeded(state: State, origin: Origin, warnings: Vec<SeedWarning>) -> Seeded {
    Seeded {
        state,
        origin: Some(origin),
        warnings: Some(warnings),
    }
}

fn ended(reading: &dyn SeedReading, what: &str, state: &State) -> Refusal {
    let outcome = state.status().unwrap_or("completed");
    Refusal::new("run_ended", reading.refusal(what, outcome))
}

/// A state that nothing has happened to.
fn fresh(reading: &dyn SeedReading, thread: Option<&str>) -> State {
    let mut state = State::default();
    for (member, value) in object(json!({
        "status": reading.status_at_first(),
        "isComplete": false,
        "error": null,
        "data": {},
        "metadata": {},
        "messages": [],
        "threadId": thread,
        "currentNodeId": "",
        "iterationCount": 0,
        "iterator": null,
    })) {
        state.put(&member, value);
    }
    state
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

#[cfg(test)]
#[path = "seeding_tests.rs"]
mod tests;
