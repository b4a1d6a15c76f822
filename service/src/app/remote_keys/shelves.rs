//! The keys of clients by URL, in this process: as many as there are such clients, each fetched once for all who wait.

use super::fetch::KeyFetcher;
use super::fetch_fault::FetchFault;
use super::shelf::{KeyShelf, ShelfTurn};
use crate::app::clock::Clock;
use crate::app::log_limit::LogLimit;
use rules::ids::ClientId;
use rules::key_urls::{KeyEgress, KeyUrl};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::clients::{Client, ClientKey, KeySetUrl};
use tokio::sync::OwnedMutexGuard;

/// One line for each fetch that fails is few, unless many clients' servers are away at once.
static FAILED: LogLimit = LogLimit::of(10);

/// The keys of clients that are registered by URL.
#[derive(Debug)]
pub struct RemoteKeys {
    shelves: Mutex<HashMap<ClientId, Arc<ClientShelf>>>,
    fetcher: Arc<KeyFetcher>,
}

/// The keys could not be fetched; why is in the log.
#[derive(Clone, Copy, Debug)]
pub struct KeysNotFetched;

#[derive(Debug)]
struct ClientShelf {
    at: KeySetUrl,
    shelf: Mutex<KeyShelf>,
    /// Held by whoever fetches.
    fetching: Arc<tokio::sync::Mutex<()>>,
}

/// A fetch that is to be made.
struct KeyFetch {
    client: String,
    home: Arc<ClientShelf>,
    fetcher: Arc<KeyFetcher>,
    began: Duration,
    of_day: Duration,
}

impl RemoteKeys {
    #[must_use]
    pub fn new(egress: KeyEgress) -> Self {
        Self { shelves: Mutex::default(), fetcher: Arc::new(KeyFetcher::new(egress)) }
    }

    /// The keys of a client at its URL: those that are here while they are good and `fits` finds the one that is asked for, or
    /// else those that are there now.
    pub async fn of(
        &self,
        client: &Client,
        at: &KeySetUrl,
        clock: &Clock,
        fits: impl Fn(&[ClientKey]) -> bool,
    ) -> Result<Arc<[ClientKey]>, KeysNotFetched> {
        let home = self.home(client.id, at);
        let fetches = {
            let shelf = home.shelf();
            match shelf.turn(clock.uptime(), &fits, false) {
                ShelfTurn::Use(keys) => return Ok(keys),
                ShelfTurn::Refuse => return Err(KeysNotFetched),
                ShelfTurn::Fetch => shelf.fetches,
            }
        };
        let held = home.fetching.clone().lock_owned().await;
        let began = clock.uptime();
        {
            let mut shelf = home.shelf();
            let has_waited = shelf.fetches != fetches;
            match shelf.turn(began, &fits, has_waited) {
                ShelfTurn::Use(keys) => return Ok(keys),
                ShelfTurn::Refuse => return Err(KeysNotFetched),
                ShelfTurn::Fetch => shelf.begin(began),
            }
        }
        let of_day = Duration::from_millis(u64::try_from(clock.now().0).unwrap_or_default());
        let fetch = KeyFetch { client: client.client_id.clone(), home, fetcher: self.fetcher.clone(), began, of_day };
        // On a task of its own: whoever goes away in the middle does not make the next one begin anew.
        tokio::spawn(fetch.make(held)).await.unwrap_or(Err(KeysNotFetched))
    }

    fn home(&self, client: ClientId, at: &KeySetUrl) -> Arc<ClientShelf> {
        let mut shelves = self.shelves.lock().unwrap_or_else(PoisonError::into_inner);
        let home = shelves.entry(client).or_insert_with(|| ClientShelf::new(at));
        // Keys from another URL are not this client's any more.
        if home.at != *at {
            *home = ClientShelf::new(at);
        }
        home.clone()
    }
}

impl ClientShelf {
    fn new(at: &KeySetUrl) -> Arc<Self> {
        Arc::new(Self { at: at.clone(), shelf: Mutex::default(), fetching: Arc::default() })
    }

    fn shelf(&self) -> MutexGuard<'_, KeyShelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeyFetch {
    async fn make(self, held: OwnedMutexGuard<()>) -> Result<Arc<[ClientKey]>, KeysNotFetched> {
        let since = Instant::now();
        let fetched = self.fetcher.fetch(&self.home.at.url, self.of_day).await;
        let took = since.elapsed();
        let outcome = match fetched {
            Ok(fetched) => Ok(self.home.shelf().take(fetched, &self.home.at, (self.began, took))),
            Err(fault) => {
                // Who found no place has not tried.
                if !matches!(fault, FetchFault::Busy) {
                    self.home.shelf().fail(self.began + took);
                }
                self.tell(&fault);
                Err(KeysNotFetched)
            }
        };
        drop(held);
        outcome
    }

    fn tell(&self, fault: &FetchFault) {
        let Some(left_out) = FAILED.admits(Instant::now()) else { return };
        let left_out = (left_out > 0).then_some(left_out);
        let (client, server) = (&self.client, KeyUrl::read(&self.home.at.url).map_or("", |url| url.authority));
        tracing::warn!(client, server, error = %fault, left_out, "the keys of a client could not be fetched");
    }
}
