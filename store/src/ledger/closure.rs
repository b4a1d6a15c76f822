//! Closing months that are over: no line of them is added any more, and somebody who is not the database vouches for what
//! they were.

use super::{addition, roots};
use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::lines::block::{Hash, Head};
use crate::lines::month::Month;
use crate::lines::root::{MonthRoot, Notary, Seal};
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::moment::Moment;
use std::sync::Arc;

statements! {
    FIRST = "SELECT id FROM ledger.blocks ORDER BY id LIMIT 1";
    LAST_BEFORE = "SELECT number, count, hash FROM ledger.blocks WHERE id < $1 ORDER BY id DESC LIMIT 1";
}

/// Closes every month that is over and is not closed yet, the oldest first, each in a transaction of its own. Gives their
/// roots.
pub async fn close(store: &Store, now: Moment, notary: &Arc<dyn Notary>) -> Result<Vec<MonthRoot>> {
    let mut closed = Vec::new();
    loop {
        let notary = notary.clone();
        let next = store.db.add_to_ledger(move |tx| Box::pin(async move { close_next(tx, now, &*notary).await }));
        match next.await? {
            Some(root) => closed.push(root),
            None => return Ok(closed),
        }
    }
}

/// Closes one month. Whoever does so holds the end of the ledger, so that of many nodes one does.
async fn close_next(tx: &mut Tx<'_>, now: Moment, notary: &dyn Notary) -> Result<Option<MonthRoot>> {
    let mut end = addition::end(tx).await?;
    let before = roots::last(tx).await?;
    let month = match &before {
        Some(before) => before.month.next(),
        None => match tx.query_one(FIRST, &[], |row| row.int(0)).await? {
            Some(id) => Month::of_id(id),
            None => return Ok(None),
        },
    };
    if month >= Month::of(now) {
        return Ok(None);
    }
    let (_, beyond) = month.ids();
    let (before_line, before_hash) = before.map_or((0, Head::start().hash), |root| (root.last, root.hash));
    let (last, hash) = last_before(tx, beyond).await?.unwrap_or((before_line, before_hash));
    if last < before_line {
        return Err(Error::Damaged(format!("the ledger, of which lines up to {before_line} were closed,")));
    }
    let (first, removal, seal) = (before_line + 1, None, Seal::default());
    let root = MonthRoot { month, first, last, hash, closed_at: now, removal, seal };
    let root = root.sealed(notary).ok_or_else(roots::no_key)?;
    roots::add(tx, &root).await?;
    // Ids only grow: whatever a clock says, the next line is not of this month.
    end.head.id = end.head.id.max(beyond);
    addition::move_head(tx, end).await?;
    Ok(Some(root))
}

/// The number and the hash of the last line that has an id below this one.
async fn last_before(tx: &mut Tx<'_>, beyond: i64) -> Result<Option<(i64, Hash)>> {
    let found = tx.query_one(LAST_BEFORE, args![beyond], |row| Ok((row.int(0)?, row.int(1)?, row.bytes(2)?))).await?;
    let Some((number, count, hash)) = found else { return Ok(None) };
    let hash = hash.try_into().map_err(|_| Error::Damaged(format!("the ledger, at line {number},")))?;
    Ok(Some((number + count - 1, hash)))
}
