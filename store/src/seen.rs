//! What a request needs to know of the session behind its access token, and the memory of it.
//!
//! On SQLite, where this process is the only writer, what was seen is remembered: beside durable refreshes a second
//! read of the busy sessions file costs more than all the rest of a request. The writer forgets what a commit touched
//! before it acknowledges the commit, so nothing answers from before an acknowledged revocation. On PostgreSQL another
//! node may revoke at any moment, so nothing is remembered.

use crate::db::Row;
use crate::error::Result;
use crate::salt::Salt;
use crate::sqlite_tx::Touched;
use crate::store::Store;
use rules::clients::ClientKind;
use rules::lifecycle::Session;
use rules::moment::Moment;
use rules::reach::Reach;
use rules::scope::Scope;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A session with everything that an API call asks about it.
#[derive(Debug)]
pub struct Seen {
    pub id: i64,
    pub salt: Salt,
    pub session: Session,
    pub scope: Scope,
    pub client: i64,
    pub client_kind: ClientKind,
    pub client_disabled: bool,
    /// The user who granted it; `None` for a team's grant.
    pub user: Option<i64>,
    pub user_frozen: bool,
    pub reach: Reach,
}

pub(crate) const SEE: &str =
    "SELECT s.id, s.salt, s.granted_at, s.ends_at, s.generation, s.rotated_at, s.revoked_at, s.scope,
        s.client_id, c.kind, c.disabled_at, s.user_id, u.frozen_at, u.patient_id, s.team_id,
        (SELECT string_agg(CAST(m.team_id AS TEXT), ',') FROM memberships m WHERE m.user_id = s.user_id)
    FROM sessions s JOIN clients c ON c.id = s.client_id LEFT JOIN users u ON u.id = s.user_id
    WHERE s.id = $1";

pub const STATEMENTS: &[&str] = &[SEE];

/// Looks at a session, from memory where that is as good as the database.
pub async fn see(store: &Store, id: i64) -> Result<Option<Arc<Seen>>> {
    let cache = store.db.session_cache();
    let asked_at = match cache.map(|cache| cache.look(id)) {
        Some(Ok(seen)) => return Ok(Some(seen)),
        Some(Err(asked_at)) => Some(asked_at),
        None => None,
    };
    let seen = store.db.read_one(SEE, crate::db::args![id], row).await?.map(Arc::new);
    if let (Some(cache), Some(seen), Some(asked_at)) = (cache, &seen, asked_at) {
        cache.remember(seen, asked_at);
    }
    Ok(seen)
}

fn row(row: &Row<'_>) -> Result<Seen> {
    let scope = row.word(7, Scope::named)?;
    let own_team = row.opt_int(14)?;
    let reach = match scope {
        Scope::Patient => Reach::Patient(row.opt_text(13)?.unwrap_or_default()),
        Scope::Clinician | Scope::TeamCoord | Scope::Site => {
            let teams = row.opt_text(15)?.unwrap_or_default();
            Reach::Teams(own_team.into_iter().chain(teams.split(',').filter_map(|id| id.parse().ok())).collect())
        }
    };
    Ok(Seen {
        id: row.int(0)?,
        salt: Salt::from_bytes(&row.bytes(1)?)?,
        session: Session {
            granted_at: Moment(row.int(2)?),
            ends_at: row.opt_int(3)?.map(Moment),
            generation: row.int(4)?,
            rotated_at: row.opt_int(5)?.map(Moment),
            revoked_at: row.opt_int(6)?.map(Moment),
        },
        scope,
        client: row.int(8)?,
        client_kind: row.word(9, ClientKind::named)?,
        client_disabled: row.opt_int(10)?.is_some(),
        user: row.opt_int(11)?,
        user_frozen: row.opt_int(12)?.is_some(),
        reach,
    })
}

const SHARDS: usize = 64;
/// Sessions remembered per shard; a full shard starts afresh. 65,536 in all, about 20 MiB.
const PER_SHARD: usize = 1024;

/// The sessions seen lately.
#[derive(Debug)]
pub struct SessionCache {
    shards: Vec<Mutex<Shard>>,
}

#[derive(Debug, Default)]
struct Shard {
    /// Counts what was forgotten here. A look-up that began before the last forgetting may have read the row as it
    /// was before it, so its finding is not remembered.
    forgettings: u64,
    seen: HashMap<i64, Arc<Seen>>,
}

impl Default for SessionCache {
    fn default() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }
}

impl SessionCache {
    /// What is remembered of a session, or the shard's count of forgettings to come back with.
    fn look(&self, id: i64) -> std::result::Result<Arc<Seen>, u64> {
        self.in_shard(id, |shard| shard.seen.get(&id).cloned().ok_or(shard.forgettings)).unwrap_or(Err(0))
    }

    fn remember(&self, seen: &Arc<Seen>, asked_at: u64) {
        self.in_shard(seen.id, |shard| {
            if shard.forgettings == asked_at {
                if shard.seen.len() >= PER_SHARD {
                    shard.seen.clear();
                }
                shard.seen.insert(seen.id, seen.clone());
            }
        });
    }

    pub(crate) fn forget(&self, touched: &Touched) {
        if touched.all {
            for shard in &self.shards {
                let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
                shard.forgettings += 1;
                shard.seen.clear();
            }
        }
        for id in &touched.sessions {
            self.in_shard(*id, |shard| {
                shard.forgettings += 1;
                shard.seen.remove(id);
            });
        }
    }

    fn in_shard<T>(&self, id: i64, act: impl FnOnce(&mut Shard) -> T) -> Option<T> {
        // Ids grow with time and so share their low bits; a multiplicative hash spreads them. 64 shards: the top six bits.
        let at = (id.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize;
        self.shards.get(at).map(|shard| act(&mut shard.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(id: i64) -> Arc<Seen> {
        let session =
            Session { granted_at: Moment(0), ends_at: None, generation: 1, rotated_at: None, revoked_at: None };
        Arc::new(Seen {
            id,
            salt: Salt::new([0; 16]),
            session,
            scope: Scope::Patient,
            client: 1,
            client_kind: ClientKind::User,
            client_disabled: false,
            user: Some(1),
            user_frozen: false,
            reach: Reach::Patient(String::new()),
        })
    }

    fn remembered(cache: &SessionCache) -> usize {
        cache.shards.iter().map(|shard| shard.lock().unwrap().seen.len()).sum()
    }

    fn look_and_remember(cache: &SessionCache, id: i64) {
        let asked_at = cache.look(id).expect_err("not seen yet");
        cache.remember(&seen(id), asked_at);
    }

    #[test]
    fn a_full_memory_makes_room_and_remembers_the_newest() {
        let cache = SessionCache::default();
        for id in 0..200_000 {
            look_and_remember(&cache, id);
            assert_eq!(cache.look(id).expect("just remembered").id, id);
        }
        assert!(remembered(&cache) <= SHARDS * PER_SHARD);
    }

    #[test]
    fn ids_as_they_are_made_are_spread_over_all_shards() {
        let cache = SessionCache::default();
        let ids = crate::ids::Ids::new(1);
        for millisecond in 0..10_000 {
            look_and_remember(&cache, ids.next(Moment(1_800_000_000_000 + millisecond)));
        }
        let fullest = cache.shards.iter().map(|shard| shard.lock().unwrap().seen.len()).max();
        assert!(fullest < Some(2 * 10_000 / SHARDS), "{fullest:?} of 10000 are in one shard");
    }

    #[test]
    fn what_was_read_before_a_forgetting_is_not_remembered_after_it() {
        for everyone in [false, true] {
            let cache = SessionCache::default();
            let asked_at = cache.look(7).expect_err("not seen yet");
            cache.forget(&Touched { sessions: if everyone { vec![] } else { vec![7] }, all: everyone });
            cache.remember(&seen(7), asked_at);
            assert!(cache.look(7).is_err(), "it may be from before the change");
        }
    }

    #[test]
    fn forgetting_one_session_leaves_the_others_in_memory() {
        let cache = SessionCache::default();
        for id in 0..100 {
            look_and_remember(&cache, id);
        }
        cache.forget(&Touched { sessions: vec![7, 8], all: false });
        assert_eq!(remembered(&cache), 98);
        cache.forget(&Touched { sessions: vec![], all: true });
        assert_eq!(remembered(&cache), 0);
    }
}
