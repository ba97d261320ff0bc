//! Misreadings of when a source is of an earlier round, and of what that means for its consumer.

use std::{cmp::Ordering, collections::BTreeMap};

use crate::{
    operations::{
        edge::{EdgeKind, Passage},
        rounds::RoundStamp,
    },
    reference::rounds::RoundReading,
};

misreadings! {
    /// A source that has completed satisfies its edges, whatever round it was.
    "completed-is-enough" misreads "SG-19":1 as RoundReading {
        fn is_behind(&self, _shared: &[(u64, u64)]) -> bool {
            false
        }
    }

    /// A source of another round than the consumer's is behind.
    "another-round-is-behind" misreads "SG-19":1 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            shared.iter().any(|(source, consumer)| source != consumer)
        }
    }

    /// A source of the consumer's own round is behind.
    "same-round-is-behind" misreads "SG-19":1 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            let first = shared.iter().find(|(source, consumer)| source != consumer);
            !shared.is_empty() && first.is_none_or(|(source, consumer)| source < consumer)
        }
    }

    /// Only a source of the round just before is behind.
    "previous-round-is-behind" misreads "SG-19":1 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            let first = shared.iter().find(|(source, consumer)| source != consumer);
            first.is_some_and(|(source, consumer)| source.checked_add(1) == Some(*consumer))
        }
    }

    /// Rounds are compared as text.
    "rounds-are-text" misreads "SG-19":1 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            let first = shared.iter().find(|(source, consumer)| source != consumer);
            first.is_some_and(|(source, consumer)| source.to_string() < consumer.to_string())
        }
    }

    /// Only data goes stale: trigger and error edges are satisfied by any completed source.
    "hold-data-back-alone" misreads "SG-19":1 as RoundReading {
        fn holds_back(&self, kind: EdgeKind) -> bool {
            kind == EdgeKind::Data
        }
    }

    /// Data of an earlier round will do; only what starts a node has to be of this one.
    "hold-triggers-back-alone" misreads "SG-19":1 as RoundReading {
        fn holds_back(&self, kind: EdgeKind) -> bool {
            kind == EdgeKind::Trigger
        }
    }

    /// An error edge is satisfied by a failure of any round.
    "never-hold-errors-back" misreads "SG-19":1 as RoundReading {
        fn holds_back(&self, kind: EdgeKind) -> bool {
            matches!(kind, EdgeKind::Data | EdgeKind::Trigger)
        }
    }

    /// A source is behind if it is so on any loop that both are in.
    "behind-on-any-loop" misreads "SG-19":2 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            shared.iter().any(|(source, consumer)| source < consumer)
        }
    }

    /// A source is behind if it is so on every loop that both are in.
    "behind-on-all-loops" misreads "SG-19":2 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            !shared.is_empty() && shared.iter().all(|(source, consumer)| source < consumer)
        }
    }

    /// The innermost loop that both are in decides.
    "innermost-loop-decides" misreads "SG-19":2 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            shared.last().is_some_and(|(source, consumer)| source < consumer)
        }
    }

    /// The outermost loop that both are in decides, also where they are in one round of it.
    "outermost-loop-decides" misreads "SG-19":2 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            shared.first().is_some_and(|(source, consumer)| source < consumer)
        }
    }

    /// The loops are compared from the innermost outwards.
    "compare-from-the-innermost" misreads "SG-19":2 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            let mut orders = shared.iter().rev().map(|(source, consumer)| source.cmp(consumer));
            orders.find(|order| order.is_ne()) == Some(Ordering::Less)
        }
    }

    /// A source is behind if its rounds add up to less.
    "compare-sums-of-rounds" misreads "SG-19":2 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            let sums = |(s, c): (u64, u64), (source, consumer): &(u64, u64)| {
                (s.saturating_add(*source), c.saturating_add(*consumer))
            };
            let (source, consumer) = shared.iter().fold((0, 0), sums);
            source < consumer
        }
    }

    /// The loops are compared in the order of their names.
    "compare-loops-by-name" misreads "SG-19":2 as RoundReading {
        fn shared_rounds(
            &self,
            source: &RoundStamp,
            consumer: &RoundStamp,
            _nesting: &[String],
        ) -> Vec<(u64, u64)> {
            let consumer: BTreeMap<&str, u64> = consumer.iter().collect();
            let rounds = consumer.into_iter();
            rounds.filter_map(|(head, round)| Some((source.get(head)?, round))).collect()
        }
    }

    /// A source outside a loop that the consumer is in is in its round 0.
    "outside-is-round-0" misreads "SG-19":3 as RoundReading {
        fn shared_rounds(
            &self,
            source: &RoundStamp,
            consumer: &RoundStamp,
            nesting: &[String],
        ) -> Vec<(u64, u64)> {
            let heads = nesting.iter();
            heads
                .filter_map(|head| Some((source.get(head).unwrap_or(0), consumer.get(head)?)))
                .collect()
        }
    }

    /// Where there is no loop in common, a source is always behind.
    "nothing-shared-is-behind" misreads "SG-19":3 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            let first = shared.iter().find(|(source, consumer)| source != consumer);
            shared.is_empty() || first.is_some_and(|(source, consumer)| source < consumer)
        }
    }

    /// A consumer waits for whatever edge is held back, data too.
    "stale-data-waits" misreads "SG-19":4 as RoundReading {
        fn held_back(&self, _kind: EdgeKind) -> Passage {
            Passage::Waits
        }
    }

    /// Whatever edge is held back has to be brought to an end.
    "stale-edges-terminate" misreads "SG-19":4 as RoundReading {
        fn held_back(&self, _kind: EdgeKind) -> Passage {
            Passage::Terminates
        }
    }

    /// An error edge that is held back is brought to an end, as data is.
    "stale-errors-terminate" misreads "SG-19":4 as RoundReading {
        fn held_back(&self, kind: EdgeKind) -> Passage {
            match kind {
                EdgeKind::Trigger => Passage::Waits,
                _ => Passage::Terminates,
            }
        }
    }
}
