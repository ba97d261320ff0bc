//! The JSON Schema of case files, for editors and for those who check their files without the
//! harness. `case_file.rs` is what reads them; it knows the documents too, so it refuses more.

use serde_json::{Value, json};

use super::matching::Mode;
use crate::operations::Operations;

/// The JSON Schema (draft 2020-12) of a case file, YAML read as JSON. It is published as
/// `docs/schema/cases-1.json`.
///
/// The names of operations are those of `operations`. What a step is given is checked against its
/// operation's own schema by the harness alone: references to examples may stand in it anywhere.
///
/// ```
/// use standing::{operations::Operations, suite::case_file_schema};
///
/// let schema = case_file_schema(&Operations::standard());
/// assert_eq!(schema["required"], serde_json::json!(["rule"]));
/// ```
pub fn case_file_schema(operations: &Operations) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A case file of standing",
        "description": "The cases that bear on one rule.",
        "type": "object",
        "properties": {
            "rule": {
                "description": "The id of the rule, `SG-16`.",
                "type": "string",
                "pattern": "^[A-Z][A-Z0-9]*([-.][A-Za-z0-9]+)*(/[a-z])?$",
            },
            "cases": {
                "description": "The cases, in the order in which they are reported.",
                "type": ["array", "null"],
                "items": { "$ref": "#/$defs/case" },
            },
            "untestable": {
                "description": "The clauses that no case can bear on, by number, each with the reason. They are shown and count nowhere.",
                "type": "object",
                "propertyNames": { "pattern": "^[1-9][0-9]*$" },
                "additionalProperties": { "type": "string" },
            },
        },
        "required": ["rule"],
        "additionalProperties": false,
        "$defs": {
            "case": case(),
            "step": step(),
            "operation": {
                "description": "What the engine is asked to do.",
                "enum": operations.iter().map(|o| o.name).collect::<Vec<_>>(),
            },
            "given": {
                "description": "The params of the operation, `{}` where it is left out. References to examples and bound values, `$run`, may stand anywhere in it.",
                "$ref": "#/$defs/value",
            },
            "expect": {
                "description": "The answer that is expected. Without it and without `refused`, any answer but a refusal will do.",
                "$ref": "#/$defs/value",
            },
            "match": matching(),
            "refused": {
                "description": "The refusal that is expected.",
                "type": "object",
                "properties": {
                    "reason": {
                        "description": "The reason that the engine gives.",
                        "type": "string",
                    },
                    "naming": {
                        "description": "Words that its message, or what else it tells, holds.",
                        "$ref": "#/$defs/words",
                    },
                },
                "required": ["reason"],
                "additionalProperties": false,
            },
            "bind": {
                "description": "Names for parts of the answer, each with the JSON Pointer of its part. A later step has the part as `$name`.",
                "type": "object",
                "additionalProperties": { "$ref": "#/$defs/pointer" },
            },
            "expectation": {
                "dependentSchemas": {
                    "match": { "required": ["expect"] },
                    "refused": { "properties": { "expect": false } },
                },
            },
            "value": value(),
            "reference": reference(),
            "name": {
                "description": "An example of the rule's document: its title, or what tells it apart from others.",
                "type": ["string", "object"],
                "properties": {
                    "title": { "description": "Its title.", "type": "string" },
                    "verdict": { "description": "Its verdict.", "type": "string" },
                    "nth": {
                        "description": "Which of those that fit, counted from 1.",
                        "type": "integer",
                        "minimum": 1,
                    },
                },
                "additionalProperties": false,
            },
            "template": template(),
            "words": { "type": "array", "items": { "type": "string" } },
            "pointer": {
                "description": "A JSON Pointer (RFC 6901): empty, or `/` before each of its parts.",
                "type": "string",
                "pattern": "^(/([^~/]|~[01])*)*$",
            },
        },
    })
}

/// A case is one step itself, or has several.
fn case() -> Value {
    let mut properties = json!({
        "name": {
            "description": "Its name, unique in the file: the case of SG-16 that is named `two-tails` is `SG-16/two-tails`.",
            "type": "string",
            "pattern": r"^[^\s/*?\[\]{}:¶]+$",
        },
        "clauses": {
            "description": "The numbers of the clauses that it bears on.",
            "type": "array",
            "items": { "type": "integer", "minimum": 1 },
            "minItems": 1,
        },
        "steps": {
            "description": "Several questions, put in order in one session of the engine. The first that does not pass decides the case.",
            "type": "array",
            "items": { "$ref": "#/$defs/step" },
            "minItems": 1,
        },
    });
    let parts = parts();
    let none: Value = parts.as_object().map(refuse).unwrap_or_default();
    if let (Value::Object(all), Value::Object(parts)) = (&mut properties, parts) {
        all.extend(parts);
    }
    json!({
        "description": "One question with what is expected of the answer, or several in a conversation.",
        "type": "object",
        "properties": properties,
        "required": ["name", "clauses"],
        "if": { "required": ["steps"] },
        "then": { "properties": none },
        "else": { "required": ["operation"] },
        "allOf": [{ "$ref": "#/$defs/expectation" }],
        "additionalProperties": false,
    })
}

/// The same keys, with no value that they could have.
fn refuse(parts: &serde_json::Map<String, Value>) -> Value {
    let none = parts.keys().map(|key| (key.clone(), Value::Bool(false)));
    Value::Object(none.collect())
}

fn step() -> Value {
    json!({
        "description": "One question of a conversation, with what is expected of the answer.",
        "type": "object",
        "properties": parts(),
        "required": ["operation"],
        "allOf": [{ "$ref": "#/$defs/expectation" }],
        "additionalProperties": false,
    })
}

/// What a step has, whether it stands in a list of steps or is the whole case.
fn parts() -> Value {
    let keys = ["operation", "given", "expect", "match", "refused", "bind"];
    let parts = keys.map(|key| (key.to_owned(), json!({ "$ref": format!("#/$defs/{key}") })));
    Value::Object(parts.into_iter().collect())
}

/// How parts of an answer are held against what is expected.
fn matching() -> Value {
    let mode = json!({ "enum": Mode::WORDS.iter().map(|(word, _)| word).collect::<Vec<_>>() });
    json!({
        "description": "How the answer is held against `expect`: `exact` (the default) takes neither more nor less; `includes` takes members that are not expected; `unordered` takes the items of a list in any order. One word for all of it, or a word for each part by its JSON Pointer, where the nearest above decides.",
        "if": { "type": "object" },
        "then": {
            "propertyNames": { "$ref": "#/$defs/pointer" },
            "additionalProperties": mode,
        },
        "else": mode,
    })
}

/// Any value, with references in it.
fn value() -> Value {
    json!({
        "description": "A value as it is. A mapping with `$example` is a value from the rule's document, `{ $verdict: … }` an example's verdict and `{ $text: … }` its text; in an expectation, `{ $naming: [words] }` is a text that holds every word. A string that is wholly `$name` is what an earlier step bound; `$$` escapes.",
        "if": { "type": "object", "required": ["$example"] },
        "then": { "$ref": "#/$defs/reference" },
        "else": {
            "properties": {
                "$verdict": { "$ref": "#/$defs/name" },
                "$text": { "$ref": "#/$defs/name" },
                "$naming": { "$ref": "#/$defs/words" },
            },
            "dependentSchemas": {
                "$verdict": { "maxProperties": 1 },
                "$text": { "maxProperties": 1 },
                "$naming": { "maxProperties": 1 },
            },
            "propertyNames": { "pattern": r"^([^$]|\$\$|\$(verdict|text|naming)$|$)" },
            "additionalProperties": { "$ref": "#/$defs/value" },
            "items": { "$ref": "#/$defs/value" },
        },
    })
}

/// A value that is taken from an example, and what is made of it.
fn reference() -> Value {
    json!({
        "description": "The value of an example, or what is made of it.",
        "type": "object",
        "properties": {
            "$example": { "$ref": "#/$defs/name" },
            "$at": { "description": "Takes this part of it.", "$ref": "#/$defs/pointer" },
            "$as": { "description": "Rebuilds it.", "$ref": "#/$defs/template" },
            "$each": { "description": "Rebuilds every item of a list.", "$ref": "#/$defs/template" },
            "$with": {
                "description": "Adds members to an object, or to the items of a list by their index, counted from 0.",
                "type": "object",
                "additionalProperties": { "$ref": "#/$defs/value" },
            },
            "$kind": {
                "description": "Says the `kind` of edges in a list, by their index, counted from 0.",
                "type": "object",
                "propertyNames": { "pattern": "^(0|[1-9][0-9]*)$" },
            },
        },
        "dependentSchemas": { "$as": { "properties": { "$each": false } } },
        "additionalProperties": false,
    })
}

/// What an example's value is rebuilt as.
fn template() -> Value {
    json!({
        "description": "A value in which `{ $at: POINTER }` picks a part of what is rebuilt; an empty pointer picks all of it, and what is not there is left out.",
        "if": { "type": "object", "required": ["$at"] },
        "then": {
            "properties": { "$at": { "$ref": "#/$defs/pointer" } },
            "additionalProperties": false,
        },
        "else": {
            "propertyNames": { "pattern": r"^([^$]|\$\$|$)" },
            "additionalProperties": { "$ref": "#/$defs/template" },
            "items": { "$ref": "#/$defs/template" },
        },
    })
}
