//! Ctrl-C.

use std::{
    io,
    process::exit,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    iterator::Signals,
};

use crate::engine::kill_all;

/// The exit status of what was interrupted.
pub(super) const INTERRUPTED: u8 = 130;

/// For a subcommand that starts engines: a flag that Ctrl-C sets, so that what is under way is brought to an end. The second time it is the
/// end, and no engine is left then either.
pub(super) fn flag() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let theirs = Arc::clone(&flag);
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            for _ in signals.forever() {
                if theirs.swap(true, Ordering::Relaxed) {
                    kill_all();
                    exit(INTERRUPTED.into());
                }
            }
        })?;
    Ok(flag)
}
