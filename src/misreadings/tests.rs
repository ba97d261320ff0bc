use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::suite::Suite;

#[test]
fn every_misreading_is_named_and_says_something() {
    let names: BTreeSet<&str> = ALL.iter().map(|m| m.name).collect();
    assert_eq!(names.len(), ALL.len(), "a name stands twice");
    for misreading in ALL.iter() {
        let Misreading { name, says, .. } = misreading;
        let words = name.split('-');
        let is_word = |word: &str| {
            let mut letters = word.bytes();
            !word.is_empty() && letters.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        assert!(
            words.clone().count() > 1 && words.clone().all(is_word),
            "{name}"
        );
        assert!(
            says.ends_with('.') && !says.contains("  "),
            "{name}: {says}"
        );
        assert_eq!(find(name).map(|m| m.says), Some(*says));
    }
    let sentences: BTreeSet<&str> = ALL.iter().map(|m| m.says).collect();
    assert_eq!(sentences.len(), ALL.len(), "two say the same");
}

#[test]
fn every_clause_has_one() {
    let (suite, _) = Suite::embedded();
    let mut misread: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    for misreading in ALL.iter() {
        *misread
            .entry((misreading.rule, misreading.clause))
            .or_default() += 1;
    }
    for (position, rule) in suite.corpus().rules().iter().enumerate() {
        for clause in &rule.clauses {
            let key = (rule.id.as_str(), clause.number);
            let untestable = suite
                .untestable(position)
                .iter()
                .any(|u| u.clause == clause.number);
            assert!(
                misread.remove(&key).is_some() || untestable,
                "{key:?} has none"
            );
        }
    }
    assert!(misread.is_empty(), "these are no clauses: {misread:?}");
}
