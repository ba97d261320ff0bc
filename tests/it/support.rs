//! The command, trees of files to run it on, and snapshots of what it says.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use snapbox::{Assert, Data, IntoData, assert::DEFAULT_ACTION_ENV};
use standing::{corpus::Corpus, operations::Operations, suite::Suite};
use tempfile::TempDir;

/// The small specification that the tests are made with. Tests are run in the package's folder, so
/// this is how reports name its files.
pub const SPEC: &str = "tests/it/fixtures/spec";

/// Holds a text against a snapshot, byte for byte: nothing in it is a wildcard.
#[track_caller]
pub fn snapshot(actual: impl AsRef<str>, expected: impl IntoData) {
    Assert::new()
        .action_env(DEFAULT_ACTION_ENV)
        .eq(Data::text(actual.as_ref()), expected.raw());
}

/// The command, in a folder, with nothing of the surroundings that would change what it says.
pub fn command<S: AsRef<OsStr>>(folder: &Path, args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_standing"));
    command
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        // Were there a panic, it would show in full.
        .env("RUST_BACKTRACE", "1");
    for name in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
        "LINES",
        "CI",
    ] {
        command.env_remove(name);
    }
    command
}

/// Runs the command in the folder of the small specification.
pub fn standing(args: &[&str]) -> Ran {
    Ran::of(&mut command(Path::new(SPEC), args))
}

/// Runs the command in the package's folder: what it carries, or the specification beside it.
pub fn standing_here(args: &[&str]) -> Ran {
    Ran::of(&mut command(Path::new(env!("CARGO_MANIFEST_DIR")), args))
}

/// What the command did.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the command starts");
        let text = |bytes| String::from_utf8(bytes).expect("what is printed is UTF-8");
        Self {
            status: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// That all went well; what was printed.
    #[track_caller]
    pub fn well(self) -> String {
        self.ended(0)
    }

    /// That it ended with this status and nothing to say on standard error; what was printed.
    #[track_caller]
    pub fn ended(self, status: i32) -> String {
        assert_eq!(
            self.status,
            Some(status),
            "{}\n{}",
            self.stderr,
            self.stdout
        );
        assert_eq!(self.stderr, "");
        self.stdout
    }

    /// That the call or the input was wrong, and that standard error says so and nothing else is
    /// said anywhere.
    #[track_caller]
    pub fn refused(self, expected: impl IntoData) {
        assert_eq!(self.stdout, "");
        for noise in ["panicked", "stack backtrace", "RUST_BACKTRACE", "\u{1b}"] {
            assert!(!self.stderr.contains(noise), "{}", self.stderr);
        }
        snapshot(&self.stderr, expected);
        assert_eq!(self.status, Some(2), "{}", self.stderr);
    }
}

/// A folder of files that can be changed.
pub struct Tree(TempDir);

impl Tree {
    pub fn empty() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    /// A copy of the small specification: `rules` and `cases`.
    pub fn spec() -> Self {
        Self::copy(SPEC)
    }

    /// A copy of the small specification that is checked: both layouts, and `cases`.
    pub fn author() -> Self {
        Self::copy("tests/it/fixtures/author")
    }

    fn copy(fixture: &str) -> Self {
        let tree = Self::empty();
        for file in files(Path::new(fixture)) {
            let text = fs::read(&file).expect("a file of the fixture");
            let name = file.strip_prefix(fixture).expect("it is below the fixture");
            tree.put(name, &text).expect("a file of the copy");
        }
        tree
    }

    fn put(&self, path: impl AsRef<Path>, text: &[u8]) -> io::Result<()> {
        let path = self.0.path().join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)
    }

    /// Writes a file, over one that is there.
    pub fn write(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        self.put(path, text.as_ref()).expect(path);
        self
    }

    /// Changes one piece of a file.
    #[track_caller]
    pub fn change(self, path: &str, from: &str, to: &str) -> Self {
        let text = self.read(path);
        let found = text.matches(from).count();
        assert_eq!(found, 1, "{path} has `{from}` {found} times");
        self.write(path, text.replace(from, to))
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.path().join(path)).expect(path)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::of(&mut command(self.0.path(), args))
    }

    /// That a run of this tree's rules and cases is refused, and what is said.
    #[track_caller]
    pub fn is_refused(&self, expected: impl IntoData) {
        self.run(&["run", "--rules", "rules", "--cases", "cases"])
            .refused(expected);
    }

    pub fn suite(&self) -> Suite {
        suite_at(self.0.path())
    }
}

/// The suite in a folder's `rules` and `cases`.
pub fn suite_at(folder: &Path) -> Suite {
    let (corpus, mut faults) = Corpus::read(&[folder.join("rules")]);
    let operations = Operations::standard();
    let suite = Suite::read(corpus, operations, &[folder.join("cases")], &mut faults);
    assert!(faults.is_empty(), "{faults:?}");
    suite
}

/// Every file below a folder, ordered by path.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry of it").path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}
