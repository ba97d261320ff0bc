//! What can go wrong with an engine that is a program.

use std::{
    convert::Infallible,
    os::unix::process::CommandExt,
    process::{Command, Stdio, exit},
    str::FromStr,
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use signal_hook::{consts::SIGTERM, flag};

use crate::{Part, Question, count, write, write_bytes};

/// A fault; some have a number, `exit:7`.
#[derive(Debug)]
pub enum Fault {
    /// None: it is well.
    None,
    /// Ends before it answers, with this status.
    Exit(i32),
    /// Is killed before it answers.
    Killed,
    /// Never answers, and reads no more.
    Hang,
    /// Answers, and reads no more.
    Deaf,
    /// Answers with something that is no JSON.
    Nonsense,
    /// Answers with half a line, and ends.
    HalfExit,
    /// Answers with half a line, and hangs.
    HalfHang,
    /// Answers with the id of an earlier question.
    WrongId,
    /// Answers with an id that no question has.
    UnknownId,
    /// Answers with an id that is a string.
    StringId,
    /// Answers without an id.
    NoId,
    /// Fails, as one that cannot read the question and so does not know its id.
    NullId,
    /// Answers twice.
    Twice,
    /// Answers before the reset that came before.
    Swapped,
    /// Answers with a line of so many bytes.
    Long(usize),
    /// Answers with what is no UTF-8.
    NotUtf8,
    /// Closes its output, and stays.
    Close,
    /// Writes so many megabytes to standard error, and answers.
    FloodStderr(usize),
    /// Writes nonsense to standard output until it is ended.
    FloodStdout,
    /// Starts a program that has its input and output and outlives it, and answers.
    Fork,
    /// Starts such a program in a session of its own, and answers.
    ForkAway,
    /// Starts such a program, and ends.
    ForkExit,
    /// Starts such a program, and never answers.
    ForkHang,
    /// Neither answers nor ends, whatever it is sent short of SIGKILL.
    Stubborn,
    /// Declines.
    Decline,
    /// Refuses.
    Refuse,
    /// Fails as an adapter does that notices.
    Fail,
    /// Answers with this version of the protocol.
    Protocol(u64),
    /// Answers after so many milliseconds.
    Slow(u64),
    /// Answers once so many questions wait in as many processes.
    Meet(u64),
    /// From then on every answer is wrong, whatever is reset.
    Leak,
    /// Answers wrongly where no reset came since the last operation.
    Counts,
}

impl FromStr for Fault {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let (name, number) = text.split_once(':').unwrap_or((text, "0"));
        let number: u32 = number.parse().expect("a number");
        Ok(match name {
            "none" => Self::None,
            "exit" => Self::Exit(number as i32),
            "killed" => Self::Killed,
            "hang" => Self::Hang,
            "deaf" => Self::Deaf,
            "nonsense" => Self::Nonsense,
            "half-exit" => Self::HalfExit,
            "half-hang" => Self::HalfHang,
            "wrong-id" => Self::WrongId,
            "unknown-id" => Self::UnknownId,
            "string-id" => Self::StringId,
            "no-id" => Self::NoId,
            "null-id" => Self::NullId,
            "twice" => Self::Twice,
            "swapped" => Self::Swapped,
            "long" => Self::Long(number as usize),
            "not-utf8" => Self::NotUtf8,
            "close" => Self::Close,
            "flood-stderr" => Self::FloodStderr(number as usize),
            "flood-stdout" => Self::FloodStdout,
            "fork" => Self::Fork,
            "fork-away" => Self::ForkAway,
            "fork-exit" => Self::ForkExit,
            "fork-hang" => Self::ForkHang,
            "stubborn" => Self::Stubborn,
            "decline" => Self::Decline,
            "refuse" => Self::Refuse,
            "fail" => Self::Fail,
            "protocol" => Self::Protocol(number.into()),
            "slow" => Self::Slow(number.into()),
            "meet" => Self::Meet(number.into()),
            "leak" => Self::Leak,
            "counts" => Self::Counts,
            other => panic!("there is no fault {other}"),
        })
    }
}

/// What is kept from question to question.
#[derive(Default)]
pub struct Scene {
    /// Answers are wrong from now on.
    leaks: bool,
    /// An operation was asked since the last reset.
    used: bool,
}

impl Scene {
    /// The answer, wrong where the state that the engine is in makes it so.
    pub fn tainted(&mut self, fault: &Fault, question: &Question, right: String) -> String {
        if question.method == "reset" {
            self.used = false;
        }
        if !question.is_operation() {
            return right;
        }
        let was_used = std::mem::replace(&mut self.used, true);
        match self.leaks || was_used && matches!(fault, Fault::Counts) {
            true => answer(&question.id, "result", json!({ "loops": {} })),
            false => right,
        }
    }

    /// Plays the fault at a question, whose right answer is `right`.
    pub fn play(&mut self, part: &Part, id: &Value, right: &str) {
        let error = |code: i64| {
            let data = json!({ "reason": "no_paper" });
            let error = json!({ "code": code, "message": "out of paper", "data": data });
            answer(id, "error", error)
        };
        match &part.fault {
            Fault::None => write(right),
            Fault::Exit(status) => exit(*status),
            Fault::Killed => kill_myself(),
            Fault::Hang => forever(),
            Fault::Deaf => {
                write(right);
                forever()
            }
            Fault::Nonsense => write("once upon a time"),
            Fault::HalfExit => {
                write_bytes(&right.as_bytes()[..right.len() / 2]);
                exit(0);
            }
            Fault::HalfHang => {
                write_bytes(&right.as_bytes()[..right.len() / 2]);
                forever()
            }
            Fault::WrongId => write(&with_id(right, json!(0))),
            Fault::UnknownId => write(&with_id(right, json!(999_999))),
            Fault::StringId => write(&with_id(right, json!(id.to_string()))),
            Fault::NoId => write(&right.replace(&format!("\"id\":{id},"), "")),
            Fault::NullId => write(&with_id(&error(-32700), Value::Null)),
            Fault::Twice => write(&format!("{right}\n{right}")),
            Fault::Long(bytes) => write(&answer(id, "result", "x".repeat(*bytes).into())),
            Fault::NotUtf8 => {
                write_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"caf\xe9\"}\n")
            }
            Fault::Close => close_output(),
            Fault::FloodStderr(megabytes) => {
                let kilobyte = format!("{}\n", "noise".repeat(205));
                for _ in 0..megabytes * 1024 {
                    eprint!("{kilobyte}");
                }
                write(right);
            }
            Fault::FloodStdout => loop {
                write(&"nonsense ".repeat(1000));
            },
            Fault::Fork => {
                outliving();
                write(right);
            }
            Fault::ForkAway => {
                // The shell ends at once, so that its child is nobody's.
                let shell = Command::new("sh")
                    .args(["-c", "setsid sleep 600 &"])
                    .status();
                assert!(shell.is_ok_and(|ended| ended.success()), "there is a shell");
                write(right);
            }
            Fault::ForkExit => {
                outliving();
                exit(3);
            }
            Fault::ForkHang => {
                outliving();
                forever()
            }
            Fault::Stubborn => {
                flag::register(SIGTERM, Arc::<AtomicBool>::default()).expect("it can be ignored");
                forever()
            }
            Fault::Decline => write(&error(-32601)),
            Fault::Refuse => write(&error(1)),
            Fault::Fail => write(&error(-32000)),
            Fault::Protocol(version) => {
                write(&answer(id, "result", json!({ "protocol": version })));
            }
            Fault::Slow(milliseconds) => {
                thread::sleep(Duration::from_millis(*milliseconds));
                write(right);
            }
            Fault::Meet(processes) => {
                while count(part.note.as_deref()) < *processes {
                    thread::sleep(Duration::from_millis(1));
                }
                write(right);
            }
            Fault::Counts | Fault::Swapped => write(right),
            Fault::Leak => {
                write(right);
                self.leaks = true;
            }
        }
    }
}

fn answer(id: &Value, member: &str, what: Value) -> String {
    let mut message = json!({ "jsonrpc": "2.0", "id": id });
    message[member] = what;
    message.to_string()
}

fn with_id(message: &str, id: Value) -> String {
    let mut message: Value = serde_json::from_str(message).expect("JSON");
    message["id"] = id;
    message.to_string()
}

fn forever() -> ! {
    loop {
        thread::park();
    }
}

fn kill_myself() -> ! {
    let _ = Command::new("sh").args(["-c", "kill -KILL $PPID"]).status();
    forever()
}

/// Goes on as a program that has no output.
fn close_output() -> ! {
    let error = Command::new("sleep")
        .arg("600")
        .stdout(Stdio::null())
        .exec();
    panic!("sleep: {error}")
}

#[expect(clippy::zombie_processes, reason = "it is there to be left behind")]
/// A program that goes on when this one has ended, with its input and output.
fn outliving() {
    let child = Command::new("sleep").arg("600").spawn();
    child.expect("sleep is there");
}
