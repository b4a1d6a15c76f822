//! Settings that the service keeps in its own database, such as the sandbox's clock.

use crate::error::{Error, Result};
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;

statements! {
    GET = "SELECT value FROM settings WHERE name = $1";
    SET = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = $2";
    CLAIM = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    EMPTY = "SELECT (SELECT count(*) FROM organisations) + (SELECT count(*) FROM users)
    + (SELECT count(*) FROM clients) + (SELECT count(*) FROM resources)";
    SESSIONS = "SELECT id FROM sessions LIMIT 1";
}

pub async fn get(store: &Store, name: &str) -> Result<Option<String>> {
    store.db.read_one(GET, args![name], |row| row.text(0)).await
}

pub async fn set(store: &Store, name: &'static str, value: String) -> Result<()> {
    store.db.write(move |tx| Box::pin(async move { tx.execute(SET, args![name, &value]).await.map(|_| ()) })).await
}

/// Sets what nobody has set yet, and gives what it is then. Of nodes that start at once one has its way.
pub async fn claim(store: &Store, name: &'static str, value: String) -> Result<String> {
    if let Some(found) = get(store, name).await? {
        return Ok(found);
    }
    let write =
        store.db.write(move |tx| Box::pin(async move { tx.execute(CLAIM, args![name, &value]).await.map(|_| ()) }));
    write.await?;
    get(store, name).await?.ok_or_else(|| Error::Impossible("a setting that was just set is gone".into()))
}

/// The store's id, the same in all its files, in its backups and wherever it is moved.
pub async fn store_id(store: &Store) -> Result<String> {
    get(store, "store-id").await?.ok_or_else(|| Error::Impossible("a store without an id".into()))
}

/// Whether nobody and nothing has been put into the database yet.
pub async fn is_empty(store: &Store) -> Result<bool> {
    Ok(store.db.read_one(EMPTY, &[], |row| row.int(0)).await? == Some(0))
}

/// Whether there is any session: then the key ring that sealed its tokens must be there too.
pub async fn has_sessions(store: &Store) -> Result<bool> {
    Ok(store.db.read_one(SESSIONS, &[], |row| row.int(0)).await?.is_some())
}
