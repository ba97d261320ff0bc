//! Diagnostics as a compiler shows them.

use std::borrow::Cow;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle,
};

use super::{Diagnostic, Place, Severity, printable, text::is_bidi};

/// A diagnostic with the lines that it is about, for people; ends with a newline.
///
/// Control characters in the text come out escaped. With `colour` the text carries ANSI styles.
///
/// ```
/// use standing::diagnostics::{Code, Diagnostic, Place, Source, render};
///
/// let source = Source::new("sg-1.md", "---\nlevel: cores\n---\n");
/// let wrong = Diagnostic::error(Code::UnknownLevel, "`cores` is no level")
///     .at(Place::new(&source, 11..16))
///     .help("a level is core, extended or optional");
/// assert_eq!(render(&wrong, false), "\
/// error[R105]: `cores` is no level
///  --> sg-1.md:2:8
///   |
/// 2 | level: cores
///   |        ^^^^^
///   |
///   = help: a level is core, extended or optional
/// ");
/// ```
pub fn render(diagnostic: &Diagnostic, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = printable(&diagnostic.message);
    let mut group = Group::with_title(level.primary_title(message).id(diagnostic.code.id()));
    if let Some(place) = &diagnostic.place {
        if place.source().text().is_empty() {
            group = group.element(Origin::path(printable(place.path())));
        } else {
            let label = diagnostic.label.as_deref().map(printable);
            let mut snippet = snippet(place, AnnotationKind::Primary, label);
            // What is said about the same text is shown in the same excerpt.
            for (other, what) in here(diagnostic, place) {
                snippet = snippet.annotation(annotation(
                    other,
                    first_line(place).1,
                    AnnotationKind::Context,
                    Some(printable(what)),
                ));
            }
            group = group.element(snippet);
        }
    }
    for (other, what) in &diagnostic.related {
        let elsewhere = diagnostic
            .place
            .as_ref()
            .is_none_or(|p| first_line(p) != first_line(other) || p.path() != other.path());
        if elsewhere {
            group = group.element(snippet(
                other,
                AnnotationKind::Context,
                Some(printable(what)),
            ));
        }
    }
    if let Some(note) = &diagnostic.note {
        group = group.element(Level::NOTE.message(printable(note)));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(printable(help)));
    }
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut text = renderer
        .decor_style(DecorStyle::Ascii)
        .render(&[group])
        .to_string();
    text.push('\n');
    text
}

fn here<'a>(
    diagnostic: &'a Diagnostic,
    place: &'a Place,
) -> impl Iterator<Item = (&'a Place, &'a String)> {
    diagnostic
        .related
        .iter()
        .filter(move |(p, _)| p.path() == place.path() && first_line(p) == first_line(place))
        .map(|(p, what)| (p, what))
}

/// The first line that a place touches: its number, and where it starts.
fn first_line(place: &Place) -> (usize, usize) {
    let text = place.source().text();
    let start = text[..place.span().start].rfind('\n').map_or(0, |i| i + 1);
    (place.line_column().line, start)
}

/// An excerpt that has the first line of `place` alone: a document may be large.
fn snippet(
    place: &Place,
    kind: AnnotationKind,
    label: Option<String>,
) -> Snippet<'_, Annotation<'_>> {
    let (line, start) = first_line(place);
    let text = place.source().text();
    let end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    Snippet::source(visible(&text[start..end]))
        .line_start(line)
        .path(printable(place.path()))
        .annotation(annotation(place, start, kind, label))
}

fn annotation(
    place: &Place,
    start: usize,
    kind: AnnotationKind,
    label: Option<String>,
) -> Annotation<'_> {
    let span = place.span();
    let text = place.source().text();
    let end = text[span.start..]
        .find(['\n', '\r'])
        .map_or(text.len(), |i| span.start + i);
    kind.span(span.start - start..span.end.min(end) - start)
        .label(label)
}

/// Text whose marks stay where they are: what the renderer would let through to a terminal is
/// replaced by a character of as many bytes.
fn visible(text: &str) -> Cow<'_, str> {
    let acts = |c: char| (c.is_control() && !c.is_ascii()) || is_bidi(c);
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let show = |c: char| match (acts(c), c.len_utf8()) {
        (false, _) => c,
        (true, 2) => '¿',
        (true, _) => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Code, Source};

    #[test]
    fn a_place_at_the_very_end_and_in_an_empty_text_render() {
        for text in ["", "a", "a\n", "a\r\nb\r\n"] {
            let source = Source::new("f", text);
            let place = Place::new(&source, text.len()..text.len());
            let shown = render(&Diagnostic::error(Code::CaseShape, "m").at(place), false);
            assert!(shown.starts_with("error[C304]: m\n"), "{shown}");
        }
    }

    #[test]
    fn nothing_in_the_excerpt_acts_on_a_terminal() {
        let text = "\u{7}\u{1b}\u{7f}\u{9b}2J\u{61c}\u{200e}\u{202e}\u{2066} wrong\n";
        let at = text.find("wrong").expect("it is there");
        let source = Source::new("f", text);
        let fault = Diagnostic::error(Code::CaseShape, "m").at(Place::new(&source, at..at + 5));
        let shown = render(&fault, false);
        let acts = |c: char| (c.is_control() && c != '\n') || is_bidi(c);
        assert!(!shown.contains(acts), "{shown:?}");
        let column = |line: &str, c| line.chars().position(|d| d == c);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(column(lines[3], 'w'), column(lines[4], '^'), "{shown}");
    }

    #[test]
    fn another_place_on_the_same_line_is_shown_in_the_same_excerpt() {
        let source = Source::new("f", "a: 1, a: 2\n");
        let shown = render(
            &Diagnostic::error(Code::DuplicateKey, "`a` twice")
                .at(Place::new(&source, 6..7))
                .see(Place::new(&source, 0..1), "first here"),
            false,
        );
        assert!(shown.contains("first here"), "{shown}");
        assert_eq!(shown.matches("-->").count(), 1, "{shown}");
    }
}
