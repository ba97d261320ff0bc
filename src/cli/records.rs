//! Records read back.

use std::path::Path;

use super::failure::Done;
use crate::{
    corpus::read_file,
    diagnostics::{Code, Diagnostic},
    standing::{FORMAT, Record},
};

/// Reads a record, as `--format json` writes it.
pub(super) fn read_record(path: &Path) -> Done<Record> {
    let mut faults = Vec::new();
    let Some(source) = read_file(path, &mut faults) else {
        return Err(faults.into());
    };
    let not = |why: String| {
        Diagnostic::error(
            Code::BadRecord,
            format!("`{}` is no record: {why}", source.path()),
        )
    };
    // One of another format is said to be that, whatever else it has.
    #[derive(serde::Deserialize)]
    struct Head {
        format: String,
    }
    if let Ok(Head { format }) = serde_json::from_str(source.text())
        && format != FORMAT
    {
        let why = format!("its format is `{format}`, and `{FORMAT}` is read here");
        return Err(not(why).into());
    }
    let record = serde_json::from_str(source.text())
        .map_err(|error| not(error.to_string()).help("`standing run --format json` writes one"))?;
    Ok(record)
}
