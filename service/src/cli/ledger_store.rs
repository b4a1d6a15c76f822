//! The store, for commands that read the ledger beside whoever is at work in it.

use super::context::Context;
use super::failure::Failure;
use super::store_presence::{self, StoreChoice};
use std::time::Duration;
use store::{Budget, Store};

/// Nobody waits for these reads but the one who asked for them.
const BUDGET: Budget = Budget { time: Duration::from_secs(3600), readers: 1, waiting: 8 };

pub(super) async fn look(context: &Context) -> Result<Store, Failure> {
    store_presence::check(&context.config, StoreChoice::Existing).await?;
    Ok(Store::look(&context.config.database, BUDGET).await?)
}
