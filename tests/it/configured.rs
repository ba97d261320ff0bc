//! `conformance.toml`.

use std::{fs, os::unix::fs::PermissionsExt};

use snapbox::str;
use standing::run::Outcome;

use crate::{
    fakes::{CASES, Put, Wired, fake},
    support::{Ran, Tree, snapshot},
};

use Outcome::{Error, Timeout};

/// Where the cases of these tests are.
const SOURCES: &str = "rules = [\"rules\"]\ncases = [\"cases\"]\n";

/// A run that is told everything by the configuration.
fn configured(text: &str) -> Wired {
    let wired = Wired::new(CASES, 7);
    let here = wired.path("").to_string_lossy().into_owned();
    let text = format!("{SOURCES}{}", text.replace("{here}", &here));
    wired.write("conformance.toml", &text).only("", &[])
}

/// The fake engine, as the configuration names it.
fn engine(words: &str) -> String {
    format!("engine = '''{}'''\n", fake(words))
}

/// That the case in the middle met the fault `exit:3`.
#[track_caller]
fn trips(put: &Put) {
    put.falls_short(&[(7, Error, "the engine ended (exit status: 3)")]);
}

#[test]
fn it_is_found_here_and_above() {
    let text = engine("exit:3");
    trips(&configured(&text).run());
    trips(&configured(&text).only("", &["run"]).run());
    let wired = configured(&text)
        .write("src/deep/x", "")
        .only("src/deep", &[]);
    trips(&wired.run());
    // The nearest counts, whatever stands above it.
    let wired = configured("engine = \"reference\"\nnonsense")
        .write(
            "src/conformance.toml",
            &format!("{}rules = [\"../rules\"]\ncases = [\"../cases\"]\n", text),
        )
        .write("src/deep/x", "");
    trips(&wired.only("src/deep", &[]).run());
}

#[test]
fn it_is_named() {
    let wired = configured("nonsense").write(
        "a/b.toml",
        &format!(
            "{}rules = [\"../rules\"]\ncases = [\"../cases\"]\n",
            engine("exit:3")
        ),
    );
    trips(&wired.only("", &["--config", "a/b.toml"]).run());
    let wired = configured("nonsense").write(
        "a/b.toml",
        &format!(
            "{}rules = [\"../rules\"]\ncases = [\"../cases\"]\n",
            engine("exit:3")
        ),
    );
    trips(
        &wired
            .only("cases", &["run", "--config", "../a/b.toml"])
            .run(),
    );
}

#[test]
fn a_command_runs_in_the_folder_of_the_file() {
    let script = format!("#!/bin/sh\nread word < ./word\nexec {}\n", fake("$word"));
    for engine in ["./adapter", "sh adapter", "sh ./adapter"] {
        let wired = configured(&format!("engine = \"{engine}\"\n"))
            .write("adapter", &script)
            .write("word", "exit:3\n")
            .write("deep/x", "");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(wired.path("adapter"), mode).expect("it is ours");
        trips(&wired.only("deep", &[]).run());
    }
    // One of the command line runs where that is typed.
    let wired = configured("")
        .write("deep/adapter", &script)
        .write("deep/word", "exit:3\n");
    trips(&wired.only("deep", &["--engine", "sh adapter"]).run());
}

#[test]
fn the_command_line_wins_over_the_engine() {
    let put = configured(&engine("exit:3"))
        .only("", &["--engine", "reference"])
        .run();
    put.falls_short(&[]);
    let put = configured("engine = \"reference\"")
        .with(&["--engine", &fake("exit:3")])
        .run();
    trips(&put);
}

#[test]
fn profiles() {
    let put = configured("profiles = [\"storage-api\", \"editor-client\"]").run();
    assert_eq!(
        put.record().engine.profiles,
        ["storage-api", "editor-client"]
    );
    assert_eq!(put.count(Outcome::Skipped), CASES);
    assert_eq!(put.status, Some(0));
}

#[test]
fn what_is_selected() {
    let text = "select = [\"WIRE-1/c02\", \"WIRE-1/c1*\"]";
    let cases =
        |put: &Put| -> Vec<String> { put.record().cases().map(|(_, c)| c.case.clone()).collect() };
    let put = configured(text).run();
    assert_eq!(put.record().selection, ["WIRE-1/c02", "WIRE-1/c1*"]);
    assert_eq!(
        cases(&put),
        ["WIRE-1/c02", "WIRE-1/c10", "WIRE-1/c11", "WIRE-1/c12"]
    );
    let put = configured(text).with(&["WIRE-1/c03"]).run();
    assert_eq!(cases(&put), ["WIRE-1/c03"]);
}

#[test]
fn where_rules_and_cases_are() {
    // The command line names a folder that is there; the file names none.
    let ran = configured("")
        .only("", &["list", "--rules", "rules"])
        .report();
    assert!(ran.well().contains("WIRE-1"));
    let wired =
        Wired::new(CASES, 7).write("conformance.toml", "rules = [\"a\"]\ncases = [\"b\"]\n");
    wired.run().falls_short(&[]);
    let wired = Wired::new(CASES, 7).write("conformance.toml", "rules = [\"a\"]\n");
    let said = wired.only("", &[]).report();
    assert_eq!(said.status, Some(2));
    assert!(
        said.stderr
            .contains("cannot read `a`: no such file or directory"),
        "{}",
        said.stderr
    );
}

#[test]
fn how_long_a_case_may_take() {
    let late = |put: Put, message: &str| put.falls_short(&[(7, Timeout, message)]);
    let hang = engine("hang");
    late(
        configured(&format!("{hang}timeout = 1.5\n")).run(),
        "no answer within 1.5s",
    );
    late(
        configured(&format!("{hang}timeout = 1\n")).run(),
        "no answer within 1s",
    );
    let wired = configured(&format!("{hang}timeout = 3600\n"));
    late(wired.with(&["--timeout", "1"]).run(), "no answer within 1s");
}

#[test]
fn how_long_it_may_take_to_start() {
    let hang = engine("hang --at initialize");
    for (text, more) in [("1", &[][..]), ("3600", &["--start-timeout", "1"])] {
        let wired = configured(&format!("{hang}start-timeout = {text}\n"));
        let ran = wired.with(more).report();
        assert_eq!(ran.status, Some(3));
        let says = "no answer to `initialize` within 1s";
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
}

#[test]
fn how_long_an_answer_may_be() {
    let message = "the answer is longer than 4000 bytes (--max-answer)";
    let long = engine("long:9000");
    for (bytes, more) in [("4000", &[][..]), ("100000", &["--max-answer", "4000"])] {
        let put = configured(&format!("{long}max-answer = {bytes}\n"))
            .with(more)
            .run();
        put.falls_short(&[(7, Error, message)]);
    }
}

#[test]
fn how_many_are_put_at_a_time() {
    let meet = engine("meet:3 --at any --note {here}/met");
    for (jobs, more) in [("3", &[][..]), ("1", &["--jobs", "3"])] {
        let text = format!("{meet}timeout = 60\njobs = {jobs}\n");
        configured(&text).with(more).run().falls_short(&[]);
    }
}

#[test]
fn known_failures() {
    let list = "[[failure]]\nselect = \"WIRE-1/c07\"\noutcome = \"fails\"\nreason = \"it is so\"\n";
    let text = engine("exit:3") + "known-failures = \"known/list.toml\"\n";
    let wired = configured(&text)
        .write("known/list.toml", list)
        .write("deep/x", "");
    assert_eq!(wired.only("deep", &[]).run().status, Some(0));
    // The one that is named counts alone.
    let wired = configured(&text)
        .write("known/list.toml", "nonsense")
        .write("other.toml", list);
    assert_eq!(
        wired.with(&["--known-failures", "other.toml"]).run().status,
        Some(0)
    );
}

#[test]
fn reports() {
    let wired = configured("[reports]\njson = \"out/a.json\"\nmarkdown = \"STANDING.md\"\n")
        .write("out/x", "")
        .write("deep/x", "")
        .only("deep", &["--report", "human=b.txt"]);
    let ran = wired.report();
    let human = ran.well();
    let read = |name: &str| fs::read_to_string(wired.path(name)).expect(name);
    assert_eq!(read("deep/b.txt"), human);
    assert!(read("out/a.json").starts_with("{\n  \"format\": \"standing/1\""));
    assert!(read("STANDING.md").starts_with("# Where reference "));
}

#[test]
fn the_failures_of_the_last_run_are_beside_it() {
    let wired = configured(&engine("exit:3"))
        .write("deep/x", "")
        .only("deep", &[]);
    let put = wired.run();
    trips(&put);
    let kept = |name: &str| put.wired.path(name).join(".standing/failed.txt").exists();
    assert!(kept("") && !kept("deep"));
}

/// What is said of a configuration that cannot be used.
fn refusal(text: &str) -> String {
    let tree = Tree::empty().write("conformance.toml", text);
    let Ran {
        status,
        stdout,
        stderr,
    } = tree.run(&["run"]);
    assert_eq!((status, stdout.as_str()), (Some(2), ""), "{stderr}");
    stderr
}

#[test]
fn a_key_that_is_not_known() {
    snapshot(
        refusal("engine = \"reference\"\ntimeouts = 5\n"),
        str![[r#"
error[S405]: unknown field `timeouts`, expected one of `engine`, `profiles`, `select`, `rules`, `cases`, `timeout`, `start-timeout`, `max-answer`, `jobs`, `known-failures`, `reports`, `check`
 --> conformance.toml:2:1
  |
2 | timeouts = 5
  | ^^^^^^^^
  |
  = help: did you mean `timeout`?

"#]],
    );
    snapshot(
        refusal("[reports]\nhtml = \"standing.html\"\n"),
        str![[r#"
error[S405]: unknown variant `html`, expected one of `human`, `json`, `markdown`
 --> conformance.toml:2:1
  |
2 | html = "standing.html"
  | ^^^^

"#]],
    );
}

#[test]
fn a_value_of_the_wrong_type() {
    snapshot(
        refusal("timeout = \"5\"\n"),
        str![[r#"
error[S405]: invalid type: string "5", expected a number of seconds above 0
 --> conformance.toml:1:11
  |
1 | timeout = "5"
  |           ^^^

"#]],
    );
    snapshot(
        refusal("engine = [\"php\", \"adapter.php\"]\n"),
        str![[r#"
error[S405]: invalid type: sequence, expected a string
 --> conformance.toml:1:10
  |
1 | engine = ["php", "adapter.php"]
  |          ^^^^^^^^^^^^^^^^^^^^^^

"#]],
    );
    snapshot(
        refusal("select = \"RT-SG\"\n"),
        str![[r#"
error[S405]: invalid type: string "RT-SG", expected a sequence
 --> conformance.toml:1:10
  |
1 | select = "RT-SG"
  |          ^^^^^^^

"#]],
    );
    snapshot(
        refusal("jobs = 1.5\n"),
        str![[r#"
error[S405]: invalid type: floating point `1.5`, expected a whole number above 0
 --> conformance.toml:1:8
  |
1 | jobs = 1.5
  |        ^^^

"#]],
    );
    snapshot(
        refusal("reports = \"standing.json\"\n"),
        str![[r#"
error[S405]: invalid type: string "standing.json", expected a map
 --> conformance.toml:1:11
  |
1 | reports = "standing.json"
  |           ^^^^^^^^^^^^^^^

"#]],
    );
}

#[test]
fn a_value_that_cannot_be() {
    for key in ["timeout", "start-timeout"] {
        for value in ["0", "0.0", "-1", "-0.5", "nan", "inf"] {
            let said = refusal(&format!("\n{key} = {value}\n"));
            let place = format!(" --> conformance.toml:2:{}\n", key.len() + 4);
            assert!(
                said.contains("expected a number of seconds above 0\n"),
                "{said}"
            );
            assert!(said.contains(&place), "{said}");
        }
    }
    for key in ["jobs", "max-answer"] {
        for value in ["0", "-1"] {
            let said = refusal(&format!("\n{key} = {value}\n"));
            let place = format!(" --> conformance.toml:2:{}\n", key.len() + 4);
            assert!(said.contains("expected a whole number above 0\n"), "{said}");
            assert!(said.contains(&place), "{said}");
        }
    }
    snapshot(
        refusal("profiles = [\"runtime\", \"storage\"]\n"),
        str![[r#"
error[S405]: unknown variant `storage`, expected one of `runtime`, `storage-api`, `editor-client`
 --> conformance.toml:1:24
  |
1 | profiles = ["runtime", "storage"]
  |                        ^^^^^^^^^

"#]],
    );
    snapshot(
        refusal("select = [\"RT-SG\", \"SG-99\"]\n"),
        str![[r#"
error[S401]: `SG-99` fits no rule, clause, case or family
 --> conformance.toml:1:20
  |
1 | select = ["RT-SG", "SG-99"]
  |                    ^^^^^^^
  |
  = help: `standing list` lists what there is

"#]],
    );
    snapshot(
        refusal("engine = \"\"\n"),
        str![[r#"
error[S403]: the engine's command line is empty
 --> conformance.toml:1:10
  |
1 | engine = ""
  |          ^^

"#]],
    );
    snapshot(
        refusal("engine = \"php 'adapter.php\"\n"),
        str![[r#"
error[S403]: the engine's command line cannot be split into words: missing closing quote
 --> conformance.toml:1:10
  |
1 | engine = "php 'adapter.php"
  |          ^^^^^^^^^^^^^^^^^^
  |
  = help: quote it as for a shell: --engine "php 'my adapter.php'"

"#]],
    );
    snapshot(
        refusal("engine = \"reference:no-such\"\n"),
        str![[r#"
error[S403]: there is no misreading `no-such`
 --> conformance.toml:1:10
  |
1 | engine = "reference:no-such"
  |          ^^^^^^^^^^^^^^^^^^^
  |
  = help: `standing adequacy` lists them

"#]],
    );
}

#[test]
fn a_file_that_is_no_toml() {
    snapshot(
        refusal("engine: reference\n"),
        str![[r#"
error[S405]: key with no value, expected `=`
 --> conformance.toml:1:9
  |
1 | engine: reference
  |         ^

"#]],
    );
    snapshot(
        refusal("jobs = 1\njobs = 2\n"),
        str![[r#"
error[S405]: duplicate key
 --> conformance.toml:2:1
  |
2 | jobs = 2
  | ^^^^

"#]],
    );
}

#[test]
fn a_file_that_is_not_there() {
    let ran = Tree::empty().run(&["--config", "conformance.toml"]);
    ran.refused(str![[r#"
error[R100]: cannot read `conformance.toml`: no such file or directory

"#]]);
    let ran = Tree::empty().write("x/y", "").run(&["--config", "x"]);
    ran.refused(str![[r#"
error[R100]: cannot read `x`: is a directory

"#]]);
}
