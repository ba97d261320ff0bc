//! The Markdown of a document: its heading, the rule in a block quote, fenced examples, and the
//! rules that it points to.

use std::{ops::Range, sync::Arc};

use pulldown_cmark::{
    CodeBlockKind, Event, HeadingLevel, OffsetIter, Options, Parser, Tag, TagEnd,
};

use super::{
    Clause, Content, Example, Related, RuleId,
    info_string::{self, InfoString},
    parse_json,
};
use crate::diagnostics::{Code, Diagnostic, Place, Source};

/// What the Markdown of a document says.
#[derive(Clone, Debug)]
pub(crate) struct Markdown {
    pub(crate) source: Arc<Source>,
    /// Where the text of the first heading stands.
    pub(crate) heading: Option<Range<usize>>,
    pub(crate) summary: Option<String>,
    pub(crate) clauses: Vec<Clause>,
    /// Every fence, the broken ones too.
    pub(crate) fences: Vec<Fence>,
    pub(crate) relations: Vec<Relation>,
}

/// A fenced block: where it stands and what it says.
#[derive(Clone, Debug)]
pub(crate) struct Fence {
    /// The line that opens it, from its first mark.
    pub(crate) line: Range<usize>,
    /// From its first mark to the end of its last line.
    pub(crate) all: Range<usize>,
    /// How long the marks are that open it.
    pub(crate) marks: usize,
    pub(crate) info: InfoString,
    pub(crate) body: Body,
    /// What the body says. `None`: it has a fault, which was told.
    pub(crate) content: Option<Content>,
}

/// A rule that a page points to under `## Related rules`.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) kind: RelationKind,
    /// As it is written.
    pub(crate) id: String,
    pub(crate) span: Range<usize>,
}

/// How a page points to another rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RelationKind {
    /// It names it.
    Names,
    /// It is named by it.
    ReferencedBy,
}

/// What a fence encloses: its text, and where each piece of it stands in the document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(crate) text: String,
    pieces: Vec<(usize, usize)>,
}

impl Body {
    /// Where a byte of the text stands in the document.
    pub(crate) fn place(&self, offset: usize) -> Option<usize> {
        let piece = self
            .pieces
            .partition_point(|(at, _)| *at <= offset)
            .checked_sub(1)?;
        let (at, document) = self.pieces[piece];
        Some(document + offset - at)
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

/// Reads the Markdown of a published page, which starts at `base`.
pub(super) fn page(source: &Arc<Source>, base: usize, faults: &mut Vec<Diagnostic>) -> Markdown {
    read(source, base, Section::Opening, faults)
}

/// Reads Markdown that explains a rule which is stated elsewhere.
pub(super) fn narrative(
    source: &Arc<Source>,
    base: usize,
    faults: &mut Vec<Diagnostic>,
) -> Markdown {
    read(source, base, Section::Other, faults)
}

fn read(
    source: &Arc<Source>,
    base: usize,
    section: Section,
    faults: &mut Vec<Diagnostic>,
) -> Markdown {
    let mut reader = Reader {
        base,
        markdown: &source.text()[base..],
        is_page: section == Section::Opening,
        section,
        items: Vec::new(),
        numbers: Vec::new(),
        said: Markdown {
            source: Arc::clone(source),
            heading: None,
            summary: None,
            clauses: Vec::new(),
            fences: Vec::new(),
            relations: Vec::new(),
        },
        faults,
    };
    reader.read();
    reader.check_numbers();
    reader.said
}

struct Reader<'a> {
    /// Where the Markdown starts in the document; event offsets count from here.
    base: usize,
    markdown: &'a str,
    is_page: bool,
    section: Section,
    /// The items that are open under `Related rules`: their text, and where its pieces stand.
    items: Vec<Body>,
    /// The number that each clause is written with, and where.
    numbers: Vec<(Option<usize>, Range<usize>)>,
    said: Markdown,
    faults: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let mut events = Parser::new_ext(self.markdown, Options::empty()).into_offset_iter();
        let mut quotes = 0_usize;
        let mut lists: Vec<bool> = Vec::new();
        while let Some((event, span)) = events.next() {
            let in_rule = self.section == Section::Rule && quotes > 0;
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let text = inline_span(&mut events);
                    self.heading(level, text);
                }
                Event::Start(Tag::CodeBlock(kind)) => self.block(&kind, span, &mut events),
                Event::Start(Tag::BlockQuote(_)) => quotes += 1,
                Event::End(TagEnd::BlockQuote(_)) => quotes -= 1,
                Event::Start(Tag::List(first)) => lists.push(first.is_some()),
                Event::End(TagEnd::List(_)) => {
                    lists.pop();
                }
                Event::Start(Tag::Item) if in_rule && lists == [true] => {
                    self.numbered(span, &mut events);
                }
                Event::Start(Tag::Item) if self.section == Section::Related => {
                    self.items.push(Body::default());
                }
                Event::End(TagEnd::Item) if self.section == Section::Related => {
                    if let Some(item) = self.items.pop() {
                        self.relation(&item);
                    }
                }
                Event::Text(text) | Event::Code(text) if !self.items.is_empty() => {
                    if let Some(item) = self.items.last_mut() {
                        let raw = &self.markdown[span.clone()];
                        let inside = raw.find(&*text).unwrap_or(0);
                        item.pieces
                            .push((item.text.len(), self.base + span.start + inside));
                        item.text.push_str(&text);
                    }
                }
                Event::SoftBreak | Event::HardBreak => {
                    if let Some(item) = self.items.last_mut() {
                        item.pieces.push((item.text.len(), self.base + span.start));
                        item.text.push(' ');
                    }
                }
                Event::Start(Tag::Paragraph) if self.section == Section::Opening => {
                    if let Some(text) = inline_span(&mut events) {
                        self.opening(text);
                    }
                }
                Event::Start(Tag::Paragraph) if in_rule => {
                    if let Some(text) = inline_span(&mut events) {
                        self.clause(None, &[text]);
                    }
                }
                _ => {}
            }
        }
    }

    fn heading(&mut self, level: HeadingLevel, text: Option<Range<usize>>) {
        if !self.is_page {
            return;
        }
        match level {
            HeadingLevel::H1 if self.said.heading.is_none() => {
                self.said.heading = text.map(|t| self.base + t.start..self.base + t.end);
            }
            HeadingLevel::H2 => {
                self.section = match text.map(|t| self.markdown[t].trim()) {
                    Some("The rule") => Section::Rule,
                    Some("Related rules") => Section::Related,
                    _ => Section::Other,
                };
            }
            _ => {}
        }
    }

    /// A paragraph between the heading and the first section: the facet line, which repeats the
    /// front matter in italics, or the summary.
    fn opening(&mut self, text: Range<usize>) {
        let text = flatten(&self.markdown[text]);
        let first = self.said.heading.is_some() && self.said.summary.is_none();
        if first && !text.starts_with('*') {
            self.said.summary = Some(text);
        }
    }

    /// A numbered item of the rule, which was just entered: a clause. A fence in it is an example,
    /// and no part of the text.
    fn numbered(&mut self, item: Range<usize>, events: &mut OffsetIter<'_>) {
        let mut pieces: Vec<Range<usize>> = Vec::new();
        let mut depth = 0_usize;
        let mut goes_on = false;
        while let Some((event, at)) = events.next() {
            match event {
                Event::End(TagEnd::Item) if depth == 0 => break,
                Event::Start(Tag::Item) => depth += 1,
                Event::End(TagEnd::Item) => depth -= 1,
                Event::Start(Tag::CodeBlock(kind @ CodeBlockKind::Fenced(_))) => {
                    self.block(&kind, at, events);
                    goes_on = false;
                    continue;
                }
                // The end of a block spans all of it, a fence inside too.
                Event::End(_) => continue,
                _ => {}
            }
            match pieces.last_mut().filter(|_| goes_on) {
                Some(piece) => piece.end = piece.end.max(at.end),
                None => pieces.push(at),
            }
            goes_on = true;
        }
        let digits = self.markdown[item.start..].bytes();
        let digits = digits.take_while(u8::is_ascii_digit).count();
        let span = item.start..item.start + digits;
        self.clause(Some(span), &pieces);
    }

    fn clause(&mut self, number: Option<Range<usize>>, pieces: &[Range<usize>]) {
        let texts = pieces.iter().map(|p| flatten(&self.markdown[p.clone()]));
        let text = texts.collect::<Vec<_>>().join(" ");
        // The page's own heading of the quote.
        if text.is_empty() || text.starts_with("**Normative.**") {
            return;
        }
        let written = number
            .clone()
            .and_then(|n| self.markdown[n].parse::<usize>().ok());
        let span = number.unwrap_or_else(|| pieces[0].clone());
        self.numbers
            .push((written, self.base + span.start..self.base + span.end));
        self.said.clauses.push(Clause {
            number: self.said.clauses.len() + 1,
            text,
        });
    }

    /// That clauses are numbered as they are counted. All `1.` is Markdown's way of leaving the
    /// counting to the reader.
    fn check_numbers(&mut self) {
        if self.numbers.iter().all(|(n, _)| n.is_none_or(|n| n == 1)) {
            return;
        }
        let wrong = self.numbers.iter().enumerate();
        let mut wrong =
            wrong.filter_map(|(i, (n, span))| n.filter(|n| *n != i + 1).map(|n| (i + 1, n, span)));
        if let Some((count, number, span)) = wrong.next() {
            self.faults.push(
                Diagnostic::error(
                    Code::ClauseNumber,
                    format!("clause {count} of the rule is numbered {number}"),
                )
                .at(Place::new(&self.said.source, span.clone()))
                .note("clauses are cited by their number, counted from 1")
                .help(format!("write `{count}.`")),
            );
        }
    }

    fn relation(&mut self, item: &Body) {
        let Some((kind, ids)) = item.text.split_once(':') else {
            return;
        };
        let kind = match kind.trim() {
            "Names" => RelationKind::Names,
            "Referenced by" => RelationKind::ReferencedBy,
            _ => return,
        };
        let mut at = item.text.len() - ids.len();
        for id in ids.split(',') {
            let start = at + id.len() - id.trim_start().len();
            at += id.len() + 1;
            let id = id.trim();
            if id.is_empty() {
                continue;
            }
            let start = item.place(start).unwrap_or(self.base);
            self.said.relations.push(Relation {
                kind,
                id: id.to_owned(),
                span: start..start + id.len(),
            });
        }
    }

    /// A code block, which was just entered; an indented one is no example.
    fn block(&mut self, kind: &CodeBlockKind<'_>, span: Range<usize>, events: &mut OffsetIter<'_>) {
        let mut body = Body::default();
        for (event, at) in events {
            match event {
                Event::Text(text) => {
                    body.pieces.push((body.text.len(), self.base + at.start));
                    body.text.push_str(&text);
                }
                Event::End(TagEnd::CodeBlock) => break,
                _ => {}
            }
        }
        if let CodeBlockKind::Fenced(_) = kind {
            self.fence(self.base + span.start..self.base + span.end, body);
        }
    }

    fn fence(&mut self, all: Range<usize>, body: Body) {
        let source = &self.said.source;
        let line = Place::line_of(source, all.start).span();
        let line = all.start..line.end.max(all.start);
        let marked = &source.text()[line.clone()];
        let raw = marked.trim_start_matches(['`', '~']);
        let marks = &marked[..marked.len() - raw.len()];
        if !is_closed(&source.text()[all.clone()], marks) {
            self.faults.push(
                Diagnostic::error(Code::UnclosedFence, "the fence is never closed")
                    .at(Place::new(source, line))
                    .note("all that follows is part of the example")
                    .help(format!("close it with a line that is `{marks}`")),
            );
            return;
        }
        let info = match info_string::parse(raw) {
            Ok(info) => info,
            Err(error) => {
                let at = line.end - raw.len();
                self.faults.push(
                    Diagnostic::error(Code::InfoString, error.message)
                        .at(Place::new(
                            source,
                            at + error.span.start..at + error.span.end,
                        ))
                        .help("write title=\"…\" verdict=\"…\"; a quote inside is written \\\""),
                );
                return;
            }
        };
        let content = match info.language.as_str() {
            "json" => match parse_json(&body.text) {
                Ok(value) => Some(Content::Json(value)),
                Err(error) => {
                    let fault = error.diagnostic(source, &body, all.start);
                    let fault = fault.see(Place::new(source, line.clone()), "in this example");
                    self.faults.push(fault);
                    None
                }
            },
            _ => Some(Content::Text),
        };
        let marks = marks.len();
        self.said.fences.push(Fence {
            line,
            all,
            marks,
            info,
            body,
            content,
        });
    }
}

impl Markdown {
    /// The examples, in order: fences without a fault.
    pub(super) fn examples(&self) -> Vec<Example> {
        let whole = self
            .fences
            .iter()
            .filter_map(|f| Some((f, f.content.clone()?)));
        whole
            .enumerate()
            .map(|(i, (fence, content))| Example {
                number: i + 1,
                language: fence.info.language.clone(),
                title: fence.info.title.clone(),
                verdict: fence.info.verdict.clone(),
                line: self.source.line_column(fence.line.start).line,
                body: fence.body.text.clone(),
                content,
                source: Arc::clone(&self.source),
                fence: fence.line.clone(),
                places: fence.body.clone(),
            })
            .collect()
    }

    /// The rules that it points to; what is no id is left out.
    pub(super) fn related(&self) -> Related {
        let of = |kind| {
            let relations = self.relations.iter().filter(move |r| r.kind == kind);
            relations.filter_map(|r| RuleId::new(&r.id)).collect()
        };
        Related {
            names: of(RelationKind::Names),
            referenced_by: of(RelationKind::ReferencedBy),
        }
    }

    /// The title in the heading, behind the id; faults are added to `faults`.
    pub(super) fn title(&self, id: &RuleId, faults: &mut Vec<Diagnostic>) -> Option<String> {
        let Some(heading) = self.heading.clone() else {
            let base = super::head::front_matter(&self.source).ok().flatten();
            faults.push(
                Diagnostic::error(Code::Heading, "the document has no heading")
                    .at(Place::line_of(&self.source, base.map_or(0, |(_, end)| end)))
                    .help(format!("write `# {id} — ` and the rule's title")),
            );
            return None;
        };
        let text = flatten(&self.source.text()[heading.clone()]);
        let title = text
            .strip_prefix(id.as_str())
            .map(|rest| rest.trim_start())
            .and_then(|rest| rest.strip_prefix(['—', '–', '-', ':']))
            .map(|title| title.trim().to_owned());
        if title.is_none() {
            faults.push(
                Diagnostic::error(
                    Code::Heading,
                    format!("the heading does not start with `{id} — `"),
                )
                .at(Place::new(&self.source, heading))
                .help("the heading names the id of the front matter, then the rule's title"),
            );
        }
        title
    }
}

/// Whether the last line of a fenced block, below the first, closes it.
fn is_closed(block: &str, marks: &str) -> bool {
    let Some((_, last)) = block.trim_end_matches(['\n', '\r']).rsplit_once('\n') else {
        return false;
    };
    let last = last.trim_start_matches([' ', '\t', '>']).trim_end();
    let mark = marks.chars().next().unwrap_or('`');
    last.len() >= marks.len() && last.chars().all(|c| c == mark)
}

/// A piece of Markdown on one line: quote marks and indentation of continued lines are left out,
/// and every run of white space is one space.
fn flatten(text: &str) -> String {
    let mut words = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let mut line = line.trim();
        while i > 0 && line.starts_with('>') {
            line = line[1..].trim_start();
        }
        words.extend(line.split_whitespace());
    }
    words.join(" ")
}

/// From the first to the last thing inside the block that was just entered, a paragraph or a
/// heading; leaves the block.
fn inline_span(events: &mut OffsetIter<'_>) -> Option<Range<usize>> {
    let (event, mut span) = events.next()?;
    if let Event::End(TagEnd::Paragraph | TagEnd::Heading(_)) = event {
        return None;
    }
    for (event, at) in events {
        match event {
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_)) => break,
            _ => span.end = span.end.max(at.end),
        }
    }
    Some(span)
}
