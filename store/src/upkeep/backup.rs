//! Backup of a live store: all files as they were at one moment between two commits, and the line that tells of it.

use crate::error::Result;
use crate::ledger::{About, Event, Line};
use crate::sql::outbox::Outbox;
use crate::store::Store;
use rules::moment::Moment;
use std::path::Path;

/// Copies the store into `target`, a directory that must not exist yet. `progress` hears pages done and in all.
/// Blocks; call it from a thread that may.
pub fn copy(store: &Store, target: &Path, mut progress: impl FnMut(u64, u64)) -> Result<()> {
    store.db.watch().back_up(target, &mut progress)
}

/// Notes that all records were copied to `target`.
pub async fn note(store: &Store, target: &Path, now: Moment) -> Result<()> {
    let ids = store.ids.clone();
    let line = Line::new(now, Event::BackedUp, None, About::default()).with_detail(target.display().to_string());
    let write = store.write(move |tx| {
        Box::pin(async move {
            tx.append(Outbox::Records, &ids, &line);
            Ok(())
        })
    });
    write.await
}
