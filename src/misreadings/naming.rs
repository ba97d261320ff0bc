//! Misreadings of the name that a run reports, and of how its progress is told by it.

use crate::reference::records::RecordReading;

misreadings! {
    /// A caller that gives an identifier gets it back.
    "run-goes-by-the-callers-name" misreads "SG-15":1 as RecordReading {
        fn run_name(&self, own: String, callers: Option<&str>) -> String {
            callers.map_or(own, str::to_owned)
        }
    }

    /// The identifier of a run is made up when it is reported.
    "reported-name-is-made-up" misreads "SG-15":1 as RecordReading {
        fn reported_name(&self, record: &str) -> String {
            format!("execution_of_{record}")
        }
    }

    /// Progress is told of each execution of a node.
    "progress-by-execution" misreads "SG-15":2 as RecordReading {
        fn progress_of(&self, node: &str, executions: u64) -> Vec<String> {
            let key = |before| self.result_key(node, before);
            (0..executions.max(1)).map(key).collect()
        }
    }

    /// Progress is told by the name of a node's newest execution.
    "progress-by-newest-execution" misreads "SG-15":2 as RecordReading {
        fn progress_of(&self, node: &str, executions: u64) -> Vec<String> {
            vec![self.result_key(node, executions.saturating_sub(1))]
        }
    }

    /// Progress is told by the identifiers of nodes in lower case.
    "progress-in-lower-case" misreads "SG-15":2 as RecordReading {
        fn progress_of(&self, node: &str, _executions: u64) -> Vec<String> {
            vec![node.to_lowercase()]
        }
    }

    /// Progress is told by names that are made of the identifiers of nodes.
    "progress-by-machine-name" misreads "SG-15":2 as RecordReading {
        fn progress_of(&self, node: &str, _executions: u64) -> Vec<String> {
            let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            vec![node.chars().map(safe).collect()]
        }
    }

    /// Progress is told of those nodes that have been executed.
    "progress-of-the-executed" misreads "SG-15":2 as RecordReading {
        fn progress_of(&self, node: &str, executions: u64) -> Vec<String> {
            (executions > 0).then(|| node.to_owned()).into_iter().collect()
        }
    }
}
