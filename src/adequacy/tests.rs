use super::*;

fn measured(selectors: &[&str], examples_only: bool) -> (Arc<Suite>, Adequacy) {
    let (suite, _) = Suite::embedded();
    let suite = Arc::new(suite);
    let chosen = Selection::new(&suite, selectors).unwrap();
    let adequacy = measure(&suite, &chosen, examples_only).unwrap();
    (suite, adequacy)
}

#[test]
fn cases_of_the_clause_come_first_and_the_counts_add_up() {
    let (suite, adequacy) = measured(&["SG-18", "SG-19"], false);
    for (rule, clause, misreading) in adequacy.misreadings() {
        let bears: Vec<bool> = misreading
            .caught_by
            .iter()
            .map(|name| suite.case(name).unwrap())
            .map(|case| suite.rule_of(case).id == rule.id && case.clauses.contains(&clause))
            .collect();
        assert!(bears.is_sorted_by(|a, b| a >= b), "{}", misreading.name);
        assert_eq!(bears.first() == Some(&true), misreading.clause_fails);
        assert_eq!(misreading.survives(), bears.is_empty());
    }
    let summary = adequacy.summary;
    assert_eq!(summary.misreadings, adequacy.misreadings().count());
    assert_eq!(summary.caught + summary.survive, summary.misreadings);
    assert_eq!((summary.clauses, summary.without_misreading), (9, 0));
    assert!(adequacy.is_well());
}

#[test]
fn examples_alone_are_fewer_cases_and_let_more_through() {
    let (suite, adequacy) = measured(&["SG-16"], true);
    assert!(adequacy.examples_only && !adequacy.is_well());
    let put: Vec<&str> = suite
        .cases()
        .iter()
        .filter(|case| case.by_example && case.name.starts_with("SG-16/"))
        .map(|case| case.name.as_str())
        .collect();
    assert_eq!(
        put,
        [
            "SG-16/two-tails-one-head",
            "SG-16/tail-out-of-the-heads-reach"
        ]
    );
    assert_eq!(adequacy.summary.cases, put.len());
    let caught = adequacy.misreadings().flat_map(|(_, _, m)| &m.caught_by);
    assert!(caught.into_iter().all(|case| put.contains(&case.as_str())));
}

#[test]
fn the_table_has_every_misreading_and_says_which_survive() {
    let (_, adequacy) = measured(&["SG-16", "RESUME-3"], true);
    let table = anstream::adapter::strip_str(&human(&adequacy)).to_string();
    for (_, clause, misreading) in adequacy.misreadings() {
        let start = format!("  ¶{clause}  {} ", misreading.name);
        let line = table.lines().find(|line| line.starts_with(&start)).unwrap();
        let survives = format!("survives: {}", misreading.says);
        assert_eq!(line.contains(&survives), misreading.survives(), "{line}");
    }
    assert!(table.ends_with("  of a selection only: SG-16 RESUME-3\n"));
}
