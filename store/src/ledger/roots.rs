//! The roots of months, as they are stored.

use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::lines::month::Month;
use crate::lines::root::{MonthRoot, Notary, Removal, Seal, SealState};
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::moment::Moment;

statements! {
    LIST = "SELECT month, first_line, last_line, hash, closed_at, dropped_at, dropped_by, key_id, seal
    FROM ledger.roots ORDER BY month";
    LAST = "SELECT month, first_line, last_line, hash, closed_at, dropped_at, dropped_by, key_id, seal
    FROM ledger.roots ORDER BY month DESC LIMIT 1";
    ADD = "INSERT INTO ledger.roots (month, first_line, last_line, hash, closed_at, key_id, seal)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
    DROP = "UPDATE ledger.roots SET dropped_at = $2, dropped_by = $3, key_id = $4, seal = $5 WHERE month = $1";
    RESEAL = "UPDATE ledger.roots SET key_id = $2, seal = $3 WHERE month = $1 AND seal = $4";
}

/// Every root, the oldest first.
pub async fn roots(store: &Store) -> Result<Vec<MonthRoot>> {
    let mut roots = Vec::new();
    let keep = |root| {
        roots.push(root);
        Ok(())
    };
    store.db.each_of_ledger(LIST, &[&[]], root, keep).await?;
    Ok(roots)
}

/// Where the ledger begins: behind the last month that was dropped.
pub(super) async fn beginning(store: &Store) -> Result<Option<MonthRoot>> {
    Ok(roots(store).await?.into_iter().rfind(|root| root.removal.is_some()))
}

/// The root of the last month that was closed.
pub(super) async fn last(tx: &mut Tx<'_>) -> Result<Option<MonthRoot>> {
    Ok(tx.query(LAST, &[], root).await?.into_iter().next())
}

pub(super) async fn list(tx: &mut Tx<'_>) -> Result<Vec<MonthRoot>> {
    tx.query(LIST, &[], root).await
}

pub(super) async fn add(tx: &mut Tx<'_>, root: &MonthRoot) -> Result<()> {
    let MonthRoot { month, first, last, hash, closed_at, seal, .. } = root;
    let tag = seal.tag.as_slice();
    tx.post(ADD, args![month.number(), *first, *last, hash.as_slice(), closed_at.0, &seal.key, tag]).await
}

/// Notes that the lines of a month are dropped, under the seal of a root that says so.
pub(super) async fn drop(tx: &mut Tx<'_>, root: &MonthRoot) -> Result<()> {
    let Some(Removal { at, by }) = &root.removal else { return Ok(()) };
    let (key, tag) = (&root.seal.key, root.seal.tag.as_slice());
    tx.post(DROP, args![root.month.number(), at.0, by, key, tag]).await
}

/// Has roots sealed anew: those that `wanted` names. Gives their months.
pub async fn reseal(
    store: &Store,
    notary: &dyn Notary,
    wanted: impl Fn(&MonthRoot, SealState) -> bool,
) -> Result<Vec<Month>> {
    let mut anew = Vec::new();
    for root in roots(store).await? {
        if wanted(&root, root.examined(notary)) {
            let (month, before) = (root.month, root.seal.tag.clone());
            let Seal { key, tag } = root.sealed(notary).ok_or_else(no_key)?.seal;
            anew.push((month, key, tag, before));
        }
    }
    let months = anew.iter().map(|(month, ..)| *month).collect();
    let write = store.db.add_to_ledger(move |tx| {
        Box::pin(async move {
            for (month, key, tag, before) in &anew {
                tx.post(RESEAL, args![month.number(), key, tag.as_slice(), before.as_slice()]).await?;
            }
            Ok(())
        })
    });
    write.await.map(|()| months)
}

/// What is said where nobody can vouch for a month.
pub(super) fn no_key() -> Error {
    Error::Unavailable("the key ring has no key to seal a month of the ledger with".into())
}

fn root(row: &dyn Row) -> Result<MonthRoot> {
    let month = Month::numbered(row.int(0)?).ok_or_else(|| Error::Damaged("the month of a root".into()))?;
    let hash = row.bytes(3)?.try_into().map_err(|_| Error::Damaged(format!("the root of {month}")))?;
    let removal = row.opt_int(5)?.map(|at| (at, row.opt_text(6)));
    let removal = match removal {
        Some((at, by)) => Some(Removal { at: Moment(at), by: by?.unwrap_or_default() }),
        None => None,
    };
    let seal = Seal { key: row.text(7)?, tag: row.bytes(8)? };
    Ok(MonthRoot { month, first: row.int(1)?, last: row.int(2)?, hash, closed_at: Moment(row.int(4)?), removal, seal })
}
