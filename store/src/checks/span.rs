//! Spans of a table that fit into memory, one after the other over all its numbers, those of rows that are not there
//! included: whatever refers to one of these is found, too.

use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;

/// Rows of a span at the most, and bytes of their bodies: a document may be 10 MiB by itself.
const ROWS: i64 = 500;
const BYTES: i64 = 8 << 20;

statements! {
    COUNT = "SELECT count(*) FROM resources";
    SIZES = "SELECT id, octet_length(body) FROM resources WHERE id > $1 ORDER BY id LIMIT $2";
}

/// The numbers after one, until and with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub after: i64,
    pub until: i64,
}

impl Span {
    /// One number alone.
    pub(super) const fn of(number: i64) -> Self {
        Self { after: number.saturating_sub(1), until: number }
    }
}

/// How many resources there are.
pub(super) async fn count(store: &Store) -> Result<u64> {
    let count = store.db.page(COUNT, &[], |row| row.int(0)).await?;
    Ok(count.first().map_or(0, |count| count.unsigned_abs()))
}

/// The next span of resources, and how many it has; none at the end.
pub(super) async fn next(store: &Store, after: i64) -> Result<Option<(Span, u64)>> {
    if after == i64::MAX {
        return Ok(None);
    }
    let sizes = store.db.page(SIZES, args![after, ROWS], |row| Ok((row.int(0)?, row.int(1)?))).await?;
    let (rows, last) = fitting(&sizes);
    let is_last = rows == sizes.len() && i64::try_from(rows).is_ok_and(|rows| rows < ROWS);
    let until = last.filter(|_| !is_last).unwrap_or(i64::MAX);
    Ok(Some((Span { after, until }, u64::try_from(rows).unwrap_or_default())))
}

/// How many of the rows fit into memory, one at the least, and the last of them.
pub(super) fn fitting<K: Copy>(sizes: &[(K, i64)]) -> (usize, Option<K>) {
    let (mut bytes, mut rows, mut last) = (0_i64, 0, None);
    for (key, size) in sizes {
        bytes = bytes.saturating_add(*size);
        if rows > 0 && bytes > BYTES {
            break;
        }
        (rows, last) = (rows + 1, Some(*key));
    }
    (rows, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_ends_where_memory_does_and_has_one_row_at_the_least() {
        assert_eq!(fitting::<i64>(&[]), (0, None));
        assert_eq!(fitting(&[(1, 5), (2, 5)]), (2, Some(2)));
        assert_eq!(fitting(&[(1, BYTES), (2, 1), (3, 1)]), (1, Some(1)));
        assert_eq!(fitting(&[(1, BYTES + 1), (2, 1)]), (1, Some(1)));
        assert_eq!(fitting(&[(1, 1), (2, BYTES), (3, 1)]), (1, Some(1)));
    }
}
