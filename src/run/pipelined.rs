//! Cases put to a session that takes questions before earlier answers have come.
//!
//! Each case is a flight: a reset, then its steps. Messages are sent in order, as far ahead as the
//! session takes them and the engine is quick; a step that needs what an earlier one is to bind
//! waits for that answer, and so does all that comes after it. Answers come in order too, so the
//! front flight is the one that is answered, and its clock runs from when it came to the front.
//! On a fault the front flight is to blame, and the others are put again in a fresh session.

use std::{
    collections::VecDeque,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use super::{
    CaseOutcome, Detail, Outcome,
    judge::{RESETTING, judge, outcome_of},
    workers::Shared,
};
use crate::{
    engine::{EngineError, Fault, Pipeline},
    suite::{Bindings, Case},
};

/// How much work, by time, is sent ahead: more would leave other workers idle at the end.
const AHEAD: Duration = Duration::from_millis(20);
/// How many cases may be under way at once.
const MOST_FLIGHTS: usize = 64;

/// How it ended.
pub(super) enum End {
    /// There is no more to put.
    Done,
    /// The session is lost; what was under way is in the backlog.
    Lost,
}

/// A case that is under way.
struct Flight<'a> {
    index: usize,
    case: &'a Case,
    /// Whether its reset was sent and is not answered yet.
    resetting: bool,
    /// Whether any of its messages was answered.
    touched: bool,
    sent: usize,
    answered: usize,
    bound: Bindings,
    verdict: Option<(Outcome, Option<Box<Detail>>)>,
    /// Since when it is at the front.
    since: Option<Instant>,
}

impl Flight<'_> {
    /// Whether every message of it that will be sent was.
    fn is_sent(&self) -> bool {
        self.verdict.is_some() || self.sent == self.case.steps.len()
    }

    fn is_over(&self) -> bool {
        self.is_sent() && self.answered == self.sent && !self.resetting
    }

    /// Whether the next step can be sent: what it needs is bound.
    fn can_send(&self) -> bool {
        // A name may be bound anew: what counts is the last step before that binds it.
        let steps = &self.case.steps;
        let binder = |name: &str| {
            let binds = |i: &usize| steps[*i].bind.iter().any(|(bound, _)| bound == name);
            (0..self.sent).rev().find(binds)
        };
        let mut ready = true;
        steps[self.sent]
            .given
            .each_bound(&mut |name| ready &= binder(name).is_some_and(|i| i < self.answered));
        ready
    }

    fn outcome(self) -> CaseOutcome {
        let (outcome, mut detail) = self.verdict.unwrap_or((Outcome::Pass, None));
        if let Some(detail) = detail.as_mut().filter(|_| outcome.is_failure()) {
            detail.tell_question(self.case, &self.bound);
        }
        CaseOutcome {
            case: self.index,
            outcome,
            detail,
            took: self.since.map_or(Duration::ZERO, |since| since.elapsed()),
        }
    }
}

/// Puts the cases of `backlog`, then those that `shared` still has.
pub(super) fn drive(
    shared: &Shared,
    session: &mut dyn Pipeline,
    backlog: &mut VecDeque<usize>,
) -> End {
    let mut conversation = Conversation {
        shared,
        session,
        backlog,
        flights: VecDeque::new(),
        messages: 0,
        held: None,
        pace: None,
    };
    loop {
        if let Err(error) = conversation.fill() {
            return conversation.lost(error.into());
        }
        if conversation.flights.is_empty() {
            return conversation.finish();
        }
        if let Err(fault) = conversation.hear() {
            return conversation.lost(fault);
        }
        if shared.is_decided() {
            // What was sent ahead is as good as not put.
            return End::Lost;
        }
    }
}

struct Conversation<'a, 's> {
    shared: &'a Shared,
    session: &'s mut dyn Pipeline,
    backlog: &'s mut VecDeque<usize>,
    flights: VecDeque<Flight<'a>>,
    /// How many messages are on their way.
    messages: usize,
    /// The outcome of the flight that ended last: it is told once the next message shows that its
    /// last question was not answered twice.
    held: Option<CaseOutcome>,
    /// How long a case takes, about.
    pace: Option<Duration>,
}

impl<'a> Conversation<'a, '_> {
    /// Sends what can be sent.
    fn fill(&mut self) -> Result<(), EngineError> {
        let ahead = match self.pace {
            None => 1,
            Some(pace) => {
                (AHEAD.as_nanos() / pace.as_nanos().max(1)).clamp(1, MOST_FLIGHTS as u128) as usize
            }
        };
        while self.messages < self.session.window() {
            let is_far = self.flights.len() >= ahead;
            match self.flights.back_mut() {
                Some(last) if !last.is_sent() => {
                    if !last.can_send() {
                        return Ok(());
                    }
                    let step = &last.case.steps[last.sent];
                    self.session
                        .send(&step.operation, &step.given.fill(&last.bound))?;
                    last.sent += 1;
                    self.messages += 1;
                }
                _ if is_far => return Ok(()),
                _ => {
                    let Some(index) = self.next() else {
                        return Ok(());
                    };
                    let mut flight = Flight {
                        index,
                        case: &self.shared.suite.cases()[index],
                        resetting: false,
                        touched: false,
                        sent: 0,
                        answered: 0,
                        bound: Bindings::new(),
                        verdict: None,
                        since: None,
                    };
                    // Under way before anything can go wrong, so that it is not lost.
                    self.session.begin(&flight.case.name);
                    let sent = self.session.send_reset();
                    flight.resetting = matches!(sent, Ok(true));
                    self.flights.push_back(flight);
                    self.messages += usize::from(sent?);
                }
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Option<usize> {
        if self.shared.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.backlog.pop_front().or_else(|| self.shared.take())
    }

    /// Waits for the next answer and deals with it.
    fn hear(&mut self) -> Result<(), Fault> {
        let Some(front) = self.flights.front_mut() else {
            return Ok(());
        };
        let since = *front.since.get_or_insert_with(Instant::now);
        let timeout = self.shared.timeout;
        let left = timeout.saturating_sub(since.elapsed());
        let answer = match self.session.receive(left) {
            Ok(answer) => Ok(answer),
            Err(Fault { error, .. }) if error.is_survivable() => Err(error),
            Err(Fault {
                error,
                is_of_the_last,
            }) => {
                return Err(Fault {
                    error: error.within(timeout),
                    is_of_the_last,
                });
            }
        };
        if let Some(outcome) = self.held.take() {
            self.shared.tell(outcome);
        }
        self.messages -= 1;
        front.touched = true;
        if front.resetting {
            front.resetting = false;
            if let Err(error) = answer {
                front
                    .verdict
                    .get_or_insert_with(|| outcome_of(0, RESETTING, &error));
            }
        } else {
            front.answered += 1;
            if front.verdict.is_none() {
                let step = &front.case.steps[front.answered - 1];
                let judged = match answer {
                    Err(error) => Err(outcome_of(front.answered, "", &error)),
                    Ok(answer) => judge(
                        step,
                        answer,
                        self.shared.suite.operations(),
                        &mut front.bound,
                    )
                    .map_err(|(outcome, mut detail)| {
                        detail.step = front.answered;
                        (outcome, Some(detail))
                    }),
                };
                front.verdict = judged.err();
            }
        }
        if front.is_over()
            && let Some(flight) = self.flights.pop_front()
        {
            let outcome = flight.outcome();
            let pace = self.pace.unwrap_or(outcome.took);
            self.pace = Some((pace * 7 + outcome.took) / 8);
            self.held = Some(outcome);
        }
        Ok(())
    }

    /// Everything was answered.
    fn finish(mut self) -> End {
        let fault = self.session.finish().err();
        if let (Some(fault), Some(held)) = (fault, &mut self.held) {
            blame(held, &fault.error);
        }
        if let Some(outcome) = self.held.take() {
            self.shared.tell(outcome);
        }
        End::Done
    }

    /// The session is of no more use. The one to blame gets its outcome; the others go into the
    /// backlog.
    fn lost(mut self, fault: Fault) -> End {
        let interrupted = fault.error == EngineError::Interrupted;
        let mut flights = std::mem::take(&mut self.flights);
        // What was answered twice is of the front flight, unless none of its own was answered yet.
        let untouched = flights.front().is_none_or(|f| !f.touched);
        let front_is_to_blame = !(interrupted || fault.is_of_the_last && untouched);
        if let Some(mut held) = self.held.take() {
            if !front_is_to_blame && !interrupted {
                blame(&mut held, &fault.error);
            }
            self.shared.tell(held);
        }
        if front_is_to_blame && let Some(mut front) = flights.pop_front() {
            let (step, context) = match front.resetting {
                true => (0, RESETTING),
                false => (front.answered + 1, ""),
            };
            front
                .verdict
                .get_or_insert_with(|| outcome_of(step, context, &fault.error));
            self.shared.tell(front.outcome());
        }
        for flight in flights.into_iter().rev() {
            self.backlog.push_front(flight.index);
        }
        End::Lost
    }
}

/// Changes an outcome that was about to be told.
fn blame(held: &mut CaseOutcome, error: &EngineError) {
    let (outcome, detail) = outcome_of(0, "", error);
    held.outcome = outcome;
    held.detail = detail;
}
