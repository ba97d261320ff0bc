//! A suite shared out among machines, and the records put together.

use std::fs;

use snapbox::str;
use standing::standing::Record;

use crate::support::{Ran, Tree, command};

/// A misreading, so that something fails; and cases that are declined are among the rest.
const RUN: [&str; 7] = [
    "run",
    "RT-SG",
    "RESUME",
    "--engine",
    "reference:walk-tool-edges",
    "--no-timing",
    "--quiet",
];

/// Runs it with these arguments too, for the record at `file`.
fn put(tree: &Tree, file: &str, more: &[&str]) {
    let report = format!("json={file}");
    let args: Vec<&str> = RUN.iter().chain(more).copied().collect();
    let ran = tree.run(&[&args[..], &["--report", &report]].concat());
    assert!(matches!(ran.status, Some(0 | 1)), "{}", ran.stderr);
}

fn record(tree: &Tree, file: &str) -> Record {
    serde_json::from_str(&tree.read(file)).expect("a record")
}

fn parted() -> Tree {
    let tree = Tree::empty();
    for i in 1..=3 {
        put(
            &tree,
            &format!("p{i}.json"),
            &["--shard", &format!("{i}/3")],
        );
    }
    tree
}

#[test]
fn the_parts_are_the_whole() {
    let tree = parted();
    put(&tree, "whole.json", &[]);
    let merged = tree.run(&[
        "report", "p3.json", "p1.json", "p2.json", "--format", "json",
    ]);
    assert_eq!(merged.well(), tree.read("whole.json"));
    // Each has some, and none has all.
    let whole = record(&tree, "whole.json").cases().count();
    let each = [1, 2, 3].map(|i| record(&tree, &format!("p{i}.json")).cases().count());
    assert!(each.iter().all(|n| *n > whole / 5), "{each:?} of {whole}");
    assert_eq!(each.iter().sum::<usize>(), whole);
}

#[test]
fn parts_that_are_not_the_whole() {
    let tree = parted();
    tree.run(&["report", "p3.json"]).refused(str![[r#"
error[S410]: parts 1/3, 2/3 are missing
 |
 = help: every part is needed, `standing report part-*.json`

"#]]);
    tree.run(&["report", "p1.json", "p2.json", "p3.json", "p2.json"])
        .refused(str![[r#"
error[S410]: part 2/3 is there twice: `p2.json` and `p2.json`
 |
 = help: give each part once

"#]]);
    let text = tree
        .read("p1.json")
        .replace("\"total\": 3,", "\"total\": 4,");
    let tree = tree.write("four.json", text);
    tree.run(&["report", "four.json", "p2.json", "p3.json"])
        .refused(str![[r#"
error[S410]: `p2.json` is a part of 3, and `four.json` one of 4

error[S410]: `p3.json` is a part of 3, and `four.json` one of 4

2 errors

"#]]);
    // A part of another suite, and one with a case of another part.
    let mut other = record(&tree, "p1.json");
    other.suite.digest = "sha256:0".into();
    let tree = tree.write("other.json", serde_json::to_string(&other).expect("JSON"));
    tree.run(&["report", "other.json", "p2.json", "p3.json"])
        .refused(str![[r#"
error[S410]: `other.json` and `p2.json` differ in their suite

error[S410]: `other.json` and `p3.json` differ in their suite

2 errors

"#]]);
    let mut more = record(&tree, "p1.json");
    let taken = record(&tree, "p2.json").rules[0].cases[0].clone();
    let name = taken.case.clone();
    more.rules[0].cases.push(taken);
    let tree = tree.write("more.json", serde_json::to_string(&more).expect("JSON"));
    let ran = tree.run(&["report", "more.json", "p2.json", "p3.json"]);
    assert_eq!(ran.status, Some(2));
    let said = format!("error[S410]: `{name}` is in `more.json` and in `p2.json`");
    assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    let mut less = record(&tree, "p1.json");
    let gone = less.rules[0].cases.remove(0).case;
    let tree = tree.write("less.json", serde_json::to_string(&less).expect("JSON"));
    let ran = tree.run(&["report", "less.json", "p2.json", "p3.json"]);
    let said = format!("error[S410]: `{gone}` is in none of the parts");
    assert!(ran.stderr.contains(&said), "{}", ran.stderr);
}

#[test]
fn a_runner_says_which_part() {
    let tree = parted();
    let run = |index: &str, total: &str, more: &[&str]| {
        let args: Vec<&str> = RUN.iter().chain(more).copied().collect();
        let mut command = command(tree.path(), &args);
        command.env("TEST_SHARD_STATUS_FILE", "heard");
        for (name, value) in [("TEST_SHARD_INDEX", index), ("TEST_TOTAL_SHARDS", total)] {
            if !value.is_empty() {
                command.env(name, value);
            }
        }
        Ran::of(&mut command)
    };
    let ran = run("1", "3", &["--format", "json"]);
    assert_eq!(ran.stdout, tree.read("p2.json"), "{}", ran.stderr);
    assert!(tree.path().join("heard").exists());
    // The command line wins.
    let ran = run("1", "3", &["--format", "json", "--shard", "1/3"]);
    assert_eq!(ran.stdout, tree.read("p1.json"));
    run("3", "3", &[]).refused(str![[r#"
error[S403]: `TEST_SHARD_INDEX=3` and `TEST_TOTAL_SHARDS=3` name no part; the first is counted from 0
 |
 = help: set both, or neither, or say `--shard 2/5`

"#]]);
    run("", "3", &[]).refused(str![[r#"
error[S403]: `TEST_TOTAL_SHARDS` is set, and `TEST_SHARD_INDEX` is not
 |
 = help: set both, or neither, or say `--shard 2/5`

"#]]);
}

#[test]
fn a_part_is_no_statement() {
    let tree = parted().write("conformance.toml", "[reports]\njson = \"all.json\"\n");
    tree.run(&[
        "report", "p1.json", "p2.json", "p3.json", "--format", "badges",
    ])
    .refused(str![[r#"
error[S403]: there are no badges for a record of a selection
 |
 = help: nobody could see from a badge what is left out

"#]]);
    tree.run(&["compare", "p1.json", "p1.json"])
        .refused(str![[r#"
error[S411]: `p1.json` is a part of a record
 |
 = help: `standing report --format json` puts parts together

"#]]);
    // What the configuration wants is about everything.
    let ran = tree.run(&["run", "--shard", "1/40", "--quiet"]);
    assert!(
        ran.stderr.contains("are left as they are"),
        "{}",
        ran.stderr
    );
    assert!(!tree.path().join("all.json").exists());
}

#[test]
fn files_that_are_no_records() {
    let tree = Tree::empty()
        .write("a.json", "{\"format\": \"standing/9\"}")
        .write("b.json", "{\"format\": \"standing/1\"")
        .write(
            "c.json",
            "{\"format\": \"standing/1\", \"statement\": \"\\ud800\"}",
        );
    tree.run(&["report", "a.json"]).refused(str![[r#"
error[S407]: `a.json` is no record: its format is `standing/9`, and `standing/1` is read here

"#]]);
    tree.run(&["report", "b.json"]).refused(str![[r#"
error[S407]: `b.json` is no record: EOF while parsing an object at line 1 column 23
 |
 = help: `standing run --format json` writes one

"#]]);
    let ran = tree.run(&["report", "c.json"]);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr
            .starts_with("error[S407]: `c.json` is no record: "),
        "{}",
        ran.stderr
    );
    assert!(fs::read_dir(tree.path()).expect("it is there").count() == 3);
}
