//! A memory of what was read from the database, for the one process that also writes it.
//!
//! The writer forgets what a commit touched before it acknowledges the commit, so nothing answers from before an
//! acknowledged change. Where other processes write too, nothing is remembered.

use crate::error::Result;
use foldhash::fast::RandomState;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const SHARDS: usize = 64;

/// What was read lately, by key, within a bound on its size.
pub(crate) struct Memory<K, V> {
    shards: Vec<Mutex<Shard<K, V>>>,
    /// Chooses the shard. Only what is in the database becomes a key, so nobody can aim at a shard.
    hash: RandomState,
    /// The size of one entry, in whatever the bound is in.
    weigh: fn(&V) -> usize,
    most_per_shard: usize,
}

struct Shard<K, V> {
    /// Counts what was forgotten here. A look-up that began before the last forgetting may have read the row as it
    /// was before it, so its finding is not remembered.
    forgettings: u64,
    weight: usize,
    known: HashMap<K, Arc<V>, RandomState>,
}

/// The moment of a look that found nothing: brought back with what the database said.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    forgettings: u64,
}

impl<K, V> std::fmt::Debug for Memory<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memory(…)")
    }
}

impl<K: Hash + Eq, V> Memory<K, V> {
    /// A memory of entries that together weigh `most`.
    pub(crate) fn new(most: usize, weigh: fn(&V) -> usize) -> Self {
        let shard = || Mutex::new(Shard { forgettings: 0, weight: 0, known: HashMap::default() });
        let shards = (0..SHARDS).map(|_| shard()).collect();
        Self { shards, hash: RandomState::default(), weigh, most_per_shard: most / SHARDS }
    }

    /// What is remembered, or what to come back with.
    pub(crate) fn look<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> std::result::Result<Arc<V>, Asked>
    where
        K: Borrow<Q>,
    {
        let shard = self.shard(key).ok_or(Asked { forgettings: u64::MAX })?;
        shard.known.get(key).cloned().ok_or(Asked { forgettings: shard.forgettings })
    }

    /// Remembers what the database said to somebody who `asked`. A full shard starts afresh; what would fill one by
    /// itself is not remembered.
    pub(crate) fn remember(&self, key: K, value: &Arc<V>, asked: Asked) {
        let weight = (self.weigh)(value);
        if weight > self.most_per_shard {
            return;
        }
        let Some(mut shard) = self.shard(&key).filter(|shard| shard.forgettings == asked.forgettings) else { return };
        if shard.weight + weight > self.most_per_shard {
            shard.known.clear();
            shard.weight = 0;
        }
        shard.weight += weight;
        if let Some(before) = shard.known.insert(key, value.clone()) {
            shard.weight = shard.weight.saturating_sub((self.weigh)(&before));
        }
    }

    pub(crate) fn forget<Q: Hash + Eq + ?Sized>(&self, key: &Q)
    where
        K: Borrow<Q>,
    {
        let Some(mut shard) = self.shard(key) else { return };
        shard.forgettings += 1;
        if let Some(before) = shard.known.remove(key) {
            shard.weight = shard.weight.saturating_sub((self.weigh)(&before));
        }
    }

    pub(crate) fn forget_all(&self) {
        for shard in &self.shards {
            let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.forgettings += 1;
            shard.weight = 0;
            shard.known.clear();
        }
    }

    fn shard<Q: Hash + ?Sized>(&self, key: &Q) -> Option<MutexGuard<'_, Shard<K, V>>> {
        // 64 shards: the top six bits.
        let at = (self.hash.hash_one(key) >> 58) as usize;
        self.shards.get(at).map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What is remembered, or else what `read` finds, which is then remembered.
pub(crate) async fn through<K: Hash + Eq, V>(
    memory: Option<&Memory<K, V>>,
    key: K,
    read: impl AsyncFnOnce() -> Result<Option<V>>,
) -> Result<Option<Arc<V>>> {
    let asked = match memory.map(|memory| memory.look(&key)) {
        Some(Ok(known)) => return Ok(Some(known)),
        Some(Err(asked)) => Some(asked),
        None => None,
    };
    let found = read().await?.map(Arc::new);
    if let (Some(memory), Some(found), Some(asked)) = (memory, &found, asked) {
        memory.remember(key, found, asked);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_1000() -> Memory<i64, i64> {
        Memory::new(1000 * SHARDS, |_| 1)
    }

    fn remembered(memory: &Memory<i64, i64>) -> usize {
        memory.shards.iter().map(|shard| shard.lock().unwrap().known.len()).sum()
    }

    fn look_and_remember(memory: &Memory<i64, i64>, key: i64) {
        let asked = memory.look(&key).expect_err("not known yet");
        memory.remember(key, &Arc::new(key), asked);
    }

    #[test]
    fn a_full_memory_makes_room_and_remembers_the_newest() {
        let memory = of_1000();
        for key in 0..200_000 {
            look_and_remember(&memory, key);
            assert_eq!(*memory.look(&key).expect("just remembered"), key);
        }
        assert!(remembered(&memory) <= SHARDS * 1000);
    }

    #[test]
    fn the_bound_is_on_the_weight_and_what_is_too_heavy_for_it_is_not_remembered() {
        let memory: Memory<usize, String> = Memory::new(100 * SHARDS, String::len);
        for key in 0..10_000 {
            let asked = memory.look(&key).expect_err("not known yet");
            memory.remember(key, &Arc::new("x".repeat(1 + key % 200)), asked);
            assert_eq!(memory.look(&key).is_ok(), key % 200 < 100);
        }
        for shard in &memory.shards {
            let shard = shard.lock().unwrap();
            assert_eq!(shard.weight, shard.known.values().map(|text| text.len()).sum::<usize>());
            assert!(shard.weight <= 100);
        }
    }

    #[test]
    fn ids_as_they_are_made_are_spread_over_all_shards() {
        let memory = of_1000();
        let ids = crate::ids::Ids::new(1);
        for millisecond in 0..10_000 {
            look_and_remember(&memory, ids.next(rules::moment::Moment(1_800_000_000_000 + millisecond)));
        }
        let fullest = memory.shards.iter().map(|shard| shard.lock().unwrap().known.len()).max();
        assert!(fullest < Some(2 * 10_000 / SHARDS), "{fullest:?} of 10000 are in one shard");
    }

    #[test]
    fn what_was_read_before_a_forgetting_is_not_remembered_after_it() {
        for everything in [false, true] {
            let memory = of_1000();
            let asked = memory.look(&7).expect_err("not known yet");
            if everything {
                memory.forget_all()
            } else {
                memory.forget(&7)
            }
            memory.remember(7, &Arc::new(7), asked);
            assert!(memory.look(&7).is_err(), "it may be from before the change");
        }
    }

    #[test]
    fn forgetting_one_leaves_the_others() {
        let memory = of_1000();
        for key in 0..100 {
            look_and_remember(&memory, key);
        }
        memory.forget(&7);
        memory.forget(&8);
        assert_eq!(remembered(&memory), 98);
        memory.forget_all();
        assert_eq!(remembered(&memory), 0);
    }
}
