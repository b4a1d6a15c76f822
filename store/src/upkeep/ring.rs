//! The keys that a database knows: each by its id and a fingerprint, never the key itself.

use crate::engine::Tx;
use crate::error::Result;
use crate::sql::arg::args;
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
    let key = |row: &dyn crate::sql::row::Row| {
        Ok(RingKey {
            id: row.text(0)?,
            fingerprint: row.text(1)?,
            has_sealed: row.opt_int(2)?.is_some(),
            is_retired: row.opt_int(3)?.is_some(),
        })
    };
    store.db.read(LIST, &[], key).await
}

/// Registers the first ring that the database sees, and tells whether this was it: of nodes that start at once with
/// different rings one has its way.
pub async fn begin(store: &Store, keys: Vec<KeyName>, now: Moment) -> Result<bool> {
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            let is_first = tx.execute(CLAIM, &[]).await? > 0;
            for (id, fingerprint) in keys.iter().filter(|_| is_first) {
                tx.execute(ADD, args![id, fingerprint, now.0]).await?;
            }
            Ok(is_first)
        })
    });
    write.await
}

/// Registers a new key; false, where its id is taken.
pub async fn add(store: &Store, (id, fingerprint): KeyName, now: Moment) -> Result<bool> {
    let write = store
        .db
        .write(move |tx| Box::pin(async move { Ok(tx.execute(ADD, args![&id, &fingerprint, now.0]).await? > 0) }));
    write.await
}

/// Notes that a node seals with the key.
pub async fn note_sealing(store: &Store, id: String, now: Moment) -> Result<()> {
    let write = store.db.write(move |tx| Box::pin(async move { change(tx, &id, now, true).await.map(|_| ()) }));
    write.await
}

/// Marks a key as retired; false, where there is no such key or it is retired already.
pub async fn retire(store: &Store, id: String, now: Moment) -> Result<bool> {
    store.db.write(move |tx| Box::pin(async move { change(tx, &id, now, false).await })).await
}

async fn change(tx: &mut Tx<'_>, id: &str, now: Moment, seals: bool) -> Result<bool> {
    Ok(tx.execute(if seals { SEAL } else { RETIRE }, args![id, now.0]).await? > 0)
}

/// Registers exactly these keys, whatever was known before.
pub async fn adopt(store: &Store, keys: Vec<KeyName>, now: Moment) -> Result<()> {
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            tx.execute(CLAIM, &[]).await?;
            tx.execute(RETIRE_ALL, args![now.0]).await?;
            for (id, fingerprint) in &keys {
                tx.execute(TAKE, args![id, fingerprint, now.0]).await?;
            }
            Ok(())
        })
    });
    write.await
}
