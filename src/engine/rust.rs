//! A Rust type as an engine.

use std::{collections::BTreeMap, sync::Arc};

use serde::Deserialize;
use serde_json::Value;

use super::{About, Answer, Engine, EngineError, Refusal, Session};
use crate::operations::Operation;

type Handler<T> = dyn Fn(&mut T, &Value) -> Result<Answer, EngineError> + Send + Sync;

/// An engine made of a Rust type and a closure for each operation that it does.
///
/// Every session has a `T` of its own, made by the function given to [`RustEngine::new`];
/// a reset makes another.
///
/// # Examples
///
/// ```
/// use serde_json::json;
/// use standing::engine::{Answer, Engine, RustEngine, Session};
/// use standing::operations::loops;
///
/// #[derive(Default)]
/// struct Acme;
///
/// let engine = RustEngine::new("acme", Acme::default)
///     .version("2.1")
///     .on::<loops::Resolve>(|_acme, params| {
///         // an engine that never finds a loop
///         let _ = params.edges;
///         Ok(loops::Resolved::default())
///     });
///
/// let mut session = engine.session()?;
/// let answer = session.ask("loops.resolve", &json!({ "edges": [] }))?;
/// assert!(matches!(answer, Answer::Value(_)));
/// assert_eq!(session.ask("run.seed", &json!({}))?, Answer::Declined);
/// # Ok::<(), standing::engine::EngineError>(())
/// ```
pub struct RustEngine<T> {
    about: About,
    make: Arc<dyn Fn() -> T + Send + Sync>,
    handlers: Arc<BTreeMap<&'static str, Box<Handler<T>>>>,
}

impl<T: Send + 'static> RustEngine<T> {
    /// An engine that does nothing yet. `make` makes the value that a session asks.
    pub fn new(name: impl Into<String>, make: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self {
            about: About {
                name: name.into(),
                language: Some("rust".into()),
                operations: Some(Default::default()),
                ..About::default()
            },
            make: Arc::new(make),
            handlers: Arc::default(),
        }
    }

    /// Another name, for an engine that is a variant of one.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.about.name = name.into();
        self
    }

    /// The version that reports name.
    #[must_use]
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.about.version = Some(version.into());
        self
    }

    /// The profiles that the engine claims. Without this it claims all.
    #[must_use]
    pub fn profiles<S: Into<String>>(mut self, profiles: impl IntoIterator<Item = S>) -> Self {
        self.about.profiles = profiles.into_iter().map(Into::into).collect();
        self
    }

    /// Claims an operation and says how it is done. The last word on an operation counts.
    #[must_use]
    pub fn on<O: Operation>(
        self,
        answer: impl Fn(&mut T, O::Params) -> Result<O::Result, Refusal> + Send + Sync + 'static,
    ) -> Self {
        self.on_some::<O>(move |engine, params| Some(answer(engine, params)))
    }

    /// As [`on`](Self::on), for an operation that the engine does for some inputs only: `None`
    /// declines this one, and its case is reported as unsupported.
    #[must_use]
    pub fn on_some<O: Operation>(
        mut self,
        answer: impl Fn(&mut T, O::Params) -> Option<Result<O::Result, Refusal>> + Send + Sync + 'static,
    ) -> Self {
        let handler = move |engine: &mut T, params: &Value| {
            let params = O::Params::deserialize(params)
                .map_err(|e| EngineError::Failed(format!("params of {}: {e}", O::NAME)))?;
            Ok(match answer(engine, params) {
                Some(Ok(result)) => Answer::Value(
                    serde_json::to_value(result)
                        .map_err(|e| EngineError::Failed(format!("result of {}: {e}", O::NAME)))?,
                ),
                Some(Err(refusal)) => Answer::Refused(refusal),
                None => Answer::Declined,
            })
        };
        self.about
            .operations
            .get_or_insert_default()
            .insert(O::NAME.into());
        // Sessions share the table; none is open while the engine is still being built.
        if let Some(handlers) = Arc::get_mut(&mut self.handlers) {
            handlers.insert(O::NAME, Box::new(handler));
        }
        self
    }
}

impl<T: Send + 'static> Engine for RustEngine<T> {
    fn about(&self) -> About {
        self.about.clone()
    }

    fn session(&self) -> Result<Box<dyn Session>, EngineError> {
        Ok(Box::new(RustSession {
            engine: (self.make)(),
            used: false,
            make: Arc::clone(&self.make),
            handlers: Arc::clone(&self.handlers),
        }))
    }
}

struct RustSession<T> {
    engine: T,
    used: bool,
    make: Arc<dyn Fn() -> T + Send + Sync>,
    handlers: Arc<BTreeMap<&'static str, Box<Handler<T>>>>,
}

impl<T: Send + 'static> Session for RustSession<T> {
    fn reset(&mut self) -> Result<(), EngineError> {
        if self.used {
            self.engine = (self.make)();
            self.used = false;
        }
        Ok(())
    }

    fn ask(&mut self, operation: &str, params: &Value) -> Result<Answer, EngineError> {
        self.used = true;
        match self.handlers.get(operation) {
            Some(handler) => handler(&mut self.engine, params),
            None => Ok(Answer::Declined),
        }
    }
}
