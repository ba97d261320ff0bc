//! What cases make of the examples, and what the reference implementation does.

use std::collections::HashSet;

use similar::TextDiff;

use crate::{
    corpus::Rule,
    diagnostics::{Code, Diagnostic, Place, Severity},
    engine::Engine,
    reference,
    run::{Detail, put_case},
    suite::{Case, Suite},
};

/// Adds what is wrong between examples and cases; `of_cases` is what was found in the case files.
/// With carried cases, `known` are the rules about which nothing is to be found.
/// How many examples are of rules that no case file is about.
pub(super) fn check(
    suite: &Suite,
    known: Option<&HashSet<String>>,
    of_cases: &[Diagnostic],
    findings: &mut Vec<Diagnostic>,
) -> usize {
    disagreements(suite, findings);
    unbound(suite, known, of_cases, findings)
}

/// Faults of carried case files, told where the document is that they are about: whoever writes it
/// cannot change the cases, and it is the document that changed. So they are warnings.
pub(super) fn told_of_documents(suite: &Suite, of_cases: &mut [Diagnostic]) {
    for finding in of_cases {
        finding.severity = Severity::Warning;
        let Some(case) = finding.place.clone() else {
            continue;
        };
        let rule = rule_of(&case).and_then(|id| suite.corpus().rule(id));
        if let Some(rule) = rule {
            finding
                .related
                .insert(0, (case, "a case that is carried".to_owned()));
            finding.label = Some("in this document".to_owned());
            finding.place = Some(rule.place_of_id());
        }
    }
}

/// The rule that a case file names.
fn rule_of(place: &Place) -> Option<&str> {
    let mut lines = place.source().text().lines();
    let id = lines.find_map(|line| line.strip_prefix("rule:"))?;
    Some(id.trim().trim_matches(['"', '\'']))
}

fn unbound(
    suite: &Suite,
    known: Option<&HashSet<String>>,
    of_cases: &[Diagnostic],
    findings: &mut Vec<Diagnostic>,
) -> usize {
    // A case file with a fault is not read, and then its rule's examples are bound by nobody.
    let faulty: HashSet<&str> = of_cases
        .iter()
        .filter_map(|f| f.place.as_ref())
        .filter_map(rule_of)
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
        let is_known = known.is_some_and(|known| known.contains(&rule.id.slug()));
        let is_without = suite.cases_of(position).is_empty();
        if is_known || (known.is_some() && is_without && !faulty.contains(rule.id.as_str())) {
            without += if is_known { 0 } else { rule.examples.len() };
            continue;
        }
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
