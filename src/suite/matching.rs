//! Holding an answer against what is expected of it.

use std::{cmp::Ordering, collections::HashMap};

use petgraph::{algo::maximum_matching, graph::UnGraph};
use serde_json::{Map, Number, Value};

use super::template::{Bindings, Template};
use crate::diagnostics::brief;

/// How a part of an answer is held against its expectation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The same members and items, and no others.
    #[default]
    Exact,
    /// Every expected member is there and matches; an object may have more. Lists are of one
    /// length and match item by item.
    Includes,
    /// As exact, but a list's items may come in any order.
    Unordered,
}

impl Mode {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Includes => "includes",
            Self::Unordered => "unordered",
        }
    }

    /// All modes, by the word for them.
    pub const WORDS: &[(&str, Mode)] = &[
        (Mode::Exact.as_str(), Mode::Exact),
        (Mode::Includes.as_str(), Mode::Includes),
        (Mode::Unordered.as_str(), Mode::Unordered),
    ];
}

/// The mode of each part of an expectation: the nearest part above that has one decides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Modes {
    here: Option<Mode>,
    below: HashMap<String, Modes>,
}

impl Modes {
    /// The modes that a case sets, each with the JSON Pointer of its part; ordered by pointer.
    pub fn all(&self) -> Vec<(String, Mode)> {
        let mut all: Vec<(String, Mode)> =
            self.here.map(|m| (String::new(), m)).into_iter().collect();
        for (token, modes) in &self.below {
            let below = modes.all().into_iter();
            all.extend(below.map(|(rest, mode)| (format!("/{}{rest}", escape(token)), mode)));
        }
        all.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        all
    }

    /// Sets the mode of the part that a JSON Pointer, split into its tokens, leads to.
    pub(super) fn set(&mut self, pointer: &[String], mode: Mode) {
        match pointer.split_first() {
            None => self.here = Some(mode),
            Some((first, rest)) => self.below.entry(first.clone()).or_default().set(rest, mode),
        }
    }
}

/// Where an answer first differs from what is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// The JSON Pointer of the part.
    pub pointer: String,
    /// What is wrong there, on one line.
    pub message: String,
    /// The value nearest to the answer that would have matched: against the answer itself it shows
    /// just what is wrong.
    pub nearest: Value,
}

/// An expected answer and how it is matched.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// What is expected.
    pub template: Template,
    /// How it is held against the answer.
    pub modes: Modes,
}

impl Expected {
    /// The first difference between the expectation and an answer, if there is one.
    pub fn mismatch(&self, answer: &Value, bound: &Bindings) -> Option<Mismatch> {
        let scope = Scope {
            modes: Some(&self.modes),
            mode: Mode::default(),
            bound,
        };
        let pattern = Pattern::Template(&self.template);
        let (pointer, message) = scope.compare(pattern, answer, "").err()?;
        Some(Mismatch {
            pointer,
            message,
            nearest: scope.nearest(pattern, Some(answer)),
        })
    }
}

/// Whether two values are the same: members in any order, numbers by their exact value.
///
/// ```
/// use serde_json::json;
/// use standing::suite::same;
///
/// assert!(same(&json!({"a": 1, "b": 2}), &json!({"b": 2.0, "a": 1})));
/// assert!(!same(&json!(9007199254740992_u64), &json!(9007199254740993_u64)));
/// assert!(!same(&json!(null), &json!({})));
/// ```
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w)))
        }
        _ => a == b,
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a.as_f64() == b.as_f64(),
        (Some(whole), None) => is_whole(b, whole),
        (None, Some(whole)) => is_whole(a, whole),
    }
}

/// Whether a floating-point number has just the value `whole`, which fits into 65 bits.
fn is_whole(number: &Number, whole: i128) -> bool {
    number
        .as_f64()
        .is_some_and(|f| f.fract() == 0.0 && f.abs() < 1e30 && f as i128 == whole)
}

#[derive(Clone, Copy)]
enum Pattern<'a> {
    Template(&'a Template),
    Value(&'a Value),
}

/// A pattern with the outermost layer in view.
enum View<'a> {
    Scalar(&'a Value),
    Naming(&'a [String]),
    List(Vec<Pattern<'a>>),
    Object(Vec<(&'a str, Pattern<'a>)>),
}

impl<'a> Pattern<'a> {
    fn view(self, bound: &'a Bindings) -> View<'a> {
        const NULL: &Value = &Value::Null;
        match self {
            Pattern::Template(Template::Const(value)) | Pattern::Value(value) => match value {
                Value::Array(items) => View::List(items.iter().map(Pattern::Value).collect()),
                Value::Object(members) => View::Object(
                    members
                        .iter()
                        .map(|(k, v)| (k.as_str(), Pattern::Value(v)))
                        .collect(),
                ),
                scalar => View::Scalar(scalar),
            },
            Pattern::Template(Template::Bound(name)) => {
                Pattern::Value(bound.get(name).unwrap_or(NULL)).view(bound)
            }
            Pattern::Template(Template::Naming(words)) => View::Naming(words),
            Pattern::Template(Template::List(items)) => {
                View::List(items.iter().map(Pattern::Template).collect())
            }
            Pattern::Template(Template::Object(members)) => View::Object(
                members
                    .iter()
                    .map(|(k, t)| (k.as_str(), Pattern::Template(t)))
                    .collect(),
            ),
        }
    }

    /// The value that it is, if it is one.
    fn value(self, bound: &'a Bindings) -> Option<&'a Value> {
        match self {
            Pattern::Value(value) | Pattern::Template(Template::Const(value)) => Some(value),
            Pattern::Template(Template::Bound(name)) => bound.get(name),
            Pattern::Template(_) => None,
        }
    }
}

#[derive(Clone, Copy)]
struct Scope<'a> {
    modes: Option<&'a Modes>,
    mode: Mode,
    bound: &'a Bindings,
}

type Compared = Result<(), (String, String)>;

impl<'a> Scope<'a> {
    fn mode(self) -> Mode {
        self.modes.and_then(|m| m.here).unwrap_or(self.mode)
    }

    fn below(self, token: &str) -> Self {
        Self {
            mode: self.mode(),
            modes: self.modes.and_then(|m| m.below.get(token)),
            ..self
        }
    }

    fn compare(self, pattern: Pattern<'a>, answer: &Value, pointer: &str) -> Compared {
        // Most answers are right, and most expectations plain.
        if let Some(value) = pattern.value(self.bound)
            && same(value, answer)
        {
            return Ok(());
        }
        let differs = |message: String| Err((pointer.to_owned(), message));
        match (pattern.view(self.bound), answer) {
            (View::Naming(words), Value::String(text)) => {
                match words.iter().find(|word| !text.contains(word.as_str())) {
                    None => Ok(()),
                    Some(word) => differs(format!("{answer} does not name `{word}`")),
                }
            }
            (View::Naming(_), _) => differs(format!("expected a text, got {}", brief(answer))),
            (View::Scalar(expected), _) => {
                if same(expected, answer) {
                    return Ok(());
                }
                differs(format!(
                    "expected {}, got {}",
                    brief(expected),
                    brief(answer)
                ))
            }
            (View::Object(expected), Value::Object(members)) => {
                self.compare_objects(&expected, members, pointer)
            }
            (View::Object(_), _) => differs(format!("expected an object, got {}", brief(answer))),
            (View::List(expected), Value::Array(items)) => {
                if expected.len() != items.len() {
                    let (wanted, got) = (count(expected.len()), items.len());
                    return differs(format!("expected {wanted}, got {got}"));
                }
                match self.mode() {
                    Mode::Unordered => self.compare_unordered(&expected, items, pointer),
                    _ => expected
                        .iter()
                        .zip(items)
                        .enumerate()
                        .try_for_each(|(i, (e, a))| {
                            let token = i.to_string();
                            self.below(&token)
                                .compare(*e, a, &format!("{pointer}/{token}"))
                        }),
                }
            }
            (View::List(_), _) => differs(format!("expected a list, got {}", brief(answer))),
        }
    }

    fn compare_objects(
        self,
        expected: &[(&'a str, Pattern<'a>)],
        members: &Map<String, Value>,
        pointer: &str,
    ) -> Compared {
        for (name, pattern) in expected {
            let at = format!("{pointer}/{}", escape(name));
            match members.get(*name) {
                Some(value) => self.below(name).compare(*pattern, value, &at)?,
                None => return Err((at, "expected, but not there".into())),
            }
        }
        if self.mode() != Mode::Includes {
            for name in members.keys() {
                if !expected.iter().any(|(n, _)| n == name) {
                    let at = format!("{pointer}/{}", escape(name));
                    return Err((at, "not expected, but there".into()));
                }
            }
        }
        Ok(())
    }

    fn compare_unordered(
        self,
        expected: &[Pattern<'a>],
        items: &[Value],
        pointer: &str,
    ) -> Compared {
        let pairing = self.pair(expected, items);
        match pairing.iter().position(Option::is_none) {
            None => Ok(()),
            Some(i) => {
                let wanted = self.nearest(expected[i], None);
                let message = format!("no item is {}", brief(&wanted));
                Err((pointer.to_owned(), message))
            }
        }
    }

    /// Gives every expected item an item of its own that matches it, as far as there are any. Two
    /// patterns may fit one item, so that taking the first that fits can be wrong.
    fn pair(self, expected: &[Pattern<'a>], items: &[Value]) -> Vec<Option<usize>> {
        let mut fits = UnGraph::<(), ()>::with_capacity(expected.len() + items.len(), items.len());
        let patterns: Vec<_> = expected.iter().map(|_| fits.add_node(())).collect();
        let answers: Vec<_> = items.iter().map(|_| fits.add_node(())).collect();
        for (i, pattern) in expected.iter().enumerate() {
            let scope = self.below(&i.to_string());
            for (j, item) in items.iter().enumerate() {
                if scope.compare(*pattern, item, "").is_ok() {
                    fits.add_edge(patterns[i], answers[j], ());
                }
            }
        }
        let matching = maximum_matching(&fits);
        let mate = |p| matching.mate(p).map(|m| m.index() - expected.len());
        patterns.into_iter().map(mate).collect()
    }

    /// The value nearest to `answer` that matches.
    fn nearest(self, pattern: Pattern<'a>, answer: Option<&Value>) -> Value {
        if let Some(answer) = answer
            && self.compare(pattern, answer, "").is_ok()
        {
            return answer.clone();
        }
        match (pattern.view(self.bound), answer) {
            (View::Scalar(value), _) => value.clone(),
            (View::Naming(words), _) => Template::Naming(words.to_vec())
                .fill(self.bound)
                .into_owned(),
            (View::Object(expected), answer) => {
                let none = Map::new();
                let members = answer.and_then(Value::as_object).unwrap_or(&none);
                let mut near = Map::new();
                for (name, value) in members {
                    match expected.iter().find(|(n, _)| n == name) {
                        Some((_, pattern)) => {
                            near.insert(
                                name.clone(),
                                self.below(name).nearest(*pattern, Some(value)),
                            );
                        }
                        None if self.mode() == Mode::Includes => {
                            near.insert(name.clone(), value.clone());
                        }
                        None => {}
                    }
                }
                for (name, pattern) in expected {
                    if !members.contains_key(name) {
                        near.insert(name.to_owned(), self.below(name).nearest(pattern, None));
                    }
                }
                Value::Object(near)
            }
            (View::List(expected), answer) => {
                let items = answer
                    .and_then(Value::as_array)
                    .map_or(&[][..], Vec::as_slice);
                let each = expected.iter().enumerate();
                if self.mode() != Mode::Unordered {
                    return each
                        .map(|(i, p)| self.below(&i.to_string()).nearest(*p, items.get(i)))
                        .collect();
                }
                let pairing = self.pair(&expected, items);
                let mut near: Vec<(usize, Value)> = each
                    .map(|(i, p)| {
                        let scope = self.below(&i.to_string());
                        let at = pairing[i];
                        (
                            at.unwrap_or(usize::MAX),
                            scope.nearest(*p, at.map(|j| &items[j])),
                        )
                    })
                    .collect();
                near.sort_by(|a, b| a.0.cmp(&b.0).then(Ordering::Equal));
                near.into_iter().map(|(_, value)| value).collect()
            }
        }
    }
}

fn count(items: usize) -> String {
    match items {
        1 => "1 item".into(),
        n => format!("{n} items"),
    }
}

fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn expected(value: Value, modes: &[(&str, Mode)]) -> Expected {
        let mut all = Modes::default();
        for (pointer, mode) in modes {
            all.set(
                &super::super::template::pointer(pointer).expect("a pointer"),
                *mode,
            );
        }
        Expected {
            template: Template::Const(value),
            modes: all,
        }
    }

    fn differs(expected: &Expected, answer: Value) -> Option<(String, String)> {
        expected
            .mismatch(&answer, &Bindings::new())
            .map(|m| (m.pointer, m.message))
    }

    fn at(pointer: &str, message: &str) -> Option<(String, String)> {
        Some((pointer.into(), message.into()))
    }

    #[test]
    fn numbers_compare_by_exact_value() {
        let big = 9_007_199_254_740_992_u64;
        for (a, b, equal) in [
            (json!(1), json!(1.0), true),
            (json!(0), json!(-0.0), true),
            (json!(1), json!(1.5), false),
            (json!(big), json!(big + 1), false),
            (json!(big), json!(big as f64), true),
            (json!(big + 1), json!(big as f64), false),
            (json!(u64::MAX), json!(u64::MAX as f64), false),
            (json!(-1), json!(u64::MAX), false),
            (json!(1e300), json!(1e300), true),
            (json!(1), json!(1e300), false),
        ] {
            assert_eq!(same(&a, &b), equal, "{a} {b}");
            assert_eq!(same(&b, &a), equal, "{b} {a}");
        }
    }

    #[test]
    fn exact_takes_neither_more_nor_less() {
        let e = expected(json!({"a": [1, {"b": null}]}), &[]);
        assert_eq!(differs(&e, json!({"a": [1.0, {"b": null}]})), None);
        assert_eq!(
            differs(&e, json!({"a": [1, {}]})),
            at("/a/1/b", "expected, but not there")
        );
        assert_eq!(
            differs(&e, json!({"a": [1, {"b": null, "c/d": 1}]})),
            at("/a/1/c~1d", "not expected, but there")
        );
        assert_eq!(
            differs(&e, json!({"a": [1]})),
            at("/a", "expected 2 items, got 1")
        );
        assert_eq!(
            differs(&e, json!({"a": {}})),
            at("/a", "expected a list, got {}")
        );
        assert_eq!(differs(&e, json!(3)), at("", "expected an object, got 3"));
    }

    #[test]
    fn includes_takes_more_members_but_no_more_items() {
        let e = expected(
            json!({"a": {"b": 1}, "l": [{"x": 1}]}),
            &[("", Mode::Includes), ("/a", Mode::Exact)],
        );
        assert_eq!(
            differs(
                &e,
                json!({"a": {"b": 1}, "l": [{"x": 1, "y": 2}], "more": 1})
            ),
            None
        );
        assert_eq!(
            differs(&e, json!({"a": {"b": 1, "c": 1}, "l": [{"x": 1}]})),
            at("/a/c", "not expected, but there")
        );
        assert_eq!(
            differs(&e, json!({"a": {"b": 1}, "l": [{"x": 1}, 2]})),
            at("/l", "expected 1 item, got 2")
        );
    }

    #[test]
    fn the_nearest_mode_above_decides() {
        let e = expected(
            json!({"a": {"b": {"c": 1}}}),
            &[("/a", Mode::Includes), ("/a/b/c", Mode::Exact)],
        );
        assert_eq!(
            differs(&e, json!({"a": {"b": {"c": 1, "d": 1}, "e": 1}})),
            None
        );
        assert_eq!(
            differs(&e, json!({"a": {"b": {"c": 1}}, "x": 1})),
            at("/x", "not expected, but there")
        );
    }

    #[test]
    fn unordered_compares_lists_as_multisets() {
        let e = expected(json!([1, 2, 2]), &[("", Mode::Unordered)]);
        assert_eq!(differs(&e, json!([2, 1, 2])), None);
        assert_eq!(differs(&e, json!([2, 1, 1])), at("", "no item is 2"));
    }

    #[test]
    fn unordered_finds_the_pairing_that_a_greedy_choice_misses() {
        // The first pattern fits both items, the second only the first of them.
        let e = expected(
            json!([{"a": 1}, {"a": 1, "b": 1}]),
            &[("", Mode::Unordered), ("/0", Mode::Includes)],
        );
        assert_eq!(
            differs(&e, json!([{"a": 1, "b": 1}, {"a": 1, "c": 2}])),
            None
        );
        // A chain of three that has to be turned round twice.
        let loose = [
            ("", Mode::Unordered),
            ("/0", Mode::Includes),
            ("/1", Mode::Includes),
            ("/2", Mode::Includes),
        ];
        let e = expected(json!([{}, {"a": 1}, {"a": 1, "b": 1}]), &loose);
        assert_eq!(differs(&e, json!([{"a": 1, "b": 1}, {"a": 1}, {}])), None);
        let (pointer, message) =
            differs(&e, json!([{"a": 1, "b": 1}, {}, {}])).expect("one is missing");
        assert!(
            pointer.is_empty() && message.starts_with("no item is {\"a\":1"),
            "{message}"
        );
    }

    #[test]
    fn naming_looks_for_words_and_is_never_found_in_data() {
        let e = Expected {
            template: Template::object(vec![(
                "m".into(),
                Template::Naming(vec!["port".into(), "'c'".into()]),
            )]),
            modes: Modes::default(),
        };
        assert_eq!(
            differs(&e, json!({"m": "no value for 'c' on port x"})),
            None
        );
        assert_eq!(
            differs(&e, json!({"m": "port c"})),
            at("/m", "\"port c\" does not name `'c'`")
        );
        let data = expected(json!({"$naming": ["a"]}), &[]);
        assert_eq!(differs(&data, json!({"$naming": ["a"]})), None);
        assert!(differs(&data, json!("a")).is_some());
    }

    #[test]
    fn the_nearest_value_differs_only_where_the_answer_is_wrong() {
        let e = expected(
            json!({"b": [1, 3], "a": {"x": 1}, "u": [1, 2]}),
            &[("", Mode::Includes), ("/u", Mode::Unordered)],
        );
        let answer = json!({"more": 0, "u": [2, 9], "a": {"x": 1.0, "y": 2}, "b": [1, 2, 3]});
        let near = e
            .mismatch(&answer, &Bindings::new())
            .expect("differs")
            .nearest;
        assert_eq!(
            near.to_string(),
            r#"{"more":0,"u":[2,1],"a":{"x":1.0,"y":2},"b":[1,3]}"#
        );
        // What is nearest matches, or nobody would believe the diff.
        assert_eq!(e.mismatch(&near, &Bindings::new()), None);
    }
}
