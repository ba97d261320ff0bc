//! Misreadings of what is judged edge by edge and of what is dispatched node by node.

use crate::reference::{AsWritten, schedule::ScheduleReading};

misreadings! {
    /// A node is dispatched for every edge that is followed to it.
    "dispatch-per-edge" misreads "SG-6":1 as ScheduleReading {
        fn is_new_dispatch(&self, _waiting: bool, _executed: bool) -> bool {
            true
        }
    }

    /// A node runs once all its trigger edges are followed.
    "all-edges-must-be-followed" misreads "SG-6":1 as ScheduleReading {
        fn is_ready(&self, errors: &[bool], triggers: &[bool], ports: &[bool]) -> bool {
            triggers.iter().all(|&trigger| trigger) && AsWritten.is_ready(errors, triggers, ports)
        }
    }

    /// The edge that was drawn first decides for all that lead to the same node.
    "first-edge-decides-for-the-target" misreads "SG-6":1 as ScheduleReading {
        fn is_ready(&self, errors: &[bool], triggers: &[bool], ports: &[bool]) -> bool {
            let first = &triggers[..triggers.len().min(1)];
            AsWritten.is_ready(errors, first, ports)
        }
    }
}
