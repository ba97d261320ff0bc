//! Misreadings of when a port is given up, and of what is said then.

use crate::reference::barrier::{BarrierReading, Verdict};

misreadings! {
    /// A port is given up as soon as its source did not run in this round.
    "port-waits-for-nothing" misreads "SG-20":1 as BarrierReading {
        fn can_fill(&self, _node: &str, _reaches_source: &[String], _source: &str) -> bool {
            false
        }
    }

    /// A port waits as long as anything at all is still to run.
    "port-waits-for-everything" misreads "SG-20":1 as BarrierReading {
        fn can_fill(&self, _node: &str, _reaches_source: &[String], _source: &str) -> bool {
            true
        }
    }

    /// A port waits for its source alone.
    "source-alone-can-fill" misreads "SG-20":1 as BarrierReading {
        fn can_fill(&self, node: &str, _reaches_source: &[String], source: &str) -> bool {
            node == source
        }
    }

    /// The head of a loop stands for no value of the body.
    "head-keeps-no-port-open" misreads "SG-20":2 as BarrierReading {
        fn can_keep_open(&self, heads: bool) -> bool {
            !heads
        }
    }

    /// The head is not alive before the next round has begun.
    "next-round-is-not-awaited" misreads "SG-20":2 as BarrierReading {
        fn awaits_next_round(&self) -> bool {
            false
        }
    }

    /// What was left over from earlier rounds is alive until the run ends.
    "left-over-keeps-the-port-open" misreads "SG-20":3 as BarrierReading {
        fn is_live(&self, _behind: bool) -> bool {
            true
        }
    }

    /// Nodes that were waiting before the loop went on belong to no round and are not alive.
    "only-left-over-is-alive" misreads "SG-20":3 as BarrierReading {
        fn is_live(&self, behind: bool) -> bool {
            behind
        }
    }

    /// A consumer with a trigger edge is failed for its port, too.
    "triggered-consumer-is-failed" misreads "SG-20":5 as BarrierReading {
        fn can_fail_for_port(&self, _has_trigger: bool, has_error: bool) -> bool {
            !has_error
        }
    }

    /// A consumer with an error edge into it is failed for its port, too.
    "error-handler-is-failed" misreads "SG-20":5 as BarrierReading {
        fn can_fail_for_port(&self, has_trigger: bool, _has_error: bool) -> bool {
            !has_trigger
        }
    }

    /// One source in the loop is enough for a port to be given up.
    "source-outside-does-not-count" misreads "SG-20":6 as BarrierReading {
        fn can_be_given_up(&self, shares_loop: &[bool], held_back: &[bool]) -> bool {
            shares_loop.contains(&true) && held_back.contains(&true)
        }
    }

    /// A port whose source was never dispatched is given up, too.
    "never-dispatched-is-given-up" misreads "SG-20":7 as BarrierReading {
        fn can_be_given_up(&self, shares_loop: &[bool], _held_back: &[bool]) -> bool {
            shares_loop.iter().all(|&shares| shares)
        }
    }

    /// The comparison of rounds has to hold every edge of the port back.
    "every-edge-has-to-be-held-back" misreads "SG-20":7 as BarrierReading {
        fn can_be_given_up(&self, shares_loop: &[bool], held_back: &[bool]) -> bool {
            shares_loop.iter().all(|&shares| shares) && held_back.iter().all(|&held| held)
        }
    }

    /// Without reachability sets nothing can fill a port.
    "no-reach-no-value" misreads "SG-20":8 as BarrierReading {
        fn judges_without_reach(&self) -> bool {
            true
        }
    }

    /// No port is given up: its consumer waits, and is skipped when the run ends.
    "unfillable-port-is-a-skip" misreads "SG-20":9 as BarrierReading {
        fn can_fail_for_port(&self, _has_trigger: bool, _has_error: bool) -> bool {
            false
        }
    }

    /// A failure names the port and no more.
    "verdict-names-the-port-alone" misreads "SG-20":10 as BarrierReading {
        fn message(&self, verdict: &Verdict) -> String {
            format!("port '{}' cannot be satisfied", verdict.port)
        }
    }

    /// A failure says in which round of the source the last value came.
    "verdict-names-the-round-before" misreads "SG-20":10 as BarrierReading {
        fn named_round(&self, shared: &[u64], _own: &[u64]) -> u64 {
            shared.last().map_or(0, |round| round.saturating_sub(1))
        }
    }

    /// A failure names the round of the outermost loop.
    "verdict-names-the-outermost-round" misreads "SG-20":10 as BarrierReading {
        fn named_round(&self, shared: &[u64], _own: &[u64]) -> u64 {
            shared.first().copied().unwrap_or(0)
        }
    }

    /// A failure names the round of the consumer's innermost loop, also where its source is not in it.
    "verdict-names-the-consumers-round" misreads "SG-20":10 as BarrierReading {
        fn named_round(&self, _shared: &[u64], own: &[u64]) -> u64 {
            own.last().copied().unwrap_or(0)
        }
    }

    /// A failure names no gateway.
    "verdict-names-no-gateway" misreads "SG-20":10 as BarrierReading {
        fn named_gateway(&self, _routed_away: &[&str]) -> Option<String> {
            None
        }
    }

    /// A failure names a gateway always, and one that cannot be told without its name.
    "verdict-always-names-a-gateway" misreads "SG-20":10 as BarrierReading {
        fn named_gateway(&self, routed_away: &[&str]) -> Option<String> {
            Some(routed_away.first().copied().unwrap_or("unknown").to_owned())
        }
    }
}
