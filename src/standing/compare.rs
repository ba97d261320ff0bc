//! What changed from one record to the next.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{EngineRecord, Record, RuleRecord, Standing};
use crate::{corpus::RuleId, run::Outcome};

/// What became of a rule or a case from one record to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It stands worse.
    Worse,
    /// It stands better.
    Better,
    /// It was not in the old record.
    Appeared,
    /// It is not in the new record.
    Vanished,
    /// It came out otherwise, and neither better nor worse: an error where a failure was.
    Other,
    /// Nothing.
    Same,
}

/// What changed from one record to the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// `standing-comparison/1`.
    pub format: &'static str,
    /// The engine of the old record.
    pub old: EngineRecord,
    /// The engine of the new record.
    pub new: EngineRecord,
    /// Whether a case got worse that counts and is not known to fail.
    pub regressed: bool,
    /// The rules in which something changed, in the order of the new record, then those that are
    /// gone.
    pub rules: Vec<RuleChange>,
}

/// What changed in a rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RuleChange {
    /// `SG-16`.
    pub rule: RuleId,
    /// One line.
    pub title: String,
    /// What became of it.
    pub change: Change,
    /// Whether its normative text is another one: what stood of the old says nothing of the new.
    pub text_changed: bool,
    /// Whether it counts; only what counts can regress.
    pub counts: bool,
    /// Where the engine stood.
    pub old: Option<Standing>,
    /// Where the engine stands.
    pub new: Option<Standing>,
    /// The cases that came out otherwise, appeared or vanished.
    pub cases: Vec<CaseChange>,
}

/// What changed in a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseChange {
    /// `SG-16/two-tails-one-head`.
    pub case: String,
    /// What became of it.
    pub change: Change,
    /// How it came out.
    pub old: Option<Outcome>,
    /// How it comes out.
    pub new: Option<Outcome>,
    /// Whether the implementer has listed that it fails now.
    pub known: bool,
    /// Why it does not pass now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Comparison {
    /// Holds a new record against an old one.
    pub fn new(old: &Record, new: &Record) -> Self {
        let before: BTreeMap<&RuleId, &RuleRecord> = old.rules.iter().map(|r| (&r.id, r)).collect();
        let now: BTreeMap<&RuleId, &RuleRecord> = new.rules.iter().map(|r| (&r.id, r)).collect();
        let gone = old.rules.iter().filter(|r| !now.contains_key(&r.id));
        let rules: Vec<RuleChange> = new
            .rules
            .iter()
            .map(|rule| RuleChange::new(before.get(&rule.id).copied(), Some(rule)))
            .chain(gone.map(|rule| RuleChange::new(Some(rule), None)))
            .flatten()
            .filter(|r| r.change != Change::Same || r.text_changed || !r.cases.is_empty())
            .collect();
        Self {
            format: "standing-comparison/1",
            old: old.engine.clone(),
            new: new.engine.clone(),
            regressed: rules.iter().any(RuleChange::regressed),
            rules,
        }
    }

    /// The cases that changed in this way, with their rules.
    pub fn cases(&self, change: Change) -> impl Iterator<Item = (&RuleChange, &CaseChange)> {
        self.rules
            .iter()
            .flat_map(|r| r.cases.iter().map(move |c| (r, c)))
            .filter(move |(_, c)| c.change == change)
    }
}

impl RuleChange {
    fn new(old: Option<&RuleRecord>, new: Option<&RuleRecord>) -> Option<Self> {
        let one = new.or(old)?;
        let standings = (old.map(|r| r.standing), new.map(|r| r.standing));
        Some(Self {
            rule: one.id.clone(),
            title: one.title.clone(),
            change: change(standings, rank_of_standing),
            text_changed: old
                .zip(new)
                .is_some_and(|(a, b)| a.rule_hash != b.rule_hash),
            counts: one.posture.counts(),
            old: standings.0,
            new: standings.1,
            cases: cases(old, new),
        })
    }

    /// Whether a case of it got worse that counts and is not known to fail.
    pub fn regressed(&self) -> bool {
        let worse = |c: &CaseChange| c.change == Change::Worse && !c.known;
        self.counts && self.cases.iter().any(worse)
    }
}

fn cases(old: Option<&RuleRecord>, new: Option<&RuleRecord>) -> Vec<CaseChange> {
    let before = old.map(|r| r.cases.as_slice()).unwrap_or_default();
    let now = new.map(|r| r.cases.as_slice()).unwrap_or_default();
    let there = now.iter().map(|case| {
        let earlier = before.iter().find(|c| c.case == case.case);
        let outcomes = (earlier.map(|c| c.outcome), Some(case.outcome));
        CaseChange {
            case: case.case.clone(),
            change: change(outcomes, rank_of_outcome),
            old: outcomes.0,
            new: outcomes.1,
            known: case.known.is_some(),
            message: case.message.clone(),
        }
    });
    let gone = before
        .iter()
        .filter(|case| now.iter().all(|c| c.case != case.case));
    let gone = gone.map(|case| CaseChange {
        case: case.case.clone(),
        change: Change::Vanished,
        old: Some(case.outcome),
        new: None,
        known: false,
        message: None,
    });
    there
        .chain(gone)
        .filter(|c| c.change != Change::Same)
        .collect()
}

fn change<T: Copy + PartialEq>(pair: (Option<T>, Option<T>), rank: impl Fn(T) -> u8) -> Change {
    match pair {
        (None, None) => Change::Same,
        (None, Some(_)) => Change::Appeared,
        (Some(_), None) => Change::Vanished,
        (Some(old), Some(new)) if old == new => Change::Same,
        (Some(old), Some(new)) => match rank(new).cmp(&rank(old)) {
            std::cmp::Ordering::Less => Change::Worse,
            std::cmp::Ordering::Greater => Change::Better,
            std::cmp::Ordering::Equal => Change::Other,
        },
    }
}

/// What is declined is better than what is got wrong, and worse than what is done.
fn rank_of_outcome(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Pass => 2,
        Outcome::Unsupported | Outcome::Skipped => 1,
        Outcome::Fail | Outcome::Error | Outcome::Timeout => 0,
    }
}

fn rank_of_standing(standing: Standing) -> u8 {
    match standing {
        Standing::Meets => 3,
        Standing::Partial => 2,
        Standing::Fails => 0,
        Standing::Unsupported
        | Standing::Untested
        | Standing::NotApplicable
        | Standing::Untestable => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_better_and_what_is_worse() {
        use Outcome::*;
        for (old, new, expected) in [
            (Pass, Fail, Change::Worse),
            (Pass, Unsupported, Change::Worse),
            (Skipped, Timeout, Change::Worse),
            (Fail, Pass, Change::Better),
            (Fail, Unsupported, Change::Better),
            (Fail, Error, Change::Other),
            (Error, Error, Change::Same),
        ] {
            let found = change((Some(old), Some(new)), rank_of_outcome);
            assert_eq!(found, expected, "{old:?} to {new:?}");
        }
        assert_eq!(
            change((None, Some(Pass)), rank_of_outcome),
            Change::Appeared
        );
        assert_eq!(
            change((Some(Pass), None), rank_of_outcome),
            Change::Vanished
        );
    }
}
