//! What there is to measure of a store, for whoever operates it.

use crate::distribution::Spread;

/// A store at one moment. What its engine does not have is not there.
#[derive(Debug, Default)]
pub struct Figures {
    pub engine: &'static str,
    /// Writes that wait to be begun: for the one writer, or for a connection.
    pub writes_waiting: u64,
    /// How many writes each commit was for.
    pub groups: Option<Spread>,
    /// How long each write kept the one writer, without its commit, in microseconds.
    pub writes: Option<Spread>,
    /// How long was waited for a place in each pool, in microseconds.
    pub pool_waits: Vec<(&'static str, Spread)>,
    /// How often what was asked for was remembered, and how often not.
    pub memories: Vec<(&'static str, Looks)>,
    /// Bytes on disk, by file or database.
    pub sizes: Vec<(String, u64)>,
    /// Bytes that are free where the data is.
    pub free: Option<u64>,
}

/// Looks into a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    pub hits: u64,
    pub misses: u64,
}

/// Waits for a place in a pool, in microseconds: from what nobody notices to what nobody waits for.
pub(crate) const WAITS: &[u64] =
    &[100, 1000, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000];
