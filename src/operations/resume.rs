//! Resuming a run whose source may have changed since.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::{Operation, present, workflow::Done};

/// A program in no language in particular: named steps, and what each must come after.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// The workflow's name.
    #[schemars(regex(pattern = r"^[a-z][a-z0-9_]*$"))]
    pub name: String,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// A step of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its name, which no other step has.
    #[schemars(regex(pattern = r"^[a-z][a-z0-9_]*$"))]
    pub name: String,
    /// The steps that must have ended before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
    /// What it appends to the run's log.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String", regex(pattern = r"^[A-Za-z0-9]+$"))]
    pub emit: Option<String>,
    /// The label of the checkpoint that it takes.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub checkpoint: Option<String>,
}

/// The door through which a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// A source file, run by the engine's own command.
    File,
    /// The same file, run through the engine's host interface.
    Embedded,
}

/// `resume.run`
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine};
///
/// let mut session = standing::reference::engine().session()?;
/// let program = json!({"name": "w", "steps": [
///     {"name": "a", "emit": "A"},
///     {"name": "m", "after": ["a"], "checkpoint": "cp"},
///     {"name": "b", "after": ["m"], "emit": "B"},
/// ]});
/// let run = session.ask("resume.run", &json!({"program": program, "entry": "file", "stop_at": "b"}))?;
/// assert_eq!(run, Answer::Value(json!({"run": "run_1", "ran": ["a"], "log": "A"})));
///
/// let resumed = session.ask("resume.resume", &json!({"run": "run_1", "checkpoint": "cp"}))?;
/// assert_eq!(resumed, Answer::Value(json!({"ran": ["b"], "log": "AB", "drift": false, "channel": null})));
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Run;

impl Operation for Run {
    const NAME: &'static str = "resume.run";
    const ABOUT: &'static str =
        "Runs a program from its start, to its end or to where it is stopped.";
    type Params = RunParams;
    type Result = Ran;
}

/// What `resume.run` asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunParams {
    /// The program. Its file holds it from now on.
    pub program: Program,
    /// How it is run.
    pub entry: Entry,
    /// A step that does not begin, so that the run has not ended.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "String")]
    pub stop_at: Option<String>,
    /// Whether the run's record has its source. Without it the record still has the file's path.
    #[serde(default = "yes")]
    pub keep_source: bool,
}

fn yes() -> bool {
    true
}

/// What `resume.run` answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ran {
    /// The run's name, to be given back with later questions.
    pub run: String,
    /// The steps that emit something and began, in their order.
    pub ran: Vec<String>,
    /// The run's whole log.
    pub log: String,
}

/// `resume.edit`
#[derive(Clone, Copy, Debug)]
pub struct Edit;

impl Operation for Edit {
    const NAME: &'static str = "resume.edit";
    const ABOUT: &'static str = "Changes the file that the program was run from.";
    type Params = EditParams;
    type Result = Done;
}

/// What `resume.edit` asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditParams {
    /// What the file now holds; null for a file without any such workflow.
    // Said with a reader of its own, so that leaving it out is no way to say null.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schemars(with = "ProgramOrNull")]
    pub program: Option<Program>,
}

/// The schema of a member that is required and may be null.
struct ProgramOrNull;

impl JsonSchema for ProgramOrNull {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ProgramOrNull".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<Program>::json_schema(generator)
    }
}

/// `resume.resume`
#[derive(Clone, Copy, Debug)]
pub struct Resume;

impl Operation for Resume {
    const NAME: &'static str = "resume.resume";
    const ABOUT: &'static str =
        "Takes up a stopped run at a checkpoint, with the stop lifted, and runs it to its end.";
    type Params = ResumeParams;
    type Result = Resumed;
}

/// What `resume.resume` asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResumeParams {
    /// The run, as `resume.run` named it.
    pub run: String,
    /// The label of the checkpoint.
    pub checkpoint: String,
    /// Whether the caller accepts that the source has changed.
    #[serde(default)]
    pub allow_source_drift: bool,
    /// The program that the caller supplies. An engine that takes none finds it in the file.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Program")]
    pub program: Option<Program>,
}

/// What `resume.resume` answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resumed {
    /// The steps that emit something and began in this operation, in their order.
    pub ran: Vec<String>,
    /// The run's whole log.
    pub log: String,
    /// Whether the engine told that the source has changed.
    pub drift: bool,
    /// The strongest channel through which it told; null for none.
    pub channel: Option<Channel>,
}

/// How an engine tells that the source has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// In what resuming answers.
    Result,
    /// As an event that a program can listen to.
    Event,
    /// As text for people.
    Log,
}

/// How a supplied program's steps differ from those of the run, each list sorted: the `difference`
/// of a refusal for `topology_mismatch`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TopologyDifference {
    /// Steps that the run does not have.
    pub added: Vec<String>,
    /// Steps that only the run has.
    pub removed: Vec<String>,
    /// Steps of both that come after other steps than before.
    pub rewired: Vec<String>,
}
