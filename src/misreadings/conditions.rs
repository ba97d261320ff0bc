//! Misreadings of what a condition on an edge does.

use serde_json::{Map, Value};

use crate::{
    operations::{
        edge::{Edge, EdgeKind},
        loops::ReenterParams,
    },
    reference::{
        AsWritten, branches::BranchReading, forms::FormReading, rounds::RoundReading,
        schedule::ScheduleReading,
    },
};

misreadings! {
    /// A condition that says `false` closes its edge.
    "false-condition-closes" misreads "SG-9":1 as ScheduleReading {
        fn condition_gates(&self, _kind: EdgeKind, condition: &Value) -> bool {
            condition == "false"
        }
    }

    /// A condition that cannot be evaluated closes its edge.
    "odd-condition-closes" misreads "SG-9":1 as ScheduleReading {
        fn condition_gates(&self, _kind: EdgeKind, condition: &Value) -> bool {
            condition != "true"
        }
    }

    /// A condition is obeyed where a decision is taken anyway, on a loopback edge.
    "condition-closes-a-loopback-edge" misreads "SG-9":1 as ScheduleReading {
        fn condition_gates(&self, kind: EdgeKind, condition: &Value) -> bool {
            kind == EdgeKind::Loopback && condition == "false"
        }
    }

    /// An edge that says `false` is not followed, whatever the branch.
    "condition-closes-a-branch" misreads "SG-9":1 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            !says(edge, "false") && AsWritten.is_followed(edge, active, configured)
        }
    }

    /// An edge that says `true` is followed, whatever the branch.
    "condition-opens-a-branch" misreads "SG-9":1 as BranchReading {
        fn is_followed(&self, edge: &Edge, active: &[String], configured: &[String]) -> bool {
            says(edge, "true") || AsWritten.is_followed(edge, active, configured)
        }
    }

    /// A loopback edge that says `true` is taken again, whatever the budget.
    "condition-renews-the-budget" misreads "SG-9":1 as RoundReading {
        fn spent(&self, question: &ReenterParams) -> u64 {
            if says(&question.edge, "true") { 0 } else { AsWritten.spent(question) }
        }
    }

    /// A condition does nothing, and nothing is said of it.
    "condition-goes-unsaid" misreads "SG-9":2 as ScheduleReading {
        fn warns_of_condition(&self, _condition: &Value) -> bool {
            false
        }
    }

    /// There is one warning for an edge with a condition, however often it is followed.
    "condition-is-told-once" misreads "SG-9":2 as ScheduleReading {
        fn warns_again(&self, warned: bool) -> bool {
            !warned
        }
    }

    /// Only a condition that would close its edge is warned of.
    "condition-is-told-if-false" misreads "SG-9":2 as ScheduleReading {
        fn warns_of_condition(&self, condition: &Value) -> bool {
            condition == "false"
        }
    }

    /// A condition is of no use and is dropped when its edge is saved.
    "condition-is-dropped" misreads "SG-9":2 as FormReading {
        fn transported(&self, edge: &Edge) -> Map<String, Value> {
            let mut form = AsWritten.transported(edge);
            if let Some(Value::Object(data)) = form.get_mut("data") {
                data.shift_remove("condition");
            }
            form
        }
    }

    /// A condition that says `false` keeps its edge from starting a node.
    "condition-closes-a-trigger" misreads "EDGE-8":2 as ScheduleReading {
        fn condition_gates(&self, kind: EdgeKind, condition: &Value) -> bool {
            kind == EdgeKind::Trigger && condition == "false"
        }
    }

    /// A condition that says `false` keeps its edge from bringing data.
    "condition-closes-a-data-edge" misreads "EDGE-8":2 as ScheduleReading {
        fn condition_gates(&self, kind: EdgeKind, condition: &Value) -> bool {
            kind == EdgeKind::Data && condition == "false"
        }
    }

    /// An empty condition is none and need not be kept.
    "empty-condition-is-dropped" misreads "EDGE-8":2 as FormReading {
        fn transported(&self, edge: &Edge) -> Map<String, Value> {
            let mut form = AsWritten.transported(edge);
            if let Some(Value::Object(data)) = form.get_mut("data") {
                data.retain(|member, value| member != "condition" || value != "");
            }
            form
        }
    }

    /// A condition that lets its edge be followed is not warned of.
    "condition-that-holds-goes-unsaid" misreads "EDGE-8":3 as ScheduleReading {
        fn warns_of_condition(&self, condition: &Value) -> bool {
            condition != "true" && AsWritten.warns_of_condition(condition)
        }
    }

    /// Only a condition that would have to be evaluated is warned of.
    "expression-alone-is-warned-of" misreads "EDGE-8":3 as ScheduleReading {
        fn warns_of_condition(&self, condition: &Value) -> bool {
            let constant = condition == "true" || condition == "false";
            !constant && AsWritten.warns_of_condition(condition)
        }
    }

    /// An edge is warned of once a run: its author knows by then.
    "one-warning-a-run" misreads "EDGE-8":3 as ScheduleReading {
        fn warns_again(&self, warned: bool) -> bool {
            !warned
        }
    }

    /// Every condition that is stored is warned of, one that is empty as well.
    "empty-condition-is-warned-of" misreads "EDGE-8":4 as ScheduleReading {
        fn warns_of_condition(&self, _condition: &Value) -> bool {
            true
        }
    }
}

fn says(edge: &Edge, text: &str) -> bool {
    let condition = edge.data.as_ref().and_then(|data| data.condition.as_ref());
    condition.is_some_and(|condition| condition == text)
}
