//! Which nodes are dispatched, and when one of them is ready.

use super::{branches::BranchReading, rounds::RoundReading};
use crate::operations::{edge::EdgeKind, workflow::Behaviour};

/// What is known of an edge's source when its consumer wants to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SourceFacts {
    /// Its newest execution has completed.
    pub completed: bool,
    /// Its newest execution has failed, and the failure was routed.
    pub routed: bool,
    /// Its output has something for the edge, null included.
    pub brings: bool,
    /// A newer unit of work of the same node exists.
    pub superseded: bool,
    /// The edge leaves a named port of a source that made branches active.
    pub branching: bool,
    /// The edge is followed, as far as branches go.
    pub followed: bool,
    /// The round comparison holds the edge back.
    pub held_back: bool,
    /// The consumer has already handled a failure of a later round.
    pub handled_later: bool,
}

/// What the rules about dispatching and readiness decide.
pub trait ScheduleReading: BranchReading + RoundReading {
    /// Whether an edge that is followed to a node makes a unit of work of it, given whether one is
    /// waiting already and whether the node has been executed in this round. Edges that arrive
    /// together make one between them.
    //= SG-6:1
    fn is_new_dispatch(&self, waiting: bool, executed: bool) -> bool {
        !waiting && !executed
    }

    /// Whether a loopback edge that is followed asks for a round, given the value that it brings.
    //= SG-5:2
    fn is_signal(&self, _brought: Option<&serde_json::Value>) -> bool {
        true
    }

    /// Whether a stored condition keeps an edge from being followed: never.
    //= SG-9:1
    //= SG-9:2
    //= EDGE-8:1
    //= EDGE-8:2
    fn condition_gates(&self, _kind: EdgeKind, _condition: &serde_json::Value) -> bool {
        false
    }

    /// Whether a stored condition is warned of.
    // open: one that is neither text nor absent.
    //= SG-9:2
    //= EDGE-8:3
    //= EDGE-8:4
    fn warns_of_condition(&self, condition: &serde_json::Value) -> bool {
        condition.as_str().is_some_and(|text| !text.is_empty())
    }

    /// Whether an edge's condition is warned of, given whether it was in this run.
    //= SG-9:2
    fn warns_again(&self, _warned: bool) -> bool {
        true
    }

    /// Whether an edge between nodes of a loop is followed from the loop's ForEach head, given whether
    /// that goes on: once it completes, its loop is not entered.
    //= SG-4:3
    fn enters_body(&self, behaviour: Behaviour, loop_active: Option<bool>) -> bool {
        behaviour != Behaviour::Foreach || loop_active != Some(false)
    }

    /// The branches that a source has made active, given what its newest execution did and, oldest
    /// first, each that is superseded: those of the newest.
    //= BR-6:1
    fn decision(
        &self,
        newest: &[String],
        _superseded: &dyn Fn() -> Vec<Vec<String>>,
    ) -> Vec<String> {
        newest.to_vec()
    }

    /// Whether an edge is satisfied.
    //= BR-6:1
    //= BR-6:2
    //= BR-6:3
    //= DATA-4:3
    //= ERR-10:1
    //= ERR-10:3
    //= ERR-10:4
    //= SG-19:1
    fn is_satisfied(&self, kind: EdgeKind, source: SourceFacts) -> bool {
        if source.held_back || (source.superseded && self.needs_newest(kind, source)) {
            return false;
        }
        match kind {
            EdgeKind::Error => source.routed && !source.handled_later,
            _ => source.completed && source.followed,
        }
    }

    /// Whether an edge is satisfied by its source's newest unit of work only.
    //= BR-6:1
    //= ERR-10:4
    fn needs_newest(&self, kind: EdgeKind, source: SourceFacts) -> bool {
        kind == EdgeKind::Error || kind == EdgeKind::Trigger || source.branching
    }

    /// Whether a port has what it needs, given which of its edges are satisfied.
    //= DATA-4:3
    //= DATA-4:4
    fn port_is_satisfied(&self, edges: &[bool]) -> bool {
        edges.contains(&true)
    }

    /// Whether a node is ready, given which of its incoming error and trigger edges are satisfied
    /// and which of its ports.
    // open: BR-7:3 has a node without triggers execute whatever its sources did; DATA-4:3 is
    // followed, which has it wait for every port.
    //= DATA-4:1
    //= DATA-4:2
    //= DATA-4:3
    //= DATA-5:3
    //= BR-7:1
    //= BR-7:3
    //= ERR-10:2
    fn is_ready(&self, errors: &[bool], triggers: &[bool], ports: &[bool]) -> bool {
        if errors.contains(&true) {
            return true;
        }
        if !triggers.is_empty() {
            return triggers.contains(&true);
        }
        ports.iter().all(|&port| port) && (errors.is_empty() || !ports.is_empty())
    }

    /// How many rounds a loop counts as run when its tail is reached, given the round it is in: the
    /// one that ends there is among them.
    // open: it could as well not be.
    //= SG-7:1
    fn rounds_run(&self, round: u64) -> u64 {
        round.saturating_add(1)
    }
}
