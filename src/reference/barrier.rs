//! The port that nothing can fill any more.

use super::rounds::RoundReading;

/// Why a port is given up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The port.
    pub port: String,
    /// The source that is a round behind.
    pub source: String,
    /// The consumer's round on the innermost loop that the two share.
    pub round: u64,
    /// The gateway that routed away from the source, where it can be told.
    pub gateway: Option<String>,
}

/// What the rule about ports that cannot be filled decides.
pub trait BarrierReading: RoundReading {
    /// Whether a consumer can be failed for an unfilled port at all, given whether trigger and
    /// error edges lead to it.
    //= SG-20:4
    //= SG-20:5
    fn can_fail_for_port(&self, has_trigger: bool, has_error: bool) -> bool {
        !has_trigger && !has_error
    }

    /// Whether a run is judged that has no record of what can reach what.
    //= SG-20:8
    fn judges_without_reach(&self) -> bool {
        false
    }

    /// Whether a port can be given up, given for each of its sources whether it shares a loop with
    /// the consumer and whether the round comparison held it back.
    //= SG-20:6
    //= SG-20:7
    fn can_be_given_up(&self, shares_loop: &[bool], held_back: &[bool]) -> bool {
        shares_loop.iter().all(|&shares| shares) && held_back.contains(&true)
    }

    /// Whether a unit of work that is still to run can fill a port from this source, given what can
    /// reach the source, itself included.
    //= SG-20:1
    //= SG-20:2
    fn can_fill(&self, node: &str, reaches_source: &[String], _source: &str) -> bool {
        reaches_source
            .binary_search_by(|n| n.as_str().cmp(node))
            .is_ok()
    }

    /// Whether a node can keep a port open at all, given whether it heads a loop.
    //= SG-20:2
    fn can_keep_open(&self, _heads: bool) -> bool {
        true
    }

    /// Whether a head that waits for its loop's next round is alive.
    //= SG-20:2
    fn awaits_next_round(&self) -> bool {
        true
    }

    /// Whether a unit of work counts as one that is still to run, given whether it is a round behind
    /// the consumer.
    //= SG-20:3
    fn is_live(&self, behind: bool) -> bool {
        !behind
    }

    /// The round that is named, given the consumer's on the loops that it shares with the source
    /// and on all of its loops, each from the outermost.
    //= SG-20:10
    fn named_round(&self, shared: &[u64], _own: &[u64]) -> u64 {
        shared.last().copied().unwrap_or(0)
    }

    /// The gateway that is named, given those that a source's incoming branch edges come from and
    /// that routed away from it.
    // open: where there are several, none is named.
    //= SG-20:10
    fn named_gateway(&self, routed_away: &[&str]) -> Option<String> {
        match routed_away {
            [one] => Some((*one).to_owned()),
            _ => None,
        }
    }

    /// What is said of a port that is given up.
    //= SG-20:10
    fn message(&self, verdict: &Verdict) -> String {
        let Verdict {
            port,
            source,
            round,
            gateway,
        } = verdict;
        let cannot = format!("port '{port}' cannot be satisfied in round {round}");
        match gateway {
            Some(gateway) => format!(
                "{cannot} — its only in-loop source '{source}' was skipped by gateway '{gateway}'"
            ),
            None => format!("{cannot} — no value for this round can come from '{source}' any more"),
        }
    }
}
