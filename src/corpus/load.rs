//! Finds documents: a file, or a folder and all that is in it.

use std::{fs, path::Path, sync::Arc};

use walkdir::WalkDir;

use super::{files, page};
use crate::diagnostics::{Code, Diagnostic, Place, Source, plain};

/// Adds the rule documents and registries under `path`.
pub(super) fn documents(path: &Path, sources: &mut Vec<Arc<Source>>, faults: &mut Vec<Diagnostic>) {
    let before = (sources.len(), faults.len());
    if path.is_dir() {
        let mut found = read_folder(path, &["md", "lock", "yml", "mdx", "json"], faults);
        found.retain(belongs);
        found.extend(narratives_beside(path, &found, faults));
        sources.extend(found);
        let is_rule = |s: &Arc<Source>| matches!(Kind::of(s.path()), Kind::Page | Kind::RuleFile);
        if !sources[before.0..].iter().any(is_rule) && faults.len() == before.1 {
            faults.push(
                Diagnostic::error(
                    Code::NoDocuments,
                    format!("there is no rule document under `{}`", display(path)),
                )
                .help("a rule document is a .md or .yml file that has an id, a family and a level"),
            );
        }
    } else if let Some(source) = read_file(path, faults) {
        let file = [source];
        if Kind::of(file[0].path()) == Kind::RuleFile {
            let folder = path.parent().unwrap_or(Path::new(""));
            let beside = narratives_beside(folder, &file, faults);
            let key = files::pair_key(file[0].path());
            sources.extend(
                beside
                    .into_iter()
                    .filter(|s| files::pair_key(s.path()) == key),
            );
        }
        sources.extend(file);
    }
}

/// What a file is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Page,
    RuleFile,
    Narrative,
    Registry,
    Schema,
}

impl Kind {
    pub(super) fn of(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("lock") => Self::Registry,
            Some("yml" | "yaml") => Self::RuleFile,
            Some("mdx") => Self::Narrative,
            Some("json") => Self::Schema,
            _ => Self::Page,
        }
    }
}

/// Whether a file found in a folder is about rules: other files have these endings too.
fn belongs(source: &Arc<Source>) -> bool {
    let path = source.path();
    match Kind::of(path) {
        Kind::Page => page::is_rule_document(source),
        Kind::RuleFile => files::is_rule_file(source),
        Kind::Narrative => true,
        Kind::Registry => is_registry(path),
        Kind::Schema => path.ends_with("rules/schema.json") || path == "schema.json",
    }
}

/// The narratives of rule files that stand directly in `folder`, where they are beside it and so
/// were not found in it.
fn narratives_beside(
    folder: &Path,
    found: &[Arc<Source>],
    faults: &mut Vec<Diagnostic>,
) -> Vec<Arc<Source>> {
    let here = |s: &&Arc<Source>| Path::new(s.path()).parent() == Some(Path::new(&display(folder)));
    let is_rule_file = |s: &&Arc<Source>| Kind::of(s.path()) == Kind::RuleFile;
    if found.iter().filter(is_rule_file).find(here).is_none() && display(folder) != "." {
        return Vec::new();
    }
    let beside = match folder.file_name() {
        Some(_) => folder.parent().unwrap_or(Path::new("")).join("narrative"),
        None => folder.join("../narrative"),
    };
    match beside.is_dir() {
        true => read_folder(&beside, &["mdx"], faults),
        false => Vec::new(),
    }
}

pub(super) fn is_registry(path: &str) -> bool {
    path.rsplit('/').next() == Some("REGISTRY.lock")
}

/// Reads every file under `folder` whose name ends in one of `endings`, ordered by path. Hidden
/// files and folders are passed over.
pub fn read_folder(
    folder: &Path,
    endings: &[&str],
    faults: &mut Vec<Diagnostic>,
) -> Vec<Arc<Source>> {
    let mut sources = Vec::new();
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    let shown = walk.filter_entry(|e| {
        e.depth() == 0 || !e.file_name().to_str().is_some_and(|n| n.starts_with('.'))
    });
    for entry in shown {
        match entry {
            Ok(entry) => {
                let path = entry.path();
                let ending = path.extension().and_then(|e| e.to_str());
                if !ending.is_some_and(|e| endings.contains(&e)) {
                    continue;
                }
                // What the folder says of a file need not be asked again.
                match entry.file_type() {
                    kind if kind.is_file() => sources.extend(read_text(path, faults)),
                    _ if path.is_file() => sources.extend(read_text(path, faults)),
                    _ => {}
                }
            }
            Err(error) => {
                let path = error.path().unwrap_or(folder);
                let why = error.io_error().map_or_else(|| error.to_string(), plain);
                faults.push(unreadable(path, &why));
            }
        }
    }
    sources
}

/// Reads one text file.
pub(crate) fn read_file(path: &Path, faults: &mut Vec<Diagnostic>) -> Option<Arc<Source>> {
    // A pipe or a device may never end.
    if fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        faults.push(unreadable(path, "it is no regular file"));
        return None;
    }
    read_text(path, faults)
}

fn read_text(path: &Path, faults: &mut Vec<Diagnostic>) -> Option<Arc<Source>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            faults.push(unreadable(path, &plain(&error)));
            return None;
        }
    };
    match String::from_utf8(bytes) {
        Ok(text) => Some(Source::new(display(path), text)),
        Err(error) => {
            let good = error.utf8_error().valid_up_to();
            let readable = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let length = readable.len();
            let source = Source::new(display(path), readable);
            // A byte-order mark is no part of the text.
            let at = good.saturating_sub(length - source.text().len());
            let bad = at..at + char::REPLACEMENT_CHARACTER.len_utf8();
            faults.push(
                Diagnostic::error(Code::NotUtf8, "the document is not UTF-8")
                    .at(Place::new(&source, bad))
                    .label("this byte does not belong here")
                    .help("save the document as UTF-8"),
            );
            None
        }
    }
}

fn unreadable(path: &Path, why: &str) -> Diagnostic {
    Diagnostic::error(
        Code::Unreadable,
        format!("cannot read `{}`: {why}", display(path)),
    )
}

/// A path with `/`, whatever the system writes.
pub(crate) fn display(path: &Path) -> String {
    let text = path
        .to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/");
    text.strip_prefix("./").unwrap_or(&text).to_owned()
}
