//! A published page: front matter, a heading, the rule in a block quote, prose, fenced examples.

use std::{ops::Range, sync::Arc};

use pulldown_cmark::{
    CodeBlockKind, Event, HeadingLevel, OffsetIter, Options, Parser, Tag, TagEnd,
};

use super::{
    Clause, Content, Example, Related, Rule, RuleId, front_matter::Head, info_string, parse_json,
};
use crate::diagnostics::{Code, Diagnostic, Place, Source};

/// Reads one document. `None`: it is not a rule document, or has faults, which are in `faults`.
pub(super) fn read(source: &Arc<Source>, faults: &mut Vec<Diagnostic>) -> Option<Rule> {
    let head = match Head::find(source) {
        Ok(Some(head)) => head,
        Ok(None) => {
            faults.push(
                Diagnostic::error(Code::NoFrontMatter, "the document has no front matter")
                    .at(Place::line_of(source, 0))
                    .help("a rule document starts with a line that is `---`"),
            );
            return None;
        }
        Err(fault) => {
            faults.push(*fault);
            return None;
        }
    };
    let before = faults.len();
    let front = head.read(faults);
    let mut reader = Reader::new(source, head.end);
    reader.read(faults);
    let front = front?;
    let title = reader.title(&front.id, faults);
    if reader.clauses.is_empty() {
        faults.push(
            Diagnostic::error(
                Code::NoNormativeText,
                format!("`{}` has no normative text", front.id),
            )
            .at(Place::new(source, front.id_span.clone()))
            .help("write it in a block quote under the heading `## The rule`"),
        );
    }
    if faults.len() > before {
        return None;
    }
    let normative: Vec<&str> = reader.clauses.iter().map(|c| c.text.as_str()).collect();
    Some(Rule {
        hash: front
            .rule_hash
            .unwrap_or_else(|| Rule::hash_of(&normative.join(" "))),
        title: title?,
        summary: reader.summary,
        id: front.id,
        id_span: front.id_span,
        family: front.family,
        level: front.level,
        profiles: front.profiles,
        posture: front.posture,
        added: front.added,
        changed: front.changed,
        specification: front.specification,
        clauses: reader.clauses,
        examples: reader.examples,
        related: reader.related,
        source: Arc::clone(source),
    })
}

/// Whether a document found in a folder is about a rule.
pub(super) fn is_rule_document(source: &Arc<Source>) -> bool {
    match Head::find(source) {
        Ok(Some(head)) => head.is_of_a_rule(),
        Ok(None) => false,
        Err(_) => true,
    }
}

/// The section of a page that is being read.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    Opening,
    Rule,
    Related,
    Other,
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    /// Where the Markdown starts in the document; event offsets count from here.
    base: usize,
    markdown: &'a str,
    heading: Option<Range<usize>>,
    summary: Option<String>,
    clauses: Vec<Clause>,
    examples: Vec<Example>,
    related: Related,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Arc<Source>, base: usize) -> Self {
        Self {
            source,
            base,
            markdown: &source.text()[base..],
            heading: None,
            summary: None,
            clauses: Vec::new(),
            examples: Vec::new(),
            related: Related::default(),
        }
    }

    fn read(&mut self, faults: &mut Vec<Diagnostic>) {
        let mut events = Parser::new_ext(self.markdown, Options::empty()).into_offset_iter();
        let mut section = Section::Opening;
        let mut quotes = 0_usize;
        let mut numbered = false;
        let mut items = 0_usize;
        while let Some((event, span)) = events.next() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let text = inline_span(&mut events);
                    match level {
                        HeadingLevel::H1 if self.heading.is_none() => self.heading = text,
                        HeadingLevel::H2 => {
                            section = match text.map(|t| self.markdown[t].trim()) {
                                Some("The rule") => Section::Rule,
                                Some("Related rules") => Section::Related,
                                _ => Section::Other,
                            }
                        }
                        _ => {}
                    }
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let body = code(&mut events);
                    if let CodeBlockKind::Fenced(_) = kind {
                        self.example(span, &body, faults);
                    }
                }
                Event::Start(Tag::BlockQuote(_)) => quotes += 1,
                Event::End(TagEnd::BlockQuote(_)) => quotes -= 1,
                Event::Start(Tag::List(first)) if items == 0 => numbered = first.is_some(),
                Event::Start(Tag::Item) => {
                    items += 1;
                    if section == Section::Rule && quotes > 0 && numbered && items == 1 {
                        self.clause(item_span(&mut events));
                        items -= 1;
                    }
                }
                Event::End(TagEnd::Item) => items -= 1,
                Event::Start(Tag::Paragraph) => {
                    let Some(text) = inline_span(&mut events) else {
                        continue;
                    };
                    match section {
                        Section::Opening => self.opening(text),
                        Section::Rule if quotes > 0 => self.clause(Some(text)),
                        Section::Related if items > 0 => self.relation(text),
                        _ => {}
                    }
                }
                // The items of a tight list have their text without a paragraph around it.
                Event::Text(_) if section == Section::Related && items > 0 => {
                    let end = inline_span_from(&mut events, span.clone()).end;
                    items -= 1; // the end of the item ended the text
                    self.relation(span.start..end);
                }
                _ => {}
            }
        }
    }

    /// A paragraph between the heading and the first section: the facet line, which repeats the
    /// front matter in italics, or the summary.
    fn opening(&mut self, text: Range<usize>) {
        let text = self.flatten(text);
        if self.heading.is_some() && self.summary.is_none() && !text.starts_with('*') {
            self.summary = Some(text);
        }
    }

    fn clause(&mut self, text: Option<Range<usize>>) {
        let text = text.map(|t| self.flatten(t)).unwrap_or_default();
        // The page's own heading of the quote.
        if text.is_empty() || text.starts_with("**Normative.**") {
            return;
        }
        self.clauses.push(Clause {
            number: self.clauses.len() + 1,
            text,
        });
    }

    fn relation(&mut self, text: Range<usize>) {
        let text = self.flatten(text);
        let Some((kind, ids)) = text.split_once(':') else {
            return;
        };
        let into = match kind.trim() {
            "Names" => &mut self.related.names,
            "Referenced by" => &mut self.related.referenced_by,
            _ => return,
        };
        into.extend(ids.split(',').filter_map(|id| RuleId::new(id.trim())));
    }

    /// The text of a range on one line: quote marks and indentation of continued lines are left
    /// out, and every run of white space is one space.
    fn flatten(&self, range: Range<usize>) -> String {
        let mut words = Vec::new();
        for (i, line) in self.markdown[range].lines().enumerate() {
            let mut line = line.trim();
            while i > 0 && line.starts_with('>') {
                line = line[1..].trim_start();
            }
            words.extend(line.split_whitespace());
        }
        words.join(" ")
    }

    fn title(&self, id: &RuleId, faults: &mut Vec<Diagnostic>) -> Option<String> {
        let Some(heading) = self.heading.clone() else {
            faults.push(
                Diagnostic::error(Code::Heading, "the document has no heading")
                    .at(Place::line_of(self.source, self.base))
                    .help(format!("write `# {id} — ` and the rule's title")),
            );
            return None;
        };
        let text = self.flatten(heading.clone());
        let title = text
            .strip_prefix(id.as_str())
            .map(|rest| rest.trim_start())
            .and_then(|rest| rest.strip_prefix(['—', '–', '-', ':']))
            .map(|title| title.trim().to_owned());
        if title.is_none() {
            let span = self.base + heading.start..self.base + heading.end;
            faults.push(
                Diagnostic::error(
                    Code::Heading,
                    format!("the heading does not start with `{id} — `"),
                )
                .at(Place::new(self.source, span))
                .help("the heading names the id of the front matter, then the rule's title"),
            );
        }
        title
    }

    fn example(&mut self, span: Range<usize>, body: &Body, faults: &mut Vec<Diagnostic>) {
        let start = self.base + span.start;
        let fence = Place::line_of(self.source, start).span();
        let fence = start..fence.end.max(start);
        let marked = &self.source.text()[fence.clone()];
        let raw = marked.trim_start_matches(['`', '~']);
        let info = match info_string::parse(raw) {
            Ok(info) => info,
            Err(error) => {
                let at = fence.end - raw.len();
                faults.push(
                    Diagnostic::error(Code::InfoString, error.message)
                        .at(Place::new(
                            self.source,
                            at + error.span.start..at + error.span.end,
                        ))
                        .help("write title=\"…\" verdict=\"…\"; a quote inside is written \\\""),
                );
                return;
            }
        };
        let content = if info.language == "json" {
            match parse_json(&body.text) {
                Ok(value) => Content::Json(value),
                Err(error) => {
                    let at = self.base + body.document_offset(error.offset).unwrap_or(span.start);
                    let code = match error.repeated {
                        Some(_) => Code::RepeatedMember,
                        None => Code::ExampleNotJson,
                    };
                    let message = match error.repeated {
                        Some(_) => error.message,
                        None => format!("the example is not JSON: {}", error.message),
                    };
                    faults.push(
                        Diagnostic::error(code, message)
                            .at(Place::new(self.source, at..at + 1))
                            .see(Place::new(self.source, fence), "in this example"),
                    );
                    return;
                }
            }
        } else {
            Content::Text
        };
        self.examples.push(Example {
            number: self.examples.len() + 1,
            language: info.language,
            title: info.title,
            verdict: info.verdict,
            line: self.source.line_column(fence.start).line,
            body: body.text.clone(),
            content,
            fence,
        });
    }
}

/// What a fence encloses: its text, and where each piece of it stands in the Markdown.
struct Body {
    text: String,
    pieces: Vec<(usize, usize)>,
}

impl Body {
    fn document_offset(&self, offset: usize) -> Option<usize> {
        let piece = self
            .pieces
            .partition_point(|(at, _)| *at <= offset)
            .checked_sub(1)?;
        let (at, document) = self.pieces[piece];
        Some(document + offset - at)
    }
}

fn code(events: &mut OffsetIter<'_>) -> Body {
    let mut body = Body {
        text: String::new(),
        pieces: Vec::new(),
    };
    for (event, span) in events {
        match event {
            Event::Text(text) => {
                body.pieces.push((body.text.len(), span.start));
                body.text.push_str(&text);
            }
            Event::End(TagEnd::CodeBlock) => break,
            _ => {}
        }
    }
    body
}

/// From the first to the last thing inside the block that was just entered, a paragraph or a
/// heading; leaves the block.
fn inline_span(events: &mut OffsetIter<'_>) -> Option<Range<usize>> {
    let (event, first) = events.next()?;
    match event {
        Event::End(TagEnd::Paragraph | TagEnd::Heading(_)) => None,
        _ => Some(inline_span_from(events, first)),
    }
}

fn inline_span_from(events: &mut OffsetIter<'_>, first: Range<usize>) -> Range<usize> {
    let mut span = first;
    for (event, at) in events {
        match event {
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item) => break,
            _ => span.end = span.end.max(at.end),
        }
    }
    span
}

/// From the first to the last thing inside the list item that was just entered; leaves the item.
fn item_span(events: &mut OffsetIter<'_>) -> Option<Range<usize>> {
    let mut span: Option<Range<usize>> = None;
    let mut depth = 0_usize;
    for (event, at) in events {
        match event {
            Event::End(TagEnd::Item) if depth == 0 => break,
            Event::Start(Tag::Item) => depth += 1,
            Event::End(TagEnd::Item) => depth -= 1,
            _ => {}
        }
        let start = span.as_ref().map_or(at.start, |s| s.start);
        let end = span.as_ref().map_or(at.end, |s| s.end.max(at.end));
        span = Some(start..end);
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const FRONT: &str = "---\nid: SG-10\nfamily: RT-SG\nlevel: core\nprofiles: [runtime]\nposture: normative-target\nadded: 1.0\nchanged: \"1.10\"\nspecification: S 1\nrule_hash: 009951124321\n---\n";

    fn page(markdown: &str) -> (Option<Rule>, Vec<String>) {
        let source = Source::new("p.md", format!("{FRONT}{markdown}"));
        let mut faults = Vec::new();
        let rule = read(&source, &mut faults);
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
        let dos = read(&source, &mut faults).unwrap_or_else(|| panic!("{faults:?}"));
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
            ("family: RT-SG", "family: [", "p.md:5:1: error[R103]: "),
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
                read(&Source::new("p.md", text), &mut faults).is_none(),
                "{to}"
            );
            let first = faults.first().map(ToString::to_string).unwrap_or_default();
            assert!(first.starts_with(says), "{first}\n{says}");
        }
    }
}
