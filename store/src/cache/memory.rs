//! A memory of what was read from the database, for the one process that also writes it.
//!
//! The writer forgets what a commit touched before it acknowledges the commit, so nothing answers from before an
//! acknowledged change. Where other processes write too, nothing is remembered.

use crate::error::Result;
use crate::figures::Looks;
use crate::sql::touched::Touched;
use foldhash::fast::RandomState;
use std::any::Any;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const SHARDS: usize = 64;

/// Something that can be remembered. What it is, is the business of those who read it.
pub(crate) trait Entry: Any + Send + Sync {
    /// Its size, in whatever the bound of its memory is in.
    fn weight(&self) -> usize;

    /// Whether it may be untrue once this was touched.
    fn rests_on(&self, touched: &Touched) -> bool;
}

/// What was read lately, by key, within a bound on its size.
pub(crate) struct Memory<K> {
    shards: Vec<Mutex<Shard<K>>>,
    /// Chooses the shard. Only what is in the database becomes a key, so nobody can aim at a shard.
    hash: RandomState,
    most_per_shard: usize,
}

/// Two halves: where the newer is full, it becomes the older, and what was in that and was not used since is let go.
struct Shard<K> {
    /// Counts what was forgotten here. A look-up that began before the last forgetting may have read the row as it
    /// was before it, so its finding is not remembered.
    forgettings: u64,
    /// Counted here because whoever looks holds the lock already.
    looks: Looks,
    newer: Half<K>,
    older: Half<K>,
}

struct Half<K> {
    weight: usize,
    known: HashMap<K, Arc<dyn Entry>, RandomState>,
}

/// The moment of a look that found nothing: brought back with what the database said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    forgettings: u64,
}

impl<K> std::fmt::Debug for Memory<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memory(…)")
    }
}

impl<K> Default for Half<K> {
    fn default() -> Self {
        Self { weight: 0, known: HashMap::default() }
    }
}

impl<K: Hash + Eq> Half<K> {
    fn insert(&mut self, key: K, entry: Arc<dyn Entry>) {
        self.weight += entry.weight();
        if let Some(before) = self.known.insert(key, entry) {
            self.weight = self.weight.saturating_sub(before.weight());
        }
    }

    fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<(K, Arc<dyn Entry>)>
    where
        K: Borrow<Q>,
    {
        let (key, entry) = self.known.remove_entry(key)?;
        self.weight = self.weight.saturating_sub(entry.weight());
        Some((key, entry))
    }

    fn retain(&mut self, keep: impl Fn(&dyn Entry) -> bool) {
        let weight = &mut self.weight;
        self.known.retain(|_, entry| {
            let kept = keep(&**entry);
            if !kept {
                *weight = weight.saturating_sub(entry.weight());
            }
            kept
        });
    }
}

impl<K: Hash + Eq> Shard<K> {
    fn add(&mut self, key: K, entry: Arc<dyn Entry>, most: usize) {
        if self.newer.weight + entry.weight() > most / 2 {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(key, entry);
    }
}

impl<K: Hash + Eq> Memory<K> {
    /// A memory of entries that together weigh `most`.
    pub(crate) fn new(most: usize) -> Self {
        let shard = || {
            let (newer, older) = (Half::default(), Half::default());
            Mutex::new(Shard { forgettings: 0, looks: Looks::default(), newer, older })
        };
        let shards = (0..SHARDS).map(|_| shard()).collect();
        Self { shards, hash: RandomState::default(), most_per_shard: most / SHARDS }
    }

    /// What is remembered, or what to come back with.
    pub(crate) fn look<T: Entry, Q: Hash + Eq + ?Sized>(&self, key: &Q) -> std::result::Result<Arc<T>, Look>
    where
        K: Borrow<Q>,
    {
        let known = |entry: &Arc<dyn Entry>| (entry.clone() as Arc<dyn Any + Send + Sync>).downcast().ok();
        self.look_with(key, known)
    }

    /// What is seen in what is remembered, if anything is. Nobody is counted as its holder, so that two cores that look at the same do not take
    /// that count from each other.
    pub(crate) fn look_at<T: Entry, Q: Hash + Eq + ?Sized, S>(
        &self,
        key: &Q,
        see: impl FnOnce(&T) -> Option<S>,
    ) -> std::result::Result<S, Look>
    where
        K: Borrow<Q>,
    {
        self.look_with(key, |entry| (&**entry as &dyn Any).downcast_ref().and_then(see))
    }

    fn look_with<Q: Hash + Eq + ?Sized, S>(
        &self,
        key: &Q,
        see: impl FnOnce(&Arc<dyn Entry>) -> Option<S>,
    ) -> std::result::Result<S, Look>
    where
        K: Borrow<Q>,
    {
        let mut shard = self.shard(key).ok_or(Look { forgettings: u64::MAX })?;
        let seen = match shard.newer.known.get(key) {
            Some(entry) => see(entry),
            None => shard.older.remove(key).and_then(|(key, entry)| {
                let seen = see(&entry);
                shard.add(key, entry, self.most_per_shard);
                seen
            }),
        };
        match seen {
            Some(_) => shard.looks.hits += 1,
            None => shard.looks.misses += 1,
        }
        seen.ok_or(Look { forgettings: shard.forgettings })
    }

    /// How often it was looked into, and with what success.
    pub(crate) fn looks(&self) -> Looks {
        self.shards.iter().fold(Looks::default(), |all, shard| {
            let Looks { hits, misses } = shard.lock().unwrap_or_else(PoisonError::into_inner).looks;
            Looks { hits: all.hits + hits, misses: all.misses + misses }
        })
    }

    /// Remembers what the database said after a look.
    pub(crate) fn remember(&self, key: K, entry: Arc<dyn Entry>, look: Look) {
        self.remember_if(key, entry, |forgettings| forgettings == look.forgettings);
    }

    /// Remembers what the database said, if that is still true: asked, with how often was forgotten here, while nobody can forget.
    /// What would fill half a shard by itself is not remembered.
    pub(super) fn remember_if(&self, key: K, entry: Arc<dyn Entry>, is_true: impl FnOnce(u64) -> bool) {
        if entry.weight() > self.most_per_shard / 2 {
            return;
        }
        let Some(mut shard) = self.shard(&key).filter(|shard| is_true(shard.forgettings)) else { return };
        shard.older.remove(&key);
        shard.add(key, entry, self.most_per_shard);
    }

    pub(crate) fn forget<Q: Hash + Eq + ?Sized>(&self, key: &Q)
    where
        K: Borrow<Q>,
    {
        let Some(mut shard) = self.shard(key) else { return };
        shard.forgettings += 1;
        shard.newer.remove(key);
        shard.older.remove(key);
    }

    /// Forgets the entries that may be untrue once this was touched, and keeps all others.
    pub(crate) fn forget_resting_on(&self, touched: &Touched) {
        for shard in &self.shards {
            let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.forgettings += 1;
            shard.newer.retain(|entry| !entry.rests_on(touched));
            shard.older.retain(|entry| !entry.rests_on(touched));
        }
    }

    fn shard<Q: Hash + ?Sized>(&self, key: &Q) -> Option<MutexGuard<'_, Shard<K>>> {
        // 64 shards: the top six bits.
        let at = (self.hash.hash_one(key) >> 58) as usize;
        self.shards.get(at).map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What is remembered, or else what `read` finds, which is then remembered. Only then is the key of its own.
pub(crate) async fn through<K: Hash + Eq + Borrow<Q>, Q: Hash + Eq + ToOwned<Owned = K> + ?Sized, T: Entry>(
    memory: Option<&Memory<K>>,
    key: &Q,
    read: impl AsyncFnOnce() -> Result<Option<T>>,
) -> Result<Option<Arc<T>>> {
    let look = match memory.map(|memory| memory.look(key)) {
        Some(Ok(known)) => return Ok(Some(known)),
        Some(Err(look)) => Some(look),
        None => None,
    };
    let found = read().await?.map(Arc::new);
    if let (Some(memory), Some(found), Some(look)) = (memory, &found, look) {
        memory.remember(key.to_owned(), found.clone(), look);
    }
    Ok(found)
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
