//! Sources that cite clauses.

use serde_json::Value;
use snapbox::str;

use crate::support::{Tree, snapshot, standing_here};

fn engine() -> Tree {
    Tree::empty()
        .write(
            "src/loops.py",
            "#= SG-16:1, SG-16:2\ndef loops(edges):\n    pass\n\n#= SG-16:1@121eafd4093a\ndef body(edges):\n    pass\n",
        )
        .write("src/loops.sql", "--= SG-16:3\nselect 1;\n")
        .write("src/other.bin", [0xff, 0xfe, b'\n'])
}

#[test]
fn where_each_clause_is_cited() {
    let text = engine().run(&["trace", "src", "--select", "SG-16"]).well();
    snapshot(
        text,
        str![[r#"
SG-16
  ¶1    22 cases  src/loops.py:1  src/loops.py:5
  ¶2    10 cases  src/loops.py:1
  ¶3     7 cases  src/loops.sql:1
  ¶4     6 cases  cited nowhere

3 of 4 clauses cited, 1 cited nowhere; 4 citations in 2 files

"#]],
    );
}

#[test]
fn how_the_cases_of_each_clause_came_out() {
    let tree = engine();
    let record = tree.run(&["run", "SG-16", "--format", "json"]).well();
    let tree = tree.write("standing.json", record);
    let args = [
        "trace",
        "src",
        "--select",
        "SG-16",
        "--standing",
        "standing.json",
    ];
    snapshot(
        tree.run(&args).well(),
        str![[r#"
SG-16
  ¶1    22 cases meets         src/loops.py:1  src/loops.py:5
  ¶2    10 cases meets         src/loops.py:1
  ¶3     7 cases meets         src/loops.sql:1
  ¶4     6 cases meets         cited nowhere

3 of 4 clauses cited, 1 cited nowhere; 4 citations in 2 files

"#]],
    );
    let lcov = tree
        .run(&[&args[..], &["--format", "lcov"]].concat())
        .well();
    snapshot(
        lcov,
        str![[r#"
SF:src/loops.py
DA:1,32
DA:5,22
LF:2
LH:2
end_of_record
SF:src/loops.sql
DA:1,7
LF:1
LH:1
end_of_record

"#]],
    );
    let json = tree
        .run(&[&args[..], &["--format", "json"]].concat())
        .well();
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["clauses"][2]["citations"][0], "src/loops.sql:1");
    assert_eq!(json["clauses"][2]["standing"], "meets");
    assert_eq!(json["clauses"][3]["citations"], serde_json::json!([]));
}

#[test]
fn a_clause_that_is_cited_nowhere_fails_where_that_is_denied() {
    let tree = engine();
    let deny = ["trace", "src", "--select", "SG-16", "--deny-uncited"];
    assert!(tree.run(&deny).ended(1).contains("1 cited nowhere"));
    let tree = tree.write("src/more.rs", "//= SG-16:4\n");
    assert!(tree.run(&deny).ended(0).contains("0 cited nowhere"));
}

#[test]
fn citations_that_mean_nothing_or_another_text() {
    let tree = Tree::empty().write(
        "a.rs",
        "//= SG-16:9\n//= SC-16:1\n//= SG-16:1@000000000000\n//= SG-16\n//= API-1:1\n",
    );
    let ran = tree.run(&["trace", "a.rs", "--select", "SG-16"]);
    assert_eq!(ran.status, Some(1));
    snapshot(
        &ran.stderr,
        str![[r#"
error[T501]: `SG-16` cites no clause
 --> a.rs:4:5
  |
4 | //= SG-16
  |     ^^^^^
  |
  = help: a clause is cited as SG-16:2, or SG-16:2@HASH; several have commas between them

error[T502]: SG-16 has no clause 9
 --> a.rs:1:5
  |
1 | //= SG-16:9
  |     ^^^^^^^
  |
  = help: its last is `SG-16:4`

error[T502]: there is no rule `SC-16`
 --> a.rs:2:5
  |
2 | //= SC-16:1
  |     ^^^^^^^
  |
  = help: did you mean `SG-16`?

error[T503]: the text of SG-16 has changed since it was cited
 --> a.rs:3:5
  |
3 | //= SG-16:1@000000000000
  |     ^^^^^^^^^^^^^^^^^^^^
  |
  = note: what the code does was last held against another text
  = help: read `standing show SG-16`, then cite `SG-16:1@121eafd4093a`

"#]],
    );
    assert!(
        ran.stdout
            .contains("1 citation of rules that this suite does not carry")
    );
}

#[test]
fn a_record_that_is_none_is_refused() {
    let tree = engine().write("standing.json", "{}");
    tree.run(&["trace", "src", "--standing", "standing.json"])
        .refused(str![[r#"
error[S407]: `standing.json` is no record: missing field `format` at line 1 column 2
 |
 = help: `standing run --format json` writes one

"#]]);
}

#[test]
fn sources_that_are_not_there() {
    Tree::empty().run(&["trace", "nowhere"]).refused(str![[r#"
error[R100]: cannot read `nowhere`: no such file or directory

"#]]);
}

#[test]
fn the_reference_cites_every_clause() {
    let text = standing_here(&["trace", "src/reference", "--deny-uncited"]).well();
    assert!(text.contains(" 0 cited nowhere; "), "{text}");
    assert!(!text.contains("  cited nowhere"), "{text}");
}
