//! Index rows of what a plan deletes, which are taken away behind it: nobody finds by them what is deleted, and others' writes need not
//! wait for so many rows.

use super::staging;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use rules::ids::RowId;
use rules::moment::Moment;

/// Bytes of a body that has few rows of the index.
pub(crate) const SMALL_BODY: usize = 32 << 10;

/// Bytes of the bodies of one part.
const PART_BYTES: usize = 64 << 10;

/// The rows that are left, in parts.
#[derive(Debug, Default)]
pub(crate) struct LeftRows {
    /// Whether those of small bodies are left as well.
    are_all_left: bool,
    /// Whether none are.
    is_at_once: bool,
    parts: Vec<Vec<i64>>,
    /// Bytes of the bodies of the last part.
    bytes: usize,
}

impl LeftRows {
    /// Of a plan of so many deletions. Where others write at the same time, nothing is left.
    pub(crate) fn of(tx: &Tx<'_>, deletions: usize) -> Self {
        Self { are_all_left: deletions > 1, is_at_once: tx.is_shared(), ..Self::default() }
    }

    /// Of a write that takes all away at once.
    pub(crate) fn none() -> Self {
        Self { is_at_once: true, ..Self::default() }
    }

    /// Whether the rows of a resource that is deleted, of a body of so many bytes, are taken away later.
    pub(crate) fn takes(&mut self, row: RowId, bytes: usize) -> bool {
        if self.is_at_once || !(self.are_all_left || bytes > SMALL_BODY) {
            return false;
        }
        match self.parts.last_mut().filter(|_| self.bytes + bytes <= PART_BYTES) {
            Some(part) => {
                part.push(row.0);
                self.bytes += bytes;
            }
            None => {
                self.parts.push(vec![row.0]);
                self.bytes = bytes;
            }
        }
        true
    }

    /// Notes what is left, so that it is taken away whatever becomes of this process; tells by which number, and in how many parts.
    pub(crate) async fn note(self, tx: &mut Tx<'_>, ids: &Ids, now: Moment) -> Result<Option<(i64, i64)>> {
        if self.parts.is_empty() {
            return Ok(None);
        }
        let id = ids.next(now);
        staging::leave(tx, id, &self.parts).await?;
        Ok(Some((id, i64::try_from(self.parts.len()).unwrap_or(i64::MAX))))
    }
}
