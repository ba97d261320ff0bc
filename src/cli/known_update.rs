//! `--update-known`: the list of known failures, rewritten after a run.

use std::{collections::BTreeSet, fs, io, path::Path};

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::{failure::Done, output::write_whole};
use crate::{
    diagnostics::{Code, Diagnostic, plain},
    run::Outcome,
    standing::Record,
    suite::{Selection, Suite},
};

/// Takes off the list what passes, names nothing or stands twice, and puts on it what fails and is
/// not there. An entry of which a part is left is narrowed to that; all else stays as it is written.
pub(super) fn update(path: &Path, suite: &Suite, record: &Record) -> Done<()> {
    let wrong = |code, message: String| Diagnostic::error(code, message);
    let shown = path.display();
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            let message = format!("cannot read `{shown}`: {}", plain(&error));
            return Err(wrong(Code::Unreadable, message).into());
        }
    };
    let updated = updated(&text, suite, record)
        .map_err(|why| wrong(Code::Config, format!("`{shown}` cannot be updated: {why}")))?;
    if updated != text {
        write_whole(path, &updated).map_err(|error| {
            wrong(
                Code::BadCall,
                format!("cannot write `{shown}`: {}", plain(&error)),
            )
        })?;
    }
    Ok(())
}

fn updated(text: &str, suite: &Suite, record: &Record) -> Result<String, String> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|e: toml_edit::TomlError| e.to_string())?;
    let mut left = ArrayOfTables::new();
    let mut listed: BTreeSet<String> = BTreeSet::new();
    // What stood above entries that are gone, and was not about them.
    let mut above = String::new();
    let entries = match document.get("failure") {
        None => ArrayOfTables::new(),
        Some(Item::ArrayOfTables(entries)) => entries.clone(),
        Some(_) => return Err("write each entry as a table, `[[failure]]`".to_owned()),
    };
    for entry in entries.iter() {
        let member = |name: &str| entry.get(name).and_then(Item::as_str);
        let select = member("select").ok_or("an entry has no `select`")?;
        let is_flaky = member("outcome") == Some("flaky");
        let named: Vec<&str> = match Selection::new(suite, &[select]) {
            Ok(selection) => {
                let cases = selection.cases();
                cases
                    .map(|case| suite.cases()[case].name.as_str())
                    .collect()
            }
            Err(_) => Vec::new(),
        };
        let mut stays = named.clone();
        stays.retain(|name| {
            let passed = !is_flaky && outcome(record, name) == Some(Outcome::Pass);
            !passed && !listed.contains(*name)
        });
        listed.extend(stays.iter().map(|name| (*name).to_owned()));
        if stays.is_empty() {
            above.push_str(apart(prefix(entry)));
            continue;
        }
        let mut entry = entry.clone();
        if !above.is_empty() {
            let prefix = format!("{above}\n{}", prefix(&entry).trim_start_matches('\n'));
            entry.decor_mut().set_prefix(prefix);
            above.clear();
        }
        if stays.len() == named.len() {
            left.push(entry);
            continue;
        }
        for (i, name) in stays.into_iter().enumerate() {
            let mut narrowed = entry.clone();
            set(&mut narrowed, "select", name);
            if i > 0 {
                // What stands before an entry is said once.
                narrowed.decor_mut().set_prefix("\n");
            }
            left.push(narrowed);
        }
    }
    for (rule, case) in record.cases() {
        let is_new = case.outcome.is_failure() && !listed.contains(&case.case);
        if !is_new || !rule.posture.counts() {
            continue;
        }
        let why = case.message.as_deref().unwrap_or_default();
        let why = why.lines().next().unwrap_or_default();
        let mut entry = Table::new();
        entry["select"] = value(&case.case);
        entry["outcome"] = value("fails");
        entry["reason"] = value(format!(
            "not looked into yet: {}",
            crate::diagnostics::printable(why)
        ));
        if !left.is_empty() || !text.trim().is_empty() {
            entry.decor_mut().set_prefix("\n");
        }
        left.push(entry);
    }
    if !above.is_empty() {
        let end = document.trailing().as_str().unwrap_or_default().to_owned();
        document.set_trailing(format!("{above}{end}"));
    }
    match left.is_empty() {
        true => document.remove("failure"),
        false => document.insert("failure", Item::ArrayOfTables(left)),
    };
    Ok(document.to_string())
}

fn outcome(record: &Record, name: &str) -> Option<Outcome> {
    let mut cases = record.cases();
    cases.find(|(_, c)| c.case == name).map(|(_, c)| c.outcome)
}

/// The comments and empty lines before an entry.
fn prefix(entry: &Table) -> &str {
    let prefix = entry.decor().prefix().and_then(|raw| raw.as_str());
    prefix.unwrap_or_default()
}

/// The part of a prefix that an empty line parts from the entry: it is about more than that.
fn apart(prefix: &str) -> &str {
    let end = prefix.trim_end_matches('\n').rfind("\n\n");
    match end.or_else(|| prefix.ends_with("\n\n").then(|| prefix.len() - 1)) {
        Some(end) => &prefix[..=end],
        None => "",
    }
}

/// Sets a string, and leaves what is written around it.
fn set(table: &mut Table, name: &str, text: &str) {
    let decor = table
        .get(name)
        .and_then(Item::as_value)
        .map(|v| v.decor().clone());
    table[name] = value(text);
    if let (Some(decor), Some(value)) = (decor, table[name].as_value_mut()) {
        *value.decor_mut() = decor;
    }
}
