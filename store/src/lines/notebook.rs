//! What a transaction writes its lines into: signed with who acts, and cut back where a part of it is taken back.

use super::author::Author;
use super::collection::Collection;
use super::line::Line;
use std::sync::Arc;

/// The lines of a transaction, until it is committed.
pub(crate) trait Notebook {
    /// Says by whom all that follows is done.
    fn sign(&mut self, author: Option<Arc<Author>>);

    /// Who that is, where somebody is known.
    fn author(&self) -> Option<&Author>;

    /// How much there is: given to `cut`, it takes back what came after.
    fn fill(&self) -> Fill;

    fn cut(&mut self, fill: Fill);
}

/// How much is in each part of a notebook.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fill(pub(crate) [usize; 2]);

/// A notebook of one part.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    lines: Collection,
    author: Option<Arc<Author>>,
}

impl Sheet {
    pub(crate) fn push(&mut self, line: &Line) {
        self.lines.push(line, self.author.as_deref());
    }

    /// What there is, if there is anything.
    pub(crate) fn written(&self) -> Option<&[u8]> {
        self.lines.written()
    }
}

impl Notebook for Sheet {
    fn sign(&mut self, author: Option<Arc<Author>>) {
        self.author = author;
    }

    fn author(&self) -> Option<&Author> {
        self.author.as_deref()
    }

    fn fill(&self) -> Fill {
        Fill([self.lines.length(), 0])
    }

    fn cut(&mut self, Fill([length, _]): Fill) {
        self.lines.cut(length);
    }
}
