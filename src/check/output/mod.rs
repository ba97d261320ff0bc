//! What was found, written for somebody: one file a format.

mod github;
mod human;
mod json;
mod sarif;

pub use github::github;
pub use human::{Links, human};
pub use json::json;
pub use sarif::sarif;
