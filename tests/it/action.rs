//! The steps of the GitHub action, with the test as the runner.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use crate::support::{Ran, Tree};

/// Runs a step in a folder of its own.
fn step(tree: &Tree, name: &str, variables: &[(&str, &str)]) -> Ran {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(root.join("action/steps"));
    let here = |name: &str| tree.path().join(name);
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .arg(name)
        .current_dir(tree.path())
        .env("STANDING", env!("CARGO_BIN_EXE_standing"))
        .env("PATH", format!("{}:{path}", tree.path().display()))
        .env("RUNNER_TEMP", here("temp"))
        .env("GITHUB_STEP_SUMMARY", here("summary"))
        .env("GITHUB_OUTPUT", here("output"))
        .env("GITHUB_ACTION_PATH", root)
        .env("GITHUB_REPOSITORY", "acme/engine")
        .env("GITHUB_WORKFLOW", "conformance")
        .env("GITHUB_BASE_REF", "main")
        .env("INPUT_ARTIFACT", "standing")
        .envs(variables.iter().copied());
    Ran::of(&mut command)
}

fn tree() -> Tree {
    Tree::empty()
        .write("temp/x", "")
        .write("conformance.toml", "select = [\n  \"SG-16\",\n]\n")
}

const MISREAD: (&str, &str) = ("INPUT_ENGINE", "reference:walk-tool-edges");

#[test]
fn an_engine_that_falls_short() {
    let tree = tree();
    let ran = step(&tree, "run", &[MISREAD]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    let annotations = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with("::error "));
    let annotations: Vec<&str> = annotations.collect();
    assert_eq!(annotations.len(), 3, "{}", ran.stdout);
    let at = "::error file=conformance.toml,line=2,title=SG-16/";
    assert!(
        annotations.iter().all(|line| line.starts_with(at)),
        "{}",
        ran.stdout
    );
    // Nothing that is printed before is a command, but the one that says so and its end.
    let mut commands = ran.stdout.lines().filter(|line| line.starts_with("::"));
    let word = commands
        .next()
        .and_then(|line| line.strip_prefix("::stop-commands::"));
    assert_eq!(
        commands.next(),
        Some(format!("::{}::", word.expect("it is stopped")).as_str())
    );
    assert!(
        tree.read("summary")
            .starts_with("## ❌ Where reference:walk-tool-edges")
    );
    assert!(
        tree.read("output").ends_with("fell-short=true\n"),
        "{}",
        tree.read("output")
    );
    for file in ["standing.json", "junit.xml", "index.html", "standing.md"] {
        assert!(
            !tree
                .read(&format!("temp/standing-reports/{file}"))
                .is_empty()
        );
    }
    assert_eq!(
        step(&tree, "conclude", &[("FELL_SHORT", "true")]).status,
        Some(1)
    );
}

#[test]
fn an_engine_that_stands_worse_than_before() {
    let tree = tree();
    step(&tree, "run", &[]).well();
    assert!(tree.read("output").ends_with("fell-short=false\n"));
    step(&tree, "conclude", &[("FELL_SHORT", "false")]).well();
    let reports = tree.path().join("temp/standing-reports");
    fs::copy(reports.join("standing.json"), tree.path().join("base.json")).expect("a record");
    // The runner's `gh` finds a run of the base branch, and its artifact.
    let gh = "#!/bin/sh\necho \"$@\" >> asked\ncase $2 in\nlist) echo 42 ;;\n\
        download) mkdir -p temp/standing-baseline; cp base.json temp/standing-baseline/standing.json ;;\nesac\n";
    let tree = tree.write("gh", gh);
    let gh = tree.path().join("gh");
    fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).expect("it is there");
    let ran = step(&tree, "compare", &[]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert!(
        tree.read("asked")
            .contains("run download 42 --repo acme/engine --name standing")
    );
    step(&tree, "run", &[MISREAD]);
    let ran = step(&tree, "compare", &[]);
    assert_eq!(ran.status, Some(1), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("::error::"), "{}", ran.stdout);
    assert!(
        tree.read("summary").contains("### Worse\n"),
        "{}",
        tree.read("summary")
    );
    // A record that is named is taken instead.
    let named = [("INPUT_BASELINE", "temp/standing-reports/standing.json")];
    assert_eq!(step(&tree, "compare", &named).status, Some(0));
}

#[test]
fn a_base_branch_without_a_record() {
    let tree = tree().write("gh", "#!/bin/sh\nexit 1\n");
    let gh = tree.path().join("gh");
    fs::set_permissions(&gh, fs::Permissions::from_mode(0o755)).expect("it is there");
    step(&tree, "run", &[]).well();
    let said = step(&tree, "compare", &[]).well();
    assert_eq!(
        said,
        "::notice::There is no record of main to compare with.\n"
    );
}

#[test]
fn a_call_that_is_wrong_ends_it() {
    let ran = step(&tree(), "run", &[("INPUT_SELECT", "SG-99")]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("SG-99"), "{}", ran.stderr);
}
