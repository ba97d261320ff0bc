//! The engine, put to the cases of `standing`:
//!
//! ```text
//! cargo test --test conformance                  # every case of what it does
//! cargo test --test conformance SG-16            # one rule
//! cargo test --test conformance -- --list
//! ```
//!
//! `loops.resolve` is an example. Claim further operations with further `.on::<…>(…)` as you get to
//! them; their types are in `standing::operations`. Cases of what is not claimed are ignored.

use std::process::ExitCode;

use my_engine::{Diagnostic, Edge, Engine, Kind, Loops};
use standing::{
    engine::RustEngine,
    operations::{
        edge::{self, EdgeKind},
        loops::{LoopDiagnostic, Resolve, Resolved},
    },
};

fn main() -> ExitCode {
    RustEngine::new("my engine", Engine::default)
        .version(env!("CARGO_PKG_VERSION"))
        .profiles(["runtime"])
        .on::<Resolve>(|engine, params| {
            let edges: Vec<Edge> = params.edges.into_iter().map(given).collect();
            Ok(told(engine.resolve_loops(&edges)))
        })
        // The engine's own no is a refusal, with the word that the case looks for (and what it has
        // no notion of for some inputs only, `on_some` declines with `None`):
        //
        // .on::<Seed>(|engine, params| {
        //     let state = engine.seed(params).map_err(|no| Refusal::new("run_ended", no))?;
        //     Ok(Seeded { state, origin: None, warnings: None })
        // })
        .harness()
}

/// An edge of a question as the engine knows edges.
fn given(edge: edge::Edge) -> Edge {
    let declared = edge.data.and_then(|data| data.edge_type);
    Edge {
        source: edge.source.unwrap_or_default(),
        target: edge.target.unwrap_or_default(),
        source_handle: edge.source_handle.unwrap_or_default(),
        target_handle: edge.target_handle.unwrap_or_default(),
        declared: declared
            .and_then(|declared| declared.as_str().map(str::to_owned))
            .unwrap_or_default(),
        kind: edge.kind.map(|kind| match kind {
            EdgeKind::Data => Kind::Data,
            EdgeKind::Trigger => Kind::Trigger,
            EdgeKind::Error => Kind::Error,
            EdgeKind::Loopback => Kind::Loopback,
            EdgeKind::Tool => Kind::Tool,
            EdgeKind::AgentResult => Kind::AgentResult,
        }),
    }
}

/// What the engine found as an answer.
fn told(loops: Loops) -> Resolved {
    let diagnostic = |diagnostic| match diagnostic {
        Diagnostic::NoCycle { head, tail } => LoopDiagnostic::NoCycle { head, tail },
        Diagnostic::Merged { head, absorbed } => LoopDiagnostic::Merged { head, absorbed },
    };
    Resolved {
        loops: loops.bodies,
        memberships: loops.memberships,
        diagnostics: loops.diagnostics.into_iter().map(diagnostic).collect(),
    }
}
