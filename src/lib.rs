//! A conformance harness for workflow specifications.

pub mod engine;
pub mod operations;
pub mod reference;
