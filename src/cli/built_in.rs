//! The engines that are built in, by name: `reference`, and `reference:MISREADING`.

use crate::{
    diagnostics::{Code, Diagnostic},
    engine::RustEngine,
    misreadings,
    reference::{self, Reference},
};

/// The built-in engine of this name; `None` where it is no such name.
pub(super) fn built_in(name: &str) -> Option<Result<RustEngine<Reference>, Box<Diagnostic>>> {
    if name == "reference" {
        return Some(Ok(reference::engine()));
    }
    let name = name.strip_prefix("reference:")?;
    let found = misreadings::find(name).map(misreadings::Misreading::engine);
    Some(found.ok_or_else(|| {
        Diagnostic::error(Code::BadCall, format!("there is no misreading `{name}`"))
            .help("`standing adequacy` lists them")
            .suggest(name, misreadings::ALL.iter().map(|m| m.name))
            .into()
    }))
}
