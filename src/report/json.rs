//! The record as JSON.

use crate::{diagnostics::inert_json, standing::Record};

/// The record as it is published: indented JSON that ends with a newline. Its JSON Schema is
/// `docs/schema/standing-1.json`.
///
/// # Errors
///
/// Those of `serde_json`; a record that was made by a run has none.
pub fn json(record: &Record) -> Result<String, serde_json::Error> {
    let mut text = inert_json(&serde_json::to_string_pretty(record)?);
    text.push('\n');
    Ok(text)
}
