//! The record as JUnit XML: a suite a rule, a test case a case.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::{failure, text::inert};
use crate::{
    run::Outcome,
    standing::{CaseRecord, Record, RuleRecord},
};

/// The record as JUnit XML, valid against the schema that Jenkins publishes.
///
/// A known failure is skipped, with its reason: the run does not fail for it.
///
/// # Errors
///
/// Those of the writer; no record is known to have any.
pub fn junit(record: &Record) -> Result<String, quick_junit::SerializeError> {
    let mut report = Report::new(inert(&record.engine.named()));
    let timing = record.timing.as_ref();
    if let Some(timing) = timing {
        report.set_time(seconds(timing.took));
    }
    for rule in record.rules.iter().filter(|rule| !rule.cases.is_empty()) {
        let mut suite = TestSuite::new(rule.id.as_str());
        suite.add_property(Property::new("title", inert(&rule.title)));
        suite.add_property(Property::new("family", inert(&rule.family)));
        suite.add_property(Property::new("level", rule.level.as_str()));
        suite.add_property(Property::new("rule_hash", inert(&rule.rule_hash)));
        suite.add_property(Property::new("standing", rule.standing.as_str()));
        let mut took = None;
        for case in &rule.cases {
            let mut test = test_case(rule, case);
            if let Some(time) = timing.and_then(|t| t.cases.get(&case.case)) {
                test.set_time(seconds(*time));
                *took.get_or_insert(0.0) += time;
            }
            suite.add_test_case(test);
        }
        if let Some(took) = took {
            suite.set_time(seconds(took));
        }
        report.add_test_suite(suite);
    }
    Ok(without_sum_of_skipped(report.to_string()?))
}

/// The schema knows how many are skipped of each suite, and not of all.
fn without_sum_of_skipped(text: String) -> String {
    let Some((start, end)) = text
        .find("<testsuites ")
        .and_then(|start| Some((start, start + text[start..].find('>')?)))
    else {
        return text;
    };
    let head = &text[start..end];
    // A quote in a value is an entity, so this is the attribute.
    let Some(from) = head.find(" skipped=\"") else {
        return text;
    };
    let value = from + " skipped=\"".len();
    let Some(length) = head[value..].find('"') else {
        return text;
    };
    let (before, after) = (&text[..start + from], &text[start + value + length + 1..]);
    format!("{before}{after}")
}

fn test_case(rule: &RuleRecord, case: &CaseRecord) -> TestCase {
    let message = inert(case.message.as_deref().unwrap_or_default());
    let first = message.lines().next().unwrap_or_default().to_owned();
    let status = match (case.outcome, &case.known) {
        (Outcome::Pass, _) => TestCaseStatus::success(),
        (Outcome::Unsupported | Outcome::Skipped, _) => {
            let mut status = TestCaseStatus::skipped();
            status.set_type(case.outcome.as_str()).set_message(first);
            status
        }
        (_, Some(known)) => {
            let mut status = TestCaseStatus::skipped();
            status
                .set_type("known failure")
                .set_message(inert(&known.reason))
                .set_description(inert(&failure(&rule.document, case)));
            status
        }
        (outcome, None) => {
            let mut status = TestCaseStatus::non_success(match outcome {
                Outcome::Fail => NonSuccessKind::Failure,
                _ => NonSuccessKind::Error,
            });
            status
                .set_type(outcome.as_str())
                .set_message(first)
                .set_description(inert(&failure(&rule.document, case)));
            status
        }
    };
    let mut test = TestCase::new(inert(case.short_name()), status);
    test.set_classname(rule.id.as_str());
    if let Some(stderr) = &case.stderr {
        test.set_system_err(inert(stderr));
    }
    test
}

/// A time of a record, which anybody may have written.
fn seconds(number: f64) -> Duration {
    Duration::try_from_secs_f64(number).unwrap_or_default()
}
