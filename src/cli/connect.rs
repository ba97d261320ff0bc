//! The engine that is under test: what `--engine` names, with the limits it is given.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use clap::Args;

use super::{
    built_in::built_in,
    config::Config,
    failure::{Done, Failure},
};
use crate::{
    diagnostics::{Code, Diagnostic, plain},
    engine::{
        About, Engine, EngineError, Limits, ProcessEngine, RustEngine, Session, Transcript,
        Variable, adopt_orphans,
    },
    reference::Reference,
};

/// Which engine, and how patiently it is asked.
#[derive(Debug, Args)]
pub(super) struct ConnectArgs {
    /// What to put it to: `reference`, `reference:MISREADING`, a command line (started without a shell), or an http(s) URL [default: that of conformance.toml, else `reference`].
    #[arg(long, short, value_name = "ENGINE")]
    pub(super) engine: Option<String>,
    /// How long a case may take, in seconds [default: 5].
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true, help_heading = "Engine")]
    pub(super) timeout: Option<Duration>,
    /// How long the engine may take to start, in seconds [default: 10].
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true, help_heading = "Engine")]
    start_timeout: Option<Duration>,
    /// How long an answer may be, in bytes [default: 67108864].
    #[arg(long, value_name = "BYTES", help_heading = "Engine")]
    max_answer: Option<usize>,
    /// Pass on this variable of the environment to the engine, beyond the common ones (PATH, HOME, …); or set it.
    #[arg(long, value_name = "NAME[=VALUE]", help_heading = "Engine")]
    pub(super) env: Vec<Variable>,
    /// Write every message to and from the engine to this file.
    #[arg(long, value_name = "FILE", help_heading = "Engine")]
    transcript: Option<PathBuf>,
}

/// A number of seconds, `5` or `0.5`.
fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().ok();
    let wrong = "a number of seconds above 0 is expected, `5` or `0.5`";
    number.and_then(limit).ok_or_else(|| wrong.to_owned())
}

/// A time limit of so many seconds: above 0, and no longer than clocks can count to.
pub(super) fn limit(seconds: f64) -> Option<Duration> {
    const LONGEST: f64 = 1e9;
    let limit = Duration::try_from_secs_f64(seconds).ok()?;
    (!limit.is_zero() && seconds <= LONGEST).then_some(limit)
}

/// What `--engine` says, taken apart.
enum Target {
    BuiltIn(Box<RustEngine<Reference>>),
    Command(Vec<String>),
    Url(String),
}

impl Target {
    fn read(text: &str) -> Result<Self, Box<Diagnostic>> {
        if let Some(engine) = built_in(text) {
            return Ok(Self::BuiltIn(engine?.into()));
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            let authority = text
                .split("://")
                .nth(1)
                .and_then(|rest| rest.split(['/', '?', '#']).next());
            let port = authority
                .and_then(|a| a.rsplit_once(':'))
                .map(|(_, port)| port);
            // `[::1]` has colons and no port.
            if let Some(port) = port.filter(|p| !p.ends_with(']') && p.parse::<u16>().is_err()) {
                return Err(
                    Diagnostic::error(Code::BadCall, format!("`{port}` is no port")).into(),
                );
            }
            return Ok(Self::Url(text.to_owned()));
        }
        match shell_words::split(text) {
            Ok(words) if !words.is_empty() => Ok(Self::Command(words)),
            Ok(_) => {
                Err(Diagnostic::error(Code::BadCall, "the engine's command line is empty").into())
            }
            Err(error) => Err(Diagnostic::error(
                Code::BadCall,
                format!("the engine's command line cannot be split into words: {error}"),
            )
            .help("quote it as for a shell: --engine \"php 'my adapter.php'\"")
            .into()),
        }
    }
}

/// An engine that can be asked, and how it was named.
pub(super) struct Connected {
    pub(super) engine: Arc<dyn Engine>,
    /// What `--engine` or the configuration says.
    pub(super) named: String,
    /// How long a case may take.
    pub(super) timeout: Duration,
    /// Whether all sessions talk to one engine, whose state they share.
    pub(super) is_shared: bool,
}

impl ConnectArgs {
    /// Another engine, asked as patiently and named on its own.
    pub(super) fn another(
        &self,
        engine: &str,
        config: &Config,
        interrupt: &Arc<AtomicBool>,
    ) -> Done<Connected> {
        let other = Self {
            engine: Some(engine.to_owned()),
            timeout: self.timeout,
            start_timeout: self.start_timeout,
            max_answer: self.max_answer,
            transcript: None,
            env: self.env.clone(),
        };
        other.connect(config, interrupt)
    }

    /// The engine, not started yet. The flag ends every wait for it.
    pub(super) fn connect(&self, config: &Config, interrupt: &Arc<AtomicBool>) -> Done<Connected> {
        let (named, place) = match (&self.engine, &config.engine) {
            (Some(named), _) => (named.clone(), None),
            (None, Some(named)) => (named.get_ref().clone(), config.place(named)),
            (None, None) => ("reference".to_owned(), None),
        };
        // A command of the configuration runs where the configuration is.
        let folder = match (&self.engine, &config.engine) {
            (None, Some(_)) => config.folder.clone(),
            _ => None,
        };
        let defaults = Limits::default();
        let limits = Limits {
            answer: self
                .timeout
                .or(config.timeout.map(|s| s.0))
                .unwrap_or(defaults.answer),
            start: self
                .start_timeout
                .or(config.start_timeout.map(|s| s.0))
                .unwrap_or(defaults.start),
            max_answer: self
                .max_answer
                .or(config.max_answer.map(|count| count.0.get()))
                .unwrap_or(defaults.max_answer),
        };
        let timeout = limits.answer;
        let target = Target::read(&named).map_err(|fault| Failure::from(fault.at(place)))?;
        let transcript = match (&self.transcript, &target) {
            (None, _) => None,
            (Some(_), Target::BuiltIn(_)) => {
                let fault = Diagnostic::error(
                    Code::BadCall,
                    "what is built in is asked in process, without messages",
                );
                return Err(fault
                    .help(format!(
                        "for a transcript, use --engine 'standing engine {named}'"
                    ))
                    .into());
            }
            (Some(path), _) => Some(transcript(path)?),
        };
        let is_shared = matches!(target, Target::Url(_));
        let engine: Arc<dyn Engine> = match target {
            Target::BuiltIn(engine) => Arc::new(*engine),
            #[cfg(feature = "http")]
            Target::Url(url) => {
                Arc::new(crate::engine::HttpEngine::new(url, limits).transcript(transcript))
            }
            #[cfg(not(feature = "http"))]
            Target::Url(url) => {
                let message =
                    format!("`{url}`: this `standing` was built without the feature `http`");
                return Err(Diagnostic::error(Code::BadCall, message).into());
            }
            Target::Command(command) => {
                adopt_orphans();
                Arc::new(
                    ProcessEngine::new(command, limits)
                        .folder(folder)
                        .variables(config.env.iter().chain(&self.env).cloned().collect())
                        .transcript(transcript)
                        .interrupt(Arc::clone(interrupt)),
                )
            }
        };
        let engine = match &config.profiles {
            None => engine,
            Some(profiles) => Arc::new(Claiming {
                engine,
                profiles: profiles.iter().map(|p| p.as_str().to_owned()).collect(),
            }),
        };
        Ok(Connected {
            engine,
            named,
            timeout,
            is_shared,
        })
    }
}

fn transcript(path: &Path) -> Done<Transcript> {
    Transcript::create(path).map_err(|error| {
        let message = format!(
            "the transcript cannot be written to `{}`: {}",
            path.display(),
            plain(&error)
        );
        Diagnostic::error(Code::BadCall, message).into()
    })
}

/// An engine for which somebody else says which profiles it claims.
struct Claiming {
    engine: Arc<dyn Engine>,
    profiles: Vec<String>,
}

impl Engine for Claiming {
    fn about(&self) -> About {
        About {
            profiles: self.profiles.clone(),
            ..self.engine.about()
        }
    }

    fn session(&self) -> Result<Box<dyn Session>, EngineError> {
        self.engine.session()
    }
}
