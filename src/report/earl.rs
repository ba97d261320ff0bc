//! The record in the Evaluation and Report Language (EARL) 1.0 of the W3C, as JSON-LD.

use serde_json::{Map, Value, json};

use crate::{
    diagnostics::inert_json,
    run::Outcome,
    standing::{CaseRecord, Record, RuleRecord, Standing},
};

/// The record as EARL: an assertion a case, and one of each rule that no case was put for. The
/// context is inside, so that nothing is fetched to read it.
///
/// Passed and failed are as they are called. That the engine erred or did not answer in time tells
/// nothing of the rule (`earl:cantTell`); what it declines, or a rule of no profile that it claims,
/// is `earl:inapplicable`; what was not put is `earl:untested`.
pub fn earl(record: &Record) -> String {
    let mut graph = vec![harness(record), engine(record)];
    for rule in &record.rules {
        graph.push(json!({
            "@id": rule_iri(rule),
            "@type": "earl:TestRequirement",
            "title": format!("{}: {}", rule.id, rule.title),
            "isPartOf": iri("family", &rule.family),
        }));
        if rule.cases.is_empty() {
            let outcome = match rule.standing {
                Standing::NotApplicable => "earl:inapplicable",
                _ => "earl:untested",
            };
            graph.push(assertion(record, &rule_iri(rule), rule, result(outcome)));
        }
        for case in &rule.cases {
            let test = iri("case", &case.case);
            graph.push(json!({
                "@id": test,
                "@type": "earl:TestCase",
                "title": case.case,
                "isPartOf": rule_iri(rule),
            }));
            let mut result = result(outcome(rule, case));
            if let Some(message) = &case.message {
                result.insert("info".to_owned(), message.clone().into());
            }
            graph.push(assertion(record, &test, rule, result));
        }
    }
    let report = json!({ "@context": context(), "@graph": graph });
    let mut text = inert_json(&format!("{report:#}"));
    text.push('\n');
    text
}

fn context() -> Value {
    let link = |name: &str| json!({ "@id": name, "@type": "@id" });
    json!({
        "earl": "http://www.w3.org/ns/earl#",
        "dct": "http://purl.org/dc/terms/",
        "doap": "http://usefulinc.com/ns/doap#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
        "assertedBy": link("earl:assertedBy"),
        "subject": link("earl:subject"),
        "test": link("earl:test"),
        "mode": link("earl:mode"),
        "outcome": link("earl:outcome"),
        "isPartOf": link("dct:isPartOf"),
        "result": "earl:result",
        "info": "earl:info",
        "title": "dct:title",
        "description": "dct:description",
        "date": { "@id": "dct:date", "@type": "xsd:dateTime" },
        "name": "doap:name",
        "revision": "doap:revision",
        "language": "doap:programming-language",
    })
}

fn harness(record: &Record) -> Value {
    json!({
        "@id": iri("harness", &record.harness.name),
        "@type": ["earl:Assertor", "earl:Software"],
        "title": record.harness.name,
        "revision": record.harness.version,
        "description": record.statement,
    })
}

fn engine(record: &Record) -> Value {
    let engine = &record.engine;
    let mut subject = json!({
        "@id": iri("engine", &engine.name),
        "@type": ["earl:TestSubject", "earl:Software", "doap:Project"],
        "name": engine.name,
    });
    for (name, value) in [
        ("revision", &engine.version),
        ("language", &engine.language),
    ] {
        if let Some(value) = value {
            subject[name] = value.clone().into();
        }
    }
    subject
}

fn outcome(rule: &RuleRecord, case: &CaseRecord) -> &'static str {
    match case.outcome {
        Outcome::Pass => "earl:passed",
        Outcome::Fail => "earl:failed",
        Outcome::Error | Outcome::Timeout => "earl:cantTell",
        Outcome::Unsupported => "earl:inapplicable",
        Outcome::Skipped if rule.standing == Standing::NotApplicable => "earl:inapplicable",
        Outcome::Skipped => "earl:untested",
    }
}

fn result(outcome: &str) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert("@type".to_owned(), "earl:TestResult".into());
    result.insert("outcome".to_owned(), outcome.into());
    result
}

fn assertion(
    record: &Record,
    test: &str,
    rule: &RuleRecord,
    mut result: Map<String, Value>,
) -> Value {
    if let Some(date) = record.timing.as_ref().and_then(|t| t.date.as_ref()) {
        result.insert("date".to_owned(), date.clone().into());
    }
    let mut assertion = json!({
        "@type": "earl:Assertion",
        "assertedBy": iri("harness", &record.harness.name),
        "subject": iri("engine", &record.engine.name),
        "test": test,
        "mode": "earl:automatic",
        "result": result,
    });
    // A rule that counts nowhere is asserted all the same, and says so.
    if !rule.posture.counts() {
        assertion["description"] = format!("{}: counts nowhere", rule.posture).into();
    }
    assertion
}

fn rule_iri(rule: &RuleRecord) -> String {
    iri("rule", rule.id.as_str())
}

/// A name of our own for a thing that has no address, RFC 3986: what is not unreserved is encoded.
fn iri(kind: &str, name: &str) -> String {
    let mut out = format!("urn:standing:{kind}:");
    for byte in name.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => out.push(byte.into()),
            byte if byte.is_ascii_alphanumeric() => out.push(byte.into()),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_an_iri_cannot_hold_is_encoded() {
        assert_eq!(
            super::iri("case", "A-1/b c>é"),
            "urn:standing:case:A-1/b%20c%3E%C3%A9"
        );
    }
}
