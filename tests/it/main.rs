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
mod action;
mod adequacy;
mod again;
mod alone;
#[path = "../fake_engine/answers.rs"]
mod answers;
mod bad_calls;
mod bad_cases;
mod bad_documents;
mod bad_references;
mod broken;
mod by_hand;
mod checked;
mod compared;
mod configured;
mod corpus;
mod documented;
mod engines;
mod explained;
mod explore;
mod exported;
mod fakes;
mod faults;
mod faulty_starts;
mod harness;
mod help;
mod http;
mod interrupted;
mod known;
mod listing;
mod parts;
mod process;
mod reports;
mod run;
mod sarif;
mod schemas;
mod selectors;
mod server;
mod support;
mod trace;
mod values;
mod wire;
mod written;
