//! How far a run is: a line on the terminal that is gone when it ends.

use std::{
    io::{IsTerminal as _, stderr},
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::run::CaseOutcome;

/// A line of progress, where somebody sees it.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    failures: AtomicUsize,
}

impl Progress {
    /// Of so many cases. Nothing is shown where standard error is no terminal, or with `--quiet`.
    pub(super) fn new(cases: usize, quiet: bool) -> Self {
        let is_seen = !quiet && cases > 0 && stderr().is_terminal();
        let bar = is_seen.then(|| {
            let target = ProgressDrawTarget::stderr();
            let bar = ProgressBar::with_draw_target(Some(cases as u64), target);
            // Without colours, so that NO_COLOR needs no case of its own.
            let style = ProgressStyle::with_template("{bar:32} {pos}/{len} cases {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self {
            bar,
            failures: AtomicUsize::new(0),
        }
    }

    /// One more is done.
    pub(super) fn tell(&self, outcome: &CaseOutcome) {
        let Some(bar) = &self.bar else { return };
        if outcome.outcome.is_failure() {
            let failures = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
            bar.set_message(format!("({failures} not passed)"));
        }
        bar.inc(1);
    }

    /// Takes the line away.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}
