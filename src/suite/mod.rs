//! Cases: questions with expected answers, bound to the examples of the rules.
//!
//! A [`Suite`] is a corpus with the cases that bear on it. `case_file.rs` reads the shape of case
//! files, over trees of YAML that know their places; `reference.rs` carries out what they
//! say of the rule's document, giving each value as a `template.rs`; `schema.rs` holds inputs
//! against their operation's schema, and `by_example.rs` tells the cases that are examples and
//! nothing else. `matching.rs` holds an answer against an expectation, and
//! `selector.rs` chooses among the cases, `shard.rs` a part of them for one of several machines. `case_schema.rs` has the JSON Schema of case files.

mod by_example;
mod case_file;
mod case_schema;
mod matching;
mod reference;
mod schema;
mod selector;
mod shard;
mod template;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use sha2::{Digest, Sha256};

pub use case_schema::case_file_schema;
pub use matching::{Expected, Mismatch, Mode, Modes, same};
#[cfg(feature = "explore")]
pub use schema::Shapes;
pub use selector::Selection;
pub(crate) use selector::named_clause;
pub use shard::Shard;
pub use template::{Bindings, Template};

use crate::{
    corpus::{Corpus, Example, Rule, display, embedded_cases, read_file, read_folder},
    diagnostics::{Code, Diagnostic, Place, Source},
    operations::Operations,
};

/// Rules and the cases that bear on them.
///
/// # Examples
///
/// ```
/// use standing::suite::Suite;
///
/// let (suite, faults) = Suite::embedded();
/// assert!(faults.is_empty());
/// let case = suite.case("SG-16/two-tails-one-head").expect("the library carries it");
/// assert_eq!(case.steps[0].operation, "loops.resolve");
/// assert_eq!(suite.rule_of(case).id.as_str(), "SG-16");
/// ```
pub struct Suite {
    corpus: Corpus,
    operations: Operations,
    cases: Vec<Case>,
    /// By rule: where its cases are in `cases`.
    by_rule: Vec<std::ops::Range<usize>>,
    untestable: BTreeMap<usize, Vec<Untestable>>,
    sources: Vec<Arc<Source>>,
}

/// One question, or a conversation, with what is expected of the answers.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where in [`Corpus::rules`] its rule is.
    pub rule: usize,
    /// `SG-16/two-tails-one-head`.
    pub name: String,
    /// The clauses that it bears on, in order.
    pub clauses: Vec<usize>,
    /// What is asked, in order, in one session of the engine.
    pub steps: Vec<Step>,
    /// The numbers of the examples that it names, in order.
    pub examples: Vec<usize>,
    /// Whether the document's examples make the case by themselves: every answer that it expects is
    /// taken from them, and each step is given one or goes on from an earlier answer.
    pub by_example: bool,
    /// Where it is named in its case file.
    pub place: Place,
}

/// One question of a case.
#[derive(Clone, Debug)]
pub struct Step {
    /// What is asked for.
    pub operation: String,
    /// The params.
    pub given: Template,
    /// What is expected of the answer.
    pub expectation: Expectation,
    /// Names for parts of the answer: name and JSON Pointer.
    pub bind: Vec<(String, String)>,
    /// Where it stands in the case file.
    pub place: Place,
}

/// What is expected of an answer.
#[derive(Clone, Debug)]
pub enum Expectation {
    /// Any value, but no refusal.
    Anything,
    /// A value that matches.
    Answer(Expected),
    /// A refusal.
    Refused(Refused),
}

/// The refusal that is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its reason.
    pub reason: String,
    /// Words that its message, or what else it tells, holds.
    pub naming: Vec<String>,
}

/// A clause that no case can bear on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untestable {
    /// Its number.
    pub clause: usize,
    /// Why.
    pub reason: String,
}

impl Suite {
    /// The rules and cases that the library carries. The list of faults is empty unless the
    /// library itself is broken.
    pub fn embedded() -> (Self, Vec<Diagnostic>) {
        let (corpus, mut faults) = Corpus::embedded();
        let suite = Self::with_embedded_cases(corpus, Operations::standard(), &mut faults);
        (suite, faults)
    }

    /// The cases that the library carries, bound to other documents of the same rules. Cases of
    /// rules that are not in the corpus are left out.
    pub fn with_embedded_cases(
        corpus: Corpus,
        operations: Operations,
        faults: &mut Vec<Diagnostic>,
    ) -> Self {
        Self::new(corpus, operations, embedded_cases(), false, faults)
    }

    /// As [`with_embedded_cases`](Self::with_embedded_cases), only the case files of some rules,
    /// which are named as in [`RuleId::slug`](crate::corpus::RuleId::slug).
    #[cfg(feature = "check")]
    pub(crate) fn with_some_embedded_cases(
        corpus: Corpus,
        is_wanted: impl Fn(&str) -> bool,
        faults: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut cases = embedded_cases();
        cases.retain(|source| {
            let name = source.path().rsplit('/').next().unwrap_or_default();
            is_wanted(name.strip_suffix(".yml").unwrap_or(name))
        });
        Self::new(corpus, Operations::standard(), cases, false, faults)
    }

    /// The cases in the files and folders at `paths`, bound to these documents.
    ///
    /// A case file about a rule that is not in the corpus is a fault, unless `faults` holds some of
    /// the documents already: the rule's own may be among them.
    pub fn read<P: AsRef<Path>>(
        corpus: Corpus,
        operations: Operations,
        paths: &[P],
        faults: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut sources = Vec::new();
        let strict = faults.is_empty();
        for path in paths {
            let path = path.as_ref();
            if path.is_dir() {
                let before = faults.len();
                let found = read_folder(path, &["yml", "yaml"], faults);
                if found.is_empty() && faults.len() == before {
                    let message = format!("there is no case file under `{}`", display(path));
                    let help = "a case file is a .yml file with `rule:` and `cases:`";
                    faults.push(Diagnostic::error(Code::NoCaseFiles, message).help(help));
                }
                sources.extend(found);
            } else {
                sources.extend(read_file(path, faults));
            }
        }
        Self::new(corpus, operations, sources, strict, faults)
    }

    fn new(
        corpus: Corpus,
        operations: Operations,
        sources: Vec<Arc<Source>>,
        strict: bool,
        faults: &mut Vec<Diagnostic>,
    ) -> Self {
        let schemas = schema::Schemas::new(operations.clone());
        let mut files: BTreeMap<usize, case_file::CaseFile> = BTreeMap::new();
        for source in &sources {
            let Some(file) = case_file::read(source, &corpus, &schemas, strict, faults) else {
                continue;
            };
            if let Some(first) = files.get(&file.rule) {
                let id = &corpus.rules()[file.rule].id;
                faults.push(
                    Diagnostic::error(
                        Code::DuplicateCaseFile,
                        format!("`{id}` has two case files"),
                    )
                    .at(file.place)
                    .see(first.place.clone(), "the other one")
                    .help("put all cases of a rule into one file"),
                );
                continue;
            }
            files.insert(file.rule, file);
        }
        let mut suite = Self {
            by_rule: vec![0..0; corpus.rules().len()],
            corpus,
            operations,
            cases: Vec::new(),
            untestable: BTreeMap::new(),
            sources,
        };
        for (rule, file) in files {
            let start = suite.cases.len();
            suite.cases.extend(file.cases);
            suite.by_rule[rule] = start..suite.cases.len();
            if !file.untestable.is_empty() {
                suite.untestable.insert(rule, file.untestable);
            }
        }
        suite
    }

    /// The documents.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// The operations that the cases may use.
    pub fn operations(&self) -> &Operations {
        &self.operations
    }

    /// All cases, ordered by rule, and in the order of their files.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// The case of this name.
    pub fn case(&self, name: &str) -> Option<&Case> {
        self.cases.iter().find(|c| c.name == name)
    }

    /// Where in [`cases`](Self::cases) the cases of the rule at this place of the corpus are.
    pub fn cases_of(&self, rule: usize) -> std::ops::Range<usize> {
        self.by_rule.get(rule).cloned().unwrap_or_default()
    }

    /// The rule that a case is about.
    pub fn rule_of(&self, case: &Case) -> &Rule {
        &self.corpus.rules()[case.rule]
    }

    /// The clauses of the rule at this place of the corpus that no case can bear on.
    pub fn untestable(&self, rule: usize) -> &[Untestable] {
        self.untestable.get(&rule).map_or(&[], Vec::as_slice)
    }

    /// The examples of the rule at this place of the corpus that no case names.
    pub fn unbound(&self, rule: usize) -> impl Iterator<Item = &Example> {
        let cases = &self.cases[self.cases_of(rule)];
        self.corpus.rules()[rule]
            .examples
            .iter()
            .filter(move |e| !cases.iter().any(|c| c.examples.contains(&e.number)))
    }

    /// `sha256:` and the digest of all documents and case files that count here: two suites with
    /// one digest ask the same questions.
    pub fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        let documents = self.corpus.rules().iter();
        let documents = documents.flat_map(|r| std::iter::once(&r.source).chain(&r.narrative));
        for text in documents.chain(&self.sources).map(|s| s.text()) {
            hasher.update(text.len().to_le_bytes());
            hasher.update(text);
        }
        let digest: String = hasher
            .finalize()
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        format!("sha256:{digest}")
    }
}

impl Case {
    /// Its name without its rule, `two-tails-one-head`.
    pub fn short_name(&self, rule: &Rule) -> &str {
        self.name
            .get(rule.id.as_str().len() + 1..)
            .unwrap_or(&self.name)
    }
}
