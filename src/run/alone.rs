//! Failed cases once more, each in a process of its own.
//!
//! What an engine writes to its standard error cannot be told apart by case while many are under
//! way. So a case that failed is put again, alone. Its first outcome stands; that it passes alone
//! is noted, since it means that something leaks from case to case.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use super::{CaseOutcome, Options, Outcome, judge::put_case_until};
use crate::{engine::Engine, suite::Suite};

pub(super) fn put_again(
    suite: &Suite,
    engine: &dyn Engine,
    options: &Options,
    outcomes: &mut [CaseOutcome],
) {
    let failed: Vec<Mutex<&mut CaseOutcome>> = outcomes
        .iter_mut()
        .filter(|c| c.outcome.is_failure())
        .map(Mutex::new)
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(outcome) = failed.get(next.fetch_add(1, Ordering::Relaxed)) {
            if options.interrupt.load(Ordering::Relaxed) {
                return;
            }
            put_one(
                suite,
                engine,
                options.timeout,
                &mut outcome.lock().unwrap_or_else(PoisonError::into_inner),
            );
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.get().min(failed.len()) {
            scope.spawn(work);
        }
    });
}

fn put_one(suite: &Suite, engine: &dyn Engine, timeout: Duration, outcome: &mut CaseOutcome) {
    let Ok(mut session) = engine.session() else {
        return;
    };
    let case = &suite.cases()[outcome.case];
    // It has as long as it had in the run.
    let deadline = Instant::now() + timeout;
    let verdict = put_case_until(case, session.as_mut(), suite.operations(), Some(deadline));
    let is_in_time = Instant::now() <= deadline;
    let Some(pipeline) = session.pipeline() else {
        return;
    };
    // What was answered twice shows only now.
    let is_well = pipeline.finish().is_ok();
    let stderr = pipeline.stderr();
    let detail = outcome.detail.get_or_insert_default();
    detail.passes_alone = is_well && is_in_time && verdict.outcome == Outcome::Pass;
    detail.stderr = Some(stderr).filter(|text| !text.trim().is_empty());
}
