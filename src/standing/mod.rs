//! What outcomes say about a clause, a rule, a family, a level, a profile.
//!
//! Pure: outcomes in, a [`Record`] out. `clauses.rs` has the rules by which standings follow from
//! each other; `record.rs` the record that every report is made from, which `assemble.rs` puts
//! together and `merge.rs` from the parts of several machines; `known.rs` the failures that an
//! implementer has listed; `compare.rs` what changed between two records.

mod assemble;
mod clauses;
mod compare;
mod known;
mod merge;
mod record;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use clauses::{clause_standing, joint_standing};
pub use compare::{CaseChange, Change, Comparison, RuleChange};
pub use known::{Expectation, KnownFailure, KnownFailures};
pub use merge::Part;
pub use record::{
    CaseRecord, Cases, ClauseRecord, EngineRecord, Examples, FORMAT, GroupRecord, HarnessRecord,
    KnownRecord, Record, RuleRecord, STATEMENT, ShardRecord, SpecificationRecord, SuiteRecord,
    Summary, Tally, Timing,
};

/// Where an engine stands with a clause, or with a rule, a family, a level or a profile.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Every case that bears on it passed.
    Meets,
    /// Some of it is met; the rest was declined or not put.
    Partial,
    /// A case failed, erred or timed out.
    Fails,
    /// Every case that was put was declined.
    Unsupported,
    /// No case bears on it, or none was put.
    Untested,
    /// The engine claims none of the rule's profiles.
    NotApplicable,
    /// A clause that asserts nothing an engine could break, or an open question. Counts nowhere.
    Untestable,
}

impl Standing {
    /// The word or words for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Meets => "meets",
            Self::Partial => "partial",
            Self::Fails => "fails",
            Self::Unsupported => "unsupported",
            Self::Untested => "untested",
            Self::NotApplicable => "not applicable",
            Self::Untestable => "untestable",
        }
    }
}

impl std::fmt::Display for Standing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}
