//! Reports in the formats of others. That each is what it claims to be, tools of others say in
//! `.ci/formats`; here it is what they say.

use std::fs;

use snapbox::{file, str};
use standing::{
    engine::{Answer, Refusal},
    report,
    standing::Record,
};

use crate::{
    acme::{Canned, acme, hopeless, options, record, spec},
    support::{Tree, snapshot, standing_here},
};

fn of_acme() -> Record {
    record(&spec(), acme(), &options(None))
}

fn of_hopeless() -> Record {
    let patience = std::time::Duration::from_secs(2);
    record(&spec(), hopeless(), &options(Some(patience)))
}

#[test]
fn tap() {
    snapshot(
        report::tap(&of_acme()),
        str![[r#"
TAP version 14
# acme 2.1
# This is the implementer's own statement, made by running this suite. It is no certification.
1..5
# Subtest: LOOP-1 What a loop holds
    1..2
    ok 1 - two-ways-back
    ok 2 - beside-the-way
ok 1 - LOOP-1 What a loop holds
# Subtest: LOOP-2 Rounds of a run
    1..2
    ok 1 - one-round # SKIP unsupported: the engine does not do `workflow.launch`, `workflow.advance`, `workflow.state`
    ok 2 - no-such-loop # SKIP unsupported: the engine does not do `rounds.advance`
ok 2 - LOOP-2 Rounds of a run # SKIP unsupported
# Subtest: LOOP-10 How loops are drawn
    1..0 # SKIP no case
ok 3 - LOOP-10 How loops are drawn # SKIP untested
# Subtest: PORT-1 The port that a handle names
    1..2
    ok 1 - output
    ok 2 - input
ok 4 - PORT-1 The port that a handle names
# Subtest: PORT-1/a A branch is a port
    1..1
    ok 1 - branch-of-an-output
ok 5 - PORT-1/a A branch is a port

"#]],
    );
    let text = report::tap(&of_hopeless());
    assert!(text.contains("    not ok 1 - "), "{text}");
    assert!(text.contains("      message: \""), "{text}");
}

#[test]
fn junit() {
    let mut record = of_hopeless();
    let known = standing::standing::KnownRecord {
        reason: "until 2.2".into(),
        link: None,
    };
    let first = record.rules[0]
        .cases
        .iter_mut()
        .find(|c| c.outcome.is_failure());
    first.expect("a failure").known = Some(known);
    let text = report::junit(&record).expect("XML");
    let has = |what: &str| assert!(text.contains(what), "{what}\n{text}");
    has("<testsuites name=\"acme 2.1\"");
    has("message=\"until 2.2\" type=\"known failure\"");
    has("<error message=\"no answer within 2s\" type=\"timeout\">");
    has("<testcase name=\"one-round\" classname=\"LOOP-2\">");
}

#[test]
fn badges_say_how_much_is_met() {
    let badges = report::badges(&of_acme());
    let names: Vec<&str> = badges.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "EX-LOOP",
            "EX-PORT",
            "core",
            "editor-client",
            "extended",
            "runtime",
            "standing",
            "storage-api"
        ]
    );
    assert_eq!(badges["EX-PORT"]["message"], "meets");
    assert_eq!(badges["EX-PORT"]["color"], "brightgreen");
    assert_eq!(badges["standing"]["label"], "acme");
}

#[test]
fn annotations_are_a_line_each_and_stand_where_the_case_is_listed() {
    let record = of_hopeless();
    let text = report::github_annotations(&record, |_, _| None);
    assert_eq!(text.lines().count(), record.failures().count());
    assert!(
        text.lines().all(|line| line.starts_with("::error file=")),
        "{text}"
    );
    let tree = Tree::empty()
        .write("r.json", serde_json::to_string(&record).expect("JSON"))
        .write(
            "conformance.toml",
            "# what is put\nselect = [\"EX-LOOP\",\n  \"PORT-1/a\", \"PORT-1\"]\n",
        );
    let args = [
        "report",
        "r.json",
        "--format",
        "github",
        "--annotate",
        "conformance.toml",
    ];
    for line in tree.run(&args).well().lines() {
        let at = if line.contains("title=LOOP") { 2 } else { 3 };
        assert!(
            line.starts_with(&format!("::error file=conformance.toml,line={at},")),
            "{line}"
        );
    }
}

#[test]
fn what_an_engine_says_stays_text() {
    let evil = "</pre><script>x</script>]]>|\n::error::y\u{0}\u{1b}[2J\u{202e}\u{fffe}# SKIP";
    let engine =
        Canned::new(move |_, _| Ok(Answer::Refused(Refusal::new(evil, evil).with(evil, evil))));
    let mut record = record(&spec(), engine, &options(None));
    record.engine.name = evil.into();
    let suite = spec();
    let page = report::html(&report::Page {
        records: &[record.clone()],
        suite: Some(&*suite),
        command: "standing run",
        differences: false,
    });
    let all = [
        ("html", page),
        ("junit", report::junit(&record).expect("XML")),
        ("tap", report::tap(&record)),
        ("summary", report::github_summary(&record)),
        (
            "annotations",
            report::github_annotations(&record, |_, _| None),
        ),
        ("earl", report::earl(&record)),
        ("markdown", report::markdown(&record)),
    ];
    for (what, text) in &all {
        // What XML and YAML forbid, Markdown and JSON may hold.
        let forbidden = if ["junit", "tap"].contains(what) {
            '\u{fffe}'
        } else {
            '\u{202e}'
        };
        let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}' || c == forbidden;
        assert!(!text.contains(acts), "{what}: {text:?}");
        if *what != "earl" && *what != "tap" && *what != "annotations" {
            assert!(!text.contains("<script>x"), "{what}");
        }
    }
    // A line that begins so is a command to whoever reads the log.
    let annotations = &all[4].1;
    let commands = annotations
        .lines()
        .filter(|line| line.trim_start().starts_with("::"));
    assert_eq!(commands.count(), record.failures().count(), "{annotations}");
    let points = all[2]
        .1
        .lines()
        .filter(|line| line.starts_with("    not ok "));
    assert!(points.clone().count() > 0);
    assert!(
        points.into_iter().all(|line| !line.contains("# SKIP")),
        "{}",
        all[2].1
    );
}

#[test]
fn a_case_that_passed_takes_little_room() {
    let page = |record: Record| {
        report::html(&report::Page {
            records: &[record],
            suite: None,
            command: "standing run",
            differences: false,
        })
    };
    let record = of_acme();
    let mut many = record.clone();
    let rule = many
        .rules
        .iter_mut()
        .find(|r| r.id.as_str() == "PORT-1")
        .expect("a rule");
    for n in 0..100 {
        let mut case = rule.cases[0].clone();
        case.case = format!("PORT-1/one-of-many-with-a-name-of-some-length-{n}");
        rule.cases.push(case);
    }
    let each = (page(many).len() - page(record).len()) / 100;
    assert!(each < 1024, "{each} bytes");
}

#[test]
fn reports_of_many_kinds_at_once() {
    let tree = Tree::spec();
    let ran = tree.run(&[
        "run",
        "--rules",
        "rules",
        "--cases",
        "cases",
        "--quiet",
        "--report",
        "json=a.json",
        "--report",
        "junit=a.xml",
        "--report",
        "html=site/",
        "--report",
        "badges=made/badges",
        "--report",
        "tap=a.tap",
        "--report",
        "earl=a.jsonld",
        "--report",
        "github=a.md",
    ]);
    assert_eq!(ran.stderr, "");
    for file in [
        "a.json",
        "a.xml",
        "site/index.html",
        "made/badges/core.json",
        "a.tap",
        "a.jsonld",
        "a.md",
    ] {
        assert!(!tree.read(file).is_empty(), "{file}");
    }
    // Nothing is left beside them.
    let hidden = fs::read_dir(tree.path())
        .expect("it is there")
        .filter(|entry| {
            let name = entry.as_ref().expect("an entry").file_name();
            name.to_string_lossy().starts_with(".standing-")
        });
    assert_eq!(hidden.count(), 0);
    // The page of the record is that of the run, but for what it takes from the suite: nothing here.
    let again = tree.run(&[
        "report", "a.json", "--rules", "rules", "--cases", "cases", "--format", "html",
    ]);
    assert_eq!(again.well(), tree.read("site/index.html"));
}

#[test]
fn what_is_about_one_record() {
    let text = serde_json::to_string(&of_acme()).expect("JSON");
    let tree = Tree::empty().write("a.json", &text).write("b.json", &text);
    tree.run(&["report", "a.json", "b.json", "--format", "junit"])
        .refused(str![[r#"
error[S403]: junit is about one record, and there are 2
 |
 = help: html, markdown and human show several beside each other

"#]]);
    tree.run(&["report", "a.json", "--report", "yaml=x"])
        .refused(str![[r#"
error: invalid value 'yaml=x' for '--report <FORMAT=FILE>': FORMAT=FILE is expected, and FORMAT is one of human, json, html, markdown, junit, tap, github, badges, earl

For more information, try '--help'.

"#]]);
}

#[test]
fn engines_beside_each_other() {
    let one = serde_json::to_string(&of_acme()).expect("JSON");
    let other = serde_json::to_string(&of_hopeless()).expect("JSON");
    let tree = Tree::empty().write("a.json", one).write("b.json", other);
    snapshot(
        tree.run(&["report", "a.json", "b.json"]).well(),
        str![[r#"
          acme 2.1              acme 2.1
EX-LOOP
LOOP-1    meets          2/2    fails          1/2
LOOP-2    unsupported    0/2    fails          0/2
LOOP-10   untested       0/0    untested       0/0
EX-PORT
PORT-1    meets          2/2    fails          0/2
PORT-1/a  meets          1/1    fails          0/1

This is the implementer's own statement, made by running this suite. It is no certification.

"#]],
    );
    snapshot(
        tree.run(&[
            "report",
            "a.json",
            "b.json",
            "--format",
            "markdown",
            "--differences",
        ])
        .well(),
        str![[r#"
# acme 2.1, acme 2.1

This is the implementer's own statement, made by running this suite. It is no certification.

- acme 2.1: 5 of 7 cases passed
- acme 2.1: 1 of 7 cases passed

## EX-LOOP

| rule | acme 2.1 | acme 2.1 | title |
| --- | --- | --- | --- |
| LOOP-1 | meets 2/2 | fails 1/2 | What a loop holds |
| LOOP-2 | unsupported 0/2 | fails 0/2 | Rounds of a run |

## EX-PORT

| rule | acme 2.1 | acme 2.1 | title |
| --- | --- | --- | --- |
| PORT-1 | meets 2/2 | fails 0/2 | The port that a handle names |
| PORT-1/a | meets 1/1 | fails 0/1 | A branch is a port |

"#]],
    );
    let same = tree
        .run(&["report", "a.json", "a.json", "--differences"])
        .well();
    assert!(same.contains("They differ in no rule."), "{same}");
}

#[test]
fn a_case_is_drawn() {
    let tree = Tree::empty();
    tree.run(&["show", "SG-16/two-tails-one-head", "--draw", "g.svg"])
        .well();
    let svg = tree.read("g.svg");
    assert!(
        svg.starts_with("<svg") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    assert!(svg.contains("class=\"node in loop0\""), "{svg}");
    tree.run(&["show", "SG-16", "--draw", "g.svg"])
        .refused(str![[r#"
error[S403]: `--draw` draws the graphs of one case
 |
 = help: name a case, as `SG-16/two-tails-one-head`

"#]]);
}

#[test]
fn completions_and_manual_pages() {
    let tree = Tree::empty();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = tree.run(&["completions", shell]).well();
        assert!(script.contains("adequacy"), "{shell}: {script}");
    }
    assert!(tree.run(&["man"]).well().contains(".TH standing 1"));
    tree.run(&["man", "pages"]).well();
    assert!(tree.read("pages/standing-compare.1").contains("vanished"));
}

#[test]
fn what_is_committed_of_the_standings_is_what_the_records_give() {
    let fresh = standing_here(&["--format", "json", "--no-timing"]).well();
    snapshot(fresh, file!["../../docs/standings/reference.json"]);

    let record = |name: &str| format!("docs/standings/{name}.json");
    let [old, middle, new] = ["nodus-5.0.4", "nodus-5.1.0", "nodus-5.15.0"].map(record);
    let (reference, langgraph) = (record("reference"), record("langgraph-1.2.24"));
    let all = [&reference, &old, &middle, &new, &langgraph].map(String::as_str);
    let matrix = |format: &str| {
        let args = [&["report", "--format", format], &all[..]].concat();
        standing_here(&args).well()
    };
    snapshot(matrix("markdown"), file!["../../docs/standings/matrix.md"]);
    snapshot(matrix("html"), file!["../../docs/standings/matrix.html"]);
    let compared =
        |old: &str, new: &str| standing_here(&["compare", old, new, "--format", "markdown"]).well();
    snapshot(
        compared(&old, &middle),
        file!["../../docs/standings/nodus-5.0.4-to-5.1.0.md"],
    );
    snapshot(
        compared(&middle, &new),
        file!["../../docs/standings/nodus-5.1.0-to-5.15.0.md"],
    );
}
