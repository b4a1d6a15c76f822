//! The lines of a transaction, or of a group of them, until it is committed.

use super::author::Author;
use super::encoding;
use super::line::Line;

/// Lines as they are written, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Collection {
    written: Vec<u8>,
}

impl Collection {
    /// Adds a line, as that of an author where there is one.
    pub(crate) fn push(&mut self, line: &Line, author: Option<&Author>) {
        match author {
            Some(author) => encoding::write(&line.clone().by(author), &mut self.written),
            None => encoding::write(line, &mut self.written),
        }
    }

    /// How much there is: given to `cut`, it takes back what came after.
    pub(crate) fn length(&self) -> usize {
        self.written.len()
    }

    pub(crate) fn cut(&mut self, length: usize) {
        self.written.truncate(length);
    }

    /// What there is, if there is anything.
    pub(crate) fn written(&self) -> Option<&[u8]> {
        Some(self.written.as_slice()).filter(|written| !written.is_empty())
    }

    pub(crate) fn clear(&mut self) {
        self.written.clear();
    }
}
