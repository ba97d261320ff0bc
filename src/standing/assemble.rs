//! A record, put together from a suite and what became of its cases.

use std::collections::BTreeMap;

use super::{
    CaseRecord, ClauseRecord, EngineRecord, FORMAT, GroupRecord, HarnessRecord, Record, RuleRecord,
    STATEMENT, SpecificationRecord, Standing, SuiteRecord, Summary, Tally, Timing, clause_standing,
    joint_standing,
};
use crate::{
    corpus::{Level, Profile},
    run::{CaseOutcome, Detail, Outcomes},
    suite::{Selection, Suite},
};

impl Record {
    /// The record of what became of the chosen cases, without timing.
    pub fn new(suite: &Suite, selection: &Selection, outcomes: &Outcomes) -> Self {
        let about = &outcomes.about;
        let profiles = match about.profiles.as_slice() {
            [] => Profile::WORDS.iter().map(|w| (*w).to_owned()).collect(),
            some => some.to_vec(),
        };
        let rules: Vec<RuleRecord> = selection
            .rules()
            .map(|rule| rule_record(suite, rule, outcomes))
            .collect();
        Self {
            format: FORMAT.into(),
            harness: HarnessRecord::this(),
            engine: EngineRecord {
                name: about.name.clone(),
                version: about.version.clone(),
                language: about.language.clone(),
                profiles,
            },
            specifications: specifications(suite),
            suite: SuiteRecord {
                digest: suite.digest(),
            },
            selection: selection.selectors().to_vec(),
            shard: None,
            summary: summary(suite, selection, &rules, outcomes),
            rules,
            interrupted: outcomes.interrupted,
            statement: STATEMENT.into(),
            timing: None,
        }
    }

    /// The same with how long the run and each case took.
    #[must_use]
    pub fn with_timing(mut self, suite: &Suite, outcomes: &Outcomes) -> Self {
        self.timing = Some(Timing {
            took: outcomes.took.as_secs_f64(),
            cases: outcomes
                .cases
                .iter()
                .filter(|c| !c.took.is_zero())
                .map(|c| (suite.cases()[c.case].name.clone(), c.took.as_secs_f64()))
                .collect(),
            ..Timing::default()
        });
        self
    }
}

impl CaseRecord {
    /// The record of what became of one case.
    pub fn new(suite: &Suite, outcome: &CaseOutcome) -> Self {
        let case = &suite.cases()[outcome.case];
        let Detail {
            step,
            message,
            expected,
            nearest,
            actual,
            stderr,
            passes_alone,
            asked,
            ..
        } = match &outcome.detail {
            Some(detail) => (**detail).clone(),
            None => Detail::default(),
        };
        let (operation, params) = asked.unzip();
        Self {
            case: case.name.clone(),
            clauses: case.clauses.clone(),
            outcome: outcome.outcome,
            source: case.place.to_string(),
            message: outcome.detail.is_some().then_some(message),
            step: (step > 0 && case.steps.len() > 1).then_some(step),
            operation,
            params,
            expected,
            actual,
            nearest,
            stderr,
            passes_alone,
            known: None,
        }
    }
}

fn specifications(suite: &Suite) -> Vec<SpecificationRecord> {
    let mut counts: Vec<SpecificationRecord> = Vec::new();
    for rule in suite.corpus().rules() {
        match counts.iter_mut().find(|s| s.name == rule.specification) {
            Some(specification) => specification.rules += 1,
            None => counts.push(SpecificationRecord {
                name: rule.specification.clone(),
                rules: 1,
                registered: suite.corpus().registered(&rule.specification),
            }),
        }
    }
    counts.sort_by(|a, b| {
        b.registered
            .cmp(&a.registered)
            .then_with(|| a.name.cmp(&b.name))
    });
    counts
}

fn rule_record(suite: &Suite, position: usize, outcomes: &Outcomes) -> RuleRecord {
    let rule = &suite.corpus().rules()[position];
    let range = suite.cases_of(position);
    // Outcomes are in the order of the suite, so those of a rule stand together.
    let from = outcomes.cases.partition_point(|c| c.case < range.start);
    let to = outcomes.cases.partition_point(|c| c.case < range.end);
    let cases = &outcomes.cases[from..to];
    let applies = outcomes
        .about
        .claims_any_profile(rule.profiles.iter().map(|p| p.as_str()));
    let clauses: Vec<ClauseRecord> = rule
        .clauses
        .iter()
        .map(|clause| {
            let number = clause.number;
            let untestable = suite
                .untestable(position)
                .iter()
                .find(|u| u.clause == number);
            let bearing = cases
                .iter()
                .filter(|c| suite.cases()[c.case].clauses.contains(&number));
            ClauseRecord {
                clause: number,
                standing: match untestable {
                    Some(_) => Standing::Untestable,
                    None if !applies => Standing::NotApplicable,
                    None => clause_standing(bearing.map(|c| c.outcome)),
                },
                reason: untestable.map(|u| u.reason.clone()),
            }
        })
        .collect();
    RuleRecord {
        id: rule.id.clone(),
        family: rule.family.clone(),
        title: rule.title.clone(),
        level: rule.level,
        profiles: rule.profiles.clone(),
        posture: rule.posture,
        rule_hash: rule.hash.clone(),
        document: rule.source.path().to_owned(),
        standing: match applies {
            true => joint_standing(clauses.iter().map(|c| c.standing)),
            false => Standing::NotApplicable,
        },
        clauses,
        cases: cases.iter().map(|c| CaseRecord::new(suite, c)).collect(),
        unbound: suite.unbound(position).map(|e| e.name()).collect(),
    }
}

fn summary(
    suite: &Suite,
    selection: &Selection,
    rules: &[RuleRecord],
    outcomes: &Outcomes,
) -> Summary {
    let mut summary = Summary::of(rules);
    for operation in outcomes
        .cases
        .iter()
        .filter_map(|c| c.detail.as_ref())
        .flat_map(|d| &d.declined)
    {
        *summary.declined.entry(operation.clone()).or_default() += 1;
    }
    for (position, rule) in selection.rules().zip(rules) {
        if rule.posture.counts() {
            let examples = suite.corpus().rules()[position].examples.len();
            summary.examples.total += examples;
            summary.examples.bound += examples - rule.unbound.len();
        }
    }
    summary
}

impl Summary {
    /// What the rules that count add up to. Declined operations and examples are not told by them.
    pub(super) fn of(rules: &[RuleRecord]) -> Self {
        let mut summary = Self::default();
        let mut groups = Groups::default();
        for rule in rules.iter().filter(|rule| rule.posture.counts()) {
            summary.rules.add(rule.standing);
            for case in &rule.cases {
                summary.cases.add(case.outcome);
            }
            let level = groups.levels.entry(rule.level).or_default();
            level.push(rule.standing);
            let family = groups.families.entry(rule.family.clone()).or_default();
            family.push(rule.standing);
            for profile in &rule.profiles {
                let profile = groups.profiles.entry(*profile).or_default();
                profile.push(rule.standing);
            }
        }
        summary.levels = grouped(groups.levels);
        summary.profiles = grouped(groups.profiles);
        summary.families = grouped(groups.families);
        summary
    }
}

fn grouped<K: Ord>(groups: BTreeMap<K, Vec<Standing>>) -> BTreeMap<K, GroupRecord> {
    let groups = groups.into_iter();
    groups.map(|(key, of)| (key, group(&of))).collect()
}

/// The standings of the rules of each group.
#[derive(Default)]
struct Groups {
    levels: BTreeMap<Level, Vec<Standing>>,
    profiles: BTreeMap<Profile, Vec<Standing>>,
    families: BTreeMap<String, Vec<Standing>>,
}

fn group(standings: &[Standing]) -> GroupRecord {
    let mut rules = Tally::default();
    for standing in standings {
        rules.add(*standing);
    }
    GroupRecord {
        standing: joint_standing(standings.iter().copied()),
        rules,
    }
}
