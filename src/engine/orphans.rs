//! Processes that engines started and left, out of reach of [`groups`](super::groups): a group of
//! their own, a session of their own.
//!
//! On Linux a process can ask that whoever loses its parent below it comes to it; elsewhere there is
//! no such thing, and they are not found.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether they come to this process.
static ADOPTED: AtomicBool = AtomicBool::new(false);

/// From now on whatever an engine leaves behind comes to this process, and [`kill_all`](super::kill_all)
/// ends it. That concerns all children of this process that are not ended by then, so it is for a
/// program that has none but engines, and not for a library's caller.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    ADOPTED.store(
        nix::sys::prctl::set_child_subreaper(true).is_ok(),
        Ordering::Relaxed,
    );
}

/// Ends what has come to this process.
pub(super) fn end() {
    if ADOPTED.load(Ordering::Relaxed) {
        #[cfg(target_os = "linux")]
        linux::end_children();
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::{fs, process};

    use nix::{
        sys::{
            signal::{Signal, kill},
            wait::waitpid,
        },
        unistd::Pid,
    };

    /// One that starts others faster than they can be ended is given up some time.
    const ATTEMPTS: usize = 100;

    pub(super) fn end_children() {
        // The children of one that ends come to this process in their turn.
        for _ in 0..ATTEMPTS {
            let children = children();
            if children.is_empty() {
                return;
            }
            for child in children {
                // It may have ended by itself.
                let _ = kill(child, Signal::SIGKILL);
                let _ = waitpid(child, None);
            }
        }
    }

    fn children() -> Vec<Pid> {
        let own = process::id();
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        entries
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
            .filter(|pid: &i32| {
                fs::read_to_string(format!("/proc/{pid}/stat"))
                    .is_ok_and(|stat| parent(&stat) == Some(own))
            })
            .map(Pid::from_raw)
            .collect()
    }

    /// The parent in a line of `/proc/PID/stat`: `PID (name) state parent …`, where the name may hold
    /// anything.
    fn parent(stat: &str) -> Option<u32> {
        let (_, rest) = stat.rsplit_once(')')?;
        rest.split_whitespace().nth(1)?.parse().ok()
    }

    #[cfg(test)]
    mod tests {
        use super::parent;

        #[test]
        fn a_name_may_look_like_the_rest() {
            assert_eq!(parent("7 (sleep) S 3 7 7 0"), Some(3));
            assert_eq!(parent("7 (a) R 9 (b) S 3 7 7 0"), Some(3));
            assert_eq!(parent("7 (a"), None);
        }
    }
}
