//! Misreadings of what a port receives that several edges lead to.

use std::{cmp::Ordering, collections::BTreeSet};

use serde_json::{Map, Value};

use crate::{
    operations::port::Source,
    reference::{AsWritten, ports::PortReading},
};

misreadings! {
    /// A port with several sources receives the list of their values.
    "sources-make-a-list" misreads "DATA-2":1 as PortReading {
        fn received(&self, prevailing: &Source, all: &[Source]) -> Value {
            if all.len() < 2 {
                return prevailing.value.clone();
            }
            all.iter().map(|source| source.value.clone()).collect()
        }
    }

    /// Lists that arrive at one port are joined.
    "lists-are-joined" misreads "DATA-2":1 as PortReading {
        fn received(&self, prevailing: &Source, all: &[Source]) -> Value {
            let lists: Option<Vec<&Vec<Value>>> = all.iter().map(|s| s.value.as_array()).collect();
            lists.map_or_else(
                || prevailing.value.clone(),
                |lists| lists.into_iter().flatten().cloned().collect(),
            )
        }
    }

    /// Maps that arrive at one port are merged.
    "maps-are-merged" misreads "DATA-2":1 as PortReading {
        fn received(&self, prevailing: &Source, all: &[Source]) -> Value {
            let mut merged = Map::new();
            for source in all {
                match &source.value {
                    Value::Object(map) => merged.extend(map.clone()),
                    _ => return prevailing.value.clone(),
                }
            }
            merged.into()
        }
    }

    /// A null makes way for the value of another source.
    "null-makes-way" misreads "DATA-2":1 as PortReading {
        fn received(&self, prevailing: &Source, all: &[Source]) -> Value {
            let other = || all.iter().map(|source| &source.value).find(|value| !value.is_null());
            match &prevailing.value {
                Value::Null => other().cloned().unwrap_or_default(),
                value => value.clone(),
            }
        }
    }

    /// A source without an order is the newest of all.
    "no-order-is-the-newest" misreads "DATA-2":2 as PortReading {
        fn prevails(&self, one: &Source, other: &Source) -> Ordering {
            match (one.order, other.order) {
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                _ => AsWritten.prevails(one, other),
            }
        }
    }

    /// A source whose order is 0 has none.
    "order-0-is-none" misreads "DATA-2":2 as PortReading {
        fn prevails(&self, one: &Source, other: &Source) -> Ordering {
            let judged = |source: &Source| Source {
                order: source.order.filter(|&order| order > 0),
                ..source.clone()
            };
            AsWritten.prevails(&judged(one), &judged(other))
        }
    }

    /// Where no source has an order, the identifier that comes last prevails.
    "last-identifier-prevails" misreads "DATA-2":2 as PortReading {
        fn prevails(&self, one: &Source, other: &Source) -> Ordering {
            match (one.order, other.order) {
                (None, None) => one.node.cmp(&other.node),
                _ => AsWritten.prevails(one, other),
            }
        }
    }

    /// Where no source has an order, the edge that was drawn last prevails.
    "drawing-decides-without-orders" misreads "DATA-2":2 as PortReading {
        fn prevails(&self, one: &Source, other: &Source) -> Ordering {
            match (one.order, other.order) {
                (None, None) => Ordering::Equal,
                _ => AsWritten.prevails(one, other),
            }
        }
    }

    /// Identifiers that end in numbers are compared by these.
    "identifiers-are-numbered" misreads "DATA-2":2 as PortReading {
        fn prevails(&self, one: &Source, other: &Source) -> Ordering {
            let number = |source: &Source| {
                let (_, digits) = source.node.rsplit_once('_')?;
                digits.parse::<u64>().ok()
            };
            match (one.order, other.order, number(one), number(other)) {
                (None, None, Some(a), Some(b)) => b.cmp(&a),
                _ => AsWritten.prevails(one, other),
            }
        }
    }

    /// A node fails that has a port with several sources.
    "collision-is-a-failure" misreads "DATA-2":3 as PortReading {
        fn tolerates(&self, sources: &BTreeSet<&str>) -> bool {
            sources.len() < 2
        }
    }

    /// That sources collide is settled by their order, and nothing is said of it.
    "collision-goes-unsaid" misreads "DATA-2":3 as PortReading {
        fn warns_of(&self, _sources: &BTreeSet<&str>) -> bool {
            false
        }
    }

    /// Every port that has a source is warned of.
    "one-source-is-warned-of" misreads "DATA-2":3 as PortReading {
        fn warns_of(&self, sources: &BTreeSet<&str>) -> bool {
            !sources.is_empty()
        }
    }
}
