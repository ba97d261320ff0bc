//! Misreadings of the configuration that a run records, and of what it goes on with.

use crate::{
    operations::workflow::{Configuration, RunOptions},
    reference::{AsWritten, records::RecordReading},
};

misreadings! {
    /// The configuration of a run is worked out whenever it is needed, and not recorded.
    "configuration-is-not-recorded" misreads "SG-13":1 as RecordReading {
        fn put_on_record(&self, _configuration: &Configuration) -> Option<Configuration> {
            None
        }
    }

    /// The thread of a run is no part of its recorded configuration.
    "thread-is-not-recorded" misreads "SG-13":1 as RecordReading {
        fn put_on_record(&self, configuration: &Configuration) -> Option<Configuration> {
            Some(Configuration { thread: None, ..configuration.clone() })
        }
    }

    /// The checkpoint store of a run is no part of its recorded configuration.
    "store-is-not-recorded" misreads "SG-13":1 as RecordReading {
        fn put_on_record(&self, configuration: &Configuration) -> Option<Configuration> {
            Some(Configuration { checkpoint_store: None, ..configuration.clone() })
        }
    }

    /// A run that is resumed resolves its configuration from the workflow as it is then.
    "resume-configures-again" misreads "SG-13":2 as RecordReading {
        fn configuration_after_pause(
            &self,
            _recorded: Option<Configuration>,
            now: &dyn Fn() -> Configuration,
        ) -> Configuration {
            now()
        }
    }

    /// An edit can make the budget of a run that is under way narrower.
    "edit-narrows-the-budget" misreads "SG-13":2 as RecordReading {
        fn configuration_after_pause(
            &self,
            recorded: Option<Configuration>,
            now: &dyn Fn() -> Configuration,
        ) -> Configuration {
            let now = now();
            let Some(recorded) = recorded else { return now };
            let most = recorded.max_iterations.into_iter().chain(now.max_iterations).min();
            Configuration { max_iterations: most, ..recorded }
        }
    }

    /// An edit can make the budget of a run that is under way wider.
    "edit-widens-the-budget" misreads "SG-13":2 as RecordReading {
        fn configuration_after_pause(
            &self,
            recorded: Option<Configuration>,
            now: &dyn Fn() -> Configuration,
        ) -> Configuration {
            let now = now();
            let Some(recorded) = recorded else { return now };
            let most = recorded.max_iterations.max(now.max_iterations);
            Configuration { max_iterations: most, ..recorded }
        }
    }

    /// An edit moves a run that is under way to another thread.
    "edit-moves-the-thread" misreads "SG-13":2 as RecordReading {
        fn configuration_after_pause(
            &self,
            recorded: Option<Configuration>,
            now: &dyn Fn() -> Configuration,
        ) -> Configuration {
            let now = now();
            let Some(recorded) = recorded else { return now };
            Configuration { thread: now.thread, ..recorded }
        }
    }

    /// An edit moves a run that is under way to another checkpoint store.
    "edit-moves-the-store" misreads "SG-13":2 as RecordReading {
        fn configuration_after_pause(
            &self,
            recorded: Option<Configuration>,
            now: &dyn Fn() -> Configuration,
        ) -> Configuration {
            let now = now();
            let Some(recorded) = recorded else { return now };
            Configuration { checkpoint_store: now.checkpoint_store, ..recorded }
        }
    }

    /// A run that was launched and has executed nothing yet is configured as the workflow is then.
    "edit-reaches-what-has-not-begun" misreads "SG-13":2 as RecordReading {
        fn configuration_after_edit(
            &self,
            before: Configuration,
            has_begun: bool,
            now: &dyn Fn() -> Configuration,
        ) -> Configuration {
            if has_begun { before } else { now() }
        }
    }

    /// The settings count, and a caller cannot lower what they allow.
    "caller-does-not-bound-iterations" misreads "SG-13":3 as RecordReading {
        fn most_iterations(&self, wanted: Option<u64>, _allowed: Option<u64>) -> u64 {
            AsWritten.most_iterations(wanted, None)
        }
    }

    /// What the caller allows takes the place of what the settings say.
    "caller-replaces-the-maximum" misreads "SG-13":3 as RecordReading {
        fn most_iterations(&self, wanted: Option<u64>, allowed: Option<u64>) -> u64 {
            AsWritten.most_iterations(allowed.or(wanted), None)
        }
    }

    /// Of the caller's maximum and the settings' the greater one holds.
    "caller-raises-the-maximum" misreads "SG-13":3 as RecordReading {
        fn most_iterations(&self, wanted: Option<u64>, allowed: Option<u64>) -> u64 {
            AsWritten.most_iterations(wanted.max(allowed), None)
        }
    }

    /// The caller bounds what the settings say, and no default.
    "caller-does-not-bound-the-default" misreads "SG-13":3 as RecordReading {
        fn most_iterations(&self, wanted: Option<u64>, allowed: Option<u64>) -> u64 {
            AsWritten.most_iterations(wanted, wanted.and(allowed))
        }
    }

    /// A run without a record has defaults, whatever its workflow's settings are.
    "settings-are-not-asked" misreads "SG-13":3 as RecordReading {
        fn configure(
            &self,
            options: &RunOptions,
            _settings: &Configuration,
            run: &str,
        ) -> Configuration {
            AsWritten.configure(options, &Configuration::default(), run)
        }
    }

    /// A run without a record has no limits.
    "no-record-no-limits" misreads "SG-13":3 as RecordReading {
        fn configuration_after_pause(
            &self,
            recorded: Option<Configuration>,
            _now: &dyn Fn() -> Configuration,
        ) -> Configuration {
            recorded.unwrap_or_default()
        }
    }
}
