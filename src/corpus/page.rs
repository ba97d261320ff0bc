//! A published page: front matter, a heading, the rule in a block quote, prose, fenced examples.

use std::sync::Arc;

use super::{
    Rule, RuleId,
    document::{Document, Layout},
    head::{self, Head},
    markdown,
};
use crate::diagnostics::{Code, Diagnostic, Source};

/// Reads one page. What is wrong with it is in `faults`; without any, it is a rule.
pub(super) fn read(source: &Arc<Source>, faults: &mut Vec<Diagnostic>) -> (Document, Option<Rule>) {
    let mut document = Document::new(Layout::Page, source);
    let before = faults.len();
    let Some((yaml, end)) = head::needed_front_matter(source, faults) else {
        return (document, None);
    };
    let head = Head::of_page(source, yaml, faults);
    let facts = head.as_ref().and_then(|head| head.facts(faults));
    let specification = head
        .as_ref()
        .and_then(|head| head.needed("specification", faults))
        .map(str::to_owned);
    let hash = head.as_ref().and_then(|head| head.text("rule_hash"));
    let hash = hash.map(str::to_owned);
    let markdown = markdown::page(source, end, faults);
    let title = facts
        .as_ref()
        .and_then(|facts| markdown.title(&facts.id, faults));
    if let Some(facts) = facts.as_ref().filter(|_| markdown.clauses.is_empty()) {
        let place = head.as_ref().map(|head| head.place_of("id"));
        faults.push(
            Diagnostic::error(
                Code::NoNormativeText,
                format!("`{}` has no normative text", facts.id),
            )
            .at(place)
            .help("write it in a block quote under the heading `## The rule`"),
        );
    }
    let id_span = head.as_ref().map(|head| head.place_of("id").span());
    document.is_whole = faults.len() == before;
    document.head = head;
    let rule = (|| {
        let facts = facts?;
        let normative: Vec<&str> = markdown.clauses.iter().map(|c| c.text.as_str()).collect();
        Some(Rule {
            hash: hash.unwrap_or_else(|| Rule::hash_of(&normative.join(" "))),
            title: title?,
            summary: markdown.summary.clone(),
            id: facts.id,
            id_span: id_span?,
            family: facts.family,
            level: facts.level,
            profiles: facts.profiles,
            posture: facts.posture,
            added: facts.added,
            changed: facts.changed,
            specification: specification?,
            clauses: markdown.clauses.clone(),
            examples: markdown.examples(),
            related: markdown.related(),
            source: Arc::clone(source),
            narrative: None,
        })
    })();
    document.markdown = Some(markdown);
    let rule = rule.filter(|_| document.is_whole);
    (document, rule)
}

/// Whether a document found in a folder is about a rule.
pub(super) fn is_rule_document(source: &Arc<Source>) -> bool {
    match head::front_matter(source) {
        Ok(Some((yaml, _))) => head::has_key(&source.text()[yaml], &["id", "family", "level"]),
        // One that has lost its front matter still has its heading.
        Ok(None) => has_heading_of_a_rule(source.text()),
        Err(_) => true,
    }
}

/// Whether the first heading of a text is an id and a title.
fn has_heading_of_a_rule(text: &str) -> bool {
    let heading = text.lines().find_map(|line| line.strip_prefix("# "));
    heading.is_some_and(|heading| {
        let mut words = heading.split_whitespace();
        let id = words.next().and_then(RuleId::new);
        id.is_some_and(|id| id.as_str().contains(['-', '.']))
            && matches!(words.next(), Some("—" | "–" | "-"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Content;
    use serde_json::json;

    const FRONT: &str = "---\nid: SG-10\nfamily: RT-SG\nlevel: core\nprofiles: [runtime]\nposture: normative-target\nadded: 1.0\nchanged: \"1.10\"\nspecification: S 1\nrule_hash: 009951124321\n---\n";

    fn page(markdown: &str) -> (Option<Rule>, Vec<String>) {
        let source = Source::new("p.md", format!("{FRONT}{markdown}"));
        let mut faults = Vec::new();
        let (_, rule) = read(&source, &mut faults);
        (rule, faults.iter().map(ToString::to_string).collect())
    }

    fn good(markdown: &str) -> Rule {
        let (rule, faults) = page(markdown);
        rule.unwrap_or_else(|| panic!("{faults:?}"))
    }

    const RULE: &str = "# SG-10 — A title\n\n## The rule\n\n> One sentence.\n";

    #[test]
    fn versions_and_hashes_are_read_as_written() {
        let rule = good(RULE);
        assert_eq!(
            (rule.added.as_str(), rule.changed.as_str()),
            ("1.0", "1.10")
        );
        assert_eq!(rule.hash, "009951124321");
    }

    #[test]
    fn clauses_come_from_a_list_or_a_paragraph_and_are_put_on_one_line() {
        let texts = |markdown: &str| -> Vec<String> {
            let rule = format!(
                "# SG-10 — A\n\nIn short.\n\n## The rule\n\n{markdown}\n\n## Why\n\n> 1. Not this.\n"
            );
            good(&rule).clauses.into_iter().map(|c| c.text).collect()
        };
        assert_eq!(
            texts(
                "> **Normative.** This is the rule.\n>\n> 1. The `a  b`\n>    and *c*.\n>\n> 2. D **e**"
            ),
            ["The `a b` and *c*.", "D **e**"]
        );
        assert_eq!(texts("> 1. A\n> 2. B `> c`"), ["A", "B `> c`"]);
        assert_eq!(
            texts("> Only\n> one, with [a link](x)."),
            ["Only one, with [a link](x)."]
        );
        assert_eq!(
            texts("> 1. A.\n>    - with a list\n>    - of two\n> 2. B."),
            ["A. - with a list - of two", "B."]
        );
    }

    #[test]
    fn clauses_are_numbered_as_they_are_counted() {
        let faults = |list: &str| page(&format!("# SG-10 — A\n\n## The rule\n\n{list}\n")).1;
        assert_eq!(faults("> 1. A.\n> 1. B."), [""; 0]);
        assert_eq!(
            faults("> 1. A.\n> 3. B.\n> 4. C."),
            ["p.md:17:3: error[R115]: clause 2 of the rule is numbered 3"]
        );
        assert_eq!(
            faults("> 2. A."),
            ["p.md:16:3: error[R115]: clause 1 of the rule is numbered 2"]
        );
    }

    #[test]
    fn a_fence_in_a_clause_is_an_example_and_no_part_of_the_text() {
        let rule = good(
            "# SG-10 — A\n\n## The rule\n\n> 1. Before\n>\n>    ```json title=\"in\"\n>    {\"a\":\n>     1}\n>    ```\n>\n>    and after.\n>\n> 2. B.\n",
        );
        let texts: Vec<&str> = rule.clauses.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, ["Before and after.", "B."]);
        assert_eq!(rule.examples[0].body, "{\"a\":\n 1}\n");
        assert_eq!(rule.examples[0].line, 18);
    }

    #[test]
    fn relations_in_every_kind_of_list() {
        for list in [
            "- Names: SG-1, SG-2\n- Referenced by: SG-3\n",
            "- Names: SG-1, SG-2\n\n- Referenced by: SG-3\n",
            "* **Names:** `SG-1`,\n  [SG-2](x)\n* Referenced by: SG-3",
        ] {
            let rule = good(&format!("{RULE}\n## Related rules\n\n{list}"));
            let ids = |ids: &[RuleId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
            assert_eq!(ids(&rule.related.names), ["SG-1", "SG-2"], "{list}");
            assert_eq!(ids(&rule.related.referenced_by), ["SG-3"], "{list}");
        }
    }

    #[test]
    fn keys_in_quotes_are_keys() {
        let text = format!("{FRONT}{RULE}")
            .replace("id:", "\"id\":")
            .replace("family:", "'family':")
            .replace("level:", "\"level\" :");
        let source = Source::new("p.md", text);
        assert!(is_rule_document(&source));
        assert!(read(&source, &mut Vec::new()).1.is_some());
    }

    #[test]
    fn a_fence_that_nothing_closes_is_told_once() {
        assert_eq!(
            page(&format!("{RULE}\n````json\n{{\n```\n\n## More\n")).1,
            ["p.md:18:1: error[R205]: the fence is never closed"]
        );
        assert_eq!(
            page(&format!("{RULE}\n> ```json\n> {{}}\n\nText\n")).1,
            ["p.md:18:3: error[R205]: the fence is never closed"]
        );
    }

    #[test]
    fn summary_title_and_relations() {
        let rule = good(
            "# SG-10 — A *title*\n\n*RT-SG (Part II) · level: core*\n\nIn short,\nthis.\n\n## The rule\n\n> R.\n\n## Related rules\n\n- Names: SG-1, R7.e/f\n- Referenced by: SG-2\n",
        );
        assert_eq!(rule.title, "A *title*");
        assert_eq!(rule.summary.as_deref(), Some("In short, this."));
        let ids = |ids: &[RuleId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(ids(&rule.related.names), ["SG-1", "R7.e/f"]);
        assert_eq!(ids(&rule.related.referenced_by), ["SG-2"]);
    }

    #[test]
    fn examples_wherever_a_fence_may_stand() {
        let rule = good(&format!(
            "{RULE}\n~~~json title=\"tildes\"\n[1]\n~~~\n\n- in a list:\n\n  ```json title=\"list\"\n  {{\"b\": 1,\n   \"a\": 2}}\n  ```\n\n> quoted\n>\n> ````json title='quote' verdict=v\n> [\"```\"]\n> ````\n\n    indented: true\n\n```http title=\"last\"\nGET /x\n```"
        ));
        let found: Vec<_> = rule
            .examples
            .iter()
            .map(|e| {
                (
                    e.number,
                    e.title.as_deref().unwrap_or(""),
                    e.line,
                    e.body.as_str(),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (1, "tildes", 18, "[1]\n"),
                (2, "list", 24, "{\"b\": 1,\n \"a\": 2}\n"),
                (3, "quote", 31, "[\"```\"]\n"),
                (4, "last", 37, "GET /x\n"),
            ]
        );
        assert_eq!(
            rule.examples[1].content,
            Content::Json(json!({"b": 1, "a": 2}))
        );
        assert_eq!(rule.examples[2].verdict.as_deref(), Some("v"));
    }

    #[test]
    fn line_ends_and_byte_order_marks_change_nothing() {
        let text = format!("{RULE}\n```json title=\"t\"\n{{\"a\":\n 1}}\n```\n");
        let unix = good(&text);
        let source = Source::new(
            "p.md",
            format!("\u{feff}{FRONT}{text}").replace('\n', "\r\n"),
        );
        let mut faults = Vec::new();
        let dos = read(&source, &mut faults)
            .1
            .unwrap_or_else(|| panic!("{faults:?}"));
        assert_eq!(dos.clauses, unix.clauses);
        assert_eq!(dos.examples[0].body, unix.examples[0].body);
        assert_eq!(dos.examples[0].line, unix.examples[0].line);
        assert_eq!(dos.hash, unix.hash);
    }

    #[test]
    fn faults_say_where_they_are() {
        for (markdown, says) in [
            (
                "## The rule\n\n> A.\n",
                "p.md:12:1: error[R110]: the document has no heading",
            ),
            (
                "# SG-1 — A\n\n## The rule\n\n> A.\n",
                "p.md:12:3: error[R110]: the heading does not start with `SG-10 — `",
            ),
            (
                "# SG-10 — A\n\n> A.\n",
                "p.md:2:5: error[R111]: `SG-10` has no normative text",
            ),
            (
                &format!("{RULE}\n- x\n\n  ```json\n  {{\"a\": 1,\n   \"b\": }}\n  ```\n"),
                "p.md:22:9: error[R202]: the example is not JSON: expected value",
            ),
            (
                &format!("{RULE}\n```json\n{{\"a\": 1, \"a\": 2}}\n```\n"),
                "p.md:19:10: error[R203]: the member `a` stands twice",
            ),
            (
                &format!("{RULE}\n```json title=\"x\n1\n```\n"),
                "p.md:18:9: error[R201]: the title has no closing quote",
            ),
        ] {
            assert_eq!(page(markdown).1, [says], "{markdown}");
        }
    }

    #[test]
    fn front_matter_faults_say_where_they_are() {
        for (from, to, says) in [
            (
                "level: core",
                "level: cores",
                "p.md:4:8: error[R105]: `cores` is no level",
            ),
            (
                "[runtime]",
                "[runtime, editor]",
                "p.md:5:21: error[R106]: `editor` is no profile",
            ),
            (
                "[runtime]",
                "[]",
                "p.md:5:11: error[R104]: the rule addresses no profile",
            ),
            (
                "normative-target",
                "normative",
                "p.md:6:10: error[R107]: `normative` is no posture",
            ),
            (
                "id: SG-10",
                "id: sg-10",
                "p.md:2:5: error[R108]: `sg-10` is no rule id",
            ),
            (
                "family: RT-SG\n",
                "",
                "p.md:1:1: error[R104]: the front matter lacks `family`",
            ),
            ("family: RT-SG", "family: [", "p.md:4:1: error[R103]: "),
            (
                "family: RT-SG",
                "family: RT-SG\nid: SG-9",
                "p.md:4:1: error[R104]: `id` stands twice",
            ),
            (
                "added: 1.0\n",
                "added: 1.0\n---\n",
                "p.md:1:1: error[R104]: the front matter lacks `changed`",
            ),
            (
                "\n---\n# SG",
                "\n# SG",
                "p.md:1:1: error[R102]: the front matter does not end",
            ),
        ] {
            let text = format!("{FRONT}{RULE}").replacen(from, to, 1);
            let mut faults = Vec::new();
            assert!(
                read(&Source::new("p.md", text), &mut faults).1.is_none(),
                "{to}"
            );
            let first = faults.first().map(ToString::to_string).unwrap_or_default();
            assert!(first.starts_with(says), "{first}\n{says}");
        }
    }
}
