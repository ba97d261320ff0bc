//! What is known of carried cases without reading them.

use std::{collections::HashSet, ops::Range};

use crate::corpus::{Corpus, Document, embedded_page};

/// The rules whose text and examples are, to the letter, those that the carried cases were written
/// for; named as in [`RuleId::slug`](crate::corpus::RuleId::slug). That these cases name every example, and that the reference agrees
/// with them, is proven by the tests of this library, so that nothing is to be found here.
pub(super) fn known(corpus: &Corpus) -> HashSet<String> {
    let documents = corpus.documents().iter().filter(|d| d.is_whole);
    documents
        .filter_map(|document| {
            let id = document.id()?;
            let rule = corpus.rule(id.as_str())?;
            let page = embedded_page(&id)?;
            let restates = page
                .text()
                .contains(&format!("\nrule_hash: {}\n", rule.hash));
            // A page of this library itself has the hash only if it restates another text.
            let is_it = rule.source.text() == page.text();
            let same = (restates && has_examples(page.text(), document)) || is_it;
            same.then(|| id.slug())
        })
        .collect()
}

/// Whether the fences of a document, and no others, stand in a page in this order.
fn has_examples(page: &str, document: &Document) -> bool {
    let Some(markdown) = &document.markdown else {
        return !page.contains("\n```");
    };
    let mut rest = page;
    let text = markdown.source.text();
    for fence in &markdown.fences {
        let Range { start, end } = fence.all;
        let raw = text[start..end].trim_end();
        let Some(at) = rest.find(raw) else {
            return false;
        };
        if rest[..at].contains("\n```") {
            return false;
        }
        rest = &rest[at + raw.len()..];
    }
    !rest.contains("\n```")
}
