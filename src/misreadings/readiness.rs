//! Misreadings of when an edge is satisfied, and when a node may run for it.

use crate::{
    operations::{
        edge::{Edge, EdgeKind},
        workflow::{Exclusion, NodeType},
    },
    reference::{
        AsWritten,
        compile::CompileReading,
        edges::EdgeReading,
        rounds::RoundReading,
        schedule::{ScheduleReading, SourceFacts},
    },
};

misreadings! {
    /// What a source has once made active stays active.
    "decisions-add-up" misreads "BR-6":1 as ScheduleReading {
        fn decision(
            &self,
            newest: &[String],
            superseded: &dyn Fn() -> Vec<Vec<String>>,
        ) -> Vec<String> {
            let mut all = superseded().concat();
            all.extend_from_slice(newest);
            all
        }
    }

    /// A source decides once, and its decision stands for all rounds.
    "first-decision-stands" misreads "BR-6":1 as ScheduleReading {
        fn decision(
            &self,
            newest: &[String],
            superseded: &dyn Fn() -> Vec<Vec<String>>,
        ) -> Vec<String> {
            superseded().into_iter().next().unwrap_or_else(|| newest.to_vec())
        }
    }

    /// The comparison of rounds is about branch decisions: what else leaves a source is satisfied.
    "rounds-hold-branches-back-alone" misreads "BR-6":2 as ScheduleReading {
        fn is_satisfied(&self, kind: EdgeKind, source: SourceFacts) -> bool {
            let held_back = source.held_back && source.branching;
            AsWritten.is_satisfied(kind, SourceFacts { held_back, ..source })
        }
    }

    /// A source that is a single round behind is recent enough.
    "one-round-behind-is-recent" misreads "BR-6":2 as RoundReading {
        fn is_behind(&self, shared: &[(u64, u64)]) -> bool {
            let first = shared.iter().find(|(source, consumer)| source != consumer);
            first.is_some_and(|(source, consumer)| source.saturating_add(1) < *consumer)
        }
    }

    /// An edge is unsatisfied if its source is superseded and a round behind.
    "both-tests-have-to-fail" misreads "BR-6":3 as ScheduleReading {
        fn is_satisfied(&self, kind: EdgeKind, source: SourceFacts) -> bool {
            let (held_back, superseded) = (source.held_back, source.superseded);
            let both = held_back && superseded;
            let judged = SourceFacts { held_back: both, superseded: both, ..source };
            AsWritten.is_satisfied(kind, judged)
        }
    }

    /// A node that waits for a trigger runs as well once all its ports are filled.
    "filled-ports-start-a-node" misreads "BR-7":1 as ScheduleReading {
        fn is_ready(&self, errors: &[bool], triggers: &[bool], ports: &[bool]) -> bool {
            AsWritten.is_ready(errors, triggers, ports)
                || (!ports.is_empty() && ports.iter().all(|&port| port))
        }
    }

    /// Trigger edges say when a node may run, and not whether.
    "triggers-order-and-do-not-decide" misreads "BR-7":1 as ScheduleReading {
        fn is_ready(&self, errors: &[bool], _triggers: &[bool], ports: &[bool]) -> bool {
            AsWritten.is_ready(errors, &[], ports)
        }
    }

    /// A source that has nothing for the port does not satisfy its edge.
    "port-needs-a-value" misreads "BR-7":3 as ScheduleReading {
        fn is_satisfied(&self, kind: EdgeKind, source: SourceFacts) -> bool {
            let empty = kind == EdgeKind::Data && !source.brings;
            !empty && AsWritten.is_satisfied(kind, source)
        }
    }

    /// A node that no edge leads to and none leaves is no part of the run.
    "orphans-are-left-out" misreads "DATA-4":1 as CompileReading {
        fn exclusion(
            &self,
            node_type: &NodeType,
            incoming: &[EdgeKind],
            outgoing: &[EdgeKind],
        ) -> Option<Exclusion> {
            let found = AsWritten.exclusion(node_type, incoming, outgoing);
            let orphan = incoming.is_empty() && outgoing.is_empty();
            found.or_else(|| orphan.then_some(Exclusion::NonExecutable))
        }
    }

    /// A node waits for what triggers it, and takes what data there is by then.
    "data-is-not-awaited" misreads "DATA-4":1 as CompileReading {
        fn is_dependency(&self, edge: &Edge) -> bool {
            AsWritten.is_dependency(edge) && AsWritten.kind(edge) != EdgeKind::Data
        }
    }

    /// A node is started by a trigger, and waits for its data ports as well.
    "triggered-node-waits-for-its-ports" misreads "DATA-4":2 as ScheduleReading {
        fn is_ready(&self, errors: &[bool], triggers: &[bool], ports: &[bool]) -> bool {
            AsWritten.is_ready(errors, triggers, ports) && ports.iter().all(|&port| port)
        }
    }

    /// A node with several trigger edges waits for all of them.
    "every-trigger-is-awaited" misreads "DATA-4":2 as ScheduleReading {
        fn is_ready(&self, errors: &[bool], triggers: &[bool], ports: &[bool]) -> bool {
            triggers.iter().all(|&trigger| trigger) && AsWritten.is_ready(errors, triggers, ports)
        }
    }

    /// A data edge is one more trigger: any edge that is satisfied makes a node ready.
    "data-is-a-trigger" misreads "DATA-4":2 as ScheduleReading {
        fn is_ready(&self, errors: &[bool], triggers: &[bool], ports: &[bool]) -> bool {
            let any = triggers.contains(&true) || ports.contains(&true);
            if triggers.is_empty() { AsWritten.is_ready(errors, triggers, ports) } else { any }
        }
    }

    /// A port is satisfied by a value of whatever round.
    "value-of-any-round-fills-a-port" misreads "DATA-4":3 as ScheduleReading {
        fn is_satisfied(&self, kind: EdgeKind, source: SourceFacts) -> bool {
            let held_back = source.held_back && kind != EdgeKind::Data;
            AsWritten.is_satisfied(kind, SourceFacts { held_back, ..source })
        }
    }

    /// A port is satisfied by a source that has completed, on whatever branch its edge is.
    "completed-source-fills-a-port" misreads "DATA-4":3 as ScheduleReading {
        fn is_satisfied(&self, kind: EdgeKind, source: SourceFacts) -> bool {
            let followed = source.followed || kind == EdgeKind::Data;
            AsWritten.is_satisfied(kind, SourceFacts { followed, ..source })
        }
    }

    /// A port waits for all its sources.
    "port-waits-for-all-its-sources" misreads "DATA-4":4 as ScheduleReading {
        fn port_is_satisfied(&self, edges: &[bool]) -> bool {
            edges.iter().all(|&satisfied| satisfied)
        }
    }

    /// One port that is satisfied makes a node ready.
    "one-port-is-enough" misreads "DATA-4":4 as ScheduleReading {
        fn is_ready(&self, errors: &[bool], triggers: &[bool], ports: &[bool]) -> bool {
            let any = ports.contains(&true);
            AsWritten.is_ready(errors, triggers, ports) || (triggers.is_empty() && any)
        }
    }
}
