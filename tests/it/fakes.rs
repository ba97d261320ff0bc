//! Runs against `fake-engine`, which answers as the reference does and plays one fault: a rule with
//! a case a number, one of which makes the engine trip.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use standing::{
    run::Outcome,
    standing::{CaseRecord, Record},
};

use crate::support::{Ran, Tree, command};

/// Longer than anything takes that a test waits for.
const PATIENCE: Duration = Duration::from_secs(30);
/// How many cases there are, unless a test says otherwise.
pub const CASES: usize = 12;

/// What makes a run write its record, the same every time.
const RECORD: [&str; 3] = ["--format", "json", "--no-timing"];

/// Whatever descends from a run that is under test has this in its environment. What begins like a
/// locale category is passed on to engines.
const MARK: &str = "LC_STANDING_TEST_RUN";

/// The command line of the fake engine.
pub fn fake(words: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_standing"))
        .with_file_name("examples")
        .join("fake-engine");
    assert!(
        program.exists(),
        "{} is not there: cargo build --example fake-engine",
        program.display()
    );
    format!("'{}' {words}", program.display())
}

/// An engine that plays one part or another, as the number of the process is: `when` is the end of a
/// shell's test about it.
pub fn by_turns(when: &str, then: &str, otherwise: &str) -> String {
    let script = format!(
        "echo >> starts; n=$(wc -l < starts); \
         if test $n {when}; then exec \"$0\" {then}; else exec \"$0\" {otherwise}; fi"
    );
    format!("sh -c '{script}' {}", fake(""))
}

/// The name of a case, counted from 1.
pub fn case(number: usize) -> String {
    format!("WIRE-1/c{number:02}")
}

/// A specification of one rule, and a run of its cases.
pub struct Wired {
    tree: Tree,
    cases: usize,
    mark: String,
    arguments: Vec<String>,
    variables: Vec<(&'static str, &'static str)>,
    /// The folder that it is run in, within the tree.
    folder: &'static str,
}

impl Wired {
    /// `cases` cases, of which the one with the number `trip` asks about a node of that name.
    pub fn new(cases: usize, trip: usize) -> Self {
        Self::with_nodes(cases, |n| match n == trip {
            true => "trip".to_owned(),
            false => format!("n{n}"),
        })
    }

    /// A case for each number, about a loop of a head and the node that is named.
    pub fn with_nodes(cases: usize, node: impl Fn(usize) -> String) -> Self {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let mut text = "rule: WIRE-1\ncases:\n".to_owned();
        for n in 1..=cases {
            let node = node(n);
            text.push_str(&format!(
                "  - name: c{n:02}
    clauses: [1]
    operation: loops.resolve
    given:
      edges:
        - {{ source: head, target: {node} }}
        - {{ source: {node}, target: head, kind: loopback }}
    expect:
      loops: {{ head: [head, {node}] }}
    match: {{ \"\": includes, /loops: exact }}
"
            ));
        }
        let tree = Tree::empty()
            .write("rules/ex-wire/wire-1.md", RULE)
            .write("cases/ex-wire/wire-1.yml", text);
        Self {
            tree,
            cases,
            mark: format!("{}-{run}", std::process::id()),
            arguments: ["run", "--rules", "rules", "--cases", "cases"]
                .map(str::to_owned)
                .into(),
            variables: Vec::new(),
            folder: "",
        }
    }

    /// The engine, as `--engine` names it.
    pub fn engine(self, engine: &str) -> Self {
        self.with(&["--engine", engine])
    }

    /// The fake engine, with these words. `{here}` is a folder of the test's own.
    pub fn fake(self, words: &str) -> Self {
        let words = words.replace("{here}", &self.path("").to_string_lossy());
        self.engine(&fake(&words))
    }

    /// A variable of its surroundings.
    pub fn variable(mut self, name: &'static str, value: &'static str) -> Self {
        self.variables.push((name, value));
        self
    }

    /// Further arguments.
    pub fn with(mut self, arguments: &[&str]) -> Self {
        self.arguments
            .extend(arguments.iter().map(|a| (*a).to_owned()));
        self
    }

    /// A file beside the rules and the cases.
    pub fn write(mut self, path: &str, text: &str) -> Self {
        self.tree = self.tree.write(path, text);
        self
    }

    /// Runs it in a folder, with these arguments and no others.
    pub fn only(mut self, folder: &'static str, arguments: &[&str]) -> Self {
        self.folder = folder;
        self.arguments.clear();
        self.with(arguments)
    }

    /// A file beside the rules and the cases, or the folder that they are in.
    pub fn path(&self, name: &str) -> PathBuf {
        self.tree.path().join(name)
    }

    fn command(&self) -> Command {
        let mut command = command(&self.path(self.folder), &self.arguments);
        command.env(MARK, &self.mark);
        command.envs(self.variables.iter().copied());
        command
    }

    /// Runs it for the report.
    #[track_caller]
    pub fn report(&self) -> Ran {
        let ran = Ran::of(&mut self.command());
        self.leaves_nothing();
        ran
    }

    /// Runs it for the record. No process is left, whatever came of it.
    #[track_caller]
    pub fn run(self) -> Put {
        let output = self
            .command()
            .args(RECORD)
            .output()
            .expect("the command starts");
        self.put(output)
    }

    fn put(self, output: std::process::Output) -> Put {
        self.leaves_nothing();
        let stdout = String::from_utf8(output.stdout).expect("UTF-8");
        Put {
            cases: self.cases,
            status: output.status.code(),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
            record: serde_json::from_str(&stdout).ok(),
            wired: self,
        }
    }

    /// Starts it for the record, and goes on.
    pub fn start(self) -> Running {
        self.with(&RECORD).start_plainly()
    }

    /// Starts it, and goes on.
    pub fn start_plainly(self) -> Running {
        let child = self
            .command()
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        Running { child, wired: self }
    }

    /// That none of its processes is there any more. One that was killed takes a moment to go.
    #[track_caller]
    fn leaves_nothing(&self) {
        let mut left = Vec::new();
        let gone = within_patience(|| {
            left = marked(&self.mark);
            left.is_empty()
        });
        assert!(gone, "left behind: {left:?}");
    }
}

const RULE: &str = "---
id: WIRE-1
family: EX-WIRE
level: core
profiles: [runtime]
posture: normative-target
added: \"1.0\"
changed: \"1.0\"
specification: Example Specification 1
---

# WIRE-1 — Loops, over a wire

## The rule

> Loops are what they are.
";

/// What came of a run.
pub struct Put {
    cases: usize,
    pub status: Option<i32>,
    pub stderr: String,
    record: Option<Record>,
    /// What was run; its folder is there still.
    pub wired: Wired,
}

impl Put {
    #[track_caller]
    pub fn record(&self) -> &Record {
        self.record.as_ref().unwrap_or_else(|| {
            panic!(
                "there is a record; status {:?}\n{}",
                self.status, self.stderr
            )
        })
    }

    #[track_caller]
    pub fn case(&self, number: usize) -> &CaseRecord {
        let name = case(number);
        let mut cases = self.record().cases().map(|(_, c)| c);
        cases.find(|c| c.case == name).expect(&name)
    }

    /// That just these cases did not pass, and that nothing else was said.
    #[track_caller]
    pub fn falls_short(&self, differ: &[(usize, Outcome, &str)]) {
        let mut expected: BTreeMap<String, (Outcome, &str)> = (1..=self.cases)
            .map(|n| (case(n), (Outcome::Pass, "")))
            .collect();
        for (number, outcome, message) in differ {
            expected.insert(case(*number), (*outcome, message));
        }
        let came: BTreeMap<String, (Outcome, &str)> = self
            .record()
            .cases()
            .map(|(_, c)| {
                (
                    c.case.clone(),
                    (c.outcome, c.message.as_deref().unwrap_or_default()),
                )
            })
            .collect();
        assert_eq!(came, expected, "{}", self.stderr);
        assert_eq!(self.stderr, "");
        let failed = differ.iter().any(|(_, outcome, _)| outcome.is_failure());
        assert_eq!(self.status, Some(i32::from(failed)));
        assert!(!self.record().interrupted);
    }

    /// How many cases came to what.
    pub fn count(&self, outcome: Outcome) -> usize {
        let cases = self.record().cases();
        cases.filter(|(_, c)| c.outcome == outcome).count()
    }
}

/// A run that goes on.
pub struct Running {
    child: Child,
    wired: Wired,
}

impl Running {
    /// Waits for something to happen.
    #[track_caller]
    pub fn wait_until(&self, what: &str, is_so: impl FnMut() -> bool) {
        assert!(within_patience(is_so), "waited in vain until {what}");
    }

    /// Waits until the engine plays its fault (with `--note {here}/played`) so often.
    #[track_caller]
    pub fn wait_for_the_fault(&self, times: u64) {
        let note = self.wired.path("played");
        self.wait_until("the fault is played", || {
            fs::metadata(&note).is_ok_and(|file| file.len() >= times)
        });
    }

    /// The processes that descend from it, each with its state, `S` or `Z`.
    pub fn children(&self) -> Vec<(u32, char)> {
        let parent = self.child.id();
        processes()
            .filter_map(|pid| {
                let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
                // The name in brackets may hold anything.
                let mut words = stat.rsplit_once(") ")?.1.split(' ');
                let state = words.next()?.chars().next()?;
                (words.next()? == parent.to_string()).then_some((pid, state))
            })
            .collect()
    }

    /// How many of its processes are there, itself included.
    pub fn processes(&self) -> usize {
        marked(&self.wired.mark).len()
    }

    /// Sends it signals, one after the other.
    pub fn signal(&self, names: &[&str]) {
        let pid = self.child.id();
        let kills: Vec<String> = names.iter().map(|n| format!("kill -{n} {pid}")).collect();
        let mut shell = Command::new("sh");
        let sent = shell.args(["-c", &kills.join("; ")]).status();
        assert!(sent.expect("there is a shell").success());
    }

    /// Waits for its end, and reads nothing of what it writes.
    #[track_caller]
    pub fn end_unread(mut self) -> Option<i32> {
        let status = self.child.wait().expect("it ends");
        self.wired.leaves_nothing();
        status.code()
    }

    /// Waits for its end.
    #[track_caller]
    pub fn end(self) -> Put {
        let output = self.child.wait_with_output().expect("it ends");
        self.wired.put(output)
    }
}

/// Whether something came to be.
fn within_patience(mut is_so: impl FnMut() -> bool) -> bool {
    let started = Instant::now();
    loop {
        if is_so() {
            return true;
        }
        if started.elapsed() > PATIENCE {
            return false;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn processes() -> impl Iterator<Item = u32> {
    // Elsewhere than on Linux nothing is found, and no test fails for that.
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// Processes with this mark in their environment, and what they are.
fn marked(mark: &str) -> Vec<String> {
    let wanted = format!("{MARK}={mark}\0");
    processes()
        .filter(|pid| {
            // What is gone by now, or is somebody else's, is not ours.
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment
                .windows(wanted.len())
                .any(|part| part == wanted.as_bytes())
        })
        .map(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            format!(
                "{pid} {}",
                String::from_utf8_lossy(&line).replace('\0', " ")
            )
        })
        .collect()
}
