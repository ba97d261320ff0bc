//! A record, written for somebody: one file a format.

mod human;
mod json;
mod markdown;

pub use human::{Human, human};
pub use json::json;
pub use markdown::markdown;

pub(crate) use human::failure;
#[cfg(feature = "cli")]
pub(crate) use human::{count, quoted};
