//! Threads that put cases, and the watch over their time.
//!
//! A worker takes the next case, puts it, and tells its outcome. The thread that started the
//! workers sleeps until there is an outcome, or one is late. A late worker cannot be stopped: it
//! is left to itself, its case is a timeout, and another worker takes its place. (A session that
//! takes questions ahead watches its own time, and is never late.)

use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::{CaseOutcome, Detail, Options, Outcome, judge::put_case, pipelined, start};
use crate::{
    engine::{Engine, EngineError, Session},
    suite::Suite,
};

/// After this many failed starts in a row the engine is given up.
const MOST_FAILED_STARTS: usize = 3;
/// How often the watch looks whether the run was interrupted.
const GLANCE: Duration = Duration::from_millis(50);

/// What the workers of one run share.
pub(super) struct Shared {
    pub(super) suite: Arc<Suite>,
    pub(super) timeout: Duration,
    /// Set: no further case is taken.
    pub(super) stop: AtomicBool,
    engine: Arc<dyn Engine>,
    interrupt: Arc<AtomicBool>,
    to_put: Vec<usize>,
    next: AtomicUsize,
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
    /// The case in hand and since when, where the watch is to look after its time.
    busy: Option<(usize, Instant)>,
    state: WorkerState,
}

#[derive(Clone, Copy, PartialEq)]
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

    /// Whether the run is to stop at a failure, and there was one.
    pub(super) fn is_decided(&self) -> bool {
        self.fail_fast && self.stop.load(Ordering::Relaxed)
    }

    /// The next case that no worker has.
    pub(super) fn take(&self) -> Option<usize> {
        self.to_put
            .get(self.next.fetch_add(1, Ordering::Relaxed))
            .copied()
    }

    /// Says what became of a case.
    pub(super) fn tell(&self, outcome: CaseOutcome) {
        if self.fail_fast && outcome.outcome.is_failure() {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.state().fresh.push(outcome);
        self.changed.notify_all();
    }
}

/// Puts all of `to_put`. The second part says why the engine was given up.
pub(super) fn put_all(
    suite: &Arc<Suite>,
    to_put: Vec<usize>,
    engine: &Arc<dyn Engine>,
    mut first: Option<Box<dyn Session>>,
    options: &Options,
    watch: &(dyn Fn(&CaseOutcome) + Sync),
) -> (Vec<CaseOutcome>, Option<String>) {
    let jobs = options.jobs.get().min(to_put.len()).max(1);
    let shared = Arc::new(Shared {
        suite: Arc::clone(suite),
        timeout: options.timeout,
        stop: AtomicBool::new(options.interrupt.load(Ordering::Relaxed)),
        engine: Arc::clone(engine),
        interrupt: Arc::clone(&options.interrupt),
        to_put,
        next: AtomicUsize::new(0),
        fail_fast: options.fail_fast,
        state: Mutex::default(),
        changed: Condvar::new(),
    });
    for _ in 0..jobs {
        start_worker(&shared, first.take());
    }
    let mut outcomes: Vec<CaseOutcome> = Vec::with_capacity(shared.to_put.len());
    loop {
        let interrupted = options.interrupt.load(Ordering::Relaxed);
        if interrupted {
            shared.stop.store(true, Ordering::Relaxed);
        }
        let mut state = shared.state();
        let fresh = std::mem::take(&mut state.fresh);
        let (late, next_deadline) = look(&mut state, options.timeout, interrupted);
        let working = state
            .workers
            .iter()
            .any(|w| w.state == WorkerState::Working);
        if fresh.is_empty() && late.is_empty() {
            if !working {
                break;
            }
            // Woken by every outcome, by the end of a worker, or to look at the clock.
            let wait = next_deadline.unwrap_or(GLANCE).min(GLANCE);
            drop(shared.changed.wait_timeout(state, wait));
            continue;
        }
        drop(state);
        for (case, spent) in late {
            if !interrupted {
                let detail = Detail::says(format!("no answer within {:?}", options.timeout));
                shared.tell(CaseOutcome {
                    case,
                    outcome: Outcome::Timeout,
                    detail: Some(detail),
                    took: spent,
                });
                start_worker(&shared, None);
            }
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

/// Abandons the workers that are late (all, once the run is `interrupted`): their cases and how
/// long each took. Also how long it is until the next is late.
fn look(
    state: &mut State,
    timeout: Duration,
    interrupted: bool,
) -> (Vec<(usize, Duration)>, Option<Duration>) {
    let mut late = Vec::new();
    let mut next: Option<Duration> = None;
    for worker in &mut state.workers {
        let (WorkerState::Working, Some((case, since))) = (worker.state, worker.busy) else {
            continue;
        };
        let spent = since.elapsed();
        match timeout
            .checked_sub(spent)
            .filter(|left| !left.is_zero() && !interrupted)
        {
            Some(left) => next = Some(next.map_or(left, |d| d.min(left))),
            None => {
                worker.state = WorkerState::Abandoned;
                late.push((case, spent));
            }
        }
    }
    (late, next)
}

/// Cases that have no outcome.
fn skip_the_rest(
    shared: &Shared,
    gave_up: Option<&str>,
    watch: &(dyn Fn(&CaseOutcome) + Sync),
    outcomes: &mut Vec<CaseOutcome>,
) {
    let why = match gave_up {
        Some(_) => "the engine could not be started again",
        None => "the run ended before this case was put",
    };
    let answered: std::collections::HashSet<usize> = outcomes.iter().map(|o| o.case).collect();
    for &case in shared.to_put.iter().filter(|case| !answered.contains(case)) {
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

fn start_worker(shared: &Arc<Shared>, session: Option<Box<dyn Session>>) {
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
            // A fault of this code must not leave the run waiting for it.
            let worked = catch_unwind(AssertUnwindSafe(|| work(&theirs, number, session)));
            let mut state = theirs.state();
            if worked.is_err() {
                state
                    .gave_up
                    .get_or_insert_with(|| "a worker panicked".to_owned());
                theirs.stop.store(true, Ordering::Relaxed);
            }
            state.workers[number].state = WorkerState::Done;
            drop(state);
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
    // Cases that were under way when a session was lost.
    let mut backlog = VecDeque::new();
    loop {
        let mut current = match session.take() {
            Some(session) => session,
            None if backlog.is_empty()
                && shared.next.load(Ordering::Relaxed) >= shared.to_put.len() =>
            {
                return;
            }
            None => match another_session(shared) {
                Some(session) => session,
                None => return,
            },
        };
        if let Some(pipeline) = current.pipeline() {
            match pipelined::drive(shared, pipeline, &mut backlog) {
                pipelined::End::Done => return,
                pipelined::End::Lost if shared.stop.load(Ordering::Relaxed) => return,
                pipelined::End::Lost => continue,
            }
        }
        if shared.stop.load(Ordering::Relaxed) {
            return;
        }
        let Some(index) = shared.take() else {
            return;
        };
        let since = Instant::now();
        shared.state().workers[number].busy = Some((index, since));
        let verdict = put_case(
            &shared.suite.cases()[index],
            current.as_mut(),
            shared.suite.operations(),
        );
        let took = since.elapsed();
        let mut state = shared.state();
        let worker = &mut state.workers[number];
        worker.busy = None;
        if worker.state == WorkerState::Abandoned {
            return; // its case is a timeout by now
        }
        drop(state);
        if verdict.session_is_good {
            session = Some(current);
        }
        shared.tell(CaseOutcome {
            case: index,
            outcome: verdict.outcome,
            detail: verdict.detail,
            took,
        });
    }
}

/// A fresh session. `None`: the engine does not start any more, and the run is over.
fn another_session(shared: &Shared) -> Option<Box<dyn Session>> {
    let mut pause = Duration::from_millis(50);
    for attempt in 1..=MOST_FAILED_STARTS {
        if shared.stop.load(Ordering::Relaxed) {
            return None;
        }
        match start::session(&shared.engine, &shared.interrupt) {
            Ok(session) => return Some(session),
            Err(EngineError::Interrupted) => return None,
            Err(error) if attempt == MOST_FAILED_STARTS => {
                shared
                    .state()
                    .gave_up
                    .get_or_insert_with(|| error.to_string());
                shared.stop.store(true, Ordering::Relaxed);
            }
            Err(_) => {
                thread::sleep(pause);
                pause *= 2;
            }
        }
    }
    None
}
