//! How loops are counted: restoring, advancing and stamping rounds, and re-entry within a budget.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashSet},
};

use super::loops::LoopReading;
use crate::{
    engine::Refusal,
    operations::{
        edge::{EdgeKind, Passage},
        loops::{Bodies, ReenterParams},
        rounds::{Execution, ExecutionId, RoundStamp, Rounds},
    },
};

/// What the rules about rounds decide.
pub trait RoundReading: LoopReading {
    /// Executions in the order in which they were created: by ascending id where all have one.
    // open: where ids are missing for some, or are numbers for some and texts for others, the
    // order given is kept; so it is among equal ids.
    //= SG-17:5
    fn in_creation_order<'x>(&self, executions: &'x [Execution]) -> Vec<&'x Execution> {
        let is = |wanted: fn(&ExecutionId) -> bool| {
            executions.iter().all(|e| e.id.as_ref().is_some_and(wanted))
        };
        let mut ordered: Vec<&Execution> = executions.iter().collect();
        if is(|id| matches!(id, ExecutionId::Number(_)))
            || is(|id| matches!(id, ExecutionId::Text(_)))
        {
            ordered.sort_by_key(|e| &e.id);
        }
        ordered
    }

    /// Replays one execution's stamp over the counters. One without a stamp changes nothing.
    //= SG-7:4
    //= SG-17:5
    fn replay(&self, rounds: &mut Rounds, stamp: Option<&RoundStamp>) {
        for (head, newer) in stamp.into_iter().flat_map(RoundStamp::iter) {
            let round = self.restored(rounds.get(head).copied(), newer);
            rounds.insert(head.to_owned(), round);
        }
    }

    /// The round that a loop is restored to, given what earlier stamps have for it and what a
    /// newer one has: the newer, also where it is lower.
    // open: where the newest stamp of an inner loop is older than its outer loop's last advance,
    // it counts all the same. From stamps alone nothing else can be known.
    //= SG-17:5
    fn restored(&self, _earlier: Option<u64>, newer: u64) -> u64 {
        newer
    }

    /// The round after this one. There is none after the last that can be counted.
    //= SG-18:2
    fn next_round(&self, round: u64) -> Option<u64> {
        round.checked_add(1)
    }

    /// Whether a loop starts over when another advances, given how many nodes they share, how many
    /// each has, and whether a third one lies between them: if it lies inside it.
    //= SG-18:2
    fn starts_over(
        &self,
        shared: usize,
        this: usize,
        advanced: usize,
        _lies_between: &dyn Fn() -> bool,
    ) -> bool {
        self.is_nested(shared, this, advanced)
    }

    /// The round in which a loop starts over.
    //= SG-18:2
    fn first_round(&self) -> u64 {
        0
    }

    /// Whether a loop is one that a node's stamp names, given its body: if the node is in it.
    //= SG-17:4
    fn is_around(&self, body: &[String], node: &str) -> bool {
        body.iter().any(|n| n == node)
    }

    /// Which of the loops around a node its stamp names, outermost first: all of them.
    //= SG-17:4
    fn named_in_stamp<'h>(&self, around: Vec<&'h str>) -> Vec<&'h str> {
        around
    }

    /// What a stamp says of a loop that the node is in, given its counter: also round 0 is said,
    /// which a loop without a counter is in.
    //= SG-17:4
    fn stamped(&self, counter: Option<u64>) -> Option<u64> {
        Some(counter.unwrap_or(0))
    }

    /// The rounds of source and consumer on the loops that both are in, outermost loop first.
    // open: a loop that the nesting does not name is taken for an innermost one.
    //= SG-19:2
    //= SG-19:3
    fn shared_rounds(
        &self,
        source: &RoundStamp,
        consumer: &RoundStamp,
        nesting: &[String],
    ) -> Vec<(u64, u64)> {
        let of_source: BTreeMap<&str, u64> = source.iter().collect();
        let of_consumer: BTreeMap<&str, u64> = consumer.iter().collect();
        let named: HashSet<&str> = nesting.iter().map(String::as_str).collect();
        let unnamed = consumer.iter().map(|(head, _)| head);
        nesting
            .iter()
            .map(String::as_str)
            .chain(unnamed.filter(|head| !named.contains(head)))
            .filter_map(|head| Some((*of_source.get(head)?, *of_consumer.get(head)?)))
            .collect()
    }

    /// Whether a source is behind its consumer, given the rounds of both on each loop that they
    /// share: the first loop on which they differ decides. Without one it is not.
    //= SG-19:1
    //= SG-19:2
    //= SG-19:3
    fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
        shared
            .iter()
            .map(|(source, consumer)| source.cmp(consumer))
            .find(|order| order.is_ne())
            == Some(Ordering::Less)
    }

    /// Whether an edge of this kind is held back by a source that is behind.
    //= SG-19:1
    fn holds_back(&self, kind: EdgeKind) -> bool {
        matches!(kind, EdgeKind::Trigger | EdgeKind::Error | EdgeKind::Data)
    }

    /// What becomes of the consumer when an edge of this kind is held back.
    //= SG-19:4
    fn held_back(&self, kind: EdgeKind) -> Passage {
        match kind {
            EdgeKind::Data => Passage::Terminates,
            _ => Passage::Waits,
        }
    }

    /// How much of its budget a loop has spent: the rounds counted for its head, however often
    /// single nodes have run.
    //= SG-7:2
    //= SG-7:3
    fn spent(&self, question: &ReenterParams) -> u64 {
        let head = question.edge.target.as_deref().unwrap_or_default();
        question.rounds_run.get(head).copied().unwrap_or(0)
    }

    /// Whether a loopback edge is taken once more: if its branch is active and its loop has budget.
    //= SG-7:1
    fn reenters(&self, branch_is_active: bool, has_budget: bool) -> bool {
        branch_is_active && has_budget
    }

    /// Whether a loop has budget: while its iterator, if any, has items, or while it has
    /// run fewer rounds than it may.
    //= SG-7:1
    fn has_budget(&self, items_left: Option<u64>, spent: u64, max_rounds: u64) -> bool {
        items_left.is_some_and(|left| left > 0) || spent < max_rounds
    }
}

/// The counters of a run, rebuilt from the stamps of its executions.
pub fn restore(reading: &dyn RoundReading, executions: &[Execution]) -> Rounds {
    let mut rounds = Rounds::new();
    for execution in reading.in_creation_order(executions) {
        reading.replay(&mut rounds, execution.rounds.as_ref());
    }
    rounds
}

/// The counters once a loop has gone on. Loops that had none stay without, save that one; what
/// counts for no loop of the workflow is left out.
///
/// # Errors
///
/// `unknown_loop` where there is no such loop, `other` where its round cannot be counted further.
// open: an inner loop without a counter gets none when the loop around it goes on.
pub fn advance(
    reading: &dyn RoundReading,
    loops: &Bodies,
    rounds: &Rounds,
    head: &str,
) -> Result<Rounds, Refusal> {
    let Some(body) = loops.get(head) else {
        return Err(Refusal::new(
            "unknown_loop",
            format!("there is no loop `{head}`"),
        ));
    };
    let round = rounds.get(head).copied().unwrap_or(0);
    let Some(next) = reading.next_round(round) else {
        return Err(Refusal::new(
            "other",
            format!("loop `{head}` cannot go past round {round}"),
        ));
    };

    let advanced: HashSet<&str> = body.iter().map(String::as_str).collect();
    let mut after = Rounds::from([(head.to_owned(), next)]);
    for (other, body) in loops.iter().filter(|(other, _)| *other != head) {
        let Some(&round) = rounds.get(other) else {
            continue;
        };
        let body: HashSet<&str> = body.iter().map(String::as_str).collect();
        let shared = body.intersection(&advanced).count();
        let lies_between = || {
            let others = loops
                .iter()
                .filter(|(third, _)| ![head, other].contains(&third.as_str()));
            others.into_iter().any(|(_, third)| {
                let third: HashSet<&str> = third.iter().map(String::as_str).collect();
                body.is_subset(&third) && third.is_subset(&advanced)
            })
        };
        let over = reading.starts_over(shared, body.len(), advanced.len(), &lies_between);
        let round = if over { reading.first_round() } else { round };
        after.insert(other.clone(), round);
    }
    Ok(after)
}

/// The stamp of an execution of a node, given the loops of the workflow.
pub fn stamp(
    reading: &dyn RoundReading,
    loops: &Bodies,
    rounds: &Rounds,
    node: &str,
) -> RoundStamp {
    let mut around: Vec<(usize, &str)> = loops
        .iter()
        .filter(|(_, body)| reading.is_around(body, node))
        .map(|(head, body)| (body.iter().collect::<HashSet<_>>().len(), head.as_str()))
        .collect();
    around.sort_by(|&a, &b| reading.outermost_first(a, b));
    stamp_of(reading, around.into_iter().map(|(_, head)| head), rounds)
}

/// The stamp of an execution in these loops, outermost first.
pub fn stamp_of<'h>(
    reading: &dyn RoundReading,
    loops: impl IntoIterator<Item = &'h str>,
    rounds: &Rounds,
) -> RoundStamp {
    reading
        .named_in_stamp(loops.into_iter().collect())
        .into_iter()
        .filter_map(|head| Some((head, reading.stamped(rounds.get(head).copied())?)))
        .collect()
}

/// Whether a completed source is a round behind its consumer.
pub fn is_stale(
    reading: &dyn RoundReading,
    source: &RoundStamp,
    consumer: &RoundStamp,
    nesting: &[String],
) -> bool {
    reading.is_behind(&reading.shared_rounds(source, consumer, nesting))
}

/// What an edge of this kind does to the consumer of a completed source.
pub fn barrier(reading: &dyn RoundReading, kind: EdgeKind, stale: bool) -> Passage {
    if stale && reading.holds_back(kind) {
        reading.held_back(kind)
    } else {
        Passage::Passes
    }
}

/// Whether a loop is entered once more over a loopback edge.
//= SG-7:1
pub fn reenters(reading: &dyn RoundReading, question: &ReenterParams) -> bool {
    let items_left = question.iterator.map(|iterator| iterator.remaining);
    let is_active = reading.is_active(&question.edge, &question.active_branches);
    let has_budget = reading.has_budget(items_left, reading.spent(question), question.max_rounds);
    reading.reenters(is_active, has_budget)
}

#[cfg(test)]
#[path = "rounds_tests.rs"]
mod tests;
