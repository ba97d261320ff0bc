//! The record of a run: what every report is made from.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Standing;
use crate::{
    corpus::{Level, Posture, Profile, RuleId},
    operations::{self, present},
    run::Outcome,
};

/// The format of the records that this version writes.
pub const FORMAT: &str = "standing/1";

/// What every report says of itself.
pub const STATEMENT: &str =
    "This is the implementer's own statement, made by running this suite. It is no certification.";

/// What a run found: the engine's standing, rule by rule, with what led to it.
///
/// Members are written in this order, and everything but `timing` is the same for the same engine
/// and suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "The record of a run of standing")]
pub struct Record {
    /// `standing/1`.
    #[schemars(extend("const" = FORMAT))]
    pub format: String,
    /// What made the record.
    pub harness: HarnessRecord,
    /// What was under test.
    pub engine: EngineRecord,
    /// The specifications that the rules belong to.
    pub specifications: Vec<SpecificationRecord>,
    /// What was asked.
    pub suite: SuiteRecord,
    /// The selectors that chose among the cases; empty where everything was asked.
    pub selection: Vec<String>,
    /// Which part of the chosen cases was put, where several machines share them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardRecord>,
    /// The counts.
    pub summary: Summary,
    /// The chosen rules, ordered by family and number.
    pub rules: Vec<RuleRecord>,
    /// Whether the run ended before it was done.
    pub interrupted: bool,
    /// What kind of statement this is.
    pub statement: String,
    /// What differs from run to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
}

/// What made a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HarnessRecord {
    /// `standing`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What was under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EngineRecord {
    /// The engine's own name.
    pub name: String,
    /// Its own version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The language that it is written in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The profiles that it claims; all of them where it names none.
    pub profiles: Vec<String>,
}

/// A specification, and how much of it the suite carries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpecificationRecord {
    /// Its name and version.
    pub name: String,
    /// How many of its rules were read.
    pub rules: usize,
    /// How many rules it has, by its registry of ids; 0 where there is none.
    pub registered: usize,
}

/// What was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuiteRecord {
    /// `sha256:` and the digest of all documents and case files.
    pub digest: String,
}

/// A part of a suite, and what it is a part of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShardRecord {
    /// Which part, counted from 1.
    pub index: usize,
    /// How many parts there are.
    pub total: usize,
    /// The chosen cases of all parts, in order.
    pub cases: Vec<String>,
}

/// The counts of a record. Rules that are deprecated, withdrawn or descriptive are in none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Rules by standing.
    pub rules: Tally,
    /// Cases by outcome.
    pub cases: Cases,
    /// The operations that the engine does not do, each with how many cases are unsupported for it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub declined: BTreeMap<String, usize>,
    /// Examples of the documents.
    pub examples: Examples,
    /// By level: its standing, and its rules by theirs.
    pub levels: BTreeMap<Level, GroupRecord>,
    /// By profile: its standing, and the rules that address it by theirs.
    pub profiles: BTreeMap<Profile, GroupRecord>,
    /// By family: its standing, and its rules by theirs.
    pub families: BTreeMap<String, GroupRecord>,
}

/// The standing of a group of rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GroupRecord {
    /// Its joint standing.
    pub standing: Standing,
    /// Its rules by standing.
    pub rules: Tally,
}

/// Rules by standing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// Met.
    pub meets: usize,
    /// Met in part.
    pub partial: usize,
    /// Failed.
    pub fails: usize,
    /// Declined.
    pub unsupported: usize,
    /// Not tested.
    pub untested: usize,
    /// Of no profile that the engine claims.
    pub not_applicable: usize,
}

impl Tally {
    pub(super) fn add(&mut self, standing: Standing) {
        match standing {
            Standing::Meets => self.meets += 1,
            Standing::Partial => self.partial += 1,
            Standing::Fails => self.fails += 1,
            Standing::Unsupported => self.unsupported += 1,
            Standing::Untested | Standing::Untestable => self.untested += 1,
            Standing::NotApplicable => self.not_applicable += 1,
        }
    }

    /// How many rules there are.
    pub fn total(&self) -> usize {
        self.meets
            + self.partial
            + self.fails
            + self.unsupported
            + self.untested
            + self.not_applicable
    }
}

/// Cases by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cases {
    /// Passed.
    pub pass: usize,
    /// Failed.
    pub fail: usize,
    /// Erred.
    pub error: usize,
    /// Timed out.
    pub timeout: usize,
    /// Declined.
    pub unsupported: usize,
    /// Not put.
    pub skipped: usize,
}

impl Cases {
    pub(super) fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Pass => self.pass += 1,
            Outcome::Fail => self.fail += 1,
            Outcome::Error => self.error += 1,
            Outcome::Timeout => self.timeout += 1,
            Outcome::Unsupported => self.unsupported += 1,
            Outcome::Skipped => self.skipped += 1,
        }
    }

    /// How many failed, erred or timed out.
    pub fn failures(&self) -> usize {
        self.fail + self.error + self.timeout
    }

    /// How many there are.
    pub fn total(&self) -> usize {
        self.pass + self.failures() + self.unsupported + self.skipped
    }
}

/// Examples of rule documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Examples {
    /// How many there are.
    pub total: usize,
    /// How many of them a case of the suite names.
    pub bound: usize,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleRecord {
    /// `SG-16`.
    pub id: RuleId,
    /// `RT-SG`.
    pub family: String,
    /// One line.
    pub title: String,
    /// How much of the specification an engine covers that meets it.
    pub level: Level,
    /// Which kinds of implementation it addresses.
    pub profiles: Vec<Profile>,
    /// How binding it is. Only `normative-target` counts.
    pub posture: Posture,
    /// The hash of the normative text that this standing is about.
    pub rule_hash: String,
    /// Its document.
    pub document: String,
    /// Where the engine stands.
    pub standing: Standing,
    /// Its clauses.
    pub clauses: Vec<ClauseRecord>,
    /// The cases that were chosen.
    pub cases: Vec<CaseRecord>,
    /// The examples that no case names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unbound: Vec<String>,
}

/// One clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClauseRecord {
    /// Its number.
    pub clause: usize,
    /// Where the engine stands.
    pub standing: Standing,
    /// Why no case can bear on it, where that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseRecord {
    /// `SG-16/two-tails-one-head`.
    pub case: String,
    /// The clauses that it bears on.
    pub clauses: Vec<usize>,
    /// What became of it.
    pub outcome: Outcome,
    /// Where it stands: path and line of its case file.
    pub source: String,
    /// Why it did not pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The step that decided, counted from 1, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The operation that was asked at the step that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The params that it was asked with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub params: Option<Value>,
    /// What was expected, as the case says it.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub expected: Option<Value>,
    /// What the engine answered: a value, or `{"refused": …}`.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub actual: Option<Value>,
    /// The value nearest to the answer that would have passed.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub nearest: Option<Value>,
    /// The end of what an engine that is a program wrote to its standard error when the case was
    /// put once more, alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// Whether it passed then: something leaks from case to case.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub passes_alone: bool,
    /// What the implementer has listed of this failure. It changes no standing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<KnownRecord>,
}

/// A failure that the implementer has listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnownRecord {
    /// Why it fails for now.
    pub reason: String,
    /// Where more is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// What differs from run to run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Timing {
    /// When the run ended, as RFC 3339 writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// How long it took, in seconds.
    pub took: f64,
    /// How the engine was reached: its command line or address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// How long each case took, in seconds.
    pub cases: BTreeMap<String, f64>,
}

impl HarnessRecord {
    /// This library.
    pub(crate) fn this() -> Self {
        Self {
            name: env!("CARGO_PKG_NAME").into(),
            version: env!("CARGO_PKG_VERSION").into(),
        }
    }
}

impl EngineRecord {
    /// Name and version: `acme 2.1`.
    pub fn named(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.clone(),
        }
    }
}

impl CaseRecord {
    /// Its name without the rule's: `two-tails-one-head`.
    pub fn short_name(&self) -> &str {
        // An id of a rule may have a `/` of its own, a name of a case has none.
        self.case.rsplit('/').next().unwrap_or(&self.case)
    }
}

impl Record {
    /// The JSON Schema (draft 2020-12) of a record. It is published as
    /// `docs/schema/standing-1.json`.
    pub fn schema() -> Value {
        operations::schema::<Self>()
    }

    /// Whether the engine fell short: a case of a rule that counts failed, erred or timed out.
    pub fn fell_short(&self) -> bool {
        self.summary.cases.failures() > 0
    }

    /// The failures that are not known, with their rules.
    pub fn failures(&self) -> impl Iterator<Item = (&RuleRecord, &CaseRecord)> {
        self.cases()
            .filter(|(_, case)| case.outcome.is_failure() && case.known.is_none())
    }

    /// The rules by family: those of one stand together.
    pub fn families(&self) -> impl Iterator<Item = (&str, &[RuleRecord])> {
        self.rules
            .chunk_by(|a, b| a.family == b.family)
            .map(|rules| (rules[0].family.as_str(), rules))
    }

    /// The cases, with their rules.
    pub fn cases(&self) -> impl Iterator<Item = (&RuleRecord, &CaseRecord)> {
        self.rules
            .iter()
            .flat_map(|r| r.cases.iter().map(move |c| (r, c)))
    }
}
