//! A conformance harness for workflow specifications.

#[cfg(feature = "cli")]
pub mod cli;
pub mod corpus;
pub mod diagnostics;
pub mod engine;
pub mod harness;
pub mod operations;
pub mod reference;
pub mod report;
pub mod run;
pub mod standing;
pub mod suite;
