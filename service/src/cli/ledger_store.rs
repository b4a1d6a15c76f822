//! The store, for commands that read the ledger beside whoever is at work in it.

use super::context::Context;
use super::failure::Failure;
use std::time::Duration;
use store::{Budget, Store};

/// Nobody waits for these reads but the one who asked for them.
const BUDGET: Budget = Budget { time: Duration::from_secs(3600), readers: 1, waiting: 8 };

pub(super) async fn look(context: &Context) -> Result<Store, Failure> {
    Ok(Store::look(&context.config.database, BUDGET).await?)
}
