//! Rule documents that cannot be used: what is said of each.

use snapbox::str;

use crate::support::{Tree, standing};

const LOOP_1: &str = "rules/ex-loop/loop-1.md";

/// The small specification with one thing changed in the document of LOOP-1.
#[track_caller]
fn with(from: &str, to: &str) -> Tree {
    Tree::spec().change(LOOP_1, from, to)
}

#[test]
fn a_path_that_is_not_there() {
    standing(&["run", "--rules", "nowhere"]).refused(str![[r#"
error[R100]: cannot read `nowhere`: no such file or directory

"#]]);
}

#[test]
fn a_path_below_a_file() {
    standing(&["run", "--rules", "rules/README.md/loop-1.md"]).refused(str![[r#"
error[R100]: cannot read `rules/README.md/loop-1.md`: not a directory

"#]]);
}

#[test]
fn a_folder_without_documents() {
    standing(&["run", "--rules", "cases"]).refused(str![[r#"
error[R113]: there is no rule document under `cases`
 |
 = help: a rule document is a .md or .yml file that has an id, a family and a level

"#]]);
}

#[test]
fn a_file_that_is_no_document() {
    standing(&["run", "--rules", "rules/README.md"]).refused(str![[r#"
error[R102]: the document has no front matter
 --> rules/README.md:1:1
  |
1 | # No rule document
  | ^^^^^^^^^^^^^^^^^^
  |
  = help: a rule document starts with a line that is `---`

"#]]);
}

#[test]
fn a_file_that_is_not_utf_8() {
    Tree::spec()
        .write(
            LOOP_1,
            b"---\nid: LOOP-1\nfamily: caf\xe9\nlevel: core\n---\n",
        )
        .is_refused(str![[r#"
error[R101]: the document is not UTF-8
 --> rules/ex-loop/loop-1.md:3:12
  |
3 | family: caf�
  |            ^ this byte does not belong here
  |
  = help: save the document as UTF-8

"#]]);
}

#[test]
fn front_matter_that_is_not_yaml() {
    with("profiles: [runtime]", "profiles: [runtime").is_refused(str![[r#"
error[R103]: the front matter is not YAML: illegal placement of ':' indicator
 --> rules/ex-loop/loop-1.md:6:8
  |
6 | posture: normative-target
  |        ^
  |
 ::: rules/ex-loop/loop-1.md:5:11
  |
5 | profiles: [runtime
  |           - inside what starts here
  |
  = help: close what is open, and put a text that holds `: ` or ` #` in quotes

"#]]);
}

#[test]
fn front_matter_that_does_not_end() {
    with("rule_hash: 009951124321\n---", "rule_hash: 009951124321").is_refused(str![[r#"
error[R102]: the front matter does not end
 --> rules/ex-loop/loop-1.md:1:1
  |
1 | ---
  | ^^^
  |
  = help: close it with a line that is `---`

"#]]);
}

#[test]
fn front_matter_that_lacks_a_member() {
    with("level: core\n", "").is_refused(str![[r#"
error[R104]: the front matter lacks `level`
 --> rules/ex-loop/loop-1.md:1:1
  |
1 | ---
  | ^^^
  |
  = help: write `level:`; a rule has id, family, level, profiles, posture, added, changed, and what its layout adds

"#]]);
}

#[test]
fn front_matter_with_a_member_of_the_wrong_type() {
    with("level: core\n", "level: [core]\n").is_refused(str![[r#"
error[R104]: `level` is a text, not a list
 --> rules/ex-loop/loop-1.md:4:8
  |
4 | level: [core]
  |        ^^^^^^
  |
  = help: write a text behind `level:`

"#]]);
}

#[test]
fn front_matter_with_a_member_twice() {
    with("family: EX-LOOP\n", "family: EX-LOOP\nfamily: EX-PORT\n").is_refused(str![[r#"
error[R104]: `family` stands twice
 --> rules/ex-loop/loop-1.md:4:1
  |
4 | family: EX-PORT
  | ^^^^^^
  |
 ::: rules/ex-loop/loop-1.md:3:1
  |
3 | family: EX-LOOP
  | ------ first here
  |
  = help: keep one of them

"#]]);
}

#[test]
fn a_level_misspelled() {
    with("level: core\n", "level: cores\n").is_refused(str![[r#"
error[R105]: `cores` is no level
 --> rules/ex-loop/loop-1.md:4:8
  |
4 | level: cores
  |        ^^^^^
  |
  = note: a level is one of core, extended, optional
  = help: did you mean `core`?

"#]]);
}

#[test]
fn a_level_that_is_like_none() {
    with("level: core\n", "level: basic\n").is_refused(str![[r#"
error[R105]: `basic` is no level
 --> rules/ex-loop/loop-1.md:4:8
  |
4 | level: basic
  |        ^^^^^
  |
  = note: a level is one of core, extended, optional

"#]]);
}

#[test]
fn an_unknown_profile() {
    with("profiles: [runtime]", "profiles: [runtime, storage]").is_refused(str![[r#"
error[R106]: `storage` is no profile
 --> rules/ex-loop/loop-1.md:5:21
  |
5 | profiles: [runtime, storage]
  |                     ^^^^^^^
  |
  = note: a profile is one of runtime, storage-api, editor-client
  = help: did you mean `storage-api`?

"#]]);
}

#[test]
fn an_unknown_posture() {
    with("posture: normative-target", "posture: normative").is_refused(str![[r#"
error[R107]: `normative` is no posture
 --> rules/ex-loop/loop-1.md:6:10
  |
6 | posture: normative
  |          ^^^^^^^^^
  |
  = note: a posture is one of normative-target, descriptive, deprecated, withdrawn
  = help: did you mean `normative-target`?

"#]]);
}

#[test]
fn an_id_in_small_letters() {
    with("id: LOOP-1\n", "id: loop-1\n").is_refused(str![[r#"
error[R108]: `loop-1` is no rule id
 --> rules/ex-loop/loop-1.md:2:5
  |
2 | id: loop-1
  |     ^^^^^^
  |
  = help: an id is an upper-case word and parts set off by `-` or `.`: SG-16, R7.e/f

"#]]);
}

#[test]
fn a_heading_of_another_rule() {
    with("# LOOP-1 —", "# LOOP-2 —").is_refused(str![[r#"
error[R110]: the heading does not start with `LOOP-1 — `
  --> rules/ex-loop/loop-1.md:13:3
   |
13 | # LOOP-2 — What a loop holds
   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
   = help: the heading names the id of the front matter, then the rule's title

"#]]);
}

#[test]
fn no_normative_text() {
    with("## The rule", "## Rules").is_refused(str![[r#"
error[R111]: `LOOP-1` has no normative text
 --> rules/ex-loop/loop-1.md:2:5
  |
2 | id: LOOP-1
  |     ^^^^^^
  |
  = help: write it in a block quote under the heading `## The rule`

"#]]);
}

#[test]
fn an_example_that_is_not_json() {
    with(r#""target": "right"},"#, r#""target": "right"},,"#).is_refused(str![[r#"
error[R202]: the example is not JSON: expected value
  --> rules/ex-loop/loop-1.md:34:41
   |
34 |   {"source": "head", "target": "right"},,
   |                                         ^
   |
  ::: rules/ex-loop/loop-1.md:31:1
   |
31 | ```json title="Two ways back"
   | ----------------------------- in this example
   |
   = help: mend it here, or in the line above

"#]]);
}

#[test]
fn an_example_that_ends_too_early() {
    with(
        "\"right\", \"target\": \"head\"}\n]",
        "\"right\", \"target\": \"head\"}",
    )
    .is_refused(str![[r#"
error[R202]: the example is not JSON: EOF while parsing a list
  --> rules/ex-loop/loop-1.md:37:1
   |
37 | ```
   | ^
   |
  ::: rules/ex-loop/loop-1.md:31:1
   |
31 | ```json title="Two ways back"
   | ----------------------------- in this example
   |
   = help: mend it here, or in the line above

"#]]);
}

#[test]
fn an_example_with_a_member_twice() {
    with(
        r#""target": "right""#,
        r#""target": "right", "source": "left""#,
    )
    .is_refused(str![[r#"
error[R203]: the member `source` stands twice
  --> rules/ex-loop/loop-1.md:34:41
   |
34 |   {"source": "head", "target": "right", "source": "left"},
   |                                         ^^^^^^^^
   |
  ::: rules/ex-loop/loop-1.md:31:1
   |
31 | ```json title="Two ways back"
   | ----------------------------- in this example
   |
   = help: keep one of them, or rename one

"#]]);
}

#[test]
fn a_title_without_a_closing_quote() {
    with(r#"title="Two ways back""#, r#"title="Two ways back"#).is_refused(str![[r#"
error[R201]: the title has no closing quote
  --> rules/ex-loop/loop-1.md:31:9
   |
31 | ```json title="Two ways back
   |         ^^^^^^^^^^^^^^^^^^^^
   |
   = help: write title="…" verdict="…"; a quote inside is written \"

"#]]);
}

#[test]
fn two_documents_with_one_id() {
    let tree = Tree::spec();
    let document = tree.read(LOOP_1);
    tree.write("rules/ex-loop/loop-1-again.md", document)
        .is_refused(str![[r#"
error[R109]: `LOOP-1` has two documents
 --> rules/ex-loop/loop-1.md:2:5
  |
2 | id: LOOP-1
  |     ^^^^^^
  |
 ::: rules/ex-loop/loop-1-again.md:2:5
  |
2 | id: LOOP-1
  |     ------ the other one
  |
  = help: give one of them an id of its own, or leave one of them out

"#]]);
}

#[test]
fn a_line_of_the_registry_that_cannot_be_read() {
    Tree::spec()
        .change(
            "rules/REGISTRY.lock",
            "LOOP-3 EX-LOOP",
            "LOOP-3 EX-LOOP gone",
        )
        .is_refused(str![[r#"
error[R112]: this line of the registry cannot be read
 --> rules/REGISTRY.lock:5:1
  |
5 | LOOP-3 EX-LOOP gone
  | ^^^^^^^^^^^^^^^^^^^
  |
  = help: a line is an id and its family: `SG-16 RT-SG`, perhaps with `withdrawn` behind

"#]]);
}

#[test]
fn every_document_is_read_before_anything_is_said() {
    with("level: core\n", "level: cores\n")
        .change("rules/ex-port/port-1.md", "[storage-api]", "[storage]")
        .is_refused(str![[r#"
error[R105]: `cores` is no level
 --> rules/ex-loop/loop-1.md:4:8
  |
4 | level: cores
  |        ^^^^^
  |
  = note: a level is one of core, extended, optional
  = help: did you mean `core`?

error[R106]: `storage` is no profile
 --> rules/ex-port/port-1.md:5:12
  |
5 | profiles: [storage]
  |            ^^^^^^^
  |
  = note: a profile is one of runtime, storage-api, editor-client
  = help: did you mean `storage-api`?

2 errors

"#]]);
}

#[test]
fn a_control_character_in_a_word() {
    with("level: core\n", "level: \u{9b}core\n").is_refused(str![[r#"
error[R105]: `\u{9b}core` is no level
 --> rules/ex-loop/loop-1.md:4:8
  |
4 | level: ¿core
  |        ^^^^^
  |
  = note: a level is one of core, extended, optional
  = help: did you mean `core`?

"#]]);
}

#[test]
fn what_a_document_says_cannot_act_on_the_terminal() {
    // Escapes of YAML, so that the characters are in the value and not in the text.
    with("level: core\n", "level: \"\\e[2Jcore\\u202e\"\n").is_refused(str![[r#"
error[R105]: `\u{1b}[2Jcore\u{202e}` is no level
 --> rules/ex-loop/loop-1.md:4:8
  |
4 | level: "\e[2Jcore\u202e"
  |        ^^^^^^^^^^^^^^^^^
  |
  = note: a level is one of core, extended, optional

"#]]);
}
