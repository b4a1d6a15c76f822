//! A memory of what was read from the database, for the one process that also writes it.
//!
//! The writer forgets what a commit touched before it acknowledges the commit, so nothing answers from before an
//! acknowledged change. Where other processes write too, nothing is remembered.

use crate::error::Result;
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
        let shard = || Mutex::new(Shard { forgettings: 0, newer: Half::default(), older: Half::default() });
        let shards = (0..SHARDS).map(|_| shard()).collect();
        Self { shards, hash: RandomState::default(), most_per_shard: most / SHARDS }
    }

    /// What is remembered, or what to come back with.
    pub(crate) fn look<T: Entry, Q: Hash + Eq + ?Sized>(&self, key: &Q) -> std::result::Result<Arc<T>, Look>
    where
        K: Borrow<Q>,
    {
        let mut shard = self.shard(key).ok_or(Look { forgettings: u64::MAX })?;
        let entry = match shard.newer.known.get(key) {
            Some(entry) => Some(entry.clone()),
            None => shard.older.remove(key).map(|(key, entry)| {
                shard.add(key, entry.clone(), self.most_per_shard);
                entry
            }),
        };
        let known = entry.and_then(|entry| (entry as Arc<dyn Any + Send + Sync>).downcast().ok());
        known.ok_or(Look { forgettings: shard.forgettings })
    }

    /// Remembers what the database said after a look. What would fill half a shard by itself is not remembered.
    pub(crate) fn remember(&self, key: K, entry: Arc<dyn Entry>, look: Look) {
        if entry.weight() > self.most_per_shard / 2 {
            return;
        }
        let Some(mut shard) = self.shard(&key).filter(|shard| shard.forgettings == look.forgettings) else { return };
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

/// What is remembered, or else what `read` finds, which is then remembered.
pub(crate) async fn through<K: Hash + Eq, T: Entry>(
    memory: Option<&Memory<K>>,
    key: K,
    read: impl AsyncFnOnce() -> Result<Option<T>>,
) -> Result<Option<Arc<T>>> {
    let look = match memory.map(|memory| memory.look(&key)) {
        Some(Ok(known)) => return Ok(Some(known)),
        Some(Err(look)) => Some(look),
        None => None,
    };
    let found = read().await?.map(Arc::new);
    if let (Some(memory), Some(found), Some(look)) = (memory, &found, look) {
        memory.remember(key, found.clone(), look);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::ids::ClientId;

    /// An entry that weighs something and rests on a client.
    struct Weight(usize, ClientId);

    impl Entry for Weight {
        fn weight(&self) -> usize {
            self.0
        }

        fn rests_on(&self, touched: &Touched) -> bool {
            touched.clients.contains(&self.1)
        }
    }

    fn of_1000() -> Memory<i64> {
        Memory::new(1000 * SHARDS)
    }

    fn remembered<K>(memory: &Memory<K>) -> usize {
        let count = |shard: &Mutex<Shard<K>>| {
            let shard = shard.lock().unwrap();
            shard.newer.known.len() + shard.older.known.len()
        };
        memory.shards.iter().map(count).sum()
    }

    fn knows(memory: &Memory<i64>, key: i64) -> bool {
        memory.look::<Weight, _>(&key).is_ok()
    }

    fn look_and_remember(memory: &Memory<i64>, key: i64, weight: usize) {
        let Err(look) = memory.look::<Weight, _>(&key) else { return };
        memory.remember(key, Arc::new(Weight(weight, ClientId(key % 10))), look);
    }

    #[test]
    fn a_full_memory_makes_room_remembers_the_newest_and_keeps_what_is_used() {
        let memory = of_1000();
        look_and_remember(&memory, -1, 1);
        for key in 0..200_000 {
            look_and_remember(&memory, key, 1);
            assert!(knows(&memory, key), "just remembered");
            assert!(knows(&memory, -1), "used all the time, lost at {key}");
        }
        let count = remembered(&memory);
        assert!((SHARDS * 400..=SHARDS * 1000).contains(&count), "{count}");
    }

    #[test]
    fn the_bound_is_on_the_weight_and_what_is_too_heavy_for_it_is_not_remembered() {
        let memory = Memory::new(100 * SHARDS);
        for key in 0..10_000 {
            let weight = 1 + usize::try_from(key).unwrap() % 100;
            look_and_remember(&memory, key, weight);
            assert_eq!(knows(&memory, key), weight <= 50);
        }
        for shard in &memory.shards {
            let shard = shard.lock().unwrap();
            for half in [&shard.newer, &shard.older] {
                assert_eq!(half.weight, half.known.values().map(|entry| entry.weight()).sum::<usize>());
                assert!(half.weight <= 50);
            }
        }
    }

    #[test]
    fn ids_as_they_are_made_are_spread_over_all_shards() {
        let memory = of_1000();
        let ids = crate::ids::Ids::new(1);
        for millisecond in 0..10_000 {
            look_and_remember(&memory, ids.next(rules::moment::Moment(1_800_000_000_000 + millisecond)), 1);
        }
        let fullest = memory.shards.iter().map(|shard| shard.lock().unwrap().newer.known.len()).max();
        assert!(fullest < Some(2 * 10_000 / SHARDS), "{fullest:?} of 10000 are in one shard");
    }

    #[test]
    fn what_was_read_before_a_forgetting_is_not_remembered_after_it() {
        let forgettings: [fn(&Memory<i64>); 2] = [
            |memory| memory.forget(&7),
            |memory| memory.forget_resting_on(&Touched { clients: [ClientId(3)].into(), ..Touched::default() }),
        ];
        for forget in forgettings {
            let memory = of_1000();
            let look = memory.look::<Weight, _>(&7).err().expect("not known yet");
            forget(&memory);
            memory.remember(7, Arc::new(Weight(1, ClientId(7))), look);
            assert!(!knows(&memory, 7), "it may be from before the change");
        }
    }

    #[test]
    fn forgetting_one_or_what_rests_on_one_leaves_the_others() {
        let memory = of_1000();
        for key in 0..100 {
            look_and_remember(&memory, key, 1);
        }
        memory.forget(&7);
        memory.forget(&8);
        assert_eq!(remembered(&memory), 98);
        memory.forget_resting_on(&Touched { clients: [ClientId(3)].into(), ..Touched::default() });
        assert_eq!(remembered(&memory), 88);
        assert!(!knows(&memory, 13) && knows(&memory, 14));
    }
}
