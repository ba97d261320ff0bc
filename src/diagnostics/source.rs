//! Texts that were read, and places in them.

use std::{ops::Range, sync::Arc};

/// A text and the name that it is known by: a path with `/`, whatever the system writes.
#[derive(Debug)]
pub struct Source {
    path: String,
    text: String,
    has_mark: bool,
}

impl Source {
    /// A text under a name. A byte-order mark at its start is no part of it.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        let mut text = text.into();
        let has_mark = text.starts_with('\u{feff}');
        if has_mark {
            text.drain(..'\u{feff}'.len_utf8());
        }
        Arc::new(Self {
            path: path.into(),
            text,
            has_mark,
        })
    }

    /// The name.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether a byte-order mark stood before the text.
    pub fn has_mark(&self) -> bool {
        self.has_mark
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte offset, each counted from 1; columns count characters.
    pub fn line_column(&self, offset: usize) -> LineColumn {
        let before = &self.text[..floor(&self.text, offset)];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        LineColumn {
            line: 1 + before.bytes().filter(|b| *b == b'\n').count(),
            column: 1 + before[start..].chars().count(),
        }
    }

    /// The byte offset of a line and column, each counted from 1; columns count characters. Past
    /// the end of a line is its end.
    pub fn offset(&self, at: LineColumn) -> usize {
        let mut start = 0;
        for _ in 1..at.line {
            match self.text[start..].find('\n') {
                Some(i) => start += i + 1,
                None => return self.text.len(),
            }
        }
        let line = self.text[start..].split('\n').next().unwrap_or_default();
        start
            + line
                .char_indices()
                .nth(at.column.saturating_sub(1))
                .map_or(line.len(), |(i, _)| i)
    }
}

fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// A position as people count: from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Lines from 1.
    pub line: usize,
    /// Characters from 1.
    pub column: usize,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub struct Place {
    source: Arc<Source>,
    span: Range<usize>,
}

impl Place {
    /// The piece of `source` that the byte range `span` covers; brought within the text.
    pub fn new(source: &Arc<Source>, span: Range<usize>) -> Self {
        let start = floor(source.text(), span.start);
        let end = floor(source.text(), span.end).max(start);
        Self {
            source: Arc::clone(source),
            span: start..end,
        }
    }

    /// The whole of what stands on the line of `offset`, without the white space around it.
    pub fn line_of(source: &Arc<Source>, offset: usize) -> Self {
        let text = source.text();
        let offset = floor(text, offset);
        let start = text[..offset].rfind('\n').map_or(0, |i| i + 1);
        let end = text[offset..].find('\n').map_or(text.len(), |i| offset + i);
        let line = text[start..end].trim_end();
        let indent = line.len() - line.trim_start().len();
        Self::new(source, start + indent..start + line.len())
    }

    /// The text that this is a piece of.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The name of that text.
    pub fn path(&self) -> &str {
        self.source.path()
    }

    /// Where in the text, in bytes.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Where the piece starts.
    pub fn line_column(&self) -> LineColumn {
        self.source.line_column(self.span.start)
    }
}

/// `path:line`.
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.path(), self.line_column().line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_go_both_ways() {
        let source = Source::new("x", "äb\nc\r\n\nd");
        for (offset, line, column) in [(0, 1, 1), (2, 1, 2), (4, 2, 1), (7, 3, 1), (8, 4, 1)] {
            let at = LineColumn { line, column };
            assert_eq!(source.line_column(offset), at);
            assert_eq!(source.offset(at), offset);
        }
    }

    #[test]
    fn offsets_outside_the_text_or_inside_a_character_are_brought_in() {
        let source = Source::new("x", "äb");
        assert_eq!(Place::new(&source, 1..99).span(), 0..3);
        assert_eq!(source.line_column(99), LineColumn { line: 1, column: 3 });
        assert_eq!(source.offset(LineColumn { line: 9, column: 9 }), 3);
    }

    #[test]
    fn what_stands_on_a_line_has_no_space_around_it() {
        let source = Source::new("x", "a\n  b c \r\n \nd");
        for (offset, span) in [(0, 0..1), (2, 4..7), (8, 4..7), (10, 10..10), (12, 12..13)] {
            assert_eq!(Place::line_of(&source, offset).span(), span, "{offset}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(Source::new("x", "\u{feff}---").text(), "---");
    }
}
