//! Backup of a live store: both files as they were at one moment between two commits.

use crate::error::Result;
use crate::store::Store;
use std::path::Path;

/// Copies the store into `target`, a directory that must not exist yet. `progress` hears pages done and in all.
/// Blocks; call it from a thread that may.
pub fn copy(store: &Store, target: &Path, progress: impl FnMut(u64, u64)) -> Result<()> {
    store.db.back_up(target, progress)
}
