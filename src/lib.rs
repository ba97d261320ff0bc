//! A conformance harness for workflow specifications.

pub mod corpus;
pub mod diagnostics;
pub mod engine;
pub mod operations;
