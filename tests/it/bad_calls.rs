//! Calls that cannot be carried out: what is said of each.

use snapbox::str;

use crate::support::{standing, standing_here};

/// `standing run` of the small specification with these words behind.
fn run(words: &[&str]) -> crate::support::Ran {
    let mut args = vec!["run", "--rules", "rules", "--cases", "cases"];
    args.extend(words);
    standing(&args)
}

#[test]
fn a_rule_that_is_not_there() {
    run(&["LOOP-9"]).refused(str![[r#"
error[S401]: `LOOP-9` fits no rule, clause, case or family
 |
 = help: `standing list` lists what there is

"#]]);
}

#[test]
fn a_rule_in_small_letters() {
    run(&["loop-1"]).refused(str![[r#"
error[S401]: `loop-1` fits no rule, clause, case or family
 |
 = help: did you mean `LOOP-1`?

"#]]);
}

#[test]
fn a_rule_that_was_issued_and_is_not_carried() {
    run(&["LOOP-3"]).refused(str![[r#"
error[S401]: `LOOP-3` fits no rule, clause, case or family
 |
 = note: LOOP-3 is a rule, and its document is not among those that were read
 = help: read its document with `--rules PATH`

"#]]);
    standing_here(&["run", "STORE-1"]).refused(str![[r#"
error[S401]: `STORE-1` fits no rule, clause, case or family
 |
 = note: STORE-1 is a rule, and its document is not among those that were read
 = help: read its document with `--rules PATH`

"#]]);
}

#[test]
fn a_clause_that_is_not_there() {
    run(&["LOOP-1:5"]).refused(str![[r#"
error[S401]: LOOP-1 has no clause 5
 |
 = help: its last is `LOOP-1:4`

"#]]);
    run(&["LOOP-1¶5"]).refused(str![[r#"
error[S401]: LOOP-1 has no clause 5
 |
 = help: its last is `LOOP-1:4`

"#]]);
    run(&["LOOP-1:"]).refused(str![[r#"
error[S401]: `LOOP-1:` names no clause
 |
 = help: its last is `LOOP-1:4`

"#]]);
}

#[test]
fn a_case_that_is_not_there() {
    run(&["LOOP-1/two-way"]).refused(str![[r#"
error[S401]: `LOOP-1/two-way` fits no rule, clause, case or family
 |
 = help: did you mean `LOOP-1/two-ways-back`?

"#]]);
    run(&["LOOP-1/xyzzy"]).refused(str![[r#"
error[S401]: `LOOP-1/xyzzy` fits no rule, clause, case or family
 |
 = help: `standing list LOOP-1` lists its cases

"#]]);
}

#[test]
fn a_family_that_is_not_there() {
    run(&["EX-LOOPS"]).refused(str![[r#"
error[S401]: `EX-LOOPS` fits no rule, clause, case or family
 |
 = help: did you mean `EX-LOOP`?

"#]]);
}

#[test]
fn a_glob_that_fits_nothing() {
    run(&["Z*"]).refused(str![[r#"
error[S401]: `Z*` fits no rule, clause, case or family
 |
 = help: `standing list` lists what there is

"#]]);
}

#[test]
fn a_glob_that_is_malformed() {
    run(&["LOOP-[1"]).refused(str![[r#"
error[S402]: `LOOP-[1` is no glob: unclosed character class; missing ']'
 |
 = help: `*` is any text, `?` one character, `[ab]` one of two

"#]]);
    run(&["{LOOP-1,PORT-1"]).refused(str![[r#"
error[S402]: `{LOOP-1,PORT-1` is no glob: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)
 |
 = help: `*` is any text, `?` one character, `[ab]` one of two

"#]]);
}

#[test]
fn every_selector_is_looked_at_before_anything_is_said() {
    run(&["LOOP-1", "LOOP-9", "xyzzy"]).refused(str![[r#"
error[S401]: `LOOP-9` fits no rule, clause, case or family
 |
 = help: `standing list` lists what there is

error[S401]: `xyzzy` fits no rule, clause, case or family
 |
 = help: `standing list` lists what there is

2 errors

"#]]);
}

#[test]
fn an_unknown_engine() {
    run(&["--engine", "reference:acme"]).refused(str![[r#"
error[S403]: there is no misreading `acme`
 |
 = help: `standing adequacy` lists them

"#]]);
    run(&["--engine", "reference:loops-per-tail"]).refused(str![[r#"
error[S403]: there is no misreading `loops-per-tail`
 |
 = help: did you mean `loop-per-tail`?

"#]]);
    standing(&["engine", "reference:loops-per-tail"]).refused(str![[r#"
error[S403]: there is no misreading `loops-per-tail`
 |
 = help: did you mean `loop-per-tail`?

"#]]);
    standing(&["engine", "acme"]).refused(str![[r#"
error[S403]: there is no built-in engine `acme`
 |
 = help: `reference` is, and `reference:` with the name of a misreading

"#]]);
}

#[test]
fn an_unknown_flag() {
    run(&["--no-timings"]).refused(str![[r#"
error: unexpected argument '--no-timings' found

  tip: a similar argument exists: '--no-timing'

Usage: standing run --rules <PATH> --cases <PATH> --no-timing [SELECTOR]...

For more information, try '--help'.

"#]]);
}

#[test]
fn an_unknown_format() {
    run(&["--format", "xml"]).refused(str![[r#"
error: invalid value 'xml' for '--format <FORMAT>'
  [possible values: human, json, html, markdown, junit, tap, github, badges, earl]

  tip: a similar value exists: 'html'

For more information, try '--help'.

"#]]);
}

#[test]
fn a_time_limit_that_is_none() {
    run(&["--timeout", "0"]).refused(str![[r#"
error: invalid value '0' for '--timeout <SECONDS>': a number of seconds above 0 is expected, `5` or `0.5`

For more information, try '--help'.

"#]]);
    run(&["--timeout", "-1"]).refused(str![[r#"
error: invalid value '-1' for '--timeout <SECONDS>': a number of seconds above 0 is expected, `5` or `0.5`

For more information, try '--help'.

"#]]);
    run(&["--timeout", "soon"]).refused(str![[r#"
error: invalid value 'soon' for '--timeout <SECONDS>': a number of seconds above 0 is expected, `5` or `0.5`

For more information, try '--help'.

"#]]);
}

#[test]
fn no_worker_at_all() {
    run(&["--jobs", "0"]).refused(str![[r#"
error: invalid value '0' for '--jobs <N>': a whole number above 0 is expected

For more information, try '--help'.

"#]]);
}

#[test]
fn a_command_misspelled() {
    standing(&["lst"]).refused(str![[r#"
error[S401]: `lst` fits no rule, clause, case or family
 |
 = help: did you mean the command `standing list`?

"#]]);
    // With `run` before it, it can only be a selector.
    standing(&["run", "lst"]).refused(str![[r#"
error[S401]: `lst` fits no rule, clause, case or family
 |
 = help: `standing list` lists what there is

"#]]);
}

#[test]
fn nothing_to_show() {
    standing(&["show"]).refused(str![[r#"
error: the following required arguments were not provided:
  <SELECTOR>...

Usage: standing show <SELECTOR>...

For more information, try '--help'.

"#]]);
}

#[test]
fn an_operation_misspelled() {
    standing(&["operations", "loops.resolv"]).refused(str![[r#"
error[C309]: there is no operation `loops.resolv`
 |
 = help: did you mean `loops.resolve`?

"#]]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written() {
    use crate::support::{Ran, command};
    let full = std::fs::File::options().write(true).open("/dev/full");
    let mut list = command(std::path::Path::new("."), ["list"]);
    let listed = list.stdout(full.expect("a file that is always full"));
    Ran::of(listed).refused(str![[r#"
error[S403]: the output cannot be written: No space left on device (os error 28)

"#]]);
}

#[test]
fn an_output_that_nobody_reads_is_no_mistake() {
    use crate::support::{Ran, command};
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut list = command(std::path::Path::new("."), ["list"]);
    let ran = Ran::of(list.stdout(writer));
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
}
