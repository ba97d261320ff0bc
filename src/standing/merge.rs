//! The records of parts of a suite, put together to the record that one run of all gives.

use std::collections::{BTreeMap, BTreeSet};

use super::{CaseRecord, Record, Standing, Summary, Timing, clause_standing, joint_standing};
use crate::diagnostics::{Code, Diagnostic};

/// A record, and where it is from.
#[derive(Clone, Debug)]
pub struct Part {
    /// What messages call it: its path.
    pub name: String,
    /// The record, with a member `shard`.
    pub record: Record,
}

impl Record {
    /// The record of all cases, from those of the parts that `--shard` makes: the very one that a
    /// single run gives, but for its timing.
    ///
    /// # Errors
    ///
    /// Parts that are missing, that are there twice, or that are not of one whole: another engine,
    /// suite or selection, or cases that do not belong.
    pub fn merged(parts: Vec<Part>) -> Result<Record, Vec<Diagnostic>> {
        let mut faults = Vec::new();
        is_complete(&parts, &mut faults);
        is_of_one(&parts, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        let timing = timing(&parts);
        let interrupted = parts.iter().any(|p| p.record.interrupted);
        let mut declined: BTreeMap<String, usize> = BTreeMap::new();
        let mut cases: BTreeMap<String, CaseRecord> = BTreeMap::new();
        let mut whole = None;
        for part in parts {
            let mut record = part.record;
            for (operation, count) in &record.summary.declined {
                *declined.entry(operation.clone()).or_default() += count;
            }
            for rule in &mut record.rules {
                let its = std::mem::take(&mut rule.cases).into_iter();
                cases.extend(its.map(|case| (case.case.clone(), case)));
            }
            whole.get_or_insert(record);
        }
        let Some(mut whole) = whole else {
            return Err(vec![fault("there is no part".to_owned())]);
        };
        let order = whole.shard.take().map(|s| s.cases).unwrap_or_default();
        let mut order = order.into_iter().peekable();
        for rule in &mut whole.rules {
            let prefix = format!("{}/", rule.id);
            // A rule's cases stand together, and `R7.e/f` is no case of `R7.e`.
            let is_its = |name: &String| {
                let rest = name.strip_prefix(&prefix);
                rest.is_some_and(|rest| !rest.contains('/'))
            };
            while let Some(name) = order.next_if(is_its) {
                rule.cases.extend(cases.remove(&name));
            }
            for clause in &mut rule.clauses {
                if !matches!(
                    clause.standing,
                    Standing::Untestable | Standing::NotApplicable
                ) {
                    let bearing = rule.cases.iter();
                    let bearing = bearing.filter(|c| c.clauses.contains(&clause.clause));
                    clause.standing = clause_standing(bearing.map(|c| c.outcome));
                }
            }
            if rule.standing != Standing::NotApplicable {
                rule.standing = joint_standing(rule.clauses.iter().map(|c| c.standing));
            }
        }
        if let Some(name) = order.next().or_else(|| cases.into_keys().next()) {
            return Err(vec![fault(format!(
                "`{name}` is a case of no rule of the parts"
            ))]);
        }
        whole.summary = Summary {
            declined,
            examples: whole.summary.examples,
            ..Summary::of(&whole.rules)
        };
        whole.interrupted = interrupted;
        whole.timing = timing;
        Ok(whole)
    }
}

fn fault(message: String) -> Diagnostic {
    Diagnostic::error(Code::BadParts, message)
}

/// That every part is there, once.
fn is_complete(parts: &[Part], faults: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<usize, &str> = BTreeMap::new();
    let mut total = None;
    for part in parts {
        let Some(shard) = &part.record.shard else {
            faults.push(fault(format!("`{}` is no part but a whole", part.name)));
            continue;
        };
        let (first, count) = *total.get_or_insert((&part.name, shard.total));
        if count != shard.total {
            let message = format!(
                "`{}` is a part of {}, and `{first}` one of {count}",
                part.name, shard.total
            );
            faults.push(fault(message));
        } else if shard.index == 0 || shard.index > count {
            let message = format!(
                "`{}` says that it is part {} of {count}",
                part.name, shard.index
            );
            faults.push(fault(message));
        } else if let Some(other) = seen.insert(shard.index, &part.name) {
            let which = format!("part {}/{count} is there twice", shard.index);
            let message = format!("{which}: `{other}` and `{}`", part.name);
            faults.push(fault(message).help("give each part once"));
        }
    }
    let Some((_, count)) = total.filter(|_| faults.is_empty()) else {
        return;
    };
    // The numbers may be anybody's: what is missing is not counted up to them.
    const MOST_NAMED: usize = 8;
    let missing = count - seen.len();
    let mut named: Vec<String> = (1..=count)
        .filter(|index| !seen.contains_key(index))
        .take(MOST_NAMED)
        .map(|index| format!("{index}/{count}"))
        .collect();
    if missing > named.len() {
        named.push(format!("{} more", missing - named.len()));
    }
    if missing > 0 {
        let (part, is) = if missing == 1 {
            ("part", "is")
        } else {
            ("parts", "are")
        };
        let message = format!("{part} {} {is} missing", named.join(", "));
        faults.push(fault(message).help("every part is needed, `standing report part-*.json`"));
    }
}

/// That the parts are of one run: the same engine, suite, selection and rules, and in each just the
/// cases that are its own.
fn is_of_one(parts: &[Part], faults: &mut Vec<Diagnostic>) {
    let Some((first, rest)) = parts.split_first() else {
        return;
    };
    let ids = |r: &Record| -> Vec<String> { r.rules.iter().map(|r| r.id.to_string()).collect() };
    let names = |r: &Record| r.shard.as_ref().map(|s| s.cases.clone());
    for part in rest {
        let (a, b) = (&first.record, &part.record);
        let other = [
            ("engine", a.engine != b.engine),
            (
                "suite",
                a.suite != b.suite || a.specifications != b.specifications,
            ),
            ("version of the harness", a.harness != b.harness),
            (
                "selection",
                a.selection != b.selection || names(a) != names(b),
            ),
            ("list of rules", ids(a) != ids(b)),
        ];
        for (what, _) in other.iter().filter(|(_, differs)| *differs) {
            let message = format!(
                "`{}` and `{}` differ in their {what}",
                first.name, part.name
            );
            faults.push(fault(message));
        }
    }
    if !faults.is_empty() {
        return;
    }
    let expected: BTreeSet<String> = names(&first.record).into_iter().flatten().collect();
    let mut found: BTreeMap<&str, &str> = BTreeMap::new();
    for part in parts {
        for (_, case) in part.record.cases() {
            if !expected.contains(&case.case) {
                let message = format!(
                    "`{}` has a case that is not of the whole: `{}`",
                    part.name, case.case
                );
                faults.push(fault(message));
            } else if let Some(other) = found.insert(&case.case, &part.name) {
                let message = format!("`{}` is in `{other}` and in `{}`", case.case, part.name);
                faults.push(fault(message));
            }
        }
    }
    for name in expected
        .iter()
        .filter(|name| !found.contains_key(name.as_str()))
    {
        faults.push(fault(format!("`{name}` is in none of the parts")));
    }
}

/// Together: how long all took, and when the last was done.
fn timing(parts: &[Part]) -> Option<Timing> {
    let each: Option<Vec<&Timing>> = parts.iter().map(|p| p.record.timing.as_ref()).collect();
    let each = each?;
    let engine = each.first()?.engine.clone();
    Some(Timing {
        date: each.iter().filter_map(|t| t.date.clone()).max(),
        took: each.iter().map(|t| t.took).sum(),
        engine: engine.filter(|e| each.iter().all(|t| t.engine.as_ref() == Some(e))),
        cases: each.iter().flat_map(|t| t.cases.clone()).collect(),
    })
}
