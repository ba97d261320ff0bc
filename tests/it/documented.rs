//! What the documentation shows is what happens.

use std::{fs, path::Path};

use crate::support::Tree;

fn documents() -> Vec<String> {
    let docs = fs::read_dir("docs").expect("the folder of the documentation");
    let mut all: Vec<String> = docs
        .map(|entry| {
            entry
                .expect("an entry")
                .path()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|path| path.ends_with(".md"))
        .collect();
    all.push("README.md".into());
    all.sort();
    all
}

/// The blocks of a language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    text.split(&format!("```{language}\n"))
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect()
}

#[test]
fn what_is_printed_is_what_is_shown() {
    let mut shown = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for block in blocks(&text, "console") {
            let tree = Tree::empty();
            for example in block.split("$ standing").skip(1) {
                let (call, output) = example.split_once('\n').expect("a call is a line");
                let args: Vec<&str> = call.split_whitespace().collect();
                let printed = tree.run(&args).well();
                assert_eq!(
                    output.trim_end(),
                    printed.trim_end(),
                    "{document}: standing{call}"
                );
                shown += 1;
            }
        }
    }
    assert!(shown >= 2, "the documentation shows {shown} calls");
}

#[test]
fn links_lead_somewhere() {
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        let folder = Path::new(&document).parent().expect("its folder");
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let path = link.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") {
                continue;
            }
            assert!(folder.join(path).exists(), "{document} links to {link}");
        }
    }
}
