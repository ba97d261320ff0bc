//! Which cases the examples of a document make by themselves.

use serde_json::Value;

use crate::corpus::yaml::{Key, Kind, Node};

/// What names an example.
const NAMES: &[&str] = &["$example", "$verdict", "$text"];

/// Whether a case is its document's examples and nothing else: it expects something, and all that
/// it expects is taken from them; and each of its steps is given one of them (with what the fence
/// leaves out beside it: names, kinds, what the text around it says), or goes on from an earlier
/// answer with plain values.
pub(super) fn is_so(case: &Node) -> bool {
    let steps = match case.get("steps").map(|steps| &steps.kind) {
        Some(Kind::List(steps)) => steps.as_slice(),
        _ => std::slice::from_ref(case),
    };
    let expected = || steps.iter().filter_map(|step| step.get("expect"));
    expected().next().is_some()
        && expected().all(is_taken)
        && steps.iter().all(|step| step.get("refused").is_none())
        && steps
            .iter()
            .all(|step| step.get("given").is_some_and(is_given))
}

/// Whether all of an expectation is taken from examples.
fn is_taken(expected: &Node) -> bool {
    match &expected.kind {
        Kind::Scalar(_) => false,
        Kind::List(items) => !items.is_empty() && items.iter().all(is_taken),
        Kind::Map(members) if members.iter().any(names_one) => {
            members.iter().all(|(key, value)| match key.name.as_str() {
                "$with" | "$kind" => false,
                "$as" | "$each" => is_picked(value),
                _ => true,
            })
        }
        Kind::Map(members) => !members.is_empty() && members.iter().all(|(_, m)| is_taken(m)),
    }
}

/// Whether all of a template is picked from the example.
fn is_picked(template: &Node) -> bool {
    match &template.kind {
        Kind::Scalar(_) => false,
        Kind::List(items) => items.iter().all(is_picked),
        Kind::Map(members) => {
            let mut members = members.iter();
            members.all(|(key, value)| key.name == "$at" || is_picked(value))
        }
    }
}

/// Whether a step's input names an example, or is plain values one of which an earlier step bound.
fn is_given(given: &Node) -> bool {
    let Kind::Map(members) = &given.kind else {
        return false;
    };
    let is_plain = |node: &Node| matches!(node.kind, Kind::Scalar(_));
    let is_bound = |node: &Node| match &node.kind {
        Kind::Scalar(Value::String(text)) => text.starts_with('$') && !text.starts_with("$$"),
        _ => false,
    };
    mentions(given)
        || members.iter().all(|(_, m)| is_plain(m)) && members.iter().any(|(_, m)| is_bound(m))
}

/// Whether an example is named somewhere below.
fn mentions(node: &Node) -> bool {
    match &node.kind {
        Kind::Scalar(_) => false,
        Kind::List(items) => items.iter().any(mentions),
        Kind::Map(members) => members.iter().any(|m| names_one(m) || mentions(&m.1)),
    }
}

fn names_one((key, _): &(Key, Node)) -> bool {
    NAMES.contains(&key.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::yaml::{self, Manner};
    use crate::diagnostics::Source;

    fn is_by_example(case: &str) -> bool {
        is_so(&yaml::read(&Source::new("case.yml", case), &Manner::CASES).unwrap())
    }

    #[test]
    fn what_is_expected_is_taken_from_examples() {
        let given = "given: { edges: { $example: A, $kind: { 1: loopback } } }\n";
        for (expected, so) in [
            ("expect: { loops: { $example: B } }", true),
            (
                "expect: { loops: { head: { $example: B, $at: /0 } } }",
                true,
            ),
            ("expect: { verdict: { $verdict: B } }", true),
            ("expect: { $example: B, $each: { id: { $at: /id } } }", true),
            (
                "expect: { $example: B, $each: { id: { $at: /id }, n: 1 } }",
                false,
            ),
            (
                "expect: { loops: { $example: B }, rounds: { head: 0 } }",
                false,
            ),
            ("expect: { $example: B, $with: { rounds: {} } }", false),
            ("expect: {}", false),
            ("expect: { fresh: $fresh }", false),
            ("expect: { channel: { $naming: [] } }", false),
            ("refused: { reason: run_ended }", false),
            ("", false),
        ] {
            assert_eq!(
                is_by_example(&format!("{given}{expected}")),
                so,
                "{expected}"
            );
        }
    }

    #[test]
    fn each_step_is_given_one_or_goes_on() {
        for (given, so) in [
            ("{ edges: { $example: A } }", true),
            ("{ state: { data: {} }, update: { $example: A } }", true),
            ("{ run: $run, loop: head }", true),
            ("{ run: $run, edges: [] }", false),
            ("{ edges: [{ source: a, target: b }] }", false),
            ("{ program: null }", false),
            ("{}", false),
        ] {
            let first = "{ given: { program: { $example: A } }, bind: { run: /run } }";
            let last = format!("{{ given: {given}, expect: {{ $example: B }} }}");
            let case = format!("steps: [{first}, {last}]");
            assert_eq!(is_by_example(&case), so, "{given}");
        }
    }
}
