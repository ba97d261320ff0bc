//! What the paths of a call are part of: a rule is checked among the others.

use std::path::{Path, PathBuf};

use crate::{corpus::display, diagnostics::Diagnostic};

/// The files that were asked about, and the folders that they are part of.
pub(super) struct Scope {
    roots: Vec<PathBuf>,
    /// What was asked about, where that is less than all that is read.
    asked: Option<Vec<String>>,
    is_lone: bool,
}

impl Scope {
    pub(super) fn of<P: AsRef<Path>>(paths: &[P]) -> Self {
        let mut roots: Vec<PathBuf> = Vec::new();
        let mut is_part = false;
        let mut is_lone = false;
        for path in paths.iter().map(AsRef::as_ref) {
            let root = root_of(path);
            is_lone |= root.is_none() && path.is_file();
            let root = root.unwrap_or_else(|| path.to_owned());
            is_part |= root != path;
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        let asked = || paths.iter().map(|p| display(p.as_ref())).collect();
        Self {
            roots,
            asked: is_part.then(asked),
            is_lone,
        }
    }

    /// What is read.
    pub(super) fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// Whether a document is checked without those around it.
    pub(super) fn is_lone(&self) -> bool {
        self.is_lone
    }

    /// Whether a finding is about what was asked.
    pub(super) fn has(&self, finding: &Diagnostic) -> bool {
        let place = finding.place.as_ref();
        place.is_none_or(|place| self.has_path(place.path()))
    }

    pub(super) fn has_path(&self, path: &str) -> bool {
        let Some(asked) = &self.asked else {
            return true;
        };
        asked.iter().any(|asked| {
            path == asked
                || asked.is_empty()
                || asked == "."
                || path
                    .strip_prefix(asked.trim_end_matches('/'))
                    .is_some_and(|r| r.starts_with('/'))
        })
    }
}

/// The root of the specification that a path stands in: the nearest folder, from the path upward,
/// that has a registry, or a `rules` folder with one. `None`: there is none.
fn root_of(path: &Path) -> Option<PathBuf> {
    if !path.exists() {
        return None;
    }
    let mut folder = match path.is_dir() {
        true => path.to_owned(),
        false => path.parent().unwrap_or(Path::new("")).to_owned(),
    };
    // Folders far above are somebody else's.
    for _ in 0..4 {
        if folder.join("rules/REGISTRY.lock").is_file() {
            return Some(nonempty(folder));
        }
        if folder.join("REGISTRY.lock").is_file() {
            // Narratives stand beside the folder of the rules.
            let above = match folder.file_name() {
                Some(name) if name == "rules" => folder.parent().map(Path::to_owned),
                _ => None,
            };
            return match above.filter(|above| above.join("narrative").is_dir()) {
                Some(above) => Some(nonempty(above)),
                None => Some(nonempty(folder)),
            };
        }
        // What is above `..` has no name here.
        if folder.file_name().is_none() || !folder.pop() {
            return None;
        }
    }
    None
}

fn nonempty(folder: PathBuf) -> PathBuf {
    match folder.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => folder,
    }
}
