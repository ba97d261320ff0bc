//! `standing adequacy`, and misreadings as engines.

use std::{fs, path::Path, sync::LazyLock};

use serde_json::Value;
use snapbox::file;

use crate::support::{Tree, files, snapshot, standing, standing_here};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

/// The adequacy of all that the program carries.
static WHOLE: LazyLock<Value> = LazyLock::new(|| {
    let printed = standing_here(&["adequacy", "--format", "json"]).well();
    json(&printed)
});

/// The misreadings in an adequacy, each with `SG-16:2`.
fn misreadings(adequacy: &Value) -> Vec<(String, &Value)> {
    let list = |value: &'_ Value| value.as_array().expect("a list").len();
    let mut all = Vec::new();
    for rule in 0..list(&adequacy["rules"]) {
        let rule = &adequacy["rules"][rule];
        for clause in rule["clauses"].as_array().expect("its clauses") {
            let id = rule["id"].as_str().expect("an id");
            let selector = format!("{id}:{}", clause["clause"]);
            for misreading in clause["misreadings"].as_array().expect("its misreadings") {
                all.push((selector.clone(), misreading));
            }
        }
    }
    all
}

fn caught_by(misreading: &Value) -> Vec<&str> {
    let cases = misreading["caught_by"].as_array().expect("a list of cases");
    cases.iter().map(|c| c.as_str().expect("a name")).collect()
}

#[test]
fn every_misreading_is_caught_by_a_case_of_its_clause() {
    let summary = &WHOLE["summary"];
    assert!(summary["misreadings"].as_u64() >= Some(500), "{summary}");
    for none in ["survive", "caught_elsewhere"] {
        assert_eq!(summary[none], 0, "{none}");
    }
    for (clause, misreading) in misreadings(&WHOLE) {
        assert_eq!(
            misreading["clause_fails"], true,
            "{clause} {}",
            misreading["name"]
        );
    }
}

#[test]
fn every_clause_that_can_be_tested_is_misread() {
    for rule in WHOLE["rules"].as_array().expect("the rules") {
        for clause in rule["clauses"].as_array().expect("its clauses") {
            let misread = clause["misreadings"] != Value::Array(Vec::new());
            let untestable = clause["untestable"].is_string();
            assert_ne!(misread, untestable, "{} {clause}", rule["id"]);
        }
    }
    let rules = WHOLE["rules"].as_array().expect("the rules");
    let families = ["GR-EDGE", "RT-BR", "RT-DATA", "RT-INT", "RT-SG", "RESUME"];
    for family in families {
        assert!(rules.iter().any(|r| r["family"] == family), "{family}");
    }
}

#[test]
fn a_case_that_alone_catches_one_is_missed() {
    let all = misreadings(&WHOLE);
    let alone = all.iter().find(|(_, m)| caught_by(m).len() == 1);
    let (clause, misreading) = alone.expect("a misreading that one case alone catches");
    let (rule, case) = caught_by(misreading)[0]
        .split_once('/')
        .expect("a case of a rule");
    let name = misreading["name"].as_str().expect("a name");

    let mut tree = Tree::empty();
    for file in ["rules", "cases"]
        .iter()
        .flat_map(|folder| files(Path::new(folder)))
    {
        let text = fs::read_to_string(&file).expect("a file of the package");
        tree = tree.write(&file.to_string_lossy(), text);
    }
    let args = ["adequacy", clause, "--rules", "rules", "--cases", "cases"];
    tree.run(&args).well();

    let file = files(Path::new("cases"))
        .into_iter()
        .find(|file| file.ends_with(format!("{}.yml", rule.to_lowercase())))
        .expect("the rule's cases");
    let path = file.to_string_lossy();
    let tree = tree.write(
        &path,
        without(&fs::read_to_string(&file).expect("cases"), case),
    );
    let printed = tree.run(&args).ended(1);
    let survivor = printed.lines().find(|line| line.contains("survives"));
    let survivor = survivor.expect("one survives");
    assert!(survivor.contains(&format!(" {name} ")), "{survivor}");
    assert!(printed.contains("1 survive"), "{printed}");
}

/// A case file without one of its cases.
fn without(text: &str, case: &str) -> String {
    let from = text.find(&format!("  - name: {case}\n")).expect("the case");
    let len = text[from + 1..].find("\n  - name: ").map(|n| n + 2);
    let to = len.map_or(text.len(), |len| from + len);
    text[..from].to_owned() + &text[to..]
}

#[test]
fn what_the_examples_let_through_is_what_is_documented() {
    let document = fs::read_to_string("docs/adequacy.md").expect("the document");
    let call = "$ standing adequacy --examples-only\n";
    let (before, rest) = document.split_once(call).expect("the call");
    let (_, after) = rest.split_once("```").expect("the end of its block");
    let printed = Tree::empty().run(&["adequacy", "--examples-only"]).ended(1);
    snapshot(
        format!("{before}{call}{}\n```{after}", printed.trim_end()),
        file!["../../docs/adequacy.md"],
    );
}

#[test]
fn only_what_is_selected_is_tried() {
    let printed = standing_here(&["adequacy", "SG-16:2", "--format", "json"]).well();
    let adequacy = json(&printed);
    let tried = misreadings(&adequacy);
    assert!(tried.iter().any(|(_, m)| m["name"] == "loop-per-tail"));
    for (clause, misreading) in tried {
        assert_eq!(clause, "SG-16:2");
        assert!(
            caught_by(misreading)
                .iter()
                .all(|case| case.starts_with("SG-16/"))
        );
    }
    let again = standing_here(&["adequacy", "SG-16:2", "--format", "json"]).well();
    assert_eq!(again, printed);

    let one = standing_here(&["adequacy", "SG-19/nine-is-behind-ten"]).ended(1);
    let caught: Vec<&str> = one
        .lines()
        .filter(|line| line.contains("nine-is-behind-ten"))
        .collect();
    assert!(
        caught.iter().any(|line| line.contains("rounds-are-text")),
        "{one}"
    );
    assert!(
        one.contains("behind-on-any-loop") == one.contains("¶2"),
        "{one}"
    );
}

#[test]
fn rules_that_nobody_misreads() {
    let printed = standing(&["adequacy", "--rules", "rules", "--cases", "cases"]);
    // The fixture has cases that the reference passes, and no misreading is of its rules.
    let text = printed.stdout;
    assert!(text.starts_with("rules without a misreading: "), "{text}");
    assert!(text.contains("  misreadings     0  none"), "{text}");
}

#[test]
fn a_case_that_the_reference_fails_catches_nothing() {
    let rule = fs::read_to_string("rules/rt-sg/sg-16.md").expect("a rule");
    let cases = "rule: SG-16
cases:
  - name: nobody-passes
    clauses: [1]
    operation: loops.resolve
    given: { edges: [] }
    expect: { loops: { head: [head] } }
    match: includes
";
    let tree = Tree::empty()
        .write("rules/sg-16.md", rule)
        .write("cases/sg-16.yml", cases);
    let args = [
        "adequacy", "--rules", "rules", "--cases", "cases", "--format", "json",
    ];
    let adequacy = json(&tree.run(&args).ended(1));
    assert_eq!(adequacy["unsound"][0], "SG-16/nobody-passes");
    assert_eq!(adequacy["summary"]["caught"], 0);
    let printed = tree.run(&args[..5]).ended(1);
    assert!(
        printed.contains("SG-16/nobody-passes not passed by the reference"),
        "{printed}"
    );
}

fn record(engine: &str) -> String {
    let args = [
        "run",
        "SG-16",
        "--format",
        "json",
        "--no-timing",
        "--engine",
        engine,
    ];
    standing_here(&args).ended(1)
}

#[test]
fn a_misreading_fails_what_it_misreads() {
    let record = json(&record("reference:loop-per-tail"));
    assert_eq!(record["engine"]["name"], "reference:loop-per-tail");
    assert_eq!(record["rules"][0]["clauses"][1]["clause"], 2);
    assert_eq!(record["rules"][0]["clauses"][1]["standing"], "fails");
}

#[test]
fn a_misreading_over_the_wire_is_the_same() {
    let program = env!("CARGO_BIN_EXE_standing");
    assert_eq!(
        record(&format!("'{program}' engine reference:loop-per-tail")),
        record("reference:loop-per-tail")
    );
}
