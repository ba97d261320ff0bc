//! Which part of the cases is put: as `--shard` says, or as a runner of tests says that shares them
//! out among machines. The protocol is Bazel's, and others speak it too.

use std::{env, fs::File};

use super::failure::Done;
use crate::{
    diagnostics::{Code, Diagnostic, plain},
    standing::ShardRecord,
    suite::{Selection, Shard, Suite},
};

const INDEX: &str = "TEST_SHARD_INDEX";
const TOTAL: &str = "TEST_TOTAL_SHARDS";
const STATUS_FILE: &str = "TEST_SHARD_STATUS_FILE";

/// The part that is asked for. The command line wins.
pub(super) fn of(said: Option<Shard>) -> Done<Option<Shard>> {
    let (index, total) = (env::var(INDEX).ok(), env::var(TOTAL).ok());
    if total.is_some() {
        takes_note()?;
    }
    if said.is_some() {
        return Ok(said);
    }
    let (index, total) = match (index, total) {
        (Some(index), Some(total)) => (index, total),
        (None, None) => return Ok(None),
        (there, _) => {
            let (there, other) = if there.is_some() {
                (INDEX, TOTAL)
            } else {
                (TOTAL, INDEX)
            };
            return Err(wrong(format!("`{there}` is set, and `{other}` is not")).into());
        }
    };
    // Counted from 0 there, and from 1 here.
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let from_1 = number(&index).and_then(|index| index.checked_add(1));
    match from_1.zip(number(&total)).map(|(i, n)| Shard::new(i, n)) {
        Some(Some(shard)) => Ok(Some(shard)),
        _ => Err(wrong(format!(
            "`{INDEX}={index}` and `{TOTAL}={total}` name no part; the first is counted from 0"
        ))
        .into()),
    }
}

fn wrong(message: String) -> Diagnostic {
    Diagnostic::error(Code::BadCall, message).help("set both, or neither, or say `--shard 2/5`")
}

/// The file whose being there tells the runner that its wish is heard.
fn takes_note() -> Done<()> {
    if let Some(path) = env::var_os(STATUS_FILE).filter(|path| !path.is_empty()) {
        File::create(&path).map_err(|error| {
            let message = format!(
                "cannot write `{}`, which `{STATUS_FILE}` names: {}",
                path.to_string_lossy(),
                plain(&error)
            );
            Diagnostic::error(Code::BadCall, message)
        })?;
    }
    Ok(())
}

/// Leaves just the cases of a part, and says what it is a part of.
pub(super) fn take(shard: Shard, selection: &mut Selection, suite: &Suite) -> ShardRecord {
    let name = |case: usize| suite.cases()[case].name.clone();
    let cases = selection.cases().map(name).collect();
    selection.retain(|case| shard.holds(&suite.cases()[case].name));
    ShardRecord {
        index: shard.index(),
        total: shard.total(),
        cases,
    }
}
