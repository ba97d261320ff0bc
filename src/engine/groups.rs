//! The process groups that were started and not ended yet.
//!
//! A session ends its own. This is for a harness that is told to end at once and can no longer wait
//! for its sessions.

use std::{
    collections::BTreeSet,
    io,
    sync::{Mutex, MutexGuard, PoisonError},
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use process_wrap::std::ChildWrapper;

use super::orphans;

/// The leaders, as long as there may be new ones.
static LIVE: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

fn live() -> MutexGuard<'static, Option<BTreeSet<u32>>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the leader of a group. None is started that [`kill_all`] would miss.
pub(super) fn start(
    spawn: impl FnOnce() -> io::Result<Box<dyn ChildWrapper>>,
) -> io::Result<Box<dyn ChildWrapper>> {
    let mut live = live();
    let leaders = live
        .as_mut()
        .ok_or_else(|| io::Error::other("the harness is about to end"))?;
    let child = spawn()?;
    leaders.insert(child.id());
    Ok(child)
}

/// Kills a group, and waits for its leader.
pub(super) fn end(leader: &mut dyn ChildWrapper) {
    // Also where the leader itself is gone: what it started may not be.
    let _ = leader.start_kill();
    if let Some(leaders) = live().as_mut() {
        leaders.remove(&leader.id());
    }
    let _ = leader.wait();
}

/// Kills every engine that was started and whatever those have started, and lets none be started any
/// more: for a program that is about to end. What has left the group of its engine is found only where
/// [`adopt_orphans`](super::adopt_orphans) was called before.
pub fn kill_all() {
    for leader in live().take().unwrap_or_default() {
        if let Ok(leader) = i32::try_from(leader) {
            let _ = killpg(Pid::from_raw(leader), Signal::SIGKILL);
        }
    }
    orphans::end();
}
