//! What a user sees: the `standing` command on real files, and the library as an implementer
//! calls it.
//!
//! Snapshots are written anew with `SNAPSHOTS=overwrite cargo test --test it`; look at the
//! difference before it is committed.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic, and so do its helpers"
)]

mod acme;
mod adequacy;
mod bad_calls;
mod bad_cases;
mod bad_documents;
mod bad_references;
mod corpus;
mod documented;
mod engines;
mod harness;
mod help;
mod listing;
mod process;
mod reports;
mod run;
mod schemas;
mod selectors;
mod support;
mod values;
mod wire;
