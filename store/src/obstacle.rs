//! What stands in the way of a store's work.

/// Why a store cannot do all of its work. Its words are for everybody: they name no directory, host or row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// A file of the data directory. Whatever was written from then on would be lost with the process.
    #[error("{0} is gone or was replaced while it was in use; stop the service, put the data back, and start again")]
    FilesGone(String),
    /// Until one succeeds.
    #[error("the last write could not be committed: {0}")]
    CommitFailed(String),
    /// What is there goes on: refreshes, revocations, reads. Nothing new is begun.
    #[error("no space left: {free_mib} MiB are free, and below {least_mib} MiB no grant and no record is taken")]
    NoSpace { free_mib: u64, least_mib: u64 },
}
