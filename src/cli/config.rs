//! `conformance.toml`: what an engine's repository says once, so that the whole command is
//! `standing`.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde::Deserialize;

use super::{failure::Done, output::Format};
use crate::{
    corpus::{Profile, read_file},
    diagnostics::{Code, Diagnostic, Place, Source},
};

/// The name of the file.
pub(super) const NAME: &str = "conformance.toml";

/// What the configuration says. Whatever the command line says too, the command line wins.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    /// What is under test, as `--engine` says it. A command runs in the folder of the file.
    pub(super) engine: Option<String>,
    /// Which profiles it claims, instead of what it says itself.
    pub(super) profiles: Option<Vec<Profile>>,
    /// What is put where the command line selects nothing.
    #[serde(default)]
    pub(super) select: Vec<String>,
    /// Rule documents instead of the embedded ones; relative to the file.
    #[serde(default)]
    pub(super) rules: Vec<PathBuf>,
    /// Case files instead of the embedded ones; relative to the file.
    #[serde(default)]
    pub(super) cases: Vec<PathBuf>,
    timeout: Option<f64>,
    start_timeout: Option<f64>,
    /// How long an answer may be, in bytes.
    pub(super) max_answer: Option<usize>,
    /// How many cases are put at a time.
    pub(super) jobs: Option<NonZeroUsize>,
    /// The list of known failures; relative to the file.
    pub(super) known_failures: Option<PathBuf>,
    /// Reports to write, by format; relative to the file.
    #[serde(default)]
    pub(super) reports: BTreeMap<Format, PathBuf>,
    /// Where the file is. `None`: there is no configuration.
    #[serde(skip)]
    pub(super) folder: Option<PathBuf>,
}

impl Config {
    /// Reads the file that is named, or else the one in the current folder or the nearest above.
    pub(super) fn find(named: Option<&Path>) -> Done<Self> {
        let path = match named {
            Some(path) => Some(path.to_owned()),
            None => nearest(),
        };
        match path {
            None => Ok(Self::default()),
            Some(path) => Ok(Self::read(&path)?),
        }
    }

    fn read(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        let mut faults = Vec::new();
        let Some(source) = read_file(path, &mut faults) else {
            return Err(faults);
        };
        let mut config: Self =
            toml::from_str(source.text()).map_err(|error| vec![not_readable(&source, &error)])?;
        for (key, seconds) in [
            ("timeout", config.timeout),
            ("start-timeout", config.start_timeout),
        ] {
            if seconds.is_some_and(|s| s <= 0.0 || Duration::try_from_secs_f64(s).is_err()) {
                return Err(vec![
                    Diagnostic::error(
                        Code::Config,
                        format!("`{key}` is a number of seconds above 0"),
                    )
                    .at(place_of(&source, key)),
                ]);
            }
        }
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let here = |path: &mut PathBuf| *path = folder.join(&*path);
        config.rules.iter_mut().for_each(here);
        config.cases.iter_mut().for_each(here);
        config.known_failures.iter_mut().for_each(here);
        config.reports.values_mut().for_each(here);
        config.folder = Some(match folder.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => folder,
        });
        Ok(config)
    }

    /// How long a case may take.
    pub(super) fn timeout(&self) -> Option<Duration> {
        self.timeout
            .and_then(|s| Duration::try_from_secs_f64(s).ok())
    }

    /// How long the engine may take to start.
    pub(super) fn start_timeout(&self) -> Option<Duration> {
        self.start_timeout
            .and_then(|s| Duration::try_from_secs_f64(s).ok())
    }
}

/// The file in the current folder or the nearest above; a plain name where it is in the current.
fn nearest() -> Option<PathBuf> {
    if Path::new(NAME).is_file() {
        return Some(PathBuf::from(NAME));
    }
    let here = std::env::current_dir().ok()?;
    here.ancestors()
        .skip(1)
        .map(|folder| folder.join(NAME))
        .find(|path| path.is_file())
}

/// A fault of TOML, with its place.
pub(super) fn not_readable(source: &Arc<Source>, error: &toml::de::Error) -> Diagnostic {
    let message = error.message().trim_end().replace('\n', "; ");
    let fault = Diagnostic::error(Code::Config, message.clone());
    let fault = match error.span() {
        Some(span) => fault.at(Place::new(source, span)),
        None => fault.at(Place::line_of(source, 0)),
    };
    // "unknown field `profile`, expected one of `engine`, `profiles`, …"
    let mut words = message.split('`').skip(1).step_by(2);
    match words
        .next()
        .filter(|_| message.starts_with("unknown field"))
    {
        Some(word) => fault.suggest(word, words),
        None => fault,
    }
}

fn place_of(source: &Arc<Source>, key: &str) -> Place {
    let at = source.text().lines().scan(0, |at, line| {
        let start = *at;
        *at += line.len() + 1;
        Some((start, line))
    });
    let found = at
        .into_iter()
        .find(|(_, line)| line.trim_start().starts_with(key));
    Place::line_of(source, found.map_or(0, |(start, _)| start))
}
