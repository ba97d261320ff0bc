//! Rule files against the published schema.

use std::sync::Arc;

use jsonschema::{Validator, error::ValidationErrorKind as Kind};
use serde_json::Value;

use super::{index::Index, members};
use crate::{
    corpus::{
        Document, Head, JsonFault, Layout, parse_json,
        yaml::{self, Manner, Node},
    },
    diagnostics::{Code, Diagnostic, Place, Source},
};

pub(super) fn check(index: &Index<'_>, findings: &mut Vec<Diagnostic>) {
    for source in index.corpus.schemas() {
        let schema = match parse_json(source.text()) {
            Ok(schema) => schema,
            Err(error) => {
                let what = match error.fault {
                    JsonFault::Repeated => "the schema",
                    _ => "the schema is not JSON",
                };
                findings.push(
                    bad(source, format!("{what}: {}", error.message))
                        .at(Place::new(source, error.offset..error.offset + 1)),
                );
                continue;
            }
        };
        match jsonschema::validator_for(&schema) {
            Ok(validator) => {
                for document in index.documents().filter(|d| d.layout == Layout::Files) {
                    if let Some(head) = document.head.as_ref().filter(|_| is_for(source, document))
                    {
                        rule(head, &schema, &validator, findings);
                    }
                }
            }
            Err(error) => {
                // JSON is YAML, and trees of that know their places.
                let root = yaml::read(source, &Manner::CASES).ok();
                let pointer = pointer(error.instance_path().as_str());
                let place =
                    root.map(|root| Place::new(source, root.nearest(&pointer).span.clone()));
                findings.push(
                    bad(source, format!("this is no JSON Schema: {error}"))
                        .at(place.or_else(|| Some(Place::line_of(source, 0)))),
                );
            }
        }
    }
}

/// The tokens of a JSON Pointer.
fn pointer(text: &str) -> Vec<String> {
    let tokens = text.split('/').skip(1);
    tokens
        .map(|t| t.replace("~1", "/").replace("~0", "~"))
        .collect()
}

/// A schema is for the rule files in its folder.
fn is_for(schema: &Source, document: &Document) -> bool {
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(f, _)| f).to_owned();
    folder(schema.path()) == folder(document.source.path())
}

fn bad(source: &Arc<Source>, message: String) -> Diagnostic {
    Diagnostic::error(Code::BadSchema, message)
        .at(Place::line_of(source, 0))
        .note("no rule file can be held against it")
        .help("mend the schema")
}

fn rule(head: &Head, schema: &Value, validator: &Validator, findings: &mut Vec<Diagnostic>) {
    let value = head.root.to_value();
    // What loading and the other groups told of a member is not told again.
    let told: Vec<Place> = findings
        .iter()
        .filter_map(|f| f.place.clone())
        .filter(|p| p.path() == head.source.path())
        .collect();
    for error in validator.iter_errors(&value) {
        let pointer = pointer(error.instance_path().as_str());
        let node = head.root.nearest(&pointer);
        let place = head.place(node);
        let is_told = |place: &Place| {
            told.iter().any(|t| {
                let (t, p) = (t.span(), place.span());
                t.start < p.end.max(p.start + 1) && p.start < t.end.max(t.start + 1)
            })
        };
        match error.kind() {
            Kind::AdditionalProperties { unexpected } => {
                let known = known(schema, &pointer);
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                for key in unexpected {
                    let member = node.members().iter().find(|(k, _)| k.name == *key);
                    let place = member.map_or(place.clone(), |(k, _)| {
                        Place::new(&head.source, k.span.clone())
                    });
                    findings.push(members::unknown_key(key, &known, place));
                }
            }
            Kind::Required { property } => {
                let property = property.as_str().unwrap_or_default();
                let message = match pointer.is_empty() {
                    true => format!("{} lacks `{property}`", head.what),
                    false => format!("this lacks `{property}`"),
                };
                let is_loaded = findings.iter().any(|f| {
                    f.message == message
                        && f.place
                            .as_ref()
                            .is_some_and(|p| p.path() == head.source.path())
                });
                if !is_loaded {
                    let at = match pointer.is_empty() {
                        true => Place::line_of(&head.source, 0),
                        false => Place::line_of(&head.source, place.span().start),
                    };
                    findings.push(
                        Diagnostic::error(Code::FrontMatterShape, message)
                            .at(at)
                            .help(format!("write `{property}:`")),
                    );
                }
            }
            _ if is_told(&place) => {}
            Kind::MinLength { .. } | Kind::MaxLength { .. } if pointer == ["title"] => {
                let title = &schema["properties"]["title"];
                let bound = |key: &str, or: usize| {
                    let bound = title[key].as_u64().and_then(|n| usize::try_from(n).ok());
                    bound.unwrap_or(or)
                };
                let length = value["title"].as_str().map_or(0, |t| t.chars().count());
                let bounds = (bound("minLength", 0), bound("maxLength", usize::MAX));
                findings.push(members::title_bounds(length, bounds.0, bounds.1).at(place));
            }
            Kind::Type { .. } => findings.push(ill_typed(head, &pointer, node, &error).at(place)),
            _ => findings.push(
                Diagnostic::error(
                    Code::RuleSchema,
                    format!("`{}` does not fit the schema: {error}", pointer.join("/")),
                )
                .at(place)
                .note("the published schema is what other tools hold rule files against")
                .help("write what the schema allows"),
            ),
        }
    }
}

fn ill_typed(
    head: &Head,
    pointer: &[String],
    node: &Node,
    error: &jsonschema::ValidationError<'_>,
) -> Diagnostic {
    let fault = Diagnostic::error(
        Code::FrontMatterShape,
        format!("`{}` has the wrong type: {error}", pointer.join("/")),
    );
    match head.written(node) {
        Some(text) => fault.help(format!("put it in quotes: \"{text}\"")),
        None => fault.help("write what the schema allows"),
    }
}

/// The keys that a schema knows at a place of its instances.
fn known(schema: &Value, pointer: &[String]) -> Vec<String> {
    let mut at = schema;
    for token in pointer {
        at = match token.parse::<usize>() {
            Ok(_) => &at["items"],
            Err(_) => &at["properties"][token.as_str()],
        };
        if let Some(reference) = at["$ref"].as_str() {
            at = schema
                .pointer(reference.trim_start_matches('#'))
                .unwrap_or(&Value::Null);
        }
    }
    let keys = at["properties"].as_object();
    keys.map(|k| k.keys().cloned().collect())
        .unwrap_or_default()
}
