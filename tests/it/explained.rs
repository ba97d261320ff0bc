//! `standing explain`, and the pages that it prints: what they call wrong is wrong in just that
//! way, and what they call right is not.

use std::{env, process::Command};

use snapbox::str;
use standing::{
    check::{CaseSource, Levels, check, explanation, headline},
    diagnostics::Code,
};

use crate::support::{Ran, Tree, standing_here};

/// The fenced blocks of a page.
fn blocks(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<(String, Vec<&str>)> = None;
    for line in page.lines() {
        open = match open.take() {
            Some((marks, lines)) if line == marks => {
                found.push(lines.join("\n"));
                None
            }
            Some((marks, mut lines)) => {
                lines.push(line);
                Some((marks, lines))
            }
            None => {
                let marks: String = line.chars().take_while(|c| *c == '`').collect();
                (marks.len() >= 3).then(|| (marks, Vec::new()))
            }
        };
    }
    assert!(open.is_none(), "{page}");
    found
}

/// The codes that a check of a tree finds.
fn found(tree: &Tree) -> Vec<Code> {
    let cases = [tree.path().join("cases")];
    let checked = check(
        &[tree.path()],
        CaseSource::Paths(&cases),
        &Levels::default(),
    );
    checked.findings.iter().map(|f| f.code).collect()
}

/// Whether commands, carried out by a shell in a fresh tree, tell of a code.
fn tell(commands: &str, code: Code) -> bool {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_standing"));
    let path = format!(
        "{}:{}",
        binary.parent().expect("its folder").display(),
        env::var("PATH").unwrap_or_default()
    );
    let tree = Tree::author();
    let mut shell = Command::new("sh");
    shell.args(["-c", commands]).current_dir(tree.path());
    let ran = Ran::of(shell.env("PATH", path));
    let mark = format!("[{}]", code.id());
    ran.stdout.contains(&mark) || ran.stderr.contains(&mark)
}

#[test]
fn each_code_has_a_page_whose_examples_are_wrong_and_right() {
    for code in Code::ALL {
        let page = explanation(*code).unwrap_or_else(|| panic!("{code:?} has no page"));
        let examples = blocks(page);
        let Some((_, rest)) = page.split_once("Wrong, in `") else {
            let [wrong, right] = examples.as_slice() else {
                panic!("{page}")
            };
            assert!(tell(wrong, *code), "{wrong}");
            assert!(!tell(right, *code), "{right}");
            continue;
        };
        let file = rest.split('`').next().expect("a path");
        let tree = match examples.as_slice() {
            [wrong, right] => {
                let tree = Tree::author();
                assert_eq!(found(&tree), [], "{code:?}");
                tree.change(file, right, wrong)
            }
            [wrong] => Tree::author().write(file, format!("{wrong}\n")),
            _ => panic!("{page}"),
        };
        assert_eq!(found(&tree), [*code], "{page}");
    }
}

#[test]
fn every_code_is_listed_with_a_sentence() {
    let list = standing_here(&["explain"]).well();
    assert_eq!(list.lines().count(), Code::ALL.len());
    for (line, code) in list.lines().zip(Code::ALL) {
        let says = headline(*code).expect("a sentence");
        assert!(
            line.starts_with(code.id()) && line.contains(&code.name()),
            "{line}"
        );
        assert!(line.ends_with(&says) && says.len() > 10, "{line}");
    }
}

#[test]
fn a_code_is_explained_by_its_id_or_its_name() {
    let page = standing_here(&["explain", "R105"]).well();
    assert!(page.starts_with("## R105 unknown-level\n\n"), "{page}");
    assert_eq!(standing_here(&["explain", "Unknown-Level"]).well(), page);
    standing_here(&["explain", "unknown-levels"]).refused(str![[r#"
error[S403]: there is no code `unknown-levels`
 |
 = help: did you mean `unknown-level`?

"#]]);
}
