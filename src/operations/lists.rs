//! Empty lists that stand for empty objects.

use serde_json::{Map, Value};

/// The answer with `{}` for every `[]` that stands where the schema of its operation has an object
/// and no list: PHP, for one, cannot tell the two apart. `None`: there is no such place.
///
/// ```
/// use serde_json::json;
/// use standing::operations::objects_for_lists;
///
/// let schema = json!({ "type": "object", "properties": { "rounds": { "type": "object" } } });
/// let read = objects_for_lists(&schema, &json!({ "rounds": [], "other": [] }));
/// assert_eq!(read, Some(json!({ "rounds": {}, "other": [] })));
/// ```
pub fn objects_for_lists(schema: &Value, answer: &Value) -> Option<Value> {
    let mut read = answer.clone();
    let mut changed = false;
    visit(schema, schema, &mut read, &mut changed);
    changed.then_some(read)
}

fn visit(root: &Value, schema: &Value, value: &mut Value, changed: &mut bool) {
    let schemas = alternatives(root, schema);
    match value {
        Value::Array(items) if items.is_empty() => {
            let takes = |kind| schemas.iter().any(|s| has_type(s, kind));
            if takes("object") && !takes("array") {
                *value = Value::Object(Map::new());
                *changed = true;
            }
        }
        Value::Array(items) => {
            for item in items {
                for schema in schemas.iter().filter_map(|s| s.get("items")) {
                    visit(root, schema, item, changed);
                }
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                for schema in &schemas {
                    let own = schema.get("properties").and_then(|p| p.get(name));
                    if let Some(schema) = own.or_else(|| schema.get("additionalProperties")) {
                        visit(root, schema, member, changed);
                    }
                }
            }
        }
        _ => {}
    }
}

/// The schemas without references and choices that a schema stands for.
fn alternatives<'s>(root: &'s Value, schema: &'s Value) -> Vec<&'s Value> {
    /// A schema that refers to itself through nothing but choices has no end.
    const MOST: usize = 64;
    let mut found = vec![schema];
    let mut i = 0;
    while i < found.len().min(MOST) {
        let schema = found[i];
        i += 1;
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            found.extend(
                reference
                    .strip_prefix('#')
                    .and_then(|pointer| root.pointer(pointer)),
            );
        }
        for choice in ["anyOf", "oneOf", "allOf"] {
            found.extend(
                schema
                    .get(choice)
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten(),
            );
        }
    }
    found
}

fn has_type(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == kind,
        Some(Value::Array(several)) => several.iter().any(|t| t == kind),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_where_the_schema_says_object_and_not_list() {
        let schema = json!({
            "$defs": {
                "Loop": { "$ref": "#/$defs/Loop" },
                "Stamp": { "type": "object", "additionalProperties": { "type": "integer" } }
            },
            "type": "object",
            "properties": {
                "map": { "type": "object", "additionalProperties": { "$ref": "#/$defs/Stamp" } },
                "maybe": { "anyOf": [{ "$ref": "#/$defs/Stamp" }, { "type": "null" }] },
                "either": { "type": ["object", "array"] },
                "list": { "type": "array", "items": { "$ref": "#/$defs/Stamp" } },
                "endless": { "$ref": "#/$defs/Loop" },
                "any": true
            }
        });
        let answer = json!({
            "map": { "a": [] }, "maybe": [], "either": [], "list": [[]], "endless": [], "any": [], "unknown": []
        });
        assert_eq!(
            objects_for_lists(&schema, &answer),
            Some(json!({
                "map": { "a": {} }, "maybe": {}, "either": [], "list": [{}], "endless": [], "any": [], "unknown": []
            }))
        );
        assert_eq!(objects_for_lists(&schema, &json!({ "list": [] })), None);
    }
}
