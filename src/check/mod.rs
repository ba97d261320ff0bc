//! What is wrong with a specification, for those who write it.
//!
//! [`check()`] reads documents and cases once, builds one `index.rs` over them, and hands it to a
//! file for each group of findings: `members.rs` (names, titles, versions, families), `schema.rs` (the
//! published schema of rule files), `registry.rs` (ids ever issued), `relations.rs` (rules that point
//! to rules), `prose.rs` (narratives), `fences.rs` (how examples are written), `http.rs` (exchanges) and
//! `cases.rs` (what cases and the reference make of examples; `carried.rs` says where that is known). Loading told its own faults before.
//! `scope.rs` finds the whole that a path is part of; `levels.rs` says how severe a finding is;
//! `fix.rs` mends what has one right answer; `output/` has a file for each format, and `explain.rs`
//! the page of each code.

mod carried;
mod cases;
mod explain;
mod fences;
mod fix;
mod http;
mod index;
mod levels;
mod members;
pub mod output;
mod prose;
mod registry;
mod relations;
mod schema;
mod scope;

use std::path::{Path, PathBuf};

pub use explain::{explanation, headline};
pub use fix::{Fixed, fix};
pub use levels::{Level, Levels};

use crate::{
    corpus::{Corpus, display},
    diagnostics::{Code, Diagnostic, Severity},
    operations::Operations,
    suite::Suite,
};

use self::index::Index;

/// Where the cases come from that examples are held against.
#[derive(Clone, Copy, Debug)]
pub enum CaseSource<'a> {
    /// Those that the library carries. What is wrong between them and the documents is a warning:
    /// whoever writes the documents cannot change them.
    Carried,
    /// A project's own case files and folders of them.
    Paths(&'a [PathBuf]),
}

/// What was found.
#[derive(Debug, Default)]
pub struct Checked {
    /// By path and place.
    pub findings: Vec<Diagnostic>,
    /// How many rules were read.
    pub rules: usize,
    /// How many fenced examples they have.
    pub examples: usize,
    /// How many examples are of rules that no case file is about yet.
    pub without_cases: usize,
}

impl Checked {
    /// How many findings are errors.
    pub fn errors(&self) -> usize {
        let errors = self.findings.iter();
        errors.filter(|f| f.severity == Severity::Error).count()
    }

    /// How many findings are warnings.
    pub fn warnings(&self) -> usize {
        self.findings.len() - self.errors()
    }
}

/// Checks the documents at `paths`: files, or folders and all that is in them, in either layout.
///
/// A path below the root of a specification is checked as a part of the whole; what is found
/// elsewhere in it is left out.
///
/// # Examples
///
/// ```
/// use standing::check::{CaseSource, Levels, check};
/// use standing::diagnostics::Code;
///
/// let nowhere = check(&["no/such/folder"], CaseSource::Carried, &Levels::default());
/// assert_eq!(nowhere.findings[0].code, Code::Unreadable);
/// ```
pub fn check<P: AsRef<Path>>(paths: &[P], cases: CaseSource<'_>, levels: &Levels) -> Checked {
    let scope = scope::Scope::of(paths);
    let (corpus, mut findings) = Corpus::read_alone(scope.roots());
    let is_carried = matches!(cases, CaseSource::Carried);
    let mut of_cases = Vec::new();
    let mut known = None;
    let suite = match cases {
        CaseSource::Carried => {
            let same = carried::known(&corpus);
            let is_wanted = |slug: &str| !same.contains(slug);
            let suite = Suite::with_some_embedded_cases(corpus, is_wanted, &mut of_cases);
            known = Some(same);
            suite
        }
        CaseSource::Paths(paths) => {
            let mut strict = match findings.is_empty() {
                true => Vec::new(),
                // Some documents are missing: their cases are no fault of their own.
                false => findings.clone(),
            };
            let before = strict.len();
            let suite = Suite::read(corpus, Operations::standard(), paths, &mut strict);
            of_cases.extend(strict.drain(before..));
            suite
        }
    };
    let index = Index::new(suite.corpus(), scope.is_lone());
    members::check(&index, &mut findings);
    schema::check(&index, &mut findings);
    registry::check(&index, &mut findings);
    relations::check(&index, &mut findings);
    prose::check(&index, &mut findings);
    fences::check(&index, &mut findings);
    http::check(&index, &mut findings);
    let without_cases = cases::check(&suite, known.as_ref(), &of_cases, &mut findings);
    if is_carried {
        cases::told_of_documents(&suite, &mut of_cases);
    }
    let case_files = match cases {
        CaseSource::Carried => &[],
        CaseSource::Paths(paths) => paths,
    };
    findings.retain(|f| scope.has(f));
    let belongs = |f: &Diagnostic| {
        let path = f.place.as_ref().map(|p| p.path());
        path.is_none_or(|path| {
            let mut files = case_files.iter().map(|p| display(p));
            scope.has(f) || files.any(|p| path.starts_with(&p))
        })
    };
    of_cases.retain(belongs);
    findings.extend(of_cases);
    levels.apply(&mut findings);
    findings.sort_by(|a, b| order(a).cmp(&order(b)));
    findings.dedup_by(|a, b| order(a) == order(b) && a.message == b.message);
    let in_scope = |path: &str| scope.has_path(path);
    let rules = suite.corpus().rules().iter();
    let rules: Vec<_> = rules.filter(|r| in_scope(r.source.path())).collect();
    Checked {
        findings,
        examples: rules.iter().map(|r| r.examples.len()).sum(),
        rules: rules.len(),
        without_cases,
    }
}

/// By path and place; what is about no text comes first.
fn order(finding: &Diagnostic) -> (&str, usize, usize, Code) {
    match &finding.place {
        None => ("", 0, 0, finding.code),
        Some(place) => {
            let span = place.span();
            (place.path(), span.start, span.end, finding.code)
        }
    }
}
