//! How an engine is watched for what stands in the way of its work.

use crate::error::Result;
use crate::obstacle::Obstacle;
use futures_util::future::BoxFuture;

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
}
