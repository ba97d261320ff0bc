//! Misreadings of how loops are counted: budgets, rounds, stamps, and counters restored.

use crate::{
    operations::{
        loops::ReenterParams,
        rounds::{Execution, ExecutionId, RoundStamp, Rounds},
    },
    reference::{AsWritten, loops::LoopReading, rounds::RoundReading},
};

misreadings! {
    /// A loopback edge is taken again if its branch is active or its loop has budget.
    "branch-or-budget" misreads "SG-7":1 as RoundReading {
        fn reenters(&self, branch_is_active: bool, has_budget: bool) -> bool {
            branch_is_active || has_budget
        }
    }

    /// A loopback edge is taken again as long as its branch is active.
    "branch-alone-decides" misreads "SG-7":1 as RoundReading {
        fn reenters(&self, branch_is_active: bool, _has_budget: bool) -> bool {
            branch_is_active
        }
    }

    /// A loop may turn as often as the maximum says, and then once more.
    "at-most-the-maximum" misreads "SG-7":1 as RoundReading {
        fn has_budget(&self, items_left: Option<u64>, spent: u64, max_rounds: u64) -> bool {
            items_left.is_some_and(|left| left > 0) || spent <= max_rounds
        }
    }

    /// A loop has budget until it has run just as many rounds as the maximum says.
    "until-the-maximum-is-hit" misreads "SG-7":1 as RoundReading {
        fn has_budget(&self, items_left: Option<u64>, spent: u64, max_rounds: u64) -> bool {
            items_left.is_some_and(|left| left > 0) || spent != max_rounds
        }
    }

    /// The round that is to come counts as run.
    "next-round-counts" misreads "SG-7":1 as RoundReading {
        fn has_budget(&self, items_left: Option<u64>, spent: u64, max_rounds: u64) -> bool {
            items_left.is_some_and(|left| left > 0) || spent.saturating_add(1) < max_rounds
        }
    }

    /// A loop with an iterator goes on while there are items, and for no other reason.
    "iterator-alone-decides" misreads "SG-7":1 as RoundReading {
        fn has_budget(&self, items_left: Option<u64>, spent: u64, max_rounds: u64) -> bool {
            items_left.map_or(spent < max_rounds, |left| left > 0)
        }
    }

    /// The maximum holds for a loop with an iterator, too.
    "maximum-caps-the-iterator" misreads "SG-7":1 as RoundReading {
        fn has_budget(&self, items_left: Option<u64>, spent: u64, max_rounds: u64) -> bool {
            items_left.is_none_or(|left| left > 0) && spent < max_rounds
        }
    }

    /// Items give no budget; only rounds do.
    "items-are-no-budget" misreads "SG-7":1 as RoundReading {
        fn has_budget(&self, _items_left: Option<u64>, spent: u64, max_rounds: u64) -> bool {
            spent < max_rounds
        }
    }

    /// The last item is the one in hand, so it is not left.
    "last-item-is-not-left" misreads "SG-7":1 as RoundReading {
        fn has_budget(&self, items_left: Option<u64>, spent: u64, max_rounds: u64) -> bool {
            items_left.is_some_and(|left| left > 1) || spent < max_rounds
        }
    }

    /// What counts against the maximum is how often the head has run.
    "count-executions-not-rounds" misreads "SG-7":2 as RoundReading {
        fn spent(&self, question: &ReenterParams) -> u64 {
            let head = question.edge.target.as_deref().unwrap_or_default();
            question.executions.get(head).copied().unwrap_or(0)
        }
    }

    /// What counts against the maximum is how often the busiest node has run.
    "count-the-busiest-node" misreads "SG-7":2 as RoundReading {
        fn spent(&self, question: &ReenterParams) -> u64 {
            question.executions.values().copied().max().unwrap_or(0)
        }
    }

    /// All loops have one budget together.
    "one-budget-for-all-loops" misreads "SG-7":2 as RoundReading {
        fn spent(&self, question: &ReenterParams) -> u64 {
            question.rounds_run.values().fold(0, |sum, &rounds| sum.saturating_add(rounds))
        }
    }

    /// The loop that has run most rounds decides for all.
    "budget-of-the-longest-loop" misreads "SG-7":2 as RoundReading {
        fn spent(&self, question: &ReenterParams) -> u64 {
            question.rounds_run.values().copied().max().unwrap_or(0)
        }
    }

    /// A loop's limit goes by the name of its tail.
    "budget-by-tail" misreads "SG-7":2 as RoundReading {
        fn spent(&self, question: &ReenterParams) -> u64 {
            let tail = question.edge.source.as_deref().unwrap_or_default();
            question.rounds_run.get(tail).copied().unwrap_or(0)
        }
    }

    /// What counts against the maximum is how often the tail has run.
    "count-the-tail" misreads "SG-7":3 as RoundReading {
        fn spent(&self, question: &ReenterParams) -> u64 {
            let tail = question.edge.source.as_deref().unwrap_or_default();
            question.executions.get(tail).copied().unwrap_or(0)
        }
    }

    /// A round has been run once every node has run in it, so the node that lags behind counts.
    "count-the-node-that-lags" misreads "SG-7":3 as RoundReading {
        fn spent(&self, question: &ReenterParams) -> u64 {
            question.executions.values().copied().min().unwrap_or(0)
        }
    }

    /// An execution without a stamp sets the counters back.
    "unstamped-starts-over" misreads "SG-7":4 as RoundReading {
        fn replay(&self, rounds: &mut Rounds, stamp: Option<&RoundStamp>) {
            match stamp {
                None => rounds.clear(),
                Some(stamp) => rounds.extend(stamp.iter().map(|(h, n)| (h.to_owned(), n))),
            }
        }
    }

    /// The count of a loop is how many executions were stamped with it.
    "count-the-stamps" misreads "SG-7":4 as RoundReading {
        fn restored(&self, earlier: Option<u64>, _newer: u64) -> u64 {
            earlier.map_or(0, |earlier| earlier.saturating_add(1))
        }
    }

    /// A stamp names a loop only once it has gone past round 0.
    "leave-round-0-out" misreads "SG-17":4 as RoundReading {
        fn stamped(&self, counter: Option<u64>) -> Option<u64> {
            counter.filter(|&round| round > 0)
        }
    }

    /// A stamp names a loop only if it has a counter.
    "no-counter-no-entry" misreads "SG-17":4 as RoundReading {
        fn stamped(&self, counter: Option<u64>) -> Option<u64> {
            counter
        }
    }

    /// Rounds are counted from 1.
    "rounds-from-1" misreads "SG-17":4 as RoundReading {
        fn stamped(&self, counter: Option<u64>) -> Option<u64> {
            Some(counter.unwrap_or(0).saturating_add(1))
        }
    }

    /// A stamp names the innermost loop around a node.
    "stamp-the-innermost-loop" misreads "SG-17":4 as RoundReading {
        fn named_in_stamp<'h>(&self, around: Vec<&'h str>) -> Vec<&'h str> {
            around.into_iter().next_back().into_iter().collect()
        }
    }

    /// A stamp names the outermost loop around a node.
    "stamp-the-outermost-loop" misreads "SG-17":4 as RoundReading {
        fn named_in_stamp<'h>(&self, around: Vec<&'h str>) -> Vec<&'h str> {
            around.into_iter().next().into_iter().collect()
        }
    }

    /// A stamp has the round of every loop of the run.
    "stamp-every-loop" misreads "SG-17":4 as RoundReading {
        fn is_around(&self, _body: &[String], _node: &str) -> bool {
            true
        }
    }

    /// A node outside all loops is in round 0 of the run.
    "run-is-a-loop" misreads "SG-17":4 as RoundReading {
        fn named_in_stamp<'h>(&self, around: Vec<&'h str>) -> Vec<&'h str> {
            if around.is_empty() { vec!["run"] } else { around }
        }
    }

    /// A loop is restored to the largest round that any execution was stamped with.
    "restore-highest-round" misreads "SG-17":5 as RoundReading {
        fn restored(&self, earlier: Option<u64>, newer: u64) -> u64 {
            earlier.unwrap_or(0).max(newer)
        }
    }

    /// The first stamp that names a loop says its round.
    "restore-the-first-round" misreads "SG-17":5 as RoundReading {
        fn restored(&self, earlier: Option<u64>, newer: u64) -> u64 {
            earlier.unwrap_or(newer)
        }
    }

    /// A round 0 in a stamp says nothing and overrides nothing.
    "round-0-overrides-nothing" misreads "SG-17":5 as RoundReading {
        fn restored(&self, earlier: Option<u64>, newer: u64) -> u64 {
            match newer {
                0 => earlier.unwrap_or(0),
                newer => newer,
            }
        }
    }

    /// The newest stamp says the rounds of all loops.
    "restore-from-the-newest-stamp" misreads "SG-17":5 as RoundReading {
        fn replay(&self, rounds: &mut Rounds, stamp: Option<&RoundStamp>) {
            if let Some(stamp) = stamp {
                *rounds = stamp.iter().map(|(h, n)| (h.to_owned(), n)).collect();
            }
        }
    }

    /// Stamps are gone through in the order in which the executions are listed.
    "restore-as-listed" misreads "SG-17":5 as RoundReading {
        fn in_creation_order<'x>(&self, executions: &'x [Execution]) -> Vec<&'x Execution> {
            executions.iter().collect()
        }
    }

    /// Executions were created in the order of their identifiers, read as text.
    "identifiers-are-text" misreads "SG-17":5 as RoundReading {
        fn in_creation_order<'x>(&self, executions: &'x [Execution]) -> Vec<&'x Execution> {
            let mut ordered: Vec<&Execution> = executions.iter().collect();
            ordered.sort_by_key(|execution| match &execution.id {
                Some(ExecutionId::Number(number)) => number.to_string(),
                Some(ExecutionId::Text(text)) => text.clone(),
                None => String::new(),
            });
            ordered
        }
    }

    /// Stamps are gone through from the newest to the oldest.
    "restore-newest-first" misreads "SG-17":5 as RoundReading {
        fn in_creation_order<'x>(&self, executions: &'x [Execution]) -> Vec<&'x Execution> {
            let mut ordered = AsWritten.in_creation_order(executions);
            ordered.reverse();
            ordered
        }
    }

    /// An inner loop counts its rounds on through all rounds of the outer one.
    "inner-round-goes-on" misreads "SG-18":2 as RoundReading {
        fn starts_over(&self, _: usize, _: usize, _: usize, _: &dyn Fn() -> bool) -> bool {
            false
        }
    }

    /// When a loop goes on, all others start over.
    "all-others-start-over" misreads "SG-18":2 as RoundReading {
        fn starts_over(&self, _: usize, _: usize, _: usize, _: &dyn Fn() -> bool) -> bool {
            true
        }
    }

    /// When a loop goes on, all smaller ones start over.
    "smaller-loops-start-over" misreads "SG-18":2 as RoundReading {
        fn starts_over(&self, _: usize, this: usize, advanced: usize, _: &dyn Fn() -> bool) -> bool {
            this < advanced
        }
    }

    /// When a loop goes on, the ones around it start over, too.
    "loops-around-start-over" misreads "SG-18":2 as RoundReading {
        fn starts_over(&self, shared: usize, _: usize, _: usize, _: &dyn Fn() -> bool) -> bool {
            shared > 0
        }
    }

    /// When a loop goes on, the loops that lie directly inside it start over.
    "only-the-next-level-starts-over" misreads "SG-18":2 as RoundReading {
        fn starts_over(
            &self,
            shared: usize,
            this: usize,
            advanced: usize,
            lies_between: &dyn Fn() -> bool,
        ) -> bool {
            self.is_nested(shared, this, advanced) && !lies_between()
        }
    }

    /// An inner loop starts over in round 1.
    "start-over-in-round-1" misreads "SG-18":2 as RoundReading {
        fn first_round(&self) -> u64 {
            1
        }
    }
}
