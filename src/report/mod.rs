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

#[cfg(any(feature = "cli", feature = "check"))]
pub(crate) use human::count;
pub(crate) use human::failure;
#[cfg(feature = "cli")]
pub(crate) use human::quoted;
