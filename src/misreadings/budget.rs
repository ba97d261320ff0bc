//! Misreadings of the iteration budget of a run, and of how one ends that goes beyond it.

use serde_json::{Map, Value};

use crate::{
    operations::workflow::RunStatus,
    reference::{AsWritten, records::RecordReading},
};

misreadings! {
    /// The iteration count is information and ends nothing.
    "budget-ends-nothing" misreads "SG-14":1 as RecordReading {
        fn is_past_budget(&self, _iterations: u64, _most: u64) -> bool {
            false
        }
    }

    /// The first iteration beyond the maximum still takes place.
    "budget-has-one-to-spare" misreads "SG-14":1 as RecordReading {
        fn is_past_budget(&self, iterations: u64, most: u64) -> bool {
            iterations > most.saturating_add(1)
        }
    }

    /// The node fails by whose update the budget is exceeded, and its error edges take that.
    "past-budget-fails-the-node" misreads "SG-14":1 as RecordReading {
        fn fails_past_budget(&self) -> bool {
            true
        }
    }

    /// A run ends when its count is at the maximum.
    "budget-is-spent-at-the-maximum" misreads "SG-14":2 as RecordReading {
        fn is_past_budget(&self, iterations: u64, most: u64) -> bool {
            iterations >= most
        }
    }

    /// A run ends when its next iteration would be the last.
    "budget-is-spent-before-the-maximum" misreads "SG-14":2 as RecordReading {
        fn is_past_budget(&self, iterations: u64, most: u64) -> bool {
            iterations.saturating_add(1) >= most
        }
    }

    /// A run that goes beyond its budget reports that it has failed.
    "past-budget-is-a-failure" misreads "SG-14":3 as RecordReading {
        fn status_past_budget(&self) -> RunStatus {
            RunStatus::Failed
        }
    }

    /// A run that goes beyond its budget has simply come to its end.
    "past-budget-is-completed" misreads "SG-14":3 as RecordReading {
        fn status_past_budget(&self) -> RunStatus {
            RunStatus::Completed
        }
    }

    /// A run that goes beyond its budget reports what was completed before.
    "past-budget-gives-results" misreads "SG-14":3 as RecordReading {
        fn reported_results(
            &self,
            results: Map<String, Value>,
            _past_budget: bool,
        ) -> Map<String, Value> {
            results
        }
    }

    /// The status says enough: nothing is reported with it.
    "past-budget-says-no-more" misreads "SG-14":3 as RecordReading {
        fn past_budget(&self, _most: u64, _reached: u64, _node: &str) -> Map<String, Value> {
            Map::new()
        }
    }

    /// The count that is reported is the last one that was allowed.
    "past-budget-reports-the-maximum-reached" misreads "SG-14":3 as RecordReading {
        fn past_budget(&self, most: u64, _reached: u64, node: &str) -> Map<String, Value> {
            AsWritten.past_budget(most, most, node)
        }
    }

    /// The maximum that is reported is the engine's own.
    "past-budget-reports-a-default" misreads "SG-14":3 as RecordReading {
        fn past_budget(&self, _most: u64, reached: u64, node: &str) -> Map<String, Value> {
            AsWritten.past_budget(AsWritten.most_iterations(None, None), reached, node)
        }
    }

    /// The node is not among what is reported of a run that goes beyond its budget.
    "past-budget-names-no-node" misreads "SG-14":3 as RecordReading {
        fn past_budget(&self, most: u64, reached: u64, node: &str) -> Map<String, Value> {
            let mut reported = AsWritten.past_budget(most, reached, node);
            reported.shift_remove("node_id");
            reported
        }
    }

    /// A run that goes beyond its budget is paused.
    "past-budget-is-a-pause" misreads "SG-14":4 as RecordReading {
        fn status_past_budget(&self) -> RunStatus {
            RunStatus::Paused
        }
    }

    /// A run that went beyond its budget can be resumed, as every run can.
    "past-budget-can-be-resumed" misreads "SG-14":4 as RecordReading {
        fn refuses_resume(&self, _has_ended: bool) -> bool {
            false
        }
    }
}
