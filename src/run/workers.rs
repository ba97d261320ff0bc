//! Threads that put cases, and the watch over their time.
//!
//! A worker takes the next case, puts it, and writes the outcome into the case's slot. The thread
//! that started the workers sleeps until they are done or one is late. A late worker cannot be
//! stopped: it is left to itself, its case is a timeout, and another worker takes its place.

use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    CaseOutcome, Detail, Options, Outcome,
    judge::{Verdict, put_case},
};
use crate::{
    engine::{Engine, Session},
    suite::Suite,
};

/// After this many failed starts in a row the engine is given up.
const MOST_FAILED_STARTS: usize = 3;

/// What the workers of one run share.
struct Shared {
    suite: Arc<Suite>,
    engine: Arc<dyn Engine>,
    to_put: Vec<usize>,
    next: AtomicUsize,
    stop: AtomicBool,
    failed_starts: AtomicUsize,
    fail_fast: bool,
    state: Mutex<State>,
    changed: Condvar,
}

/// What the watch looks at.
#[derive(Default)]
struct State {
    workers: Vec<Worker>,
    /// Outcomes that have come and were not told yet.
    fresh: Vec<CaseOutcome>,
    gave_up: Option<String>,
}

struct Worker {
    /// The case in hand, as a place in `to_put`, and since when.
    busy: Option<(usize, Instant)>,
    state: WorkerState,
}

#[derive(PartialEq)]
enum WorkerState {
    Working,
    /// It was late; what it still does is of no concern.
    Abandoned,
    Done,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A worker that panicked did so in its own code, not in the middle of a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Puts all of `to_put`. The second part says why the engine was given up.
pub(super) fn put_all(
    suite: &Arc<Suite>,
    to_put: Vec<usize>,
    engine: &Arc<dyn Engine>,
    first: Box<dyn Session>,
    options: &Options,
    watch: &(dyn Fn(&CaseOutcome) + Sync),
) -> (Vec<CaseOutcome>, Option<String>) {
    let jobs = options.jobs.get().min(to_put.len()).max(1);
    let shared = Arc::new(Shared {
        suite: Arc::clone(suite),
        engine: Arc::clone(engine),
        to_put,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        failed_starts: AtomicUsize::new(0),
        fail_fast: options.fail_fast,
        state: Mutex::default(),
        changed: Condvar::new(),
    });
    let mut first = Some(first);
    for _ in 0..jobs {
        start(&shared, first.take());
    }
    let mut outcomes: Vec<CaseOutcome> = Vec::with_capacity(shared.to_put.len());
    loop {
        let mut state = shared.state();
        let fresh = std::mem::take(&mut state.fresh);
        let mut next_deadline: Option<Duration> = None;
        let mut late = Vec::new();
        for worker in &mut state.workers {
            let (WorkerState::Working, Some((position, since))) = (&worker.state, worker.busy)
            else {
                continue;
            };
            let spent = since.elapsed();
            match options
                .timeout
                .checked_sub(spent)
                .filter(|left| !left.is_zero())
            {
                Some(left) => next_deadline = Some(next_deadline.map_or(left, |d| d.min(left))),
                None => {
                    worker.state = WorkerState::Abandoned;
                    late.push((position, spent));
                }
            }
        }
        let working = state
            .workers
            .iter()
            .any(|w| w.state == WorkerState::Working);
        if fresh.is_empty() && late.is_empty() {
            if !working {
                break;
            }
            // Woken by every outcome that no one has told yet, by the end of a worker, or to look
            // at the clock.
            let wait = next_deadline.unwrap_or(options.timeout);
            drop(shared.changed.wait_timeout(state, wait));
            continue;
        }
        drop(state);
        for (position, spent) in late {
            let outcome = CaseOutcome {
                case: shared.to_put[position],
                outcome: Outcome::Timeout,
                detail: Some(Detail::says(format!(
                    "no answer within {:?}",
                    options.timeout
                ))),
                took: spent,
            };
            if shared.fail_fast {
                shared.stop.store(true, Ordering::Relaxed);
            }
            watch(&outcome);
            outcomes.push(outcome);
            start(&shared, None);
        }
        for outcome in fresh {
            watch(&outcome);
            outcomes.push(outcome);
        }
    }
    let gave_up = shared.state().gave_up.take();
    skip_the_rest(&shared, gave_up.as_deref(), watch, &mut outcomes);
    (outcomes, gave_up)
}

/// Cases that no worker took.
fn skip_the_rest(
    shared: &Shared,
    gave_up: Option<&str>,
    watch: &(dyn Fn(&CaseOutcome) + Sync),
    outcomes: &mut Vec<CaseOutcome>,
) {
    let taken = shared.next.load(Ordering::Relaxed).min(shared.to_put.len());
    let why = match gave_up {
        Some(_) => "the engine could not be started again",
        None => "the run ended before this case was put",
    };
    for &case in &shared.to_put[taken..] {
        let outcome = CaseOutcome {
            case,
            outcome: Outcome::Skipped,
            detail: Some(Detail::says(why)),
            took: Duration::ZERO,
        };
        watch(&outcome);
        outcomes.push(outcome);
    }
}

fn start(shared: &Arc<Shared>, session: Option<Box<dyn Session>>) {
    let number = {
        let mut state = shared.state();
        state.workers.push(Worker {
            busy: None,
            state: WorkerState::Working,
        });
        state.workers.len() - 1
    };
    let theirs = Arc::clone(shared);
    let started = thread::Builder::new()
        .name(format!("worker {number}"))
        .spawn(move || {
            work(&theirs, number, session);
            theirs.state().workers[number].state = WorkerState::Done;
            theirs.changed.notify_all();
        });
    if let Err(error) = started {
        let mut state = shared.state();
        state.workers[number].state = WorkerState::Done;
        // Fewer workers do as well; none do not.
        if state
            .workers
            .iter()
            .all(|w| w.state != WorkerState::Working)
        {
            state.gave_up = Some(format!("no thread could be started: {error}"));
        }
    }
}

fn work(shared: &Shared, number: usize, mut session: Option<Box<dyn Session>>) {
    loop {
        if shared.stop.load(Ordering::Relaxed) {
            return;
        }
        let position = shared.next.fetch_add(1, Ordering::Relaxed);
        let Some(&index) = shared.to_put.get(position) else {
            return;
        };
        let since = Instant::now();
        shared.state().workers[number].busy = Some((position, since));
        let verdict = put_with(shared, index, &mut session);
        let took = since.elapsed();
        let mut state = shared.state();
        let worker = &mut state.workers[number];
        worker.busy = None;
        if worker.state == WorkerState::Abandoned {
            return; // its case is a timeout by now
        }
        if shared.fail_fast && verdict.outcome.is_failure() {
            shared.stop.store(true, Ordering::Relaxed);
        }
        if !verdict.session_is_good {
            session = None;
        }
        state.fresh.push(CaseOutcome {
            case: index,
            outcome: verdict.outcome,
            detail: verdict.detail,
            took,
        });
        drop(state);
        shared.changed.notify_all();
    }
}

fn put_with(shared: &Shared, index: usize, session: &mut Option<Box<dyn Session>>) -> Verdict {
    let good = match session {
        Some(good) => good,
        none => match shared.engine.session() {
            Ok(fresh) => {
                shared.failed_starts.store(0, Ordering::Relaxed);
                none.insert(fresh)
            }
            Err(error) => {
                if shared.failed_starts.fetch_add(1, Ordering::Relaxed) + 1 >= MOST_FAILED_STARTS {
                    shared
                        .state()
                        .gave_up
                        .get_or_insert_with(|| error.to_string());
                    shared.stop.store(true, Ordering::Relaxed);
                }
                return Verdict {
                    outcome: Outcome::Error,
                    detail: Some(Detail::says(error.to_string())),
                    session_is_good: false,
                };
            }
        },
    };
    put_case(
        &shared.suite.cases()[index],
        good.as_mut(),
        shared.suite.operations(),
    )
}
