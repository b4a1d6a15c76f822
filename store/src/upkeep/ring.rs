//! The keys that a database knows: each by its id and a fingerprint, never the key itself.

use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::moment::Moment;

/// A key as it is registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingKey {
    pub id: String,
    pub fingerprint: String,
    /// Whether a node has sealed with it: then tokens depend on it.
    pub has_sealed: bool,
    /// What it sealed is void, and stays so.
    pub is_retired: bool,
}

/// The id and the fingerprint of a key.
pub type KeyName = (String, String);

statements! {
    LIST = "SELECT id, fingerprint, sealed_at, retired_at FROM ring_keys ORDER BY registered_at, id";
    CLAIM = "INSERT INTO settings (name, value) VALUES ('key-ring', 'registered') ON CONFLICT DO NOTHING";
    ADD = "INSERT INTO ring_keys (id, fingerprint, registered_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    TAKE = "INSERT INTO ring_keys (id, fingerprint, registered_at) VALUES ($1, $2, $3)
    ON CONFLICT (id) DO UPDATE SET fingerprint = $2, retired_at = NULL";
    SEAL = "UPDATE ring_keys SET sealed_at = $2 WHERE id = $1 AND sealed_at IS NULL";
    RETIRE = "UPDATE ring_keys SET retired_at = $2 WHERE id = $1 AND retired_at IS NULL";
    RETIRE_ALL = "UPDATE ring_keys SET retired_at = $1 WHERE retired_at IS NULL";
}

/// Every key that was ever registered.
pub async fn list(store: &Store) -> Result<Vec<RingKey>> {
    store.db.read(LIST, &[], key).await
}

fn key(row: &dyn Row) -> Result<RingKey> {
    Ok(RingKey {
        id: row.text(0)?,
        fingerprint: row.text(1)?,
        has_sealed: row.opt_int(2)?.is_some(),
        is_retired: row.opt_int(3)?.is_some(),
    })
}

/// Registers the first ring that the database sees, and tells whether this was it: of nodes that start at once with
/// different rings one has its way.
pub async fn begin(store: &Store, keys: Vec<KeyName>, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let is_first = tx.execute(CLAIM, &[]).await? > 0;
            for name in keys.iter().filter(|_| is_first) {
                register(tx, &ids, name, now).await?;
            }
            Ok(is_first)
        })
    });
    write.await
}

/// Registers a new key; false, where its id is taken.
pub async fn add(store: &Store, name: KeyName, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    store.write(move |tx| Box::pin(async move { register(tx, &ids, &name, now).await })).await
}

/// Notes that a node seals with the key.
pub async fn note_sealing(store: &Store, id: String, now: Moment) -> Result<()> {
    let write = store.write(move |tx| Box::pin(async move { tx.execute(SEAL, args![&id, now.0]).await.map(|_| ()) }));
    write.await
}

/// Marks a key as retired; false, where there is no such key or it is retired already.
pub async fn retire(store: &Store, id: String, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let is_new = tx.execute(RETIRE, args![&id, now.0]).await? > 0;
            if is_new {
                note(tx, &ids, Event::KeyRetired, id, now);
            }
            Ok(is_new)
        })
    });
    write.await
}

/// Registers exactly these keys, whatever was known before.
pub async fn adopt(store: &Store, keys: Vec<KeyName>, now: Moment) -> Result<()> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let known = tx.query(LIST, &[], key).await?;
            let in_use = known.iter().filter(|key| !key.is_retired);
            let is_same = in_use.clone().count() == keys.len()
                && in_use.clone().all(|key| keys.iter().any(|(id, print)| *id == key.id && *print == key.fingerprint));
            tx.execute(CLAIM, &[]).await?;
            if is_same {
                return Ok(());
            }
            tx.execute(RETIRE_ALL, args![now.0]).await?;
            for (id, fingerprint) in &keys {
                tx.execute(TAKE, args![id, fingerprint, now.0]).await?;
            }
            let ring: Vec<&str> = keys.iter().map(|(id, _)| id.as_str()).collect();
            note(tx, &ids, Event::RingAdopted, ring.join(" "), now);
            Ok(())
        })
    });
    write.await
}

/// Registers a key, if its id is not taken.
async fn register(tx: &mut Tx<'_>, ids: &Ids, (id, fingerprint): &KeyName, now: Moment) -> Result<bool> {
    let is_new = tx.execute(ADD, args![id, fingerprint, now.0]).await? > 0;
    if is_new {
        note(tx, ids, Event::KeyAdded, id.clone(), now);
    }
    Ok(is_new)
}

/// Notes what became of keys, by their ids.
pub(super) fn note(tx: &mut Tx<'_>, ids: &Ids, event: Event, keys: String, now: Moment) {
    tx.append(Outbox::Records, ids, &Line::new(now, event, None, About::default()).with_detail(keys));
}
