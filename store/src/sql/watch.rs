//! How an engine is watched: what stands in the way of its work, what there is to measure of it, and copying it as it is.

use crate::error::Result;
use crate::figures::Figures;
use crate::obstacle::Obstacle;
use futures_util::future::BoxFuture;
use std::path::Path;

/// An engine, to whoever watches over it.
pub(crate) trait Watch {
    /// What stands in its way, as far as a short look can tell.
    fn look(&self) -> Option<Obstacle>;

    /// Tries a write, if the last one failed.
    fn probe(&self) -> BoxFuture<'_, ()>;

    /// Says how many bytes are to stay free where the data is.
    fn keep_free(&self, bytes: u64);

    /// Refuses to begin anything new where there is no room for it.
    fn room(&self) -> Result<()>;

    /// Tells what there is to measure.
    fn measure<'f>(&'f self, figures: &'f mut Figures) -> BoxFuture<'f, ()>;

    /// Copies it live into a new directory. Blocks; call it from a thread that may.
    fn back_up(&self, target: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<()>;
}
