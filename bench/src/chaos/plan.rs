//! One run of chaos, as it was ordered.

use crate::postgres::place::PostgresPlace;
use std::time::Duration;

#[derive(Debug, Clone)]
pub(crate) struct ChaosPlan {
    pub(crate) json: bool,
    pub(crate) length: Duration,
    pub(crate) seed: u64,
    pub(crate) nodes: usize,
    pub(crate) database: PostgresPlace,
}

/// How many clients live through it at once.
pub(crate) const CLIENTS: usize = 32;
