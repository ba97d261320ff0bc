//! Small documents with one fault each: what is found, where, and that its own advice mends it.
//!
//! Each is the small specification in `fixtures/author` with one piece changed.

use std::{fs, path::Path};

use standing::{
    check::{CaseSource, Checked, Levels, check, fix},
    diagnostics::Diagnostic,
};

use crate::support::Tree;

const LOOP_1: &str = "rules/LOOP-1.yml";
const LOOP_2: &str = "rules/LOOP-2.yml";
const LOOP_3: &str = "pages/ex-loop/loop-3.md";
const LOOP_4: &str = "pages/ex-loop/loop-4.md";
const NARRATIVE: &str = "narrative/LOOP-1.mdx";
const REGISTRY: &str = "rules/REGISTRY.lock";
const SCHEMA: &str = "rules/schema.json";
const CASES_1: &str = "cases/ex-loop/loop-1.yml";
const CASES_3: &str = "cases/ex-loop/loop-3.yml";

/// One piece of the specification, broken.
struct Broken {
    what: &'static str,
    file: &'static str,
    /// As it should be; empty where there should be no such file.
    right: &'static str,
    wrong: &'static str,
    /// The code and the place.
    found: &'static str,
    /// The advice, or what is wrong where that is the advice.
    says: &'static str,
    mend: Mend,
}

/// How the advice is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mend {
    /// What is offered is written over what is marked.
    Offered,
    /// `--fix` does it.
    Fixed,
    /// An author does what it says, which is to write what was there.
    Undone,
    /// The file is taken out.
    Removed,
}

fn checked(tree: &Tree) -> Checked {
    let cases = [tree.path().join("cases")];
    check(
        &[tree.path()],
        CaseSource::Paths(&cases),
        &Levels::default(),
    )
}

/// `R105 rules/LOOP-1.yml:14:8`.
fn shown(tree: &Tree, finding: &Diagnostic) -> String {
    let Some(place) = &finding.place else {
        return finding.to_string();
    };
    let at = place.line_column();
    let path = Path::new(place.path()).strip_prefix(tree.path());
    let path = path.unwrap_or(Path::new(place.path())).display();
    format!("{} {path}:{}:{}", finding.code.id(), at.line, at.column)
}

#[track_caller]
fn is_clean(tree: &Tree, what: &str) {
    let found = checked(tree).findings;
    assert!(found.is_empty(), "{what}: {found:#?}");
}

fn mended(tree: Tree, broken: &Broken, finding: &Diagnostic) -> Tree {
    match broken.mend {
        Mend::Offered => {
            let help = finding.help.as_deref().expect("something is offered");
            let quotes = ['`', '"'];
            let offered = help.split(quotes).nth(1).expect("it is in quotes");
            let place = finding.place.as_ref().expect("it has a place");
            let mut text = place.source().text().to_owned();
            let marked = &text[place.span()];
            // An attribute is marked whole.
            let offered = match marked.split_once('=') {
                Some((_, value)) => format!("{offered}={value}"),
                None => offered.to_owned(),
            };
            text.replace_range(place.span(), &offered);
            tree.write(broken.file, text)
        }
        Mend::Fixed => {
            for fixed in fix(&checked(&tree).findings) {
                fs::write(fixed.source.path(), fixed.written()).expect("it is written");
            }
            tree
        }
        Mend::Undone => tree.write(broken.file, Tree::author().read(broken.file)),
        Mend::Removed => {
            fs::remove_file(tree.path().join(broken.file)).expect("it was there");
            tree
        }
    }
}

#[test]
fn the_specification_without_a_fault_is_clean() {
    is_clean(&Tree::author(), "as it is");
}

#[test]
fn each_fault_is_found_where_it_is_and_nothing_else_and_its_advice_mends_it() {
    assert!(BROKEN.len() >= 60);
    for broken in BROKEN {
        let what = broken.what;
        let tree = match broken.right {
            "" => Tree::author().write(broken.file, broken.wrong),
            right => Tree::author().change(broken.file, right, broken.wrong),
        };
        let found = checked(&tree).findings;
        let all: Vec<String> = found.iter().map(|f| shown(&tree, f)).collect();
        assert_eq!(all, [broken.found], "{what}: {found:#?}");
        let advice = found[0].help.as_ref().unwrap_or(&found[0].message);
        assert_eq!(advice, broken.says, "{what}");
        is_clean(&mended(tree, broken, &found[0]), what);
    }
}

const A_SECOND_LOOP_4: &str = r#"id: LOOP-4
family: EX-LOOP
part: I

title: Where a loop ends

normative: >-
  A loop ends when its head has no more rounds to give.

posture: deprecated
level: optional
profiles:
  - runtime
  - storage-api

added: "1.0"
changed: "1.0"

related:
  - LOOP-1
"#;

const A_PAGE_OF_LOOP_5: &str = r#"---
id: LOOP-5
family: EX-LOOP
level: extended
profiles: [runtime]
posture: withdrawn
added: "1.0"
changed: "1.0"
specification: Example Specification 1
---

# LOOP-5 — A head of its own

*EX-LOOP · level: extended · profiles: runtime*

## The rule

> 1. A tail from which no way leads back closes no loop.
>
> 2. Its head stands alone.
"#;

#[rustfmt::skip]
const BROKEN: &[Broken] = &[
    Broken { what: "front_matter_without_an_end", file: LOOP_4, right: "Specification 1\n---\n", wrong: "Specification 1\n", found: "R102 pages/ex-loop/loop-4.md:1:1", says: "close it with a line that is `---`", mend: Mend::Undone },
    Broken { what: "no_front_matter", file: LOOP_3, right: "---\nid: LOOP-3\n", wrong: "id: LOOP-3\n", found: "R102 pages/ex-loop/loop-3.md:1:1", says: "a rule document starts with a line that is `---`", mend: Mend::Undone },
    Broken { what: "a_narrative_without_front_matter", file: NARRATIVE, right: "---\nrule: LOOP-1\n", wrong: "rule: LOOP-1\n", found: "R102 narrative/LOOP-1.mdx:1:1", says: "a rule document starts with a line that is `---`", mend: Mend::Undone },
    Broken { what: "a_list_that_is_not_closed", file: LOOP_4, right: "[runtime]", wrong: "[runtime", found: "R103 pages/ex-loop/loop-4.md:6:8", says: "close what is open, and put a text that holds `: ` or ` #` in quotes", mend: Mend::Undone },
    Broken { what: "a_quote_that_is_not_closed", file: LOOP_4, right: r#"changed: "1.0""#, wrong: r#"changed: "1.0"#, found: "R103 pages/ex-loop/loop-4.md:8:10", says: "close what is open, and put a text that holds `: ` or ` #` in quotes", mend: Mend::Undone },
    Broken { what: "a_rule_file_that_is_not_yaml", file: LOOP_1, right: "title: What a loop holds", wrong: "title: What: a loop holds", found: "R103 rules/LOOP-1.yml:5:12", says: "close what is open, and put a text that holds `: ` or ` #` in quotes", mend: Mend::Undone },
    Broken { what: "a_page_without_a_family", file: LOOP_4, right: "family: EX-LOOP\n", wrong: "", found: "R104 pages/ex-loop/loop-4.md:1:1", says: "write `family:`; a rule has id, family, level, profiles, posture, added, changed, and what its layout adds", mend: Mend::Undone },
    Broken { what: "a_page_without_a_specification", file: LOOP_4, right: "specification: Example Specification 1\n", wrong: "", found: "R104 pages/ex-loop/loop-4.md:1:1", says: "write `specification:`; a rule has id, family, level, profiles, posture, added, changed, and what its layout adds", mend: Mend::Undone },
    Broken { what: "a_rule_file_without_a_level", file: LOOP_1, right: "level: core\n", wrong: "", found: "R104 rules/LOOP-1.yml:1:1", says: "write `level:`; a rule has id, family, level, profiles, posture, added, changed, and what its layout adds", mend: Mend::Undone },
    Broken { what: "a_rule_file_without_a_title", file: LOOP_1, right: "title: What a loop holds\n", wrong: "", found: "R104 rules/LOOP-1.yml:1:1", says: "write `title:`; a rule has id, family, level, profiles, posture, added, changed, and what its layout adds", mend: Mend::Undone },
    Broken { what: "a_rule_file_without_a_part", file: LOOP_1, right: "part: I\n", wrong: "", found: "R104 rules/LOOP-1.yml:1:1", says: "write `part:`", mend: Mend::Undone },
    Broken { what: "a_level_that_is_a_list", file: LOOP_1, right: "level: core", wrong: "level: [core]", found: "R104 rules/LOOP-1.yml:14:8", says: "write a text behind `level:`", mend: Mend::Undone },
    Broken { what: "profiles_that_are_a_text", file: LOOP_4, right: "profiles: [runtime]", wrong: "profiles: runtime", found: "R104 pages/ex-loop/loop-4.md:5:11", says: "write `profiles: [runtime]`", mend: Mend::Undone },
    Broken { what: "no_profile", file: LOOP_4, right: "[runtime]", wrong: "[]", found: "R104 pages/ex-loop/loop-4.md:5:11", says: "name at least one of runtime, storage-api, editor-client", mend: Mend::Undone },
    Broken { what: "a_version_that_is_a_number", file: LOOP_1, right: r#"added: "1.0""#, wrong: "added: 1.0", found: "R104 rules/LOOP-1.yml:18:8", says: r#"put it in quotes: "1.0""#, mend: Mend::Undone },
    Broken { what: "a_member_twice", file: LOOP_1, right: "level: core\n", wrong: "level: core\nlevel: core\n", found: "R104 rules/LOOP-1.yml:15:1", says: "keep one of them", mend: Mend::Undone },
    Broken { what: "a_narrative_without_a_hash", file: NARRATIVE, right: "rule_hash: c9e15d6d82ef\n", wrong: "", found: "R104 narrative/LOOP-1.mdx:1:1", says: "a narrative has `rule:`, the id, and `rule_hash:`, the hash of the text that it explains", mend: Mend::Undone },
    Broken { what: "related_that_is_a_text", file: LOOP_2, right: "related:\n  - LOOP-1", wrong: "related: LOOP-1", found: "R104 rules/LOOP-2.yml:19:10", says: "write a list of ids behind `related:`", mend: Mend::Undone },
    Broken { what: "a_level_misspelled", file: LOOP_4, right: "level: extended\nprofiles", wrong: "level: extendet\nprofiles", found: "R105 pages/ex-loop/loop-4.md:4:8", says: "did you mean `extended`?", mend: Mend::Offered },
    Broken { what: "a_level_misspelled_in_a_rule_file", file: LOOP_1, right: "level: core", wrong: "level: cores", found: "R105 rules/LOOP-1.yml:14:8", says: "did you mean `core`?", mend: Mend::Offered },
    Broken { what: "a_profile_misspelled", file: LOOP_4, right: "[runtime]", wrong: "[runtimes]", found: "R106 pages/ex-loop/loop-4.md:5:12", says: "did you mean `runtime`?", mend: Mend::Offered },
    Broken { what: "a_profile_misspelled_in_a_rule_file", file: LOOP_2, right: "  - storage-api", wrong: "  - storage_api", found: "R106 rules/LOOP-2.yml:14:5", says: "did you mean `storage-api`?", mend: Mend::Offered },
    Broken { what: "a_posture_misspelled", file: LOOP_4, right: "normative-target", wrong: "normative-targets", found: "R107 pages/ex-loop/loop-4.md:6:10", says: "did you mean `normative-target`?", mend: Mend::Offered },
    Broken { what: "an_id_in_small_letters", file: LOOP_4, right: "id: LOOP-4", wrong: "id: loop-4", found: "R108 pages/ex-loop/loop-4.md:2:5", says: "an id is an upper-case word and parts set off by `-` or `.`: SG-16, R7.e/f", mend: Mend::Undone },
    Broken { what: "a_related_id_that_is_none", file: LOOP_1, right: "  - LOOP-2", wrong: "  - loop 2", found: "R108 rules/LOOP-1.yml:22:5", says: "`related` lists ids: SG-16, R7.e/f", mend: Mend::Undone },
    Broken { what: "a_relation_that_is_no_id", file: LOOP_4, right: "Names: LOOP-3", wrong: "Names: loop-3", found: "R108 pages/ex-loop/loop-4.md:24:10", says: "an id is an upper-case word and parts set off by `-` or `.`: SG-16, R7.e/f", mend: Mend::Undone },
    Broken { what: "two_documents", file: "rules/LOOP-4.yml", right: "", wrong: A_SECOND_LOOP_4, found: "R109 rules/LOOP-4.yml:1:5", says: "give one of them an id of its own, or leave one of them out", mend: Mend::Removed },
    Broken { what: "a_heading_of_another_rule", file: LOOP_4, right: "# LOOP-4 —", wrong: "# LOOP-5 —", found: "R110 pages/ex-loop/loop-4.md:12:3", says: "the heading names the id of the front matter, then the rule's title", mend: Mend::Undone },
    Broken { what: "no_heading", file: LOOP_4, right: "# LOOP-4 — A head of its own\n", wrong: "", found: "R110 pages/ex-loop/loop-4.md:11:1", says: "write `# LOOP-4 — ` and the rule's title", mend: Mend::Undone },
    Broken { what: "a_rule_without_its_heading", file: LOOP_4, right: "## The rule", wrong: "## Rule", found: "R111 pages/ex-loop/loop-4.md:2:5", says: "write it in a block quote under the heading `## The rule`", mend: Mend::Undone },
    Broken { what: "an_empty_rule", file: LOOP_2, right: "normative: >-\n  A loop ends when its head has no more rounds to give.", wrong: r#"normative: """#, found: "R111 rules/LOOP-2.yml:7:12", says: "write what the rule requires, in whole sentences", mend: Mend::Undone },
    Broken { what: "a_registry_line_of_three_words", file: REGISTRY, right: "LOOP-5 EX-LOOP withdrawn", wrong: "LOOP-5 EX-LOOP gone", found: "R112 rules/REGISTRY.lock:7:1", says: "a line is an id and its family: `SG-16 RT-SG`, perhaps with `withdrawn` behind", mend: Mend::Undone },
    Broken { what: "a_clause_numbered_wrong", file: LOOP_3, right: "> 2. Its head", wrong: "> 3. Its head", found: "R115 pages/ex-loop/loop-3.md:20:3", says: "write `2.`", mend: Mend::Undone },
    Broken { what: "a_narrative_of_another_rule", file: NARRATIVE, right: "rule: LOOP-1", wrong: "rule: LOOP-2", found: "R116 narrative/LOOP-1.mdx:2:7", says: "write `rule: LOOP-1`, or name the file for `LOOP-2`", mend: Mend::Undone },
    Broken { what: "a_title_too_short", file: LOOP_2, right: "Where a loop ends", wrong: "End", found: "R117 rules/LOOP-2.yml:5:8", says: "say what the rule requires", mend: Mend::Undone },
    Broken { what: "a_title_too_long", file: LOOP_1, right: "What a loop holds", wrong: "What a loop holds, and what it does not hold although one might think it does", found: "R117 rules/LOOP-1.yml:5:8", says: "shorten it; `summary` and the text have room for more", mend: Mend::Undone },
    Broken { what: "a_heading_too_short", file: LOOP_4, right: "— A head of its own", wrong: "— A", found: "R117 pages/ex-loop/loop-4.md:12:12", says: "say what the rule requires", mend: Mend::Undone },
    Broken { what: "a_version_of_one_number", file: LOOP_1, right: r#"changed: "1.1""#, wrong: r#"changed: "2""#, found: "R118 rules/LOOP-1.yml:19:10", says: r#"a version is two numbers: "1.0""#, mend: Mend::Undone },
    Broken { what: "a_version_of_three_numbers", file: LOOP_4, right: r#"changed: "1.0""#, wrong: r#"changed: "1.0.1""#, found: "R118 pages/ex-loop/loop-4.md:8:10", says: r#"a version is two numbers: "1.0""#, mend: Mend::Undone },
    Broken { what: "a_change_before_the_addition", file: LOOP_1, right: r#"changed: "1.1""#, wrong: r#"changed: "0.9""#, found: "R119 rules/LOOP-1.yml:19:10", says: "`changed` is the version of the last change, or of the addition", mend: Mend::Undone },
    Broken { what: "a_change_before_the_addition_by_number", file: LOOP_4, right: "added: \"1.0\"\nchanged: \"1.0\"", wrong: "added: \"1.10\"\nchanged: \"1.9\"", found: "R119 pages/ex-loop/loop-4.md:8:10", says: "`changed` is the version of the last change, or of the addition", mend: Mend::Undone },
    Broken { what: "a_page_in_another_folder", file: "pages/ex-port/loop-5.md", right: "", wrong: A_PAGE_OF_LOOP_5, found: "R120 pages/ex-port/loop-5.md:3:9", says: "move the page to `ex-loop/`, or mend the family", mend: Mend::Removed },
    Broken { what: "an_id_that_is_not_registered", file: REGISTRY, right: "LOOP-4 EX-LOOP\n", wrong: "", found: "R121 pages/ex-loop/loop-4.md:2:5", says: "add the line `LOOP-4 EX-LOOP` at the end of the registry", mend: Mend::Fixed },
    Broken { what: "a_registered_rule_without_a_document", file: REGISTRY, right: "LOOP-4 EX-LOOP\n", wrong: "LOOP-4 EX-LOOP\nLOOP-6 EX-LOOP\n", found: "R122 rules/REGISTRY.lock:7:1", says: "bring the document back, or write `withdrawn` behind the family", mend: Mend::Undone },
    Broken { what: "a_family_that_nobody_wrote", file: REGISTRY, right: "LOOP-5 EX-LOOP withdrawn\n", wrong: "LOOP-5 EX-LOOP withdrawn\nPORT-1 EX-PORT\n", found: "R122 rules/REGISTRY.lock:8:1", says: "check the whole specification, or bring the documents back", mend: Mend::Undone },
    Broken { what: "a_rule_that_moved", file: LOOP_1, right: "family: EX-LOOP", wrong: "family: EX-PORT", found: "R123 rules/LOOP-1.yml:2:9", says: "write `family: EX-LOOP`, or give the rule a new id", mend: Mend::Undone },
    Broken { what: "a_rule_withdrawn_in_its_document_only", file: LOOP_2, right: "posture: deprecated", wrong: "posture: withdrawn", found: "R124 rules/LOOP-2.yml:10:10", says: "write `withdrawn` behind its family in the registry", mend: Mend::Fixed },
    Broken { what: "a_rule_withdrawn_in_the_registry_only", file: REGISTRY, right: "LOOP-4 EX-LOOP\n", wrong: "LOOP-4 EX-LOOP withdrawn\n", found: "R124 pages/ex-loop/loop-4.md:6:10", says: "write `posture: withdrawn`; a rule that comes back gets a new id", mend: Mend::Undone },
    Broken { what: "an_id_registered_twice", file: REGISTRY, right: "LOOP-4 EX-LOOP\n", wrong: "LOOP-4 EX-LOOP\nLOOP-4 EX-LOOP\n", found: "R125 rules/REGISTRY.lock:7:1", says: "take this line out", mend: Mend::Fixed },
    Broken { what: "an_id_registered_in_two_families", file: REGISTRY, right: "LOOP-4 EX-LOOP\n", wrong: "LOOP-4 EX-LOOP\nLOOP-4 EX-PORT\n", found: "R125 rules/REGISTRY.lock:7:1", says: "keep the one that is true; an id is never issued again", mend: Mend::Undone },
    Broken { what: "a_related_rule_that_does_not_exist", file: LOOP_1, right: "  - LOOP-2", wrong: "  - LOOP-9", found: "R126 rules/LOOP-1.yml:22:5", says: "mend the id, or take it out", mend: Mend::Undone },
    Broken { what: "a_related_rule_misspelled", file: LOOP_4, right: "- Referenced by: LOOP-3", wrong: "- Referenced by: LOP-3", found: "R126 pages/ex-loop/loop-4.md:25:18", says: "did you mean `LOOP-3`?", mend: Mend::Offered },
    Broken { what: "a_superseding_rule_that_does_not_exist", file: LOOP_2, right: "supersededBy: LOOP-3", wrong: "supersededBy: LOOP-9", found: "R126 rules/LOOP-2.yml:22:15", says: "mend the id, or take it out", mend: Mend::Undone },
    Broken { what: "a_rule_superseded_by_itself", file: LOOP_2, right: "supersededBy: LOOP-3", wrong: "supersededBy: LOOP-2", found: "R127 rules/LOOP-2.yml:22:15", says: "name the rule that takes its place", mend: Mend::Undone },
    Broken { what: "a_rule_related_to_itself", file: LOOP_1, right: "  - LOOP-2", wrong: "  - LOOP-1", found: "R127 rules/LOOP-1.yml:22:5", says: "take it out", mend: Mend::Undone },
    Broken { what: "a_rule_related_twice", file: LOOP_1, right: "  - LOOP-2", wrong: "  - LOOP-2\n  - LOOP-2", found: "R128 rules/LOOP-1.yml:23:5", says: "take one of them out", mend: Mend::Undone },
    Broken { what: "a_name_that_is_not_answered", file: LOOP_3, right: "\n- Referenced by: LOOP-4", wrong: "", found: "R129 pages/ex-loop/loop-4.md:24:10", says: "add `LOOP-4` to `Referenced by` of `LOOP-3`, or take `LOOP-3` out here", mend: Mend::Undone },
    Broken { what: "a_reference_that_is_not_answered", file: LOOP_3, right: "- Names: LOOP-4\n", wrong: "", found: "R129 pages/ex-loop/loop-4.md:25:18", says: "add `LOOP-4` to `Names` of `LOOP-3`, or take `LOOP-3` out here", mend: Mend::Undone },
    Broken { what: "prose_that_is_stale", file: NARRATIVE, right: "c9e15d6d82ef", wrong: "0123456789ab", found: "R130 narrative/LOOP-1.mdx:3:12", says: "read the prose against the rule, then write `rule_hash: c9e15d6d82ef`", mend: Mend::Fixed },
    Broken { what: "prose_of_a_rule_that_changed", file: LOOP_1, right: "between head and tail. Two", wrong: "between tail and head. Two", found: "R130 narrative/LOOP-1.mdx:3:12", says: "read the prose against the rule, then write `rule_hash: 4337a19d7ff4`", mend: Mend::Fixed },
    Broken { what: "prose_without_a_rule", file: "narrative/LOOP-9.mdx", right: "", wrong: "---\nrule: LOOP-9\nrule_hash: 0123456789ab\n---\n\nNothing.\n", found: "R131 narrative/LOOP-9.mdx:2:7", says: "bring the rule's file back, or take the narrative out", mend: Mend::Removed },
    Broken { what: "a_key_that_nobody_knows", file: LOOP_1, right: "level: core", wrong: "level: core\nweight: 3", found: "R132 rules/LOOP-1.yml:15:1", says: "take it out", mend: Mend::Undone },
    Broken { what: "a_key_misspelled", file: LOOP_1, right: "summary: A loop", wrong: "sumary: A loop", found: "R132 rules/LOOP-1.yml:7:1", says: "did you mean `summary`?", mend: Mend::Offered },
    Broken { what: "a_key_misspelled_on_a_page", file: LOOP_4, right: "specification: Example", wrong: "source: x\nlicense: y\nspecification: Example", found: "R132 pages/ex-loop/loop-4.md:10:1", says: "did you mean `licence`?", mend: Mend::Undone },
    Broken { what: "a_key_misspelled_in_a_narrative", file: NARRATIVE, right: "rule: LOOP-1\n", wrong: "rule: LOOP-1\nrules: LOOP-1\n", found: "R132 narrative/LOOP-1.mdx:3:1", says: "did you mean `rule`?", mend: Mend::Undone },
    Broken { what: "a_part_that_the_schema_does_not_have", file: LOOP_1, right: "part: I\n", wrong: "part: III\n", found: "R133 rules/LOOP-1.yml:3:7", says: "write what the schema allows", mend: Mend::Undone },
    Broken { what: "a_reference_without_a_note", file: LOOP_1, right: "related:\n", wrong: "references:\n  - source: A book\nrelated:\n", found: "R104 rules/LOOP-1.yml:22:3", says: "write `note:`", mend: Mend::Undone },
    Broken { what: "a_schema_that_is_no_schema", file: SCHEMA, right: r#""minLength": 4"#, wrong: r#""minLength": "four""#, found: "R134 rules/schema.json:11:47", says: "mend the schema", mend: Mend::Undone },
    Broken { what: "a_schema_that_is_not_json", file: SCHEMA, right: r#""maxLength": 60 }"#, wrong: r#""maxLength": 60, }"#, found: "R134 rules/schema.json:11:65", says: "mend the schema", mend: Mend::Undone },
    Broken { what: "a_title_without_a_closing_quote", file: NARRATIVE, right: r#"title="The loop" verdict"#, wrong: r#"title="The loop verdict"#, found: "R201 narrative/LOOP-1.mdx:21:9", says: "write title=\"…\" verdict=\"…\"; a quote inside is written \\\"", mend: Mend::Undone },
    Broken { what: "a_title_without_quotes", file: NARRATIVE, right: r#"title="Two ways back""#, wrong: "title=Two ways back", found: "R201 narrative/LOOP-1.mdx:12:9", says: "write title=\"…\" verdict=\"…\"; a quote inside is written \\\"", mend: Mend::Undone },
    Broken { what: "a_title_without_a_value", file: NARRATIVE, right: r#"title="Two ways back""#, wrong: r#"title "Two ways back""#, found: "R201 narrative/LOOP-1.mdx:12:9", says: "write title=\"…\" verdict=\"…\"; a quote inside is written \\\"", mend: Mend::Undone },
    Broken { what: "an_empty_verdict", file: NARRATIVE, right: r#"verdict="one""#, wrong: r#"verdict="""#, found: "R201 narrative/LOOP-1.mdx:21:26", says: "write it, or leave the attribute out", mend: Mend::Undone },
    Broken { what: "a_title_twice", file: LOOP_3, right: r#"title="A tail apart""#, wrong: r#"title="A tail apart" title="A tail apart""#, found: "R201 pages/ex-loop/loop-3.md:24:30", says: "write title=\"…\" verdict=\"…\"; a quote inside is written \\\"", mend: Mend::Undone },
    Broken { what: "a_comma_left_out", file: LOOP_3, right: r#""a", "target": "b""#, wrong: r#""a" "target": "b""#, found: "R202 pages/ex-loop/loop-3.md:26:18", says: "mend it here, or in the line above", mend: Mend::Undone },
    Broken { what: "a_bracket_left_out", file: LOOP_3, right: "[\"head\"]\n```\n\n```json", wrong: "[\"head\"\n```\n\n```json", found: "R202 pages/ex-loop/loop-3.md:33:1", says: "mend it here, or in the line above", mend: Mend::Undone },
    Broken { what: "a_member_of_an_example_twice", file: NARRATIVE, right: r#""head", "target": "left""#, wrong: r#""head", "source": "left""#, found: "R203 narrative/LOOP-1.mdx:14:22", says: "keep one of them, or rename one", mend: Mend::Undone },
    Broken { what: "an_exchange_without_a_method", file: NARRATIVE, right: "GET /loops\n", wrong: "/loops\n", found: "R204 narrative/LOOP-1.mdx:26:1", says: "an exchange is a request line, `Name: value` lines, an empty line, and a body", mend: Mend::Undone },
    Broken { what: "a_header_without_a_colon", file: NARRATIVE, right: "Accept: application/json", wrong: "Accept application/json", found: "R204 narrative/LOOP-1.mdx:27:1", says: "an exchange is a request line, `Name: value` lines, an empty line, and a body", mend: Mend::Undone },
    Broken { what: "a_fence_that_is_never_closed", file: LOOP_3, right: "again\" verdict=\"head-only\"\n[\"head\"]\n```\n", wrong: "again\" verdict=\"head-only\"\n[\"head\"]\n", found: "R205 pages/ex-loop/loop-3.md:35:1", says: "close it with a line that is `````", mend: Mend::Undone },
    Broken { what: "a_trailing_comma_in_a_list", file: LOOP_3, right: "\"target\": \"head\"}\n]", wrong: "\"target\": \"head\"},\n]", found: "R206 pages/ex-loop/loop-3.md:27:44", says: "take it out", mend: Mend::Undone },
    Broken { what: "a_trailing_comma_in_an_object", file: LOOP_3, right: r#""target": "b"}"#, wrong: r#""target": "b",}"#, found: "R206 pages/ex-loop/loop-3.md:26:32", says: "take it out", mend: Mend::Undone },
    Broken { what: "a_comment_in_an_example", file: LOOP_3, right: r#""target": "head"}"#, wrong: r#""target": "head"} // loops"#, found: "R207 pages/ex-loop/loop-3.md:27:45", says: "say it in the text around the example", mend: Mend::Undone },
    Broken { what: "a_comment_between", file: NARRATIVE, right: r#"{"source": "left", "target": "head"},"#, wrong: r#"/* back */ {"source": "left", "target": "head"},"#, found: "R207 narrative/LOOP-1.mdx:16:3", says: "say it in the text around the example", mend: Mend::Undone },
    Broken { what: "dots_for_data", file: LOOP_3, right: r#""target": "head"}"#, wrong: r#""target": …}"#, found: "R208 pages/ex-loop/loop-3.md:27:37", says: "write the data out, or leave it away", mend: Mend::Undone },
    Broken { what: "three_dots_for_data", file: NARRATIVE, right: "[\"head\", \"left\", \"right\"]}\n```\n\n```http", wrong: "[\"head\", ...]}\n```\n\n```http", found: "R208 narrative/LOOP-1.mdx:22:19", says: "write the data out, or leave it away", mend: Mend::Undone },
    Broken { what: "two_examples_of_one_title", file: LOOP_3, right: r#"title="Its body, asked for again""#, wrong: r#"title="Its body""#, found: "R209 pages/ex-loop/loop-3.md:35:9", says: "say in each title what sets it apart", mend: Mend::Undone },
    Broken { what: "an_attribute_misspelled", file: NARRATIVE, right: r#"verdict="200 served""#, wrong: r#"verdikt="200 served""#, found: "R210 narrative/LOOP-1.mdx:25:39", says: "did you mean `verdict`?", mend: Mend::Undone },
    Broken { what: "white_space_at_the_end_of_a_line", file: LOOP_3, right: "[\"head\"]\n```\n\n```json", wrong: "[\"head\"]  \n```\n\n```json", found: "R211 pages/ex-loop/loop-3.md:32:9", says: "take it out", mend: Mend::Fixed },
    Broken { what: "an_empty_line_in_front", file: LOOP_3, right: "\"head-only\"\n[\"head\"]\n```\n\n```json", wrong: "\"head-only\"\n\n[\"head\"]\n```\n\n```json", found: "R211 pages/ex-loop/loop-3.md:32:1", says: "take it out", mend: Mend::Fixed },
    Broken { what: "a_body_that_breaks_off", file: NARRATIVE, right: r#"verdict="400 refused""#, wrong: r#"verdict="200 stored""#, found: "R212 narrative/LOOP-1.mdx:35:8", says: "mend the body; one that is broken on purpose has a verdict such as `400 refused`", mend: Mend::Undone },
    Broken { what: "an_example_that_nobody_asks_about", file: LOOP_4, right: "## Related", wrong: "```json title=\"Nobody asks\"\n[]\n```\n\n## Related", found: "R213 pages/ex-loop/loop-4.md:22:1", says: "write a case with `$example` in the case file of LOOP-4", mend: Mend::Undone },
    Broken { what: "an_example_that_the_reference_contradicts", file: LOOP_3, right: "\"head-only\"\n[\"head\"]\n```\n\n```json", wrong: "\"head-only\"\n[\"a\", \"head\"]\n```\n\n```json", found: "R214 pages/ex-loop/loop-3.md:31:1", says: "mend the example or the rule; where the reference is wrong, report it", mend: Mend::Undone },
    Broken { what: "a_case_of_an_example_that_is_gone", file: CASES_1, right: "loops: { $example: The loop }", wrong: "loops: { $example: The lop }", found: "C306 cases/ex-loop/loop-1.yml:11:26", says: r#"did you mean "The loop"?"#, mend: Mend::Offered },
    Broken { what: "a_case_of_a_clause_that_is_gone", file: CASES_3, right: "clauses: [1, 2]", wrong: "clauses: [1, 3]", found: "C308 cases/ex-loop/loop-3.yml:4:18", says: "it has clauses 1 to 2", mend: Mend::Undone },
    Broken { what: "a_case_of_no_rule", file: CASES_3, right: "rule: LOOP-3", wrong: "rule: LOOP-33", found: "C305 cases/ex-loop/loop-3.yml:1:7", says: "`standing list` lists the rules that were read", mend: Mend::Undone },
];
