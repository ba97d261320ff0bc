//! `standing new`: an adapter to start from.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, ValueEnum};

use super::{config, failure::Done, output::print};
use crate::{
    diagnostics::{Code, Diagnostic},
    report::quoted,
};

#[derive(Debug, Args)]
pub(super) struct NewArgs {
    /// What it is written in.
    #[arg(value_enum)]
    language: Language,
    /// Where to write it; made if it is not there.
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    /// Tests of a crate, run by `cargo test`.
    Rust,
    /// A program for Python 3.
    Python,
    /// A program for Node.js.
    #[value(alias = "javascript", alias = "js")]
    Node,
    /// A program for PHP.
    Php,
}

/// The files of a starter: name and text.
type Files = &'static [(&'static str, &'static str)];

impl Language {
    fn files(self) -> Files {
        match self {
            Self::Rust => &[
                (
                    "Cargo.toml",
                    include_str!("../../adapters/starters/rust/Cargo.toml.template"),
                ),
                (
                    "src/lib.rs",
                    include_str!("../../adapters/starters/rust/src/lib.rs"),
                ),
                (
                    "tests/conformance.rs",
                    include_str!("../../adapters/starters/rust/tests/conformance.rs"),
                ),
            ],
            Self::Python => &[(
                "adapter.py",
                include_str!("../../adapters/starters/python/adapter.py"),
            )],
            Self::Node => &[(
                "adapter.mjs",
                include_str!("../../adapters/starters/node/adapter.mjs"),
            )],
            Self::Php => &[(
                "adapter.php",
                include_str!("../../adapters/starters/php/adapter.php"),
            )],
        }
    }

    /// The command that runs it.
    fn engine(self) -> Option<&'static str> {
        match self {
            Self::Rust => None,
            Self::Python => Some("python3 adapter.py"),
            Self::Node => Some("node adapter.mjs"),
            Self::Php => Some("php adapter.php"),
        }
    }
}

pub(super) fn new(args: &NewArgs) -> Done {
    let mut files: Vec<(PathBuf, String)> = args
        .language
        .files()
        .iter()
        .map(|(name, text)| (within(&args.folder, name), (*text).to_owned()))
        .collect();
    if let Some(engine) = args.language.engine() {
        let text =
            format!("# What `standing` runs in this folder and below it.\nengine = \"{engine}\"\n");
        files.push((within(&args.folder, config::NAME), text));
    }
    // Nothing is written where something would be lost.
    if let Some((there, _)) = files.iter().find(|(path, _)| path.exists()) {
        let message = format!("`{}` is there already", there.display());
        return Err(Diagnostic::error(Code::BadCall, message)
            .help("name another folder: standing new LANGUAGE FOLDER")
            .into());
    }
    let mut said = String::new();
    for (path, text) in &files {
        write(path, text).map_err(|error| {
            Diagnostic::error(
                Code::BadCall,
                format!("`{}` cannot be written: {error}", path.display()),
            )
        })?;
        said.push_str(&format!("wrote {}\n", path.display()));
    }
    let here = args.folder == Path::new(".");
    let go = match here {
        true => String::new(),
        false => format!("cd {} && ", quoted(&args.folder.to_string_lossy())),
    };
    said.push_str(&match args.language {
        Language::Rust => format!(
            "now: say in Cargo.toml where your checkout of standing is, and {go}cargo test\n"
        ),
        _ => format!("now: {go}standing run SG-16\n"),
    });
    print(&said)?;
    Ok(ExitCode::SUCCESS)
}

/// A plain name where the folder is the current one.
fn within(folder: &Path, name: &str) -> PathBuf {
    match folder == Path::new(".") {
        true => PathBuf::from(name),
        false => folder.join(name),
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
