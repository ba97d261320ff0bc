//! Branches: what a node's decision does to the edges that leave it, and how a gateway decides.

use serde_json::Value;

use super::edges::EdgeReading;
use crate::{
    engine::Refusal,
    operations::{edge::Edge, gateway::DecideParams},
};

/// What the rules about branches decide.
pub trait BranchReading: EdgeReading {
    /// The names that a node emitted as its active branches, as they are written: a list's texts,
    /// or one text whole, whatever separators it holds.
    //= BR-3:1
    //= BR-3:2
    //= BR-3:3
    fn emitted_names(&self, emitted: &Value) -> Vec<String> {
        match emitted {
            Value::String(one) => vec![one.clone()],
            Value::Array(several) => several
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        }
    }

    /// A branch's name in the form that names are compared in.
    //= BR-1:2
    //= BR-3:4
    fn branch_form(&self, name: &str) -> String {
        name.trim().to_lowercase()
    }

    /// Whether a name of this form is one: the empty one is not.
    // open: what a name of nothing but white space comes to.
    fn is_branch_name(&self, form: &str) -> bool {
        !form.is_empty()
    }

    /// Whether a source's configuration has this port among its branches, given their names.
    //= BR-2:2
    fn is_branch_port(&self, port: &str, configured: &[String]) -> bool {
        let port = self.branch_form(port);
        configured.iter().any(|name| self.branch_form(name) == port)
    }

    /// Whether an edge is followed, given its source's active branches and the names of those that
    /// the source is configured with. Three cases let it pass before the active ones are looked at.
    //= BR-1:1
    //= BR-1:2
    //= BR-1:3
    //= BR-2:1
    //= BR-2:3
    //= BR-5:1
    //= BR-5:2
    fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
        let port = self.branch(edge.source_handle.as_deref().unwrap_or_default());
        if port.is_empty() || active.is_empty() || !self.is_branch_port(port, configured) {
            return true;
        }
        let port = self.branch_form(port);
        active.iter().any(|name| self.branch_form(name) == port)
    }

    /// The name of a configured branch, where the entry has a usable one.
    //= BR-4:1
    fn configured_name<'b>(&self, branch: &'b Value) -> Option<&'b str> {
        let name = branch.get("name")?.as_str()?;
        (!name.is_empty()).then_some(name)
    }

    /// The truth that a configured value denotes, if it denotes one.
    //= BR-4:2
    fn denotes(&self, configured: &Value) -> Option<bool> {
        match configured {
            Value::Bool(truth) => Some(*truth),
            Value::Number(n) if n.as_u64() == Some(0) => Some(false),
            Value::Number(n) if n.as_u64() == Some(1) => Some(true),
            Value::String(text) => match text.to_lowercase().as_str() {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an outcome matches a branch's configured value.
    // open: numbers that are equal and written differently are told apart.
    //= BR-4:2
    //= BR-4:3
    fn matches_branch(&self, outcome: &Value, configured: &Value) -> bool {
        match (outcome, configured) {
            (Value::Bool(truth), _) => self.denotes(configured) == Some(*truth),
            (Value::String(a), Value::String(b)) => a.to_lowercase() == b.to_lowercase(),
            _ => outcome == configured,
        }
    }

    /// What a gateway makes active when no branch matches: the default that it declares; else it
    /// fails.
    //= BR-4:4
    fn unmatched(&self, _outcome: &Value, default: Option<&str>) -> Option<Vec<String>> {
        default.map(|name| vec![name.to_owned()])
    }
}

/// The active branches that a node means by what it emitted.
pub fn parse(reading: &dyn BranchReading, emitted: &Value) -> Vec<String> {
    reading
        .emitted_names(emitted)
        .iter()
        .map(|name| reading.branch_form(name))
        .filter(|form| reading.is_branch_name(form))
        .collect()
}

/// The names of the branches that a source is configured with.
pub fn configured(reading: &dyn BranchReading, branches: &[Value]) -> Vec<String> {
    branches
        .iter()
        .filter_map(|branch| reading.configured_name(branch))
        .map(str::to_owned)
        .collect()
}

/// The branches that a gateway makes active.
///
/// # Errors
///
/// `no_branch_matches` where it has neither a branch nor a default for the outcome.
// open: where several branches match, the first is active.
//= BR-4:1
//= BR-4:4
pub fn decide(reading: &dyn BranchReading, given: &DecideParams) -> Result<Vec<String>, Refusal> {
    let null = Value::Null;
    let matching = given.branches.iter().find_map(|branch| {
        let name = reading.configured_name(branch)?;
        let value = branch.get("value").unwrap_or(&null);
        reading
            .matches_branch(&given.value, value)
            .then(|| vec![name.to_owned()])
    });
    matching
        .or_else(|| reading.unmatched(&given.value, given.default.as_deref()))
        .ok_or_else(|| {
            Refusal::new(
                "no_branch_matches",
                format!("no branch is configured for {}", given.value),
            )
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::reference::AsWritten;

    #[test]
    fn a_text_is_one_name_and_what_is_no_text_is_dropped() {
        for (emitted, expected) in [
            (json!("a, B ,c"), vec!["a, b ,c"]),
            (json!(["keep", 5, null, ""]), vec!["keep"]),
            (json!([" A ", ["b"], {"c": 1}]), vec!["a"]),
            (json!(null), vec![]),
            (json!({"a": "b"}), vec![]),
            (json!(""), vec![]),
        ] {
            assert_eq!(parse(&AsWritten, &emitted), expected, "{emitted}");
        }
    }

    #[test]
    fn only_a_branch_port_is_gated() {
        let edge = |handle: &str| Edge {
            source_handle: Some(handle.into()),
            ..Edge::default()
        };
        let names = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
        let follows = |handle, active: &[&str], branches: &[&str]| {
            AsWritten.is_followed(&edge(handle), &names(active), &names(branches))
        };
        assert!(!follows("g-output-No", &["yes"], &["Yes", "No"]));
        assert!(follows("g-output-no", &[" NO "], &["Yes", "No"]));
        assert!(follows("g-output-value", &["yes"], &["Yes", "No"]));
        assert!(follows("g-output-No", &[], &["Yes", "No"]));
        assert!(follows("g-output-No", &["yes"], &[]));
        assert!(follows("g-output-trigger", &["yes"], &["trigger", "yes"]));
        assert!(follows("nothing", &["yes"], &["nothing"]));
    }

    #[test]
    fn outcomes_match_by_type() {
        for (outcome, configured, matches) in [
            (json!(true), json!(true), true),
            (json!(true), json!(1), true),
            (json!(true), json!("TRUE"), true),
            (json!(false), json!("0"), true),
            (json!(true), json!("yes"), false),
            (json!(true), json!(2), false),
            (json!(false), json!(null), false),
            (json!("Red"), json!("rED"), true),
            (json!("1"), json!(1), false),
            (json!(1), json!(true), false),
            (json!("true"), json!(true), false),
            (json!([1]), json!([1]), true),
            (json!(null), json!(null), true),
        ] {
            let got = AsWritten.matches_branch(&outcome, &configured);
            assert_eq!(got, matches, "{outcome} {configured}");
        }
    }

    #[test]
    fn no_match_is_the_default_or_a_failure() {
        let given = |default: Option<&str>| DecideParams {
            value: json!(3),
            branches: vec![
                json!({"name": "", "value": 3}),
                json!({"name": 5, "value": 3}),
                json!({"name": "Two", "value": 2}),
            ],
            default: default.map(str::to_owned),
        };
        assert_eq!(
            decide(&AsWritten, &given(Some("Else"))).unwrap(),
            vec!["Else"]
        );
        let refused = decide(&AsWritten, &given(None)).unwrap_err();
        assert_eq!(refused.reason, "no_branch_matches");
    }
}
