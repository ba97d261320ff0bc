//! The cases as tests of an engine that is written in Rust.
//!
//! An implementer's `tests/conformance.rs`, with `harness = false` in `Cargo.toml`, hands its
//! engine over; every case is then a test that `cargo test` and `cargo nextest run` know by its
//! name.

use std::{
    ffi::OsString,
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use crate::{
    diagnostics::render,
    engine::{Engine, RustEngine, Session},
    report,
    run::{CaseOutcome, Detail, Options, Outcome, put_case},
    standing::CaseRecord,
    suite::{Case, Suite},
};

impl<T: Send + 'static> RustEngine<T> {
    /// Runs the suite that the library carries as tests of this engine: the whole `main` of a
    /// test with `harness = false`. See [`Harness`].
    pub fn harness(self) -> ExitCode {
        Harness::new(self).run()
    }
}

/// A suite as the tests of an engine.
///
/// A case whose operations the engine does not claim, or whose rule addresses none of its
/// profiles, is an ignored test, and so is one that the engine declines when it is asked. Command-line arguments are those of every Rust test: filters,
/// `--list`, `--exact`, `--skip`, `--test-threads` and so on.
///
/// # Examples
///
/// ```no_run
/// // tests/conformance.rs
/// use std::process::ExitCode;
/// use standing::{engine::RustEngine, operations::loops};
///
/// # #[derive(Default)] struct Acme;
/// # impl Acme { fn loops(&self, _: &[standing::operations::edge::Edge]) -> loops::Resolved { Default::default() } }
/// fn main() -> ExitCode {
///     RustEngine::new("acme", Acme::default)
///         .on::<loops::Resolve>(|acme, params| Ok(acme.loops(&params.edges)))
///         .harness()
/// }
/// ```
pub struct Harness {
    engine: Arc<dyn Engine>,
    suite: Option<Suite>,
    timeout: Duration,
}

impl Harness {
    /// The suite that the library carries, for this engine.
    pub fn new(engine: impl Engine + 'static) -> Self {
        Self {
            engine: Arc::new(engine),
            suite: None,
            timeout: Options::default().timeout,
        }
    }

    /// Another suite.
    #[must_use]
    pub fn suite(mut self, suite: Suite) -> Self {
        self.suite = Some(suite);
        self
    }

    /// How long a case may take: 5 seconds unless said otherwise.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Reads the command line, runs the tests that it asks for, and says how that went.
    pub fn run(self) -> ExitCode {
        self.run_with(std::env::args_os())
    }

    /// The same with these arguments, the first of which is the program's name, as the command line.
    pub fn run_with<S>(self, arguments: impl IntoIterator<Item = S>) -> ExitCode
    where
        S: Into<OsString> + Clone,
    {
        let arguments = Arguments::from_iter(arguments);
        let suite = match self.suite {
            Some(suite) => suite,
            None => {
                let (suite, faults) = Suite::embedded();
                if !faults.is_empty() {
                    for fault in &faults {
                        eprint!("{}", render(fault, false));
                    }
                    return ExitCode::from(2);
                }
                suite
            }
        };
        let about = self.engine.about();
        let shared = Arc::new(Shared {
            suite,
            engine: self.engine,
            timeout: self.timeout,
            idle: Mutex::default(),
        });
        let trials = (0..shared.suite.cases().len())
            .map(|index| {
                let case = &shared.suite.cases()[index];
                let profiles = shared
                    .suite
                    .rule_of(case)
                    .profiles
                    .iter()
                    .map(|p| p.as_str());
                // Known before anything is put: a test that ignores itself while it runs is shown
                // as passed by some runners.
                let asked = about.claims_any_profile(profiles)
                    && case
                        .steps
                        .iter()
                        .all(|s| about.claims_operation(&s.operation));
                let shared = Arc::clone(&shared);
                Trial::ignorable_test(case.name.clone(), move || shared.test(index))
                    .with_ignored_flag(!asked)
            })
            .collect();
        libtest_mimic::run(&arguments, trials).exit_code()
    }
}

struct Shared {
    suite: Suite,
    engine: Arc<dyn Engine>,
    timeout: Duration,
    /// Sessions that no case is using.
    idle: Mutex<Vec<Box<dyn Session>>>,
}

impl Shared {
    fn test(self: &Arc<Self>, index: usize) -> Result<Completion, Failed> {
        let started = Instant::now();
        let (tell, told) = mpsc::channel();
        let theirs = Arc::clone(self);
        // On a thread of its own, so that a case that never ends can be left behind.
        thread::Builder::new()
            .spawn(move || {
                // Nobody listens any more where the case was given up.
                let _ = tell.send(theirs.put(index));
            })
            .map_err(|error| Failed::from(format!("no thread could be started: {error}")))?;
        let (outcome, detail) = told.recv_timeout(self.timeout).unwrap_or_else(|_| {
            (
                Outcome::Timeout,
                Some(Detail::says(format!("no answer within {:?}", self.timeout))),
            )
        });
        match outcome {
            Outcome::Pass => Ok(Completion::Completed),
            // Not claimed as done, and so no reason to fail; nor is it a pass.
            Outcome::Unsupported | Outcome::Skipped => Ok(match detail {
                Some(detail) => Completion::ignored_with(detail.message),
                None => Completion::ignored(),
            }),
            Outcome::Fail | Outcome::Error | Outcome::Timeout => {
                let outcome = CaseOutcome {
                    case: index,
                    outcome,
                    detail,
                    took: started.elapsed(),
                };
                let case: &Case = &self.suite.cases()[index];
                let record = CaseRecord::new(&self.suite, &outcome);
                let rule = self.suite.rule_of(case).source.path();
                Err(Failed::from(report::failure(rule, &record)))
            }
        }
    }

    fn put(&self, index: usize) -> (Outcome, Option<Box<Detail>>) {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut session = match waiting.map_or_else(|| self.engine.session(), Ok) {
            Ok(session) => session,
            Err(error) => return (Outcome::Error, Some(Detail::says(error.to_string()))),
        };
        let case = &self.suite.cases()[index];
        let verdict = put_case(case, session.as_mut(), self.suite.operations());
        if verdict.session_is_good {
            idle().push(session);
        }
        (verdict.outcome, verdict.detail)
    }
}
