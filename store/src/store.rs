//! The store: a database of some engine, with what every part of it needs.

use crate::cache::Cache;
use crate::engine::Db;
use crate::error::Result;
use crate::figures::Figures;
use crate::ids::Ids;
use crate::place::Place;
use crate::sql::budget::Budget;
use crate::sql::statement::statements;
use std::sync::Arc;

/// An open store.
#[derive(Debug)]
pub struct Store {
    pub(crate) db: Db,
    pub(crate) ids: Arc<Ids>,
    /// What was read lately, where no other process can make it untrue.
    pub(crate) cache: Option<Arc<Cache>>,
}

statements! {
    READY = "SELECT 1";
}

impl Store {
    /// Opens the database and brings its schema up to date. `node` sets this process's ids apart from earlier ones'; a
    /// database that many nodes share gives each its own.
    pub async fn open(place: &Place, node: u16) -> Result<Self> {
        Self::open_within(place, node, Budget::default()).await
    }

    /// As `open`, with other bounds for reads that can be long.
    pub async fn open_within(place: &Place, node: u16, budget: Budget) -> Result<Self> {
        let (db, ids, cache) = Db::open(place, node, budget).await?;
        Ok(Self { db, ids, cache })
    }

    /// What there is to measure of it.
    pub async fn figures(&self) -> Figures {
        let mut figures = Figures::default();
        if let Some(cache) = &self.cache {
            figures.memories = cache.looks().to_vec();
        }
        self.db.measure(&mut figures).await;
        figures
    }

    /// Whether the database answers.
    pub async fn is_ready(&self) -> Result<()> {
        self.db.read_one(READY, &[], |row| row.int(0)).await.map(|_| ())
    }
}
