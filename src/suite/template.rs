//! JSON with gaps: values that earlier steps of a case bind, and patterns.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::corpus::index;

/// How deep a pointer may lead.
const MAX_DEPTH: usize = 128;

/// What a case says of an input or an expectation. Whatever is known when the case is loaded is
/// `Const`, example data among it, and is never looked into for `$` again.
#[derive(Clone, Debug, PartialEq)]
pub enum Template {
    /// A value as it is.
    Const(Value),
    /// The value that an earlier step bound to this name.
    Bound(String),
    /// A string that holds every one of these words. In expectations only.
    Naming(Vec<String>),
    /// An object with a gap somewhere below.
    Object(Vec<(String, Template)>),
    /// A list with a gap somewhere below.
    List(Vec<Template>),
}

/// The values that the steps of a case have bound so far.
pub type Bindings = Map<String, Value>;

impl Template {
    /// An object; without gaps below it is a value.
    pub(super) fn object(members: Vec<(String, Template)>) -> Self {
        if members.iter().all(|(_, t)| matches!(t, Self::Const(_))) {
            let plain = members
                .into_iter()
                .filter_map(|(k, t)| Some((k, t.into_const()?)));
            return Self::Const(Value::Object(plain.collect()));
        }
        Self::Object(members)
    }

    /// A list; without gaps below it is a value.
    pub(super) fn list(items: Vec<Template>) -> Self {
        if items.iter().all(|t| matches!(t, Self::Const(_))) {
            return Self::Const(items.into_iter().filter_map(Self::into_const).collect());
        }
        Self::List(items)
    }

    fn into_const(self) -> Option<Value> {
        match self {
            Self::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The value, every gap filled. A name that nothing is bound to gives null: names are checked
    /// when a case is loaded.
    pub fn fill(&self, bound: &Bindings) -> Cow<'_, Value> {
        match self {
            Self::Const(value) => Cow::Borrowed(value),
            _ => Cow::Owned(self.filled(bound)),
        }
    }

    fn filled(&self, bound: &Bindings) -> Value {
        match self {
            Self::Const(value) => value.clone(),
            Self::Bound(name) => bound.get(name).cloned().unwrap_or_default(),
            Self::Naming(words) => {
                let words = words.iter().map(|w| Value::from(w.as_str())).collect();
                Value::Object(Map::from_iter([("$naming".to_owned(), words)]))
            }
            Self::Object(members) => Value::Object(
                members
                    .iter()
                    .map(|(k, t)| (k.clone(), t.filled(bound)))
                    .collect(),
            ),
            Self::List(items) => items.iter().map(|t| t.filled(bound)).collect(),
        }
    }

    /// Calls `each` with every name that a gap is to be filled from.
    pub fn each_bound(&self, each: &mut impl FnMut(&str)) {
        match self {
            Self::Const(_) | Self::Naming(_) => {}
            Self::Bound(name) => each(name),
            Self::Object(members) => members.iter().for_each(|(_, t)| t.each_bound(each)),
            Self::List(items) => items.iter().for_each(|t| t.each_bound(each)),
        }
    }

    /// Whether a JSON Pointer leads to or into a value that is not known yet.
    #[cfg(feature = "check")]
    pub(super) fn is_gap(&self, pointer: &[String]) -> bool {
        let next = pointer.split_first();
        match self {
            Self::Const(_) => false,
            Self::Bound(_) | Self::Naming(_) => true,
            Self::Object(members) => next.is_some_and(|(first, rest)| {
                members.iter().any(|(k, t)| k == first && t.is_gap(rest))
            }),
            Self::List(items) => next.is_some_and(|(first, rest)| {
                index(first)
                    .and_then(|i| items.get(i))
                    .is_some_and(|t| t.is_gap(rest))
            }),
        }
    }

    /// Whether a JSON Pointer finds something here.
    pub(super) fn has(&self, pointer: &[String]) -> bool {
        let Some((first, rest)) = pointer.split_first() else {
            return true;
        };
        match self {
            Self::Const(value) => {
                let mut at = value;
                pointer.iter().all(|token| match child(at, token) {
                    Some(next) => {
                        at = next;
                        true
                    }
                    None => false,
                })
            }
            // What is bound is not known yet.
            Self::Bound(_) => true,
            Self::Naming(_) => false,
            Self::Object(members) => members.iter().any(|(k, t)| k == first && t.has(rest)),
            Self::List(items) => index(first)
                .and_then(|i| items.get(i))
                .is_some_and(|t| t.has(rest)),
        }
    }
}

pub(super) fn child<'a>(value: &'a Value, token: &str) -> Option<&'a Value> {
    match value {
        Value::Object(members) => members.get(token),
        Value::Array(items) => items.get(index(token)?),
        _ => None,
    }
}

/// Splits a JSON Pointer (RFC 6901) into its tokens. `None`: it is none.
pub(super) fn pointer(text: &str) -> Option<Vec<String>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let tokens = text.strip_prefix('/')?.split('/');
    // Deeper than any value is.
    if tokens.clone().nth(MAX_DEPTH).is_some() {
        return None;
    }
    tokens
        .map(|token| {
            let stray = token.replace("~0", "").replace("~1", "").contains('~');
            (!stray).then(|| token.replace("~1", "/").replace("~0", "~"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn gaps_are_filled_with_what_was_bound_whatever_its_type() {
        let template = Template::object(vec![
            ("run".into(), Template::Bound("run".into())),
            ("text".into(), Template::Const(json!("$run"))),
        ]);
        let bound = Bindings::from_iter([("run".to_owned(), json!({"id": 7}))]);
        assert_eq!(
            *template.fill(&bound),
            json!({"run": {"id": 7}, "text": "$run"})
        );
    }

    #[test]
    fn pointers_follow_rfc_6901() {
        assert_eq!(
            pointer("/a~1b/~01/0"),
            Some(vec!["a/b".into(), "~1".into(), "0".into()])
        );
        assert_eq!(pointer(""), Some(vec![]));
        assert_eq!(pointer("/"), Some(vec![String::new()]));
        assert_eq!(pointer("a"), None);
        assert_eq!(pointer("/~2"), None);
        let value = Template::Const(json!({"a": [{"": 1}]}));
        for (text, there) in [
            ("/a/0/", true),
            ("/a/00", false),
            ("/a/1", false),
            ("/b", false),
        ] {
            assert_eq!(
                value.has(&pointer(text).unwrap_or_default()),
                there,
                "{text}"
            );
        }
    }
}
