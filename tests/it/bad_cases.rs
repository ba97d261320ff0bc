//! Case files that cannot be used: what is said of each.

use snapbox::str;

use crate::support::{Tree, standing};

const LOOP_1: &str = "cases/ex-loop/loop-1.yml";
const LOOP_2: &str = "cases/ex-loop/loop-2.yml";

#[track_caller]
fn with(file: &str, from: &str, to: &str) -> Tree {
    Tree::spec().change(file, from, to)
}

#[test]
fn a_path_that_is_not_there() {
    standing(&["run", "--rules", "rules", "--cases", "nowhere.yml"]).refused(str![[r#"
error[R100]: cannot read `nowhere.yml`: no such file or directory

"#]]);
}

#[test]
fn a_folder_without_case_files() {
    standing(&["run", "--rules", "rules", "--cases", "rules"]).refused(str![[r#"
error[C316]: there is no case file under `rules`
 |
 = help: a case file is a .yml file with `rule:` and `cases:`

"#]]);
}

#[test]
fn a_file_that_is_not_utf_8() {
    Tree::spec()
        .write(LOOP_1, b"rule: LOOP-1 # caf\xe9\ncases: []\n")
        .is_refused(str![[r#"
error[R101]: the document is not UTF-8
 --> cases/ex-loop/loop-1.yml:1:19
  |
1 | rule: LOOP-1 # caf�
  |                   ^ this byte does not belong here
  |
  = help: save the document as UTF-8

"#]]);
}

#[test]
fn an_empty_file() {
    Tree::spec().write(LOOP_1, "").is_refused(str![[r#"
error[C304]: the case file is empty
--> cases/ex-loop/loop-1.yml
 = help: it starts with `rule:` and `cases:`

"#]]);
}

#[test]
fn a_file_that_is_not_yaml() {
    with(LOOP_1, "clauses: [3]", "clauses: [3").is_refused(str![[r#"
error[C301]: not YAML: illegal placement of ':' indicator
  --> cases/ex-loop/loop-1.yml:16:14
   |
16 |     operation: loops.resolve
   |              ^
   |
  ::: cases/ex-loop/loop-1.yml:15:14
   |
15 |     clauses: [3
   |              - inside what starts here
   |
   = help: close what is open, and put a text that holds `: ` or ` #` in quotes

"#]]);
}

#[test]
fn a_rule_that_has_no_document() {
    with(LOOP_1, "rule: LOOP-1", "rule: LOOP-4").is_refused(str![[r#"
error[C305]: there is no document for the rule `LOOP-4`
 --> cases/ex-loop/loop-1.yml:1:7
  |
1 | rule: LOOP-4
  |       ^^^^^^
  |
  = help: `standing list` lists the rules that were read

"#]]);
}

#[test]
fn two_files_for_one_rule() {
    Tree::spec()
        .write("cases/more.yml", "rule: LOOP-1\ncases: []\n")
        .is_refused(str![[r#"
error[C315]: `LOOP-1` has two case files
 --> cases/more.yml:1:7
  |
1 | rule: LOOP-1
  |       ^^^^^^
  |
 ::: cases/ex-loop/loop-1.yml:1:7
  |
1 | rule: LOOP-1
  |       ------ the other one
  |
  = help: put all cases of a rule into one file

"#]]);
}

#[test]
fn two_cases_of_one_name() {
    with(LOOP_1, "name: beside-the-way", "name: two-ways-back").is_refused(str![[r#"
error[C312]: two cases are `LOOP-1/two-ways-back`
  --> cases/ex-loop/loop-1.yml:14:11
   |
14 |   - name: two-ways-back
   |           ^^^^^^^^^^^^^
   |
  ::: cases/ex-loop/loop-1.yml:3:11
   |
 3 |   - name: two-ways-back
   |           ------------- the other one
   |
   = help: give it a name of its own

"#]]);
}

#[test]
fn a_name_that_no_selector_could_say() {
    with(LOOP_1, "name: beside-the-way", "name: beside the way").is_refused(str![[r#"
error[C304]: `beside the way` cannot be the name of a case
  --> cases/ex-loop/loop-1.yml:14:11
   |
14 |   - name: beside the way
   |           ^^^^^^^^^^^^^^
   |
   = help: use words with `-` between them: a selector names the case by it

"#]]);
}

#[test]
fn a_case_without_a_name() {
    with(LOOP_1, "- name: beside-the-way\n    clauses", "- clauses").is_refused(str![[r#"
error[C304]: a case needs `name:`
  --> cases/ex-loop/loop-1.yml:14:3
   |
14 |   - clauses: [3]
   |   ^^^^^^^^^^^^^^

"#]]);
}

#[test]
fn a_key_twice() {
    with(LOOP_1, "clauses: [3]", "clauses: [3]\n    clauses: [3]").is_refused(str![[r#"
error[C303]: `clauses` stands twice
  --> cases/ex-loop/loop-1.yml:16:5
   |
16 |     clauses: [3]
   |     ^^^^^^^
   |
  ::: cases/ex-loop/loop-1.yml:15:5
   |
15 |     clauses: [3]
   |     ------- first here
   |
   = help: keep one of them

"#]]);
}

#[test]
fn an_anchor() {
    with(LOOP_1, "clauses: [3]", "clauses: &three [3]").is_refused(str![[r#"
error[C302]: an anchor or alias has no meaning in a case file
  --> cases/ex-loop/loop-1.yml:15:14
   |
15 |     clauses: &three [3]
   |              ^^^^^^^^
   |
   = help: write the value out

"#]]);
}

#[test]
fn a_tag() {
    with(LOOP_1, "clauses: [3]", "clauses: !!seq [3]").is_refused(str![[r#"
error[C302]: a tag has no meaning in a case file
  --> cases/ex-loop/loop-1.yml:15:14
   |
15 |     clauses: !!seq [3]
   |              ^^^^^^^
   |
   = help: leave it out; quote the value to make it a string

"#]]);
}

#[test]
fn an_unknown_key() {
    with(LOOP_1, "clauses: [3]", "clauses: [3]\n    expects: {}").is_refused(str![[r#"
error[C304]: a case has no `expects`
  --> cases/ex-loop/loop-1.yml:16:5
   |
16 |     expects: {}
   |     ^^^^^^^
   |
   = help: did you mean `expect`?

"#]]);
}

#[test]
fn a_way_of_matching_misspelled() {
    with(LOOP_2, "match: includes", "match: include").is_refused(str![[r#"
error[C304]: this is no way of matching
  --> cases/ex-loop/loop-2.yml:18:16
   |
18 |         match: include
   |                ^^^^^^^
   |
   = help: it is exact, includes or unordered

"#]]);
}

#[test]
fn a_way_of_matching_for_a_part_that_is_not_expected() {
    with(
        LOOP_1,
        "match: { \"\": includes, /loops: exact }\n\n  - name: beside",
        "match: { \"\": includes, /loop: exact }\n\n  - name: beside",
    )
    .is_refused(str![[r#"
error[C313]: what is expected has nothing at `/loop`
  --> cases/ex-loop/loop-1.yml:12:28
   |
12 |     match: { "": includes, /loop: exact }
   |                            ^^^^^

"#]]);
}

#[test]
fn a_pointer_without_its_slash() {
    with(LOOP_2, "bind: { run: /run }", "bind: { run: run }").is_refused(str![[r#"
error[C313]: this is no JSON Pointer
  --> cases/ex-loop/loop-2.yml:12:22
   |
12 |         bind: { run: run }
   |                      ^^^
   |
   = help: it is empty, or starts with `/`: /loops/head/0

"#]]);
}

#[test]
fn an_answer_and_a_refusal_expected_at_once() {
    with(
        LOOP_2,
        "refused: { reason",
        "expect: {}\n    refused: { reason",
    )
    .is_refused(str![[r#"
error[C304]: a step expects an answer or a refusal, not both
  --> cases/ex-loop/loop-2.yml:25:14
   |
25 |     refused: { reason: unknown_loop }
   |              ^^^^^^^^^^^^^^^^^^^^^^^^

"#]]);
}

#[test]
fn every_case_is_read_before_anything_is_said() {
    with(LOOP_1, "clauses: [1, 2]", "clauses: [0]")
        .change(LOOP_1, "clauses: [3]", "clauses: [9]")
        .is_refused(str![[r#"
error[C308]: LOOP-1 has no clause 0
 --> cases/ex-loop/loop-1.yml:4:15
  |
4 |     clauses: [0]
  |               ^
  |
  = help: it has clauses 1 to 4

error[C308]: LOOP-1 has no clause 9
  --> cases/ex-loop/loop-1.yml:15:15
   |
15 |     clauses: [9]
   |               ^
   |
   = help: it has clauses 1 to 4

2 errors

"#]]);
}

#[test]
fn an_unknown_operation() {
    with(
        LOOP_2,
        "operation: rounds.advance",
        "operation: round.advance",
    )
    .is_refused(str![[r#"
error[C309]: there is no operation `round.advance`
  --> cases/ex-loop/loop-2.yml:22:16
   |
22 |     operation: round.advance
   |                ^^^^^^^^^^^^^
   |
   = help: did you mean `rounds.advance`?

"#]]);
}

#[test]
fn a_clause_that_the_rule_does_not_have() {
    with(LOOP_1, "clauses: [3]", "clauses: [3, 5]").is_refused(str![[r#"
error[C308]: LOOP-1 has no clause 5
  --> cases/ex-loop/loop-1.yml:15:18
   |
15 |     clauses: [3, 5]
   |                  ^
   |
   = help: it has clauses 1 to 4

"#]]);
}

#[test]
fn a_clause_with_cases_that_is_called_untestable() {
    with(LOOP_1, "  4: it says", "  3: it says").is_refused(str![[r#"
error[C304]: clause 3 has cases, and is called untestable
  --> cases/ex-loop/loop-1.yml:27:6
   |
27 |   3: it says why, nothing that an engine could break
   |      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
  ::: cases/ex-loop/loop-1.yml:14:11
   |
14 |   - name: beside-the-way
   |           -------------- this one bears on it
   |
   = help: take the clause out of the case's `clauses`, or out of `untestable`

"#]]);
}
