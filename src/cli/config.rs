//! `conformance.toml`: what an engine's repository says once, so that the whole command is
//! `standing`.

use std::{
    collections::BTreeMap,
    fmt,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde::{
    Deserialize, Deserializer,
    de::{Error, Unexpected, Visitor},
};
use toml::Spanned;

use super::{connect::limit, failure::Done, reports::Format};
use crate::{
    check::{Level, Levels},
    corpus::{Profile, read_file},
    diagnostics::{Code, Diagnostic, Place, Source},
    engine::Variable,
    suite::{Selection, Suite},
};

/// The name of the file.
pub(super) const NAME: &str = "conformance.toml";

/// What the configuration says. Whatever the command line says too, the command line wins.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    /// What is under test, as `--engine` says it. A command runs in the folder of the file.
    pub(super) engine: Option<Spanned<String>>,
    /// Which profiles it claims, instead of what it says itself.
    pub(super) profiles: Option<Vec<Profile>>,
    /// What is put where the command line selects nothing.
    #[serde(default)]
    pub(super) select: Vec<Spanned<String>>,
    /// Rule documents instead of the embedded ones; relative to the file.
    #[serde(default)]
    pub(super) rules: Vec<PathBuf>,
    /// Case files instead of the embedded ones; relative to the file.
    #[serde(default)]
    pub(super) cases: Vec<PathBuf>,
    /// How long a case may take.
    pub(super) timeout: Option<Seconds>,
    /// How long the engine may take to start.
    pub(super) start_timeout: Option<Seconds>,
    /// How long an answer may be, in bytes.
    pub(super) max_answer: Option<Count>,
    /// Variables of the environment for the engine, beyond the common ones, as `--env` says them.
    #[serde(default, deserialize_with = "variables")]
    pub(super) env: Vec<Variable>,
    /// How many cases are put at a time.
    pub(super) jobs: Option<Count>,
    /// The list of known failures; relative to the file.
    pub(super) known_failures: Option<PathBuf>,
    /// Whether entries of that list may be out of date.
    #[serde(default)]
    pub(super) allow_stale_known: bool,
    /// Reports to write, by format; relative to the file.
    #[serde(default)]
    pub(super) reports: BTreeMap<Format, PathBuf>,
    /// How severe the findings of a check are, by code or name.
    #[serde(default)]
    pub(super) check: BTreeMap<Spanned<String>, Level>,
    /// Where the file is. `None`: there is no configuration.
    #[serde(skip)]
    pub(super) folder: Option<PathBuf>,
    #[serde(skip)]
    source: Option<Arc<Source>>,
}

/// A number of seconds above 0, whole or not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seconds(pub(super) Duration);

/// A whole number above 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count(pub(super) NonZeroUsize);

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Seconds;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of seconds above 0")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Seconds, E> {
                let wrong = || E::invalid_value(Unexpected::Signed(number), &self);
                limit(number as f64).map(Seconds).ok_or_else(wrong)
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Seconds, E> {
                let wrong = || E::invalid_value(Unexpected::Float(number), &self);
                limit(number).map(Seconds).ok_or_else(wrong)
            }
        }
        deserializer.deserialize_any(Read)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl Visitor<'_> for Read {
            type Value = Count;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number above 0")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Count, E> {
                let wrong = || E::invalid_value(Unexpected::Signed(number), &self);
                let count = usize::try_from(number).ok().and_then(NonZeroUsize::new);
                count.map(Count).ok_or_else(wrong)
            }
        }
        deserializer.deserialize_any(Read)
    }
}

fn variables<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Variable>, D::Error> {
    let said = Vec::<String>::deserialize(deserializer)?;
    said.iter()
        .map(|text| {
            text.parse()
                .map_err(|wrong| D::Error::custom(format!("`{text}` is no variable: {wrong}")))
        })
        .collect()
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
        config.source = Some(source);
        Ok(config)
    }

    /// What it selects.
    pub(super) fn selection(&self, suite: &Suite) -> Done<Selection> {
        let mut faults = Vec::new();
        for said in &self.select {
            if let Err(nothing) = Selection::new(suite, &[said.get_ref()]) {
                faults.extend(nothing.into_iter().map(|fault| fault.at(self.place(said))));
            }
        }
        match faults.is_empty() {
            true => {
                let all: Vec<&String> = self.select.iter().map(Spanned::get_ref).collect();
                Ok(Selection::new(suite, &all)?)
            }
            false => Err(faults.into()),
        }
    }

    /// What it says of the findings of a check.
    pub(super) fn levels(&self) -> Done<Levels> {
        let mut faults = Vec::new();
        let mut levels = Vec::new();
        for (word, level) in &self.check {
            match Code::find(word.get_ref()) {
                Some(code) => levels.push((code, *level)),
                None => {
                    let message = format!("there is no code `{}`", word.get_ref());
                    let names: Vec<String> = Code::ALL.iter().map(|c| c.name()).collect();
                    let known = Code::ALL.iter().map(|c| c.id());
                    let known = known.chain(names.iter().map(String::as_str));
                    faults.push(
                        Diagnostic::error(Code::Config, message)
                            .at(self.place(word))
                            .help("`standing explain` lists the codes")
                            .suggest(word.get_ref(), known),
                    );
                }
            }
        }
        match faults.is_empty() {
            true => Ok(levels.into_iter().collect()),
            false => Err(faults.into()),
        }
    }

    /// Where in the file something is that it says.
    pub(super) fn place<T>(&self, said: &Spanned<T>) -> Option<Place> {
        let source = self.source.as_ref()?;
        Some(Place::new(source, said.span()))
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
