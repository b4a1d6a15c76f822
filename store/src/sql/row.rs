//! One row of a result, read by position. Each engine reads its own kind of row.

use crate::error::{Error, Result};

pub trait Row {
    fn opt_int(&self, at: usize) -> Result<Option<i64>>;
    fn opt_text(&self, at: usize) -> Result<Option<String>>;
    fn opt_bytes(&self, at: usize) -> Result<Option<Vec<u8>>>;

    fn int(&self, at: usize) -> Result<i64> {
        there(self.opt_int(at)?, at)
    }

    fn text(&self, at: usize) -> Result<String> {
        there(self.opt_text(at)?, at)
    }

    fn bytes(&self, at: usize) -> Result<Vec<u8>> {
        there(self.opt_bytes(at)?, at)
    }

    fn flag(&self, at: usize) -> Result<bool> {
        Ok(self.int(at)? != 0)
    }
}

fn there<T>(value: Option<T>, at: usize) -> Result<T> {
    value.ok_or_else(|| Error::Impossible(format!("column {at} is null")))
}

impl dyn Row + '_ {
    /// A number of ours that stands for a session, a client and the like.
    pub(crate) fn id<T: From<i64>>(&self, at: usize) -> Result<T> {
        self.int(at).map(T::from)
    }

    pub(crate) fn opt_id<T: From<i64>>(&self, at: usize) -> Result<Option<T>> {
        Ok(self.opt_int(at)?.map(T::from))
    }

    /// A word of the database read as one of the code's own values.
    pub(crate) fn word<T>(&self, at: usize, named: impl Fn(&str) -> Option<T>) -> Result<T> {
        there(self.opt_word(at, named)?, at)
    }

    pub(crate) fn opt_word<T>(&self, at: usize, named: impl Fn(&str) -> Option<T>) -> Result<Option<T>> {
        let Some(word) = self.opt_text(at)? else { return Ok(None) };
        let known = named(&word);
        known.map(Some).ok_or_else(|| Error::Impossible(format!("column {at} holds the word {word:?}")))
    }
}
