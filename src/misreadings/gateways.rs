//! Misreadings of how a gateway finds the branch for its outcome.

use serde_json::Value;

use crate::reference::{AsWritten, branches::BranchReading};

misreadings! {
    /// A branch whose name is empty is one.
    "empty-name-is-a-name" misreads "BR-4":1 as BranchReading {
        fn configured_name<'b>(&self, branch: &'b Value) -> Option<&'b str> {
            branch.get("name")?.as_str()
        }
    }

    /// A branch without a usable name goes by its value.
    "value-names-a-branch" misreads "BR-4":1 as BranchReading {
        fn configured_name<'b>(&self, branch: &'b Value) -> Option<&'b str> {
            let named = AsWritten.configured_name(branch);
            named.or_else(|| branch.get("value")?.as_str())
        }
    }

    /// A branch whose name is no string takes part, and none is active where it matches.
    "branch-without-a-name-matches" misreads "BR-4":1 as BranchReading {
        fn configured_name<'b>(&self, branch: &'b Value) -> Option<&'b str> {
            Some(AsWritten.configured_name(branch).unwrap_or_default())
        }
    }

    /// Only a truth value denotes one.
    "only-booleans-denote" misreads "BR-4":2 as BranchReading {
        fn denotes(&self, configured: &Value) -> Option<bool> {
            configured.as_bool()
        }
    }

    /// Every value denotes a truth value: empty ones and zero are false, and the others true.
    "every-value-is-truthy-or-not" misreads "BR-4":2 as BranchReading {
        fn denotes(&self, configured: &Value) -> Option<bool> {
            Some(truthy(configured))
        }
    }

    /// The words true and false are written in lower case.
    "words-denote-in-lower-case" misreads "BR-4":2 as BranchReading {
        fn denotes(&self, configured: &Value) -> Option<bool> {
            let other_case = configured.as_str().is_some_and(|text| text != text.to_lowercase());
            AsWritten.denotes(configured).filter(|_| !other_case)
        }
    }

    /// Digits in a string denote a number and no truth value.
    "digits-denote-nothing" misreads "BR-4":2 as BranchReading {
        fn denotes(&self, configured: &Value) -> Option<bool> {
            AsWritten.denotes(configured).filter(|_| configured != "0" && configured != "1")
        }
    }

    /// The words yes, no, on and off denote truth values, too.
    "yes-and-no-denote" misreads "BR-4":2 as BranchReading {
        fn denotes(&self, configured: &Value) -> Option<bool> {
            match configured.as_str().map(str::to_lowercase).as_deref() {
                Some("yes" | "on") => Some(true),
                Some("no" | "off") => Some(false),
                _ => AsWritten.denotes(configured),
            }
        }
    }

    /// An outcome that stands for a truth value matches what does so, too.
    "outcomes-denote-as-well" misreads "BR-4":2 as BranchReading {
        fn matches_branch(&self, outcome: &Value, configured: &Value) -> bool {
            let truth = AsWritten.denotes(outcome);
            AsWritten.matches_branch(outcome, configured)
                || (truth.is_some() && truth == AsWritten.denotes(configured))
        }
    }

    /// Strings match to the letter.
    "strings-match-to-the-letter" misreads "BR-4":3 as BranchReading {
        fn matches_branch(&self, outcome: &Value, configured: &Value) -> bool {
            match (outcome, configured) {
                (Value::String(a), Value::String(b)) => a == b,
                _ => AsWritten.matches_branch(outcome, configured),
            }
        }
    }

    /// What reads the same is the same, whatever its type.
    "everything-matches-as-text" misreads "BR-4":3 as BranchReading {
        fn matches_branch(&self, outcome: &Value, configured: &Value) -> bool {
            AsWritten.matches_branch(outcome, configured)
                || text(outcome).to_lowercase() == text(configured).to_lowercase()
        }
    }

    /// Strings that read like one number are alike.
    "numeric-strings-are-numbers" misreads "BR-4":3 as BranchReading {
        fn matches_branch(&self, outcome: &Value, configured: &Value) -> bool {
            let number = |value: &Value| value.as_str()?.parse::<f64>().ok();
            let numbers = number(outcome).zip(number(configured));
            AsWritten.matches_branch(outcome, configured) || numbers.is_some_and(|(a, b)| a == b)
        }
    }

    /// All empty values are alike.
    "empty-values-are-alike" misreads "BR-4":3 as BranchReading {
        fn matches_branch(&self, outcome: &Value, configured: &Value) -> bool {
            let empty = |value: &Value| !value.is_boolean() && !truthy(value);
            AsWritten.matches_branch(outcome, configured) || (empty(outcome) && empty(configured))
        }
    }

    /// An outcome without a branch makes none active.
    "unmatched-goes-quietly" misreads "BR-4":4 as BranchReading {
        fn unmatched(&self, _outcome: &Value, default: Option<&str>) -> Option<Vec<String>> {
            Some(AsWritten.unmatched(&Value::Null, default).unwrap_or_default())
        }
    }

    /// An outcome without a branch takes the branch true or the branch false.
    "unmatched-is-true-or-false" misreads "BR-4":4 as BranchReading {
        fn unmatched(&self, outcome: &Value, default: Option<&str>) -> Option<Vec<String>> {
            let usual = if truthy(outcome) { "True" } else { "False" };
            Some(vec![default.unwrap_or(usual).to_owned()])
        }
    }

    /// An outcome without a branch is the name of one.
    "unmatched-names-its-branch" misreads "BR-4":4 as BranchReading {
        fn unmatched(&self, outcome: &Value, default: Option<&str>) -> Option<Vec<String>> {
            Some(vec![default.map_or_else(|| text(outcome), str::to_owned)])
        }
    }

    /// There is no default: an outcome without a branch fails the node.
    "default-is-not-taken" misreads "BR-4":4 as BranchReading {
        fn unmatched(&self, _outcome: &Value, _default: Option<&str>) -> Option<Vec<String>> {
            None
        }
    }
}

/// Whether a value is true where values are cast.
fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(truth) => *truth,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(_) => true,
    }
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}
