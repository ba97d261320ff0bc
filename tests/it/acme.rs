//! Engines that fall short, each in a way of its own.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::Value;
use standing::{
    engine::{About, Answer, Engine, EngineError, Refusal, RustEngine, Session},
    operations::{
        edge::{self, Edge, EdgeKind},
        handle, loops, rounds, workflow,
    },
    run::{self, Options, Outcome},
    standing::Record,
    suite::{Selection, Suite},
};

use crate::support::{SPEC, suite_at};

/// An engine that does three operations, and does them right.
pub fn acme() -> RustEngine<()> {
    RustEngine::new("acme", || ())
        .version("2.1")
        .on::<loops::Resolve>(|(), p| Ok(resolved(&p.edges, |body, more| body.extend(more))))
        .on::<handle::Port>(|(), p| Ok(port(&p.handle)))
        .on::<edge::Branch>(|(), p| {
            let branch = port(&p.source_handle).port;
            Ok(edge::BranchNamed { branch })
        })
}

/// The same, but a later edge back to a head makes its loop anew.
pub fn last_tail_only() -> RustEngine<()> {
    acme().on::<loops::Resolve>(|(), p| Ok(resolved(&p.edges, |body, more| *body = more)))
}

/// The same, but it breaks down over input ports.
pub fn panicking() -> RustEngine<()> {
    acme().on::<handle::Port>(|(), p| match p.side {
        handle::Side::Output => Ok(port(&p.handle)),
        handle::Side::Input => panic!("no port at {}", p.handle),
    })
}

/// The same, but it never comes back from an input port.
pub fn hanging() -> RustEngine<()> {
    acme().on::<handle::Port>(|(), p| match p.side {
        handle::Side::Output => Ok(port(&p.handle)),
        handle::Side::Input => forever(),
    })
}

pub fn forever() -> ! {
    loop {
        thread::park();
    }
}

/// The same, but it does not do input ports.
pub fn declining() -> RustEngine<()> {
    acme().on_some::<handle::Port>(|(), p| match p.side {
        handle::Side::Output => Some(Ok(port(&p.handle))),
        handle::Side::Input => None,
    })
}

/// All of it at once.
pub fn hopeless() -> RustEngine<()> {
    last_tail_only()
        .on::<handle::Port>(|(), p| match p.side {
            handle::Side::Output => panic!("no port at {}", p.handle),
            handle::Side::Input => forever(),
        })
        .on::<edge::Branch>(|(), p| {
            let message = format!("{} is no business of yours", p.source_handle);
            Err(Refusal::new("other", message).with("handle", p.source_handle))
        })
        .on::<rounds::Advance>(|(), p| Ok(rounds::Advanced { rounds: p.rounds }))
        .on_some::<workflow::Launch>(|(), _| None)
        .on::<workflow::Advance>(|(), _| Err(Refusal::new("other", "no such run")))
        .on::<workflow::State>(|(), _| Err(Refusal::new("other", "no such run")))
}

fn port(handle: &str) -> handle::PortNamed {
    let markers = ["-output-", "-input-"];
    let port = markers.iter().find_map(|m| handle.split_once(m));
    let port = port.map_or("", |(_, port)| port).to_owned();
    handle::PortNamed { port }
}

/// The loops of a workflow; `join` puts what one more edge back gives to what its head has.
fn resolved(
    edges: &[Edge],
    join: impl Fn(&mut BTreeSet<String>, BTreeSet<String>),
) -> loops::Resolved {
    let ends = |e: &Edge| {
        (
            e.source.clone().unwrap_or_default(),
            e.target.clone().unwrap_or_default(),
        )
    };
    let (back, forward): (Vec<&Edge>, Vec<&Edge>) = edges
        .iter()
        .partition(|e| e.kind == Some(EdgeKind::Loopback));
    let forward: Vec<(String, String)> = forward.into_iter().map(ends).collect();
    let backward = forward
        .iter()
        .map(|(s, t)| (t.clone(), s.clone()))
        .collect();
    let mut bodies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (tail, head) in back.into_iter().map(ends) {
        let below = reached(&forward, &head);
        let above = reached(&backward, &tail);
        let body = below.intersection(&above).cloned().collect();
        join(bodies.entry(head).or_default(), body);
    }
    let loops = bodies
        .into_iter()
        .map(|(h, b)| (h, b.into_iter().collect()));
    loops::Resolved {
        loops: loops.collect(),
        ..loops::Resolved::default()
    }
}

fn reached(edges: &Vec<(String, String)>, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::from([from.to_owned()]);
    loop {
        let before = found.len();
        for (source, target) in edges {
            if found.contains(source) {
                found.insert(target.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// An engine that answers from a closure, and counts its sessions.
pub struct Canned {
    answer: Arc<Answering>,
    pub opened: Arc<AtomicUsize>,
    most: usize,
}

type Answering = dyn Fn(&str, &Value) -> Result<Answer, EngineError> + Send + Sync;

impl Canned {
    pub fn new(
        answer: impl Fn(&str, &Value) -> Result<Answer, EngineError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            answer: Arc::new(answer),
            opened: Arc::default(),
            most: usize::MAX,
        }
    }

    /// It starts so often and no more.
    pub fn most(mut self, sessions: usize) -> Self {
        self.most = sessions;
        self
    }
}

impl Engine for Canned {
    fn about(&self) -> About {
        About {
            name: "canned".into(),
            ..About::default()
        }
    }

    fn session(&self) -> Result<Box<dyn Session>, EngineError> {
        match self.opened.fetch_add(1, Ordering::SeqCst) < self.most {
            true => Ok(Box::new(CannedSession(Arc::clone(&self.answer)))),
            false => Err(EngineError::Start("out of coal".into())),
        }
    }
}

struct CannedSession(Arc<Answering>);

impl Session for CannedSession {
    fn ask(&mut self, operation: &str, params: &Value) -> Result<Answer, EngineError> {
        self.0(operation, params)
    }
}

/// The small specification.
pub fn spec() -> Arc<Suite> {
    Arc::new(suite_at(SPEC.as_ref()))
}

/// One case at a time, and little patience where `patience` says so.
pub fn options(patience: Option<Duration>) -> Options {
    let mut options = Options {
        jobs: std::num::NonZeroUsize::MIN,
        ..Options::default()
    };
    options.timeout = patience.unwrap_or(options.timeout);
    options
}

/// The record of all cases of a suite, put to an engine.
pub fn record(suite: &Arc<Suite>, engine: impl Engine + 'static, options: &Options) -> Record {
    let all = Selection::all(suite);
    let outcomes = run::run(suite, &all, Arc::new(engine), options, &|_| {}).expect("it starts");
    Record::new(suite, &all, &outcomes)
}

/// What became of each case, by its name.
pub fn outcomes(record: &Record) -> BTreeMap<&str, Outcome> {
    record
        .cases()
        .map(|(_, c)| (c.case.as_str(), c.outcome))
        .collect()
}
