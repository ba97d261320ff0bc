//! Choosing among the rules and cases of a suite.

use std::collections::{BTreeMap, BTreeSet};

use globset::{Glob, GlobMatcher};

use super::Suite;
use crate::diagnostics::{Code, Diagnostic, closest};

/// The rules and cases that a list of selectors chooses.
///
/// A selector is a rule (`SG-12`), a clause (`SG-12¶2` or `SG-12:2`), a case (`SG-12/name`), a
/// family (`RT-SG`), or a glob over any of them (`SG-1?`, `*/paused-*`). What is a whole rule id is
/// that: `R7.e/f` is one, and no case of `R7.e`.
///
/// # Examples
///
/// ```
/// use standing::suite::{Selection, Suite};
///
/// let (suite, _) = Suite::embedded();
/// let chosen = Selection::new(&suite, &["SG-16:2"]).expect("a clause");
/// assert!(chosen.cases().all(|i| suite.cases()[i].clauses.contains(&2)));
/// assert!(Selection::new(&suite, &["SG-99"]).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Selection {
    selectors: Vec<String>,
    rules: BTreeMap<usize, Chosen>,
}

/// What is chosen of one rule.
#[derive(Clone, Debug, Default)]
struct Chosen {
    clauses: BTreeSet<usize>,
    cases: BTreeSet<usize>,
}

impl Selection {
    /// Everything.
    pub fn all(suite: &Suite) -> Self {
        let mut all = Self {
            selectors: Vec::new(),
            rules: BTreeMap::new(),
        };
        (0..suite.corpus().rules().len()).for_each(|rule| all.rule(suite, rule));
        all
    }

    /// What these selectors choose together; everything where there are none.
    ///
    /// # Errors
    ///
    /// A diagnostic for each selector that chooses nothing.
    pub fn new<S: AsRef<str>>(suite: &Suite, selectors: &[S]) -> Result<Self, Vec<Diagnostic>> {
        if selectors.is_empty() {
            return Ok(Self::all(suite));
        }
        let mut chosen = Self {
            selectors: selectors.iter().map(|s| s.as_ref().to_owned()).collect(),
            rules: BTreeMap::new(),
        };
        let mut faults = Vec::new();
        for selector in selectors {
            if let Err(fault) = chosen.add(suite, selector.as_ref()) {
                faults.push(*fault);
            }
        }
        if faults.is_empty() {
            Ok(chosen)
        } else {
            Err(faults)
        }
    }

    /// The selectors as they were given.
    pub fn selectors(&self) -> &[String] {
        &self.selectors
    }

    /// The rules, as places in the corpus, in order.
    pub fn rules(&self) -> impl Iterator<Item = usize> + '_ {
        self.rules.keys().copied()
    }

    /// The cases, as places in the suite, in order.
    pub fn cases(&self) -> impl Iterator<Item = usize> + '_ {
        self.rules.values().flat_map(|c| &c.cases).copied()
    }

    /// The chosen cases of one rule, as places in the suite, in order.
    pub fn cases_of(&self, rule: usize) -> impl Iterator<Item = usize> + '_ {
        let chosen = self.rules.get(&rule);
        chosen.into_iter().flat_map(|c| &c.cases).copied()
    }

    /// The chosen clauses of one rule, in order: all of a rule that is chosen, a clause that is, and
    /// those that a chosen case bears on.
    ///
    /// ```
    /// use standing::suite::{Selection, Suite};
    ///
    /// let (suite, _) = Suite::embedded();
    /// let rule = suite.corpus().position("SG-16").expect("a rule");
    /// let clauses = |selector| -> Vec<usize> {
    ///     Selection::new(&suite, &[selector]).expect("it fits").clauses_of(rule).collect()
    /// };
    /// assert_eq!(clauses("SG-16"), [1, 2, 3, 4]);
    /// assert_eq!(clauses("SG-16:2"), [2]);
    /// assert_eq!(clauses("SG-16/two-tails-one-head"), [1, 2]);
    /// ```
    pub fn clauses_of(&self, rule: usize) -> impl Iterator<Item = usize> + '_ {
        let chosen = self.rules.get(&rule);
        chosen.into_iter().flat_map(|c| &c.clauses).copied()
    }

    /// Leaves cases out. What was chosen of rules and clauses stays.
    pub fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for chosen in self.rules.values_mut() {
            chosen.cases.retain(|&case| keep(case));
        }
    }

    fn rule(&mut self, suite: &Suite, rule: usize) {
        let chosen = self.rules.entry(rule).or_default();
        let clauses = &suite.corpus().rules()[rule].clauses;
        chosen.clauses.extend(clauses.iter().map(|c| c.number));
        chosen.cases.extend(suite.cases_of(rule));
    }

    fn clause(&mut self, suite: &Suite, rule: usize, clause: usize) {
        let cases = suite.cases_of(rule);
        let bearing = cases.filter(|&i| suite.cases()[i].clauses.contains(&clause));
        let chosen = self.rules.entry(rule).or_default();
        chosen.clauses.insert(clause);
        chosen.cases.extend(bearing);
    }

    fn case(&mut self, suite: &Suite, position: usize) {
        let case = &suite.cases()[position];
        let chosen = self.rules.entry(case.rule).or_default();
        chosen.clauses.extend(&case.clauses);
        chosen.cases.insert(position);
    }

    fn add(&mut self, suite: &Suite, selector: &str) -> Result<(), Box<Diagnostic>> {
        let corpus = suite.corpus();
        if let Some(rule) = corpus.position(selector) {
            self.rule(suite, rule);
            return Ok(());
        }
        if let Some((rule, clause)) = clause_of(suite, selector) {
            let number = clause
                .parse()
                .ok()
                .filter(|n| corpus.rules()[rule].clause(*n).is_some());
            let Some(number) = number else {
                let most = corpus.rules()[rule].clauses.len();
                let id = &corpus.rules()[rule].id;
                let message = match clause {
                    "" => format!("`{selector}` names no clause"),
                    clause => format!("{id} has no clause {clause}"),
                };
                return Err(Box::new(
                    Diagnostic::error(Code::UnknownSelector, message)
                        .help(format!("its last is `{id}:{most}`")),
                ));
            };
            self.clause(suite, rule, number);
            return Ok(());
        }
        if let Some(case) = suite.cases().iter().position(|c| c.name == selector) {
            self.case(suite, case);
            return Ok(());
        }
        let mut found = false;
        for (rule, _) in corpus
            .rules()
            .iter()
            .enumerate()
            .filter(|(_, r)| r.family == selector)
        {
            self.rule(suite, rule);
            found = true;
        }
        if found || self.glob(suite, selector)? {
            return Ok(());
        }
        Err(Box::new(unknown(suite, selector)))
    }

    /// Adds what a glob fits. `false`: nothing, or it is no glob.
    fn glob(&mut self, suite: &Suite, selector: &str) -> Result<bool, Box<Diagnostic>> {
        if !selector.contains(['*', '?', '[', '{']) {
            return Ok(false);
        }
        /// Longer than any name, and short enough for a glob to be worked out.
        const LONGEST: usize = 1000;
        if selector.len() > LONGEST {
            let message = format!(
                "a glob of {} characters is too long",
                selector.chars().count()
            );
            return Err(Diagnostic::error(Code::BadSelector, message).into());
        }
        let glob: GlobMatcher = Glob::new(selector)
            .map_err(|error| {
                Diagnostic::error(
                    Code::BadSelector,
                    format!("`{selector}` is no glob: {}", error.kind()),
                )
                .help("`*` is any text, `?` one character, `[ab]` one of two")
            })?
            .compile_matcher();
        let mut found = false;
        for (position, rule) in suite.corpus().rules().iter().enumerate() {
            if glob.is_match(rule.id.as_str()) || glob.is_match(&rule.family) {
                self.rule(suite, position);
                found = true;
                continue;
            }
            for clause in &rule.clauses {
                if glob.is_match(format!("{}:{}", rule.id, clause.number))
                    || glob.is_match(format!("{}¶{}", rule.id, clause.number))
                {
                    self.clause(suite, position, clause.number);
                    found = true;
                }
            }
        }
        for (position, case) in suite.cases().iter().enumerate() {
            if glob.is_match(&case.name) {
                self.case(suite, position);
                found = true;
            }
        }
        Ok(found)
    }
}

/// The clause that a selector names, if it names one: the place of its rule in the corpus, and its
/// number.
pub(crate) fn named_clause(suite: &Suite, selector: &str) -> Option<(usize, usize)> {
    let (rule, clause) = clause_of(suite, selector)?;
    Some((rule, clause.parse().ok()?))
}

/// `SG-12¶2`, `SG-12 ¶2` or `SG-12:2`: the rule, and what stands for the clause.
fn clause_of<'s>(suite: &Suite, selector: &'s str) -> Option<(usize, &'s str)> {
    let (rule, clause) = selector
        .rsplit_once('¶')
        .or_else(|| selector.rsplit_once(':'))?;
    Some((
        suite.corpus().position(rule.trim_end())?,
        clause.trim_start(),
    ))
}

fn unknown(suite: &Suite, selector: &str) -> Diagnostic {
    let fault = Diagnostic::error(
        Code::UnknownSelector,
        format!("`{selector}` fits no rule, clause, case or family"),
    );
    let corpus = suite.corpus();
    let issued = corpus.registries().iter().any(|r| r.contains(selector));
    if issued {
        return fault
            .note(format!(
                "{selector} is a rule, and its document is not among those that were read"
            ))
            .help("read its document with `--rules PATH`");
    }
    let families: BTreeSet<&str> = corpus.rules().iter().map(|r| r.family.as_str()).collect();
    // Within a rule that is known, only its cases are near.
    if let Some((rule, name)) = selector.split_once('/')
        && let Some(position) = corpus.position(rule)
    {
        let cases = &suite.cases()[suite.cases_of(position)];
        let names = cases
            .iter()
            .map(|c| c.short_name(&corpus.rules()[position]));
        return fault.help(match closest(name, names) {
            Some(close) => format!("did you mean `{rule}/{close}`?"),
            None => format!("`standing list {rule}` lists its cases"),
        });
    }
    if std::path::Path::new(selector).exists() {
        return fault.help(format!("to read documents from it: --rules {selector}"));
    }
    let names = corpus.rules().iter().map(|r| r.id.as_str()).chain(families);
    fault
        .help("`standing list` lists what there is")
        .suggest(selector, names)
}
