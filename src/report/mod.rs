//! A record, written for somebody: one file a format.

mod human;
mod json;
mod markdown;
#[cfg(feature = "cli")]
mod trace;

pub use human::{Human, human};
pub use json::json;
pub use markdown::markdown;
#[cfg(feature = "cli")]
pub use trace::{trace_human, trace_json, trace_lcov};

#[cfg(feature = "cli")]
#[cfg(feature = "explore")]
pub(crate) use human::diff;
pub(crate) use human::failure;
pub(crate) use human::{count, quoted};
