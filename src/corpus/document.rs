//! Documents as they were read, also those that came to no rule.

use std::sync::Arc;

use super::{RuleId, head::Head, markdown::Markdown};
use crate::diagnostics::Source;

/// How a rule is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// A page with everything on it.
    Page,
    /// `rules/<ID>.yml`, perhaps with `narrative/<ID>.mdx`.
    Files,
}

/// What was read for one rule, whether or not it came to one.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) layout: Layout,
    /// The page, or the rule's own file.
    pub(crate) source: Arc<Source>,
    /// Its members. `None`: they could not be read.
    pub(crate) head: Option<Head>,
    /// The page's, or the narrative's.
    pub(crate) markdown: Option<Markdown>,
    /// The head of the narrative.
    pub(crate) narrative: Option<Head>,
    /// Whether it was read without a fault.
    pub(crate) is_whole: bool,
}

impl Document {
    pub(super) fn new(layout: Layout, source: &Arc<Source>) -> Self {
        Self {
            layout,
            source: Arc::clone(source),
            head: None,
            markdown: None,
            narrative: None,
            is_whole: false,
        }
    }

    /// The id that it says it has, if that is one.
    pub(crate) fn id(&self) -> Option<RuleId> {
        RuleId::new(self.head.as_ref()?.text("id")?)
    }
}

/// A narrative that belongs to no rule file.
#[derive(Clone, Debug)]
pub(crate) struct Orphan {
    pub(crate) source: Arc<Source>,
    pub(crate) head: Option<Head>,
}
