//! Misreadings of how the executions of one node are told apart and put in order.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::{
    operations::{port::Source, rounds::RoundStamp},
    reference::{ports::PortReading, records::RecordReading},
};

misreadings! {
    /// The first execution of a node is the first to be numbered.
    "number-the-first-too" misreads "SG-8":1 as RecordReading {
        fn result_key(&self, node: &str, before: u64) -> String {
            format!("{node}:{before}")
        }
    }

    /// Executions are numbered from 1, so that the second has the number 2.
    "second-execution-is-2" misreads "SG-8":1 as RecordReading {
        fn result_key(&self, node: &str, before: u64) -> String {
            match before {
                0 => node.to_owned(),
                n => format!("{node}:{}", n.saturating_add(1)),
            }
        }
    }

    /// A node has one result, which is that of its last execution.
    "last-execution-is-the-result" misreads "SG-8":1 as RecordReading {
        fn result_key(&self, node: &str, _before: u64) -> String {
            node.to_owned()
        }
    }

    /// The number in a key is the round of the innermost loop.
    "key-by-the-innermost-round" misreads "SG-8":1 as RecordReading {
        fn counted(&self, _before: u64, rounds: &RoundStamp) -> u64 {
            rounds.iter().last().map_or(0, |(_, round)| round)
        }
    }

    /// The number in a key is the round of the outermost loop.
    "key-by-the-outermost-round" misreads "SG-8":1 as RecordReading {
        fn counted(&self, _before: u64, rounds: &RoundStamp) -> u64 {
            rounds.iter().next().map_or(0, |(_, round)| round)
        }
    }

    /// What a stop leaves goes by the node's identifier alone.
    "stop-by-its-node" misreads "SG-8":1 as RecordReading {
        fn stop_key(&self, node: &str, _key: &str) -> String {
            node.to_owned()
        }
    }

    /// What a stop leaves goes by a name of its own.
    "stop-by-another-name" misreads "SG-8":1 as RecordReading {
        fn stop_key(&self, _node: &str, key: &str) -> String {
            format!("{key}:stop")
        }
    }

    /// A run that is interrupted has one result for each node so far, the latest.
    "partial-results-by-node" misreads "SG-8":2 as RecordReading {
        fn partial_results(&self, results: &Map<String, Value>) -> Map<String, Value> {
            results.iter().map(|(key, value)| (node_of(key), value.clone())).collect()
        }
    }

    /// A run that is interrupted has one result for each node so far, the first.
    "first-partial-results" misreads "SG-8":2 as RecordReading {
        fn partial_results(&self, results: &Map<String, Value>) -> Map<String, Value> {
            let mut partial = results.clone();
            partial.retain(|key, _| node_of(key) == *key);
            partial
        }
    }

    /// A run that is interrupted has no results yet.
    "no-partial-results" misreads "SG-8":2 as RecordReading {
        fn partial_results(&self, _results: &Map<String, Value>) -> Map<String, Value> {
            Map::new()
        }
    }

    /// All executions have the same order.
    "order-stays" misreads "SG-8":3 as RecordReading {
        fn next_order(&self, _last: Option<u64>) -> u64 {
            0
        }
    }

    /// The later an execution, the lower its order.
    "order-falls" misreads "SG-8":3 as RecordReading {
        fn next_order(&self, last: Option<u64>) -> u64 {
            last.unwrap_or(1_000_000).saturating_sub(1)
        }
    }

    /// The order is counted anew after a pause.
    "order-begins-anew-after-a-pause" misreads "SG-8":3 as RecordReading {
        fn order_after_pause(&self, _last: Option<u64>) -> Option<u64> {
            None
        }
    }

    /// A port takes the oldest execution of its sources.
    "oldest-source-prevails" misreads "SG-8":3 as PortReading {
        fn prevails(&self, one: &Source, other: &Source) -> Ordering {
            other.order.cmp(&one.order)
        }
    }

    /// A port takes the source whose name comes first, whenever it was executed.
    "first-name-prevails" misreads "SG-8":3 as PortReading {
        fn prevails(&self, one: &Source, other: &Source) -> Ordering {
            other.node.cmp(&one.node)
        }
    }

    /// A port takes the source whose edge was drawn last.
    "last-edge-prevails" misreads "SG-8":3 as PortReading {
        fn prevails(&self, _one: &Source, _other: &Source) -> Ordering {
            Ordering::Less
        }
    }

    /// Orders are compared as texts.
    "orders-are-text" misreads "SG-8":3 as PortReading {
        fn prevails(&self, one: &Source, other: &Source) -> Ordering {
            let text = |source: &Source| source.order.map(|order| order.to_string());
            text(one).cmp(&text(other))
        }
    }
}

/// The node that a result's key names.
fn node_of(key: &str) -> String {
    key.split_once(':').map_or(key, |(node, _)| node).to_owned()
}
