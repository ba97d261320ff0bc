//! A conformance harness for workflow specifications.
//!
//! `standing` reads a specification's rule documents, turns the examples in them into cases, puts
//! every case to an engine, and says where the engine stands, rule by rule and clause by clause.
//!
//! # Testing an engine that is written in Rust
//!
//! Say which [operations] the engine does, and hand it to the [harness](harness::Harness): every
//! case is then a test that `cargo test` and `cargo nextest run` know by its name.
//!
//! ```no_run
//! // tests/conformance.rs, with `harness = false` in Cargo.toml
//! use std::process::ExitCode;
//! use standing::engine::{Refusal, RustEngine};
//! use standing::operations::{loops, run};
//!
//! # #[derive(Default)] struct Acme;
//! # impl Acme {
//! #     fn loops(&self, _: &[standing::operations::edge::Edge]) -> loops::Resolved { Default::default() }
//! #     fn seed(&self, _: run::SeedParams) -> Result<run::Seeded, String> { Err("no".into()) }
//! # }
//! fn main() -> ExitCode {
//!     RustEngine::new("acme", Acme::default)
//!         .on::<loops::Resolve>(|acme, p| Ok(acme.loops(&p.edges)))
//!         .on::<run::Seed>(|acme, p| acme.seed(p).map_err(|e| Refusal::new("run_ended", e)))
//!         .harness()
//! }
//! ```
//!
//! Such a test needs nothing of the command line: depend on this crate with
//! `default-features = false`.
//!
//! # The stages, one after the other
//!
//! Data flows one way, and each stage is a module that knows those before it:
//!
//! 1. [`diagnostics`]: what is wrong with an input, where, and what to do;
//! 2. [`operations`]: what an engine can be asked;
//! 3. [`corpus`]: rule documents, as rules, clauses and examples;
//! 4. [`suite`]: cases, bound to the examples of the rules, and selections of them;
//! 5. [`engine`]: what is under test;
//! 6. [`mod@reference`]: an engine that does as the specification says;
//! 7. [`misreadings`]: engines that get just one thing wrong;
//! 8. [`mod@run`]: cases put to an engine, as outcomes;
//! 9. [`standing`](mod@standing): what outcomes say of clauses, rules, families and levels;
//! 10. [`report`]: that, written for somebody.
//!
//! [`adequacy`] is a use of these: it says which misreadings the cases catch. [`check`](mod@check) is
//! another, for those who write a specification, and so is `explore`, which draws inputs that no case has.
//!
//! ```
//! use std::sync::Arc;
//! use standing::{reference, run, standing::{Record, Standing}, suite::{Selection, Suite}};
//!
//! let (suite, faults) = Suite::embedded();
//! assert!(faults.is_empty());
//! let suite = Arc::new(suite);
//!
//! let chosen = Selection::new(&suite, &["SG-12"]).expect("a rule of the suite");
//! let engine = Arc::new(reference::engine());
//! let outcomes = run::run(&suite, &chosen, engine, &run::Options::default(), &|_| {})?;
//!
//! let record = Record::new(&suite, &chosen, &outcomes);
//! assert_eq!(record.rules[0].standing, Standing::Meets);
//! # Ok::<(), standing::engine::EngineError>(())
//! ```
//!
//! # Features
//!
//! `cli` (on by default) is the `standing` command; `check` (on by default) is the
//! checker of specifications, and holds the inputs of case files against the JSON Schemas of their
//! operations when they are read; `explore` (on by
//! default) draws inputs that no case has.
#![cfg_attr(
    not(feature = "check"),
    allow(dead_code, unused_imports, reason = "places are kept for the checker")
)]

pub mod adequacy;
#[cfg(feature = "check")]
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod corpus;
pub mod diagnostics;
pub mod engine;
#[cfg(feature = "explore")]
pub mod explore;
pub mod harness;
pub mod misreadings;
pub mod operations;
pub mod reference;
pub mod report;
pub mod run;
pub mod standing;
pub mod suite;
#[cfg(feature = "cli")]
pub mod trace;
