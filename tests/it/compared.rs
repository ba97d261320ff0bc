//! What changed from one record to the next.

use snapbox::str;
use standing::{
    run::Outcome,
    standing::{KnownRecord, Record},
};

use crate::{
    acme::{acme, declining, last_tail_only, options, record, spec},
    support::{Ran, Tree, snapshot},
};

fn text(record: &Record) -> String {
    serde_json::to_string(record).expect("JSON")
}

/// A record of an engine that does all that it claims, and one of it after a change.
fn changed(change: impl FnOnce(&mut Record)) -> Tree {
    let old = record(&spec(), acme(), &options(None));
    let mut new = old.clone();
    change(&mut new);
    Tree::empty()
        .write("old.json", text(&old))
        .write("new.json", text(&new))
}

fn compare(tree: &Tree, more: &[&str]) -> Ran {
    tree.run(&[&["compare", "old.json", "new.json"], more].concat())
}

#[test]
fn what_got_worse_and_what_got_better() {
    let tree = Tree::empty()
        .write("old.json", text(&record(&spec(), acme(), &options(None))))
        .write(
            "new.json",
            text(&record(&spec(), last_tail_only(), &options(None))),
        );
    snapshot(
        compare(&tree, &[]).ended(1),
        str![[r#"
From acme 2.1 to acme 2.1

worse
  LOOP-1 What a loop holds  meets → fails
    LOOP-1/two-ways-back  pass → fail
      /loops/head: expected 3 items, got 2

cases: 1 worse

"#]],
    );
    let back = tree.run(&["compare", "new.json", "old.json", "--format", "markdown"]);
    snapshot(
        back.well(),
        str![[r#"
# From acme 2.1 to acme 2.1

cases: 1 better

## Better

| rule | case | before | now | why |
| --- | --- | --- | --- | --- |
| **LOOP-1** | What a loop holds | fails | meets |  |
| | LOOP-1/two-ways-back | fail | pass |  |

"#]],
    );
    let json = compare(&tree, &["--format", "json", "--exit-zero"]).well();
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["format"], "standing-comparison/1");
    assert_eq!(json["regressed"], true);
    assert_eq!(json["rules"][0]["cases"][0]["new"], "fail");
}

#[test]
fn what_is_declined_is_worse_than_what_is_done() {
    let tree = Tree::empty()
        .write("old.json", text(&record(&spec(), acme(), &options(None))))
        .write(
            "new.json",
            text(&record(&spec(), declining(), &options(None))),
        );
    let said = compare(&tree, &[]).ended(1);
    assert!(said.contains("pass → unsupported"), "{said}");
}

#[test]
fn nothing_changed() {
    snapshot(
        compare(&changed(|_| {}), &[]).well(),
        str![[r#"
From acme 2.1 to acme 2.1

no case came out otherwise

"#]],
    );
}

#[test]
fn a_failure_that_is_known_is_no_regression() {
    let worse = |known: bool| {
        changed(move |new| {
            let case = &mut new.rules[0].cases[0];
            case.outcome = Outcome::Fail;
            case.known = known.then(|| KnownRecord {
                reason: "so it is".into(),
                link: None,
            });
        })
    };
    assert!(
        compare(&worse(true), &[])
            .well()
            .contains("pass → fail, known")
    );
    compare(&worse(false), &[]).ended(1);
    compare(&worse(false), &["--exit-zero"]).well();
}

#[test]
fn what_may_be_denied() {
    let appeared = changed(|new| {
        let mut case = new.rules[0].cases[0].clone();
        case.case = "LOOP-1/new-one".into();
        case.outcome = Outcome::Timeout;
        new.rules[0].cases.push(case);
    });
    compare(&appeared, &[]).well();
    compare(&appeared, &["--deny", "appeared"]).ended(1);
    let vanished = changed(|new| {
        new.rules.remove(0);
    });
    let said = compare(&vanished, &[]).well();
    assert!(said.contains("\nvanished\n  LOOP-1"), "{said}");
    compare(&vanished, &["--deny", "vanished"]).ended(1);
    let texts = changed(|new| new.rules[0].rule_hash = "000000000000".into());
    let said = compare(&texts, &[]).well();
    assert!(said.contains("text changed since\n  LOOP-1"), "{said}");
    compare(&texts, &["--deny", "changed"]).ended(1);
}

#[test]
fn what_cannot_be_compared() {
    compare(&changed(|new| new.selection.push("EX-PORT".into())), &[]).refused(str![[r#"
error[S411]: `old.json` and `new.json` are of different selections
 |
 = note: `old.json` is of everything, `new.json` of EX-PORT

"#]]);
    compare(&changed(|new| new.interrupted = true), &[]).refused(str![[r#"
error[S411]: `new.json` is of a run that ended before it was done

"#]]);
}
