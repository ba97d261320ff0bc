//! An engine that answers as the reference does, except for one fault that it plays when told to.
//!
//! `fake-engine FAULT [--at PLACE] [OPTION…]`; `faults.rs` lists the faults. The place is a word,
//! `trip` unless said otherwise: the fault is played at each question whose params hold it.
//! `initialize`, `reset` and `shutdown` are those questions, `any` is all others, and `start` is
//! before anything is read.
//!
//! - `--starts FILE`: counts here how often it was started, a byte each;
//! - `--note FILE`: adds a byte when the fault is played, for a test that waits for that;
//! - `--no-pipeline`: wants one question at a time, and fails where another came early.
//!
//! What it is asked, it says on standard error.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "whoever calls it wrongly is a test"
)]

mod answers;
mod faults;

use std::{
    fs::{self, OpenOptions},
    io::{self, BufRead, Write},
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

use answers::Answers;
use faults::{Fault, Scene};
use serde_json::Value;

/// What the command line says.
pub struct Part {
    fault: Fault,
    place: String,
    starts: Option<PathBuf>,
    note: Option<PathBuf>,
    pipeline: bool,
}

impl Part {
    fn read(mut words: impl Iterator<Item = String>) -> Self {
        let fault = words.next().expect("a fault is named");
        let mut part = Self {
            fault: fault.parse().expect("the fault is one that there is"),
            place: "trip".to_owned(),
            starts: None,
            note: None,
            pipeline: true,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().expect("the option has a value");
            match word.as_str() {
                "--at" => part.place = value(),
                "--starts" => part.starts = Some(value().into()),
                "--note" => part.note = Some(value().into()),
                "--no-pipeline" => part.pipeline = false,
                other => panic!("there is no option {other}"),
            }
        }
        part
    }

    fn is_at(&self, question: &Question) -> bool {
        match self.place.as_str() {
            "any" => question.is_operation(),
            word @ ("initialize" | "reset" | "shutdown") => question.method == word,
            word => question.params.contains(word),
        }
    }
}

/// A line that was read.
pub struct Question {
    line: String,
    id: Value,
    method: String,
    params: String,
}

impl Question {
    fn read(line: String) -> Self {
        let mut message: Value = serde_json::from_str(&line).expect("a question is JSON");
        Self {
            id: message["id"].take(),
            method: message["method"].as_str().expect("a method").to_owned(),
            params: message["params"].to_string(),
            line,
        }
    }

    fn is_operation(&self) -> bool {
        self.method.contains('.')
    }
}

fn main() {
    let part = Part::read(std::env::args().skip(1));
    if let Some(file) = &part.starts {
        more_of(file);
    }
    let mut scene = Scene::default();
    if part.place == "start" {
        note(&part);
        scene.play(&part, &Value::Null, "");
    }
    let answers = Answers::new(&standing::reference::engine());
    let questions = read();
    let mut next = None;
    while let Some(question) = next.take().or_else(|| questions.recv().ok()) {
        eprintln!("asked {}", question.method);
        let mut right = answers.to(&question.line);
        if !part.pipeline {
            right = one_at_a_time(&question, right, &questions);
        }
        right = scene.tainted(&part.fault, &question, right);
        if matches!(part.fault, Fault::Swapped) && question.method == "reset" {
            // What a case is asked first is on its way together with the reset.
            next = questions.recv_timeout(Duration::from_secs(1)).ok();
            if let Some(first) = next.take_if(|first| part.is_at(first)) {
                note(&part);
                write(&answers.to(&first.line));
            }
            write(&right);
        } else if part.is_at(&question) {
            note(&part);
            scene.play(&part, &question.id, &right);
        } else {
            write(&right);
        }
        if question.method == "shutdown" {
            return;
        }
    }
}

/// Says in the answer to `initialize` that nothing may be sent ahead, and fails where it was.
fn one_at_a_time(question: &Question, right: String, questions: &Receiver<Question>) -> String {
    if question.method == "initialize" {
        let mut message: Value = serde_json::from_str(&right).expect("JSON");
        message["result"]["pipeline"] = false.into();
        return message.to_string();
    }
    match questions.recv_timeout(Duration::from_millis(5)) {
        Ok(early) => panic!("{} came before its time", early.method),
        Err(_) => right,
    }
}

/// Reads a question ahead, and no more: what is not asked for stays in the pipe.
fn read() -> Receiver<Question> {
    let (tell, questions) = mpsc::sync_channel(0);
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if tell.send(Question::read(line)).is_err() {
                return;
            }
        }
    });
    questions
}

/// Writes a line, in one piece.
fn write(line: &str) {
    write_bytes(format!("{line}\n").as_bytes());
}

fn write_bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        // Nobody listens any more.
        std::process::exit(0);
    }
}

/// Adds a byte to a file.
fn more_of(file: &Path) {
    let mut open = OpenOptions::new();
    let mut out = open.create(true).append(true).open(file).expect("a file");
    out.write_all(b".").expect("it can be written");
}

/// How many bytes a file has.
fn count(file: Option<&Path>) -> u64 {
    file.and_then(|file| fs::metadata(file).ok())
        .map_or(0, |file| file.len())
}

fn note(part: &Part) {
    eprintln!("plays {:?}", part.fault);
    if let Some(file) = &part.note {
        more_of(file);
    }
}
