//! Starting an engine, which may take its time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use crate::engine::{Engine, EngineError, Session};

/// How often the wait looks whether the run was interrupted.
const GLANCE: Duration = Duration::from_millis(20);
/// How long an engine has, once the run is interrupted, to notice by itself.
const GRACE: Duration = Duration::from_millis(500);

/// A fresh session. Once the run is interrupted, an engine that takes no notice is left to itself.
pub(super) fn session(
    engine: &Arc<dyn Engine>,
    interrupt: &AtomicBool,
) -> Result<Box<dyn Session>, EngineError> {
    let theirs = Arc::clone(engine);
    let (tell, told) = mpsc::channel();
    thread::Builder::new()
        .name("start".to_owned())
        .spawn(move || {
            // Where nobody waits any more, the session ends here.
            let _ = tell.send(theirs.session());
        })
        .map_err(|error| EngineError::Start(format!("no thread could be started: {error}")))?;
    let mut interrupted: Option<Instant> = None;
    loop {
        match told.recv_timeout(GLANCE) {
            Ok(session) => return session,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(EngineError::Start("the engine panicked".to_owned()));
            }
            Err(RecvTimeoutError::Timeout) if interrupt.load(Ordering::Relaxed) => {
                if interrupted.get_or_insert_with(Instant::now).elapsed() > GRACE {
                    return Err(EngineError::Interrupted);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
