//! Tests of the memory: its bound, what it forgets, and that it never answers from before a change.

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

#[test]
fn looks_are_counted_by_what_they_found() {
    let memory = of_1000();
    for key in [1, 2, 1, 1] {
        look_and_remember(&memory, key, 1);
    }
    memory.forget(&1);
    assert!(!knows(&memory, 1));
    assert_eq!(memory.looks(), Looks { hits: 2, misses: 3 });
}
