//! The store: a database of some engine, with what every part of it needs.

use crate::cache::{Cache, WriteMark};
use crate::engine::{Db, Rollback, Tx};
use crate::error::Result;
use crate::figures::Figures;
use crate::ids::Ids;
use crate::lines::author::Author;
use crate::obstacle::Obstacle;
use crate::place::Place;
use crate::sql::arg::args;
use crate::sql::budget::Budget;
use crate::sql::statement::{list, statements};
use crate::version_clock::VersionClock;
use fhir::types;
use futures_util::future::BoxFuture;
use rules::moment::Moment;
use std::sync::Arc;

/// An open store, as somebody uses it.
#[derive(Debug)]
pub struct Store {
    pub(crate) db: Arc<Db>,
    pub(crate) ids: Arc<Ids>,
    pub(crate) versions: Arc<VersionClock>,
    /// What was read lately, where no other process can make it untrue.
    pub(crate) cache: Option<Arc<Cache>>,
    /// The bounds of a read that can be long.
    pub(crate) budget: Budget,
    /// Who uses it, where lines of the ledger are to say so.
    author: Option<Arc<Author>>,
}

statements! {
    READY = "SELECT 1";
    /// Of each of these types, the moment of its newest version: a step into the index for each.
    pub(crate) NEWEST = "SELECT (SELECT r.updated_at FROM resources r WHERE r.type = CAST(q.value AS BIGINT)
            ORDER BY r.updated_at DESC, r.id DESC LIMIT 1)
        FROM json_each($1) q";
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
        let types = list(types::all().map(types::ResourceType::number));
        let newest = db.read(NEWEST, args![&types], |row| row.opt_int(0)).await?;
        let newest = Moment(newest.into_iter().flatten().max().unwrap_or(0));
        let versions = Arc::new(VersionClock::new(newest));
        Ok(Self { db: Arc::new(db), ids, versions, cache, budget, author: None })
    }

    /// The moment of the newest version, as far as this process knows: later than the time of day where the clock was set back.
    #[must_use]
    pub fn newest_version(&self) -> Moment {
        self.versions.see(Moment(0))
    }

    /// Whether a store was made in the place: a file of one is in the directory, or a migration was applied to the database.
    pub async fn is_there(place: &Place) -> Result<bool> {
        Db::is_there(place).await
    }

    /// Opens the database in order to look at it, beside whoever may be at work in it.
    pub async fn look(place: &Place, budget: Budget) -> Result<Self> {
        let db = Db::look(place, budget).await?;
        let (ids, versions) = (Arc::new(Ids::new(0)), Arc::new(VersionClock::new(Moment(0))));
        Ok(Self { db: Arc::new(db), ids, versions, cache: None, budget, author: None })
    }

    /// The same store as somebody uses it: what is written through it is told as theirs.
    #[must_use]
    pub fn by(&self, author: Author) -> Self {
        let (db, ids, cache) = (self.db.clone(), self.ids.clone(), self.cache.clone());
        Self { db, ids, versions: self.versions.clone(), cache, budget: self.budget, author: Some(Arc::new(author)) }
    }

    /// The present moment among the commits of this process: what is looked for after it need not be looked for again by a write
    /// that rests on it, if nothing was changed since. Nothing where other processes write, too.
    #[must_use]
    pub fn mark(&self) -> Option<WriteMark> {
        self.cache.as_ref().map(|cache| cache.changes.mark())
    }

    /// Runs a job in one write transaction, as `Db::write` does, whose lines say who uses this store.
    pub(crate) fn write<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t, 'e> FnOnce(&'t mut Tx<'e>) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        self.run(Rollback::Alone, job)
    }

    /// As `write`, with a choice of how a job that fails is taken back.
    pub(crate) fn run<T, F>(&self, rollback: Rollback, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t, 'e> FnOnce(&'t mut Tx<'e>) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        let author = self.author.clone();
        self.db.run(rollback, move |tx| {
            tx.notebook().sign(author);
            job(tx)
        })
    }

    /// As `write`, for a job that can be run again, as `Db::repeat` does.
    pub(crate) fn repeat<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t, 'e> Fn(&'t mut Tx<'e>) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        let author = self.author.clone();
        self.db.repeat(move |tx| {
            tx.notebook().sign(author.clone());
            job(tx)
        })
    }

    /// What there is to measure of it.
    pub async fn figures(&self) -> Figures {
        let mut figures = Figures::default();
        if let Some(cache) = &self.cache {
            figures.memories = cache.looks().to_vec();
        }
        self.db.watch().measure(&mut figures).await;
        figures
    }

    /// Whether the database answers.
    pub async fn is_ready(&self) -> Result<()> {
        self.db.read_one(READY, &[], |row| row.int(0)).await.map(|_| ())
    }

    /// What stands in the way of the store's work, as far as a short look can tell. To be asked every second or so: on
    /// the embedded store this is how a file that is gone is noticed while nobody writes.
    #[must_use]
    pub fn obstacle(&self) -> Option<Obstacle> {
        self.db.watch().look()
    }

    /// Tries a write if the last one failed, so that a store that can be written to again is known to be.
    pub async fn probe(&self) {
        self.db.watch().probe().await;
    }

    /// Takes nothing new any more when fewer bytes than this are free where the data is.
    pub fn keep_free(&self, bytes: u64) {
        self.db.watch().keep_free(bytes);
    }

    /// Refuses to begin anything new where there is no room for it.
    pub(crate) fn room(&self) -> Result<()> {
        self.db.watch().room()
    }
}
