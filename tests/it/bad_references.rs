//! What a case says of its rule's document and of its operation, where that cannot be.

use snapbox::str;

use crate::support::Tree;

const LOOP_1: &str = "cases/ex-loop/loop-1.yml";
const LOOP_2: &str = "cases/ex-loop/loop-2.yml";
const PORT_1: &str = "cases/ex-port/port-1.yml";

#[track_caller]
fn with(file: &str, from: &str, to: &str) -> Tree {
    Tree::spec().change(file, from, to)
}

#[test]
fn an_example_misspelled() {
    with(LOOP_1, "$example: Two ways back", "$example: Two ways").is_refused(str![[r#"
error[C306]: LOOP-1 has no example "Two ways"
 --> cases/ex-loop/loop-1.yml:8:19
  |
8 |         $example: Two ways
  |                   ^^^^^^^^
  |
  = help: did you mean "Two ways back"?

"#]]);
}

#[test]
fn an_example_that_is_like_none() {
    with(LOOP_1, "$example: Two ways back", "$example: xyzzy").is_refused(str![[r#"
error[C306]: LOOP-1 has no example "xyzzy"
 --> cases/ex-loop/loop-1.yml:8:19
  |
8 |         $example: xyzzy
  |                   ^^^^^
  |
  = help: its examples are "Two ways back", "The loop", "The loop"

"#]]);
}

#[test]
fn an_example_that_is_ambiguous() {
    with(LOOP_1, "{ title: The loop, verdict: one }", "The loop").is_refused(str![[r#"
error[C307]: 2 examples of LOOP-1 fit
  --> cases/ex-loop/loop-1.yml:11:26
   |
11 |       loops: { $example: The loop }
   |                          ^^^^^^^^
   |
  ::: rules/ex-loop/loop-1.md:40:1
   |
40 | ```json title="The loop" verdict="one"
   | -------------------------------------- this one
   |
  ::: rules/ex-loop/loop-1.md:44:1
   |
44 | ```json title="The loop" verdict="another"
   | ------------------------------------------ this one
   |
   = help: say which: `{ title: …, verdict: … }` or `{ title: …, nth: 1 }`

"#]]);
}

#[test]
fn an_example_counted_past_the_last() {
    with(LOOP_1, "verdict: one", "nth: 3").is_refused(str![[r#"
error[C306]: only 2 examples of LOOP-1 fit
  --> cases/ex-loop/loop-1.yml:11:26
   |
11 |       loops: { $example: { title: The loop, nth: 3 } }
   |                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
   = help: `nth` counts from 1, here to 2

"#]]);
}

#[test]
fn a_part_that_the_example_does_not_have() {
    with(PORT_1, "$at: /body/sourceHandle", "$at: /body/handle").is_refused(str![[r#"
error[C313]: the example has nothing at `/body/handle`
  --> cases/ex-port/port-1.yml:7:56
   |
 7 |       handle: { $example: An edge that is stored, $at: /body/handle }
   |                                                        ^^^^^^^^^^^^
   |
  ::: rules/ex-port/port-1.md:20:1
   |
20 | ```http title="An edge that is stored" verdict="201 created"
   | ------------------------------------------------------------ this one

"#]]);
}

#[test]
fn an_example_that_is_not_http() {
    Tree::spec()
        .change("rules/ex-port/port-1.md", "POST /edges", "post edges")
        .is_refused(str![[r#"
error[R204]: the first line is no request line: `METHOD /target`
  --> rules/ex-port/port-1.md:21:1
   |
21 | post edges
   | ^^^^^^^^^^

"#]]);
}

#[test]
fn an_input_that_does_not_fit() {
    with(LOOP_1, "target: beside }", "target: 7 }").is_refused(str![[r#"
error[C310]: `/edges/1/target` of the input does not fit `loops.resolve`: 7 is not of type "string"
  --> cases/ex-loop/loop-1.yml:20:35
   |
20 |         - { source: head, target: 7 }
   |                                   ^
   |
   = note: the input is {"edges":[{"source":"head","target":"tail"},{"source":"head"…
   = help: `standing operations loops.resolve` prints the schema

"#]]);
}

#[test]
fn an_input_that_lacks_a_member() {
    with(LOOP_2, ", loop: tail }", " }").is_refused(str![[r#"
error[C310]: the input does not fit `rounds.advance`: "loop" is a required property
  --> cases/ex-loop/loop-2.yml:23:12
   |
23 |     given: { loops: { head: [head, tail] }, rounds: { head: 0 } }
   |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
   = note: the input is {"loops":{"head":["head","tail"]},"rounds":{"head":0}}
   = help: `standing operations rounds.advance` prints the schema

"#]]);
}

#[test]
fn an_input_from_an_example_that_does_not_fit() {
    // What is wrong stands in the document; the case is where it is asked for.
    with(LOOP_1, "$kind: { 2: loopback", "$kind: { 2: sideways").is_refused(str![[r#"
error[C310]: `/edges/2/kind` of the input does not fit `loops.resolve`: "sideways" is none of "data", "trigger", "error", "loopback", "tool", "agent_result"
 --> cases/ex-loop/loop-1.yml:8:9
  |
8 |         $example: Two ways back
  |         ^^^^^^^^^^^^^^^^^^^^^^^
  |
  = note: the input is {"edges":[{"source":"head","target":"left"},{"source":"head"…
  = help: `standing operations loops.resolve` prints the schema

"#]]);
}

#[test]
fn a_name_that_nothing_binds() {
    with(LOOP_2, "        bind: { run: /run }\n", "").is_refused(str![[r#"
error[C311]: no earlier step binds `run`
  --> cases/ex-loop/loop-2.yml:13:23
   |
13 |         given: { run: $run, loop: head }
   |                       ^^^^
   |
   = help: bind it in an earlier step: `bind: { name: /pointer/into/the/answer }`; write `$$` for a text that starts with `$`

"#]]);
}

#[test]
fn a_bound_name_misspelled() {
    with(LOOP_2, "$run, loop: head", "$runs, loop: head").is_refused(str![[r#"
error[C311]: no earlier step binds `runs`
  --> cases/ex-loop/loop-2.yml:14:23
   |
14 |         given: { run: $runs, loop: head }
   |                       ^^^^^
   |
   = help: did you mean `run`?

"#]]);
}

#[test]
fn an_unknown_reference() {
    with(
        PORT_1,
        "$at: /body/sourceHandle",
        "$att: /body/sourceHandle",
    )
    .is_refused(str![[r#"
error[C304]: `$att` cannot stand beside `$example`
 --> cases/ex-port/port-1.yml:7:51
  |
7 |       handle: { $example: An edge that is stored, $att: /body/sourceHandle }
  |                                                   ^^^^
  |
  = help: did you mean `$at`?

"#]]);
}
