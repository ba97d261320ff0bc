//! `standing check` on the command line.

use std::path::Path;

use serde_json::Value;
use snapbox::str;

use crate::support::{Ran, Tree, snapshot, standing_here};

const CASES: &[&str] = &["check", ".", "--cases", "cases"];

fn with(args: &[&str]) -> Vec<String> {
    CASES.iter().chain(args).map(|a| (*a).to_owned()).collect()
}

fn run(tree: &Tree, args: &[&str]) -> Ran {
    let args = with(args);
    tree.run(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A tree with an error and a warning.
fn faulty() -> Tree {
    Tree::author()
        .change("rules/LOOP-1.yml", "  - LOOP-2", "  - LOP-2")
        .change(
            "pages/ex-loop/loop-3.md",
            "title=\"Its body, asked for again\"",
            "title=\"Its body\"",
        )
}

#[test]
fn all_is_well() {
    snapshot(
        run(&Tree::author(), &[]).well(),
        str![[r#"
all well: 4 rules, 7 examples

"#]],
    );
}

#[test]
fn findings_are_shown_as_a_compiler_shows_them() {
    snapshot(
        run(&faulty(), &[]).ended(1),
        str![[r#"
warning[R209]: two examples are titled "Its body"
  --> pages/ex-loop/loop-3.md:35:9
   |
35 | ```json title="Its body" verdict="head-only"
   |         ^^^^^^^^^^^^^^^^
   |
  ::: pages/ex-loop/loop-3.md:31:9
   |
31 | ```json title="Its body" verdict="head-only"
   |         ---------------- the other one
   |
   = note: an example is known by its title
   = help: say in each title what sets it apart

error[R126]: the related rule `LOP-2` does not exist
  --> rules/LOOP-1.yml:22:5
   |
22 |   - LOP-2
   |     ^^^^^
   |
   = note: no document has this id, and no registry
   = help: did you mean `LOOP-2`?

1 error, 1 warning: 4 rules, 7 examples
`standing explain R209` says more of R209

"#]],
    );
}

#[test]
fn a_warning_is_no_failure_unless_it_is_denied() {
    let warned = || {
        Tree::author().change(
            "pages/ex-loop/loop-3.md",
            "title=\"Its body, asked for again\"",
            "title=\"Its body\"",
        )
    };
    run(&warned(), &[]).well();
    run(&warned(), &["--deny", "warnings"]).ended(1);
    run(&Tree::author(), &["--deny", "warnings"]).well();
}

#[test]
fn severity_is_set_by_code_or_name() {
    let levels = |text: &str| faulty().write("conformance.toml", text);
    let off = levels("[check]\nR126 = \"off\"\nduplicate-title = \"off\"\n");
    run(&off, &[]).well();
    let warn = levels("[check]\nunknown-related = \"warning\"\n");
    assert!(run(&warn, &[]).well().contains("2 warnings"));
    let error = levels("[check]\nR126 = \"off\"\nR209 = \"error\"\n");
    assert!(run(&error, &[]).ended(1).contains("error[R209]"));
}

#[test]
fn a_code_that_does_not_exist_is_told_with_its_place() {
    let tree = Tree::author().write("conformance.toml", "[check]\nR1260 = \"off\"\n");
    run(&tree, &[]).refused(str![[r#"
error[S405]: there is no code `R1260`
 --> conformance.toml:2:1
  |
2 | R1260 = "off"
  | ^^^^^
  |
  = help: `standing explain` lists the codes

"#]]);
    let tree = Tree::author().write("conformance.toml", "[check]\nR126 = \"loud\"\n");
    run(&tree, &[]).refused(str![[r#"
error[S405]: unknown variant `loud`, expected one of `off`, `warning`, `error`
 --> conformance.toml:2:8
  |
2 | R126 = "loud"
  |        ^^^^^^

"#]]);
}

#[test]
fn one_file_is_checked_as_a_part_of_the_whole() {
    let tree = faulty();
    let about = |path: &str| tree.run(&["check", path, "--cases", "cases", "--format", "json"]);
    let findings = |ran: Ran| -> Vec<String> {
        let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let found = found["findings"].as_array().expect("a list").iter();
        found
            .map(|f| f["place"]["path"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(findings(about("rules/LOOP-1.yml")), ["rules/LOOP-1.yml"]);
    assert_eq!(findings(about("pages")), ["pages/ex-loop/loop-3.md"]);
    assert_eq!(findings(about("pages/ex-loop/loop-4.md")), [""; 0]);
    assert_eq!(findings(about("narrative/LOOP-1.mdx")), [""; 0]);
    assert_eq!(findings(about("rules")), ["rules/LOOP-1.yml"]);
}

#[test]
fn a_check_from_within_a_folder_finds_the_narratives_beside_it() {
    let tree = Tree::author().change("narrative/LOOP-1.mdx", "c9e15d6d82ef", "0123456789ab");
    let mut command = crate::support::command(
        &tree.path().join("rules"),
        ["check", "--cases", "../cases/ex-loop/loop-1.yml"],
    );
    let text = Ran::of(&mut command).ended(1);
    assert!(text.contains("--> ../narrative/LOOP-1.mdx:3:12"), "{text}");
    assert!(!text.contains("R131"), "{text}");
}

#[test]
fn a_path_that_is_not_there_is_a_wrong_call() {
    Tree::author().run(&["check", "nowhere"]).refused(str![[r#"
error[R100]: cannot read `nowhere`: no such file or directory

"#]]);
}

#[test]
fn what_the_carried_cases_miss_is_a_warning_about_the_document() {
    let page = std::fs::read_to_string("rules/rt-sg/sg-16.md").expect("a page");
    // It names rules that are not there.
    let tree = Tree::empty()
        .write("rt-sg/sg-16.md", &page)
        .write("conformance.toml", "[check]\nunknown-related = \"off\"\n");
    let text = tree.run(&["check"]).well();
    assert!(text.starts_with("all well: 1 rule, 4 examples"), "{text}");
    let tree = tree.change(
        "rt-sg/sg-16.md",
        "title=\"The body it resolves to\"",
        "title=\"The body that it resolves to\"",
    );
    let text = tree.run(&["check"]).well();
    assert!(
        text.starts_with("warning[C306]: SG-16 has no example \"The body it resolves to\"\n  --> rt-sg/sg-16.md:2:5\n"),
        "{text}"
    );
    assert!(
        text.contains("did you mean \"The body that it resolves to\"?"),
        "{text}"
    );
}

#[test]
fn json_says_all_that_is_known() {
    snapshot(
        run(&faulty(), &["--format", "json"]).ended(1),
        str![[r#"
{
  "format": "standing-check/1",
  "findings": [
    {
      "code": "R209",
      "name": "duplicate-title",
      "severity": "warning",
      "message": "two examples are titled \"Its body\"",
      "place": {
        "path": "pages/ex-loop/loop-3.md",
        "start": {
          "line": 35,
          "column": 9,
          "offset": 553
        },
        "end": {
          "line": 35,
          "column": 25,
          "offset": 569
        }
      },
      "label": null,
      "related": [
        {
          "place": {
            "path": "pages/ex-loop/loop-3.md",
            "start": {
              "line": 31,
              "column": 9,
              "offset": 494
            },
            "end": {
              "line": 31,
              "column": 25,
              "offset": 510
            }
          },
          "message": "the other one"
        }
      ],
      "note": "an example is known by its title",
      "help": "say in each title what sets it apart",
      "fix": []
    },
    {
      "code": "R126",
      "name": "unknown-related",
      "severity": "error",
      "message": "the related rule `LOP-2` does not exist",
      "place": {
        "path": "rules/LOOP-1.yml",
        "start": {
          "line": 22,
          "column": 5,
          "offset": 320
        },
        "end": {
          "line": 22,
          "column": 10,
          "offset": 325
        }
      },
      "label": null,
      "related": [],
      "note": "no document has this id, and no registry",
      "help": "did you mean `LOOP-2`?",
      "fix": []
    }
  ],
  "summary": {
    "errors": 1,
    "warnings": 1,
    "rules": 4,
    "examples": 7,
    "examples_without_case_files": 0
  }
}

"#]],
    );
}

#[test]
fn github_annotations() {
    snapshot(
        run(&faulty(), &["--format", "github"]).ended(1),
        str![[r#"
::warning file=pages/ex-loop/loop-3.md,line=35,endLine=35,col=9,endColumn=25,title=R209 duplicate-title::two examples are titled "Its body"%0Aan example is known by its title%0Asay in each title what sets it apart
::error file=rules/LOOP-1.yml,line=22,endLine=22,col=5,endColumn=10,title=R126 unknown-related::the related rule `LOP-2` does not exist%0Ano document has this id, and no registry%0Adid you mean `LOOP-2`?

"#]],
    );
}

/// Everything that `--fix` can mend.
fn mendable() -> Tree {
    Tree::author()
        .change(
            "rules/LOOP-1.yml",
            "between head and tail. Two",
            "between them. Two",
        )
        .change(
            "rules/REGISTRY.lock",
            "LOOP-1 EX-LOOP\nLOOP-2 EX-LOOP\n",
            "",
        )
        .change(
            "rules/REGISTRY.lock",
            "LOOP-4 EX-LOOP\n",
            "LOOP-4 EX-LOOP\nLOOP-4 EX-LOOP\n",
        )
        .change(
            "rules/LOOP-2.yml",
            "posture: deprecated",
            "posture: withdrawn",
        )
        .change(
            "narrative/LOOP-1.mdx",
            "[\n  {\"source\"",
            "[ \n  {\"source\"",
        )
        .change("narrative/LOOP-1.mdx", "GET /loops\n", "GET /loops  \n")
        .change("pages/ex-loop/loop-3.md", "\"b\"},\n", "\"b\"},\t\n")
}

fn texts(tree: &Tree) -> Vec<(String, String)> {
    let files = crate::support::files(tree.path()).into_iter();
    files
        .map(|f| {
            let name = f
                .strip_prefix(tree.path())
                .unwrap_or(Path::new(""))
                .to_owned();
            let name = name.to_string_lossy().into_owned();
            let text = tree.read(&name);
            (name, text)
        })
        .collect()
}

#[test]
fn what_has_one_right_answer_is_mended_and_nothing_else() {
    let tree = mendable();
    snapshot(
        run(&tree, &["--fix"]).well(),
        str![[r#"
--- a/narrative/LOOP-1.mdx
+++ b/narrative/LOOP-1.mdx
@@ -1,5 +1,5 @@
 ---
 rule: LOOP-1
-rule_hash: c9e15d6d82ef
+rule_hash: 13664453a544
 ---
 
@@ -11,5 +11,5 @@
 
 ```json title="Two ways back"
-[ 
+[
   {"source": "head", "target": "left"},
   {"source": "head", "target": "right"},
@@ -24,5 +24,5 @@
 
 ```http title="The loop is asked for" verdict="200 served"
-GET /loops  
+GET /loops
 Accept: application/json
 
--- a/pages/ex-loop/loop-3.md
+++ b/pages/ex-loop/loop-3.md
@@ -24,5 +24,5 @@
 ```json title="A tail apart"
 [
-  {"source": "a", "target": "b"},	
+  {"source": "a", "target": "b"},
   {"source": "elsewhere", "target": "head"}
 ]
--- a/rules/REGISTRY.lock
+++ b/rules/REGISTRY.lock
@@ -3,4 +3,5 @@
 LOOP-3 EX-LOOP
 LOOP-4 EX-LOOP
-LOOP-4 EX-LOOP
 LOOP-5 EX-LOOP withdrawn
+LOOP-1 EX-LOOP
+LOOP-2 EX-LOOP withdrawn

mended 7 findings in 3 files

all well: 4 rules, 7 examples

"#]],
    );
    let once = texts(&tree);
    let mut original = Tree::author()
        .change(
            "rules/LOOP-1.yml",
            "between head and tail. Two",
            "between them. Two",
        )
        .change(
            "rules/LOOP-2.yml",
            "posture: deprecated",
            "posture: withdrawn",
        );
    original = original.change(
        "rules/REGISTRY.lock",
        "LOOP-1 EX-LOOP\nLOOP-2 EX-LOOP\n",
        "",
    );
    let registry =
        original.read("rules/REGISTRY.lock") + "LOOP-1 EX-LOOP\nLOOP-2 EX-LOOP withdrawn\n";
    original = original.write("rules/REGISTRY.lock", registry);
    for ((name, now), (_, then)) in once.iter().zip(texts(&original)) {
        if name != "narrative/LOOP-1.mdx" {
            assert_eq!(*now, then, "{name}");
        }
    }
    // A second time there is nothing to do.
    let again = run(&tree, &["--fix"]).well();
    assert!(again.starts_with("nothing to mend\n"), "{again}");
    assert_eq!(texts(&tree), once);
}

#[test]
fn what_has_no_one_right_answer_is_left() {
    let tree = faulty();
    let before = texts(&tree);
    let text = run(&tree, &["--fix"]).ended(1);
    assert!(text.starts_with("nothing to mend\n"), "{text}");
    assert_eq!(texts(&tree), before);
}

#[test]
fn line_ends_and_byte_order_marks_stay() {
    let dos = |tree: Tree, path: &str| {
        let text = format!("\u{feff}{}", tree.read(path).replace('\n', "\r\n"));
        tree.write(path, text)
    };
    let tree = dos(Tree::author(), "pages/ex-loop/loop-3.md");
    run(&tree, &[]).well();
    let clean = tree.read("pages/ex-loop/loop-3.md");
    let tree = tree.change("pages/ex-loop/loop-3.md", "\"b\"},\r\n", "\"b\"}, \r\n");
    assert!(run(&tree, &[]).well().contains("warning[R211]"));
    run(&tree, &["--fix"]).well();
    assert_eq!(tree.read("pages/ex-loop/loop-3.md"), clean);
}

#[test]
#[cfg_attr(
    not(specification_checkout),
    ignore = "no checkout of the specification beside the project"
)]
fn the_specification_has_no_error_and_its_findings_are_written_down() {
    let written = std::fs::read_to_string("docs/findings.md").expect("the findings");
    for root in ["../shared/flowdrop-spec", "../shared/pages"] {
        let ran = standing_here(&["check", root, "--format", "json"]);
        let found: Value = serde_json::from_str(&ran.well()).expect("JSON");
        assert_eq!(found["summary"]["errors"], 0);
        assert_eq!(found["summary"]["rules"], 192);
        for finding in found["findings"].as_array().expect("a list") {
            let path = finding["place"]["path"].as_str().expect("a path");
            let name = Path::new(path).file_stem().expect("a name");
            let id = name.to_string_lossy().to_uppercase();
            let row = format!("| {} | {} |", id, finding["code"].as_str().expect("a code"));
            assert!(written.contains(&row), "{row}\n{finding}");
        }
    }
}

/// What a check relies on, so that it need not read carried cases about documents that are, to the
/// letter, those that they were written for.
#[test]
fn every_carried_example_is_named_by_a_carried_case() {
    let (suite, faults) = standing::suite::Suite::embedded();
    assert!(faults.is_empty(), "{faults:?}");
    for (position, rule) in suite.corpus().rules().iter().enumerate() {
        assert_eq!(suite.unbound(position).count(), 0, "{}", rule.id);
    }
}
