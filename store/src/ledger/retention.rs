//! Dropping months that are older than somebody wants to keep: closed ones only, the oldest first, after they are archived
//! where they are to be, and a piece at a time.

use super::{addition, archive, roots};
use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::lines::encoding;
use crate::lines::event::Event;
use crate::lines::line::{About, Line};
use crate::lines::month::Month;
use crate::lines::root::{MonthRoot, Notary, Removal, SealState};
use crate::sql::advisory_locks::DROPPING;
use crate::store::Store;
use rules::moment::Moment;
use std::path::PathBuf;
use std::sync::Arc;

/// How long lines are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retention {
    /// Whole months before the present one.
    pub months: u32,
    /// Where a month is archived before it is dropped, if anywhere.
    pub archive: Option<PathBuf>,
    /// What says so; it is told with what was dropped.
    pub by: String,
}

/// What one step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetentionStep {
    /// There is nothing to drop.
    Done,
    /// A piece of what was dropped is gone; there may be more.
    Piece,
    /// This month is dropped from now on; its lines go piece by piece.
    Dropped(Month),
}

/// Takes one step. Nothing of it holds up whoever adds for longer than a piece takes.
/// Without a retention only what was dropped before is removed.
pub async fn expire(
    store: &Store,
    retention: Option<&Retention>,
    now: Moment,
    notary: &Arc<dyn Notary>,
) -> Result<RetentionStep> {
    let all = roots::roots(store).await?;
    let dropped = all.iter().rfind(|root| root.removal.is_some()).map(|root| root.month);
    if let Some(month) = dropped
        && store.db.add_to_ledger(move |tx| Box::pin(remove_piece(tx, month))).await?
    {
        return Ok(RetentionStep::Piece);
    }
    let Some(retention) = retention else { return Ok(RetentionStep::Done) };
    let kept_from = Month::of(now).minus(retention.months);
    let next = all.into_iter().find(|root| root.removal.is_none()).filter(|root| root.month < kept_from);
    let Some(root) = next else { return Ok(RetentionStep::Done) };
    if let Some(directory) = &retention.archive {
        archive::keep(store, &root, directory).await?;
    }
    let (month, by, notary) = (root.month, retention.by.clone(), notary.clone());
    let write = store.db.add_to_ledger(move |tx| Box::pin(async move { mark(tx, &root, by, now, &*notary).await }));
    Ok(if write.await? { RetentionStep::Dropped(month) } else { RetentionStep::Piece })
}

/// Removes a piece of the months up to this one; false, if nothing is left of them.
async fn remove_piece(tx: &mut Tx<'_>, until: Month) -> Result<bool> {
    // Another node that is about it has more to do, as far as we know.
    if tx.is_alone(DROPPING).await? { tx.drop_month(until).await } else { Ok(true) }
}

/// Notes that a month is dropped, with a line that tells of it; false, if another node was first.
async fn mark(tx: &mut Tx<'_>, known: &MonthRoot, by: String, now: Moment, notary: &dyn Notary) -> Result<bool> {
    let mut end = addition::end(tx).await?;
    let all = roots::list(tx).await?;
    let next = all.into_iter().find(|root| root.removal.is_none());
    let Some(root) = next.filter(|root| root == known) else { return Ok(false) };
    // Whoever sealed a root that somebody else had changed would make it good.
    if root.examined(notary) != SealState::Good {
        return Err(Error::Damaged(format!("the root of {}", root.month)));
    }
    let detail = format!("{} ({by})", root.month);
    let line = Line::new(now, Event::MonthDropped, None, About::default()).with_detail(detail);
    let root = MonthRoot { removal: Some(Removal { at: now, by }), ..root };
    roots::drop(tx, &root.sealed(notary).ok_or_else(roots::no_key)?).await?;
    let mut written = Vec::new();
    encoding::write(&line, &mut written);
    addition::put(tx, &mut end, &written, now).await?;
    Ok(true)
}
