//! What cases make of the examples, and what the reference implementation does.

use std::collections::HashSet;

use similar::TextDiff;

use crate::{
    corpus::Rule,
    diagnostics::{Code, Diagnostic},
    engine::Engine,
    reference,
    run::{Detail, put_case},
    suite::{Case, Suite},
};

/// Adds what is wrong between examples and cases; `of_cases` is what was found in the case files.
/// How many examples are of rules that no case file is about.
pub(super) fn check(
    suite: &Suite,
    is_carried: bool,
    of_cases: &[Diagnostic],
    findings: &mut Vec<Diagnostic>,
) -> usize {
    disagreements(suite, findings);
    unbound(suite, is_carried, of_cases, findings)
}

fn unbound(
    suite: &Suite,
    is_carried: bool,
    of_cases: &[Diagnostic],
    findings: &mut Vec<Diagnostic>,
) -> usize {
    // A case file with a fault is not read, and then its rule's examples are bound by nobody.
    let faulty: HashSet<&str> = of_cases
        .iter()
        .filter_map(|f| f.place.as_ref())
        .filter_map(|place| {
            let mut lines = place.source().text().lines();
            lines.find_map(|line| line.strip_prefix("rule:"))
        })
        .map(|id| id.trim().trim_matches(['"', '\'']))
        .collect();
    // It may have been the case file of any rule.
    let is_unsure = of_cases.iter().any(|f| {
        matches!(
            f.code,
            Code::UnknownRule | Code::CasesNotYaml | Code::Unreadable | Code::NotUtf8
        )
    });
    let mut without = 0;
    for (position, rule) in suite.corpus().rules().iter().enumerate() {
        if suite.cases_of(position).is_empty() && is_carried {
            without += rule.examples.len();
            continue;
        }
        let is_without = suite.cases_of(position).is_empty();
        if faulty.contains(rule.id.as_str()) || (is_unsure && is_without) {
            continue;
        }
        for example in suite.unbound(position) {
            findings.push(
                Diagnostic::warning(
                    Code::UnboundExample,
                    format!("no case names {}", example.name()),
                )
                .at(example.place())
                .note("nothing holds an engine against it")
                .help(format!(
                    "write a case with `$example` in the case file of {}",
                    rule.id
                )),
            );
        }
    }
    without
}

/// Cases that name examples, put to the reference.
fn disagreements(suite: &Suite, findings: &mut Vec<Diagnostic>) {
    let engine = reference::engine();
    let Ok(mut session) = engine.session() else {
        return;
    };
    let mut told = HashSet::new();
    for case in suite.cases().iter().filter(|c| !c.examples.is_empty()) {
        let verdict = put_case(case, session.as_mut(), suite.operations());
        if !verdict.session_is_good {
            match engine.session() {
                Ok(fresh) => session = fresh,
                Err(_) => return,
            }
        }
        if let Some(detail) = verdict.detail.filter(|_| verdict.outcome.is_failure()) {
            let rule = suite.rule_of(case);
            let last = case.examples.last().copied().unwrap_or_default();
            if told.insert((case.rule, last)) {
                findings.extend(disagreement(rule, case, last, &detail));
            }
        }
    }
}

fn disagreement(rule: &Rule, case: &Case, number: usize, detail: &Detail) -> Option<Diagnostic> {
    let example = rule.examples.get(number.checked_sub(1)?)?;
    let expected = detail.nearest.as_ref().or(detail.expected.as_ref());
    let difference = match (expected, &detail.actual) {
        (Some(expected), Some(actual)) => {
            let (expected, actual) = (format!("{expected:#}\n"), format!("{actual:#}\n"));
            let diff = TextDiff::from_lines(&expected, &actual);
            let mut unified = diff.unified_diff();
            unified
                .context_radius(3)
                .header("the example", "the reference");
            unified.to_string()
        }
        _ => detail.message.clone(),
    };
    Some(
        Diagnostic::error(
            Code::Disagreement,
            format!(
                "the reference implementation disagrees with {}",
                example.name()
            ),
        )
        .at(example.place())
        .see(case.place.clone(), "as this case puts it")
        .note(difference.trim_end())
        .help("mend the example or the rule; where the reference is wrong, report it"),
    )
}
