//! The keys that sign id_tokens: their public parts, and their private parts as the key ring has sealed them.

use super::ring;
use crate::error::Result;
use crate::ledger::Event;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::limits::SIGNING_KEY_PUBLISHED_SECONDS;
use rules::moment::Moment;

/// A key as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptSigningKey {
    pub id: String,
    /// The word of the JOSE registry.
    pub algorithm: String,
    /// The public part, as it is published.
    pub jwk: String,
    /// The private part; nothing, where another key has taken its place.
    pub sealed: String,
    pub made_at: Moment,
    pub replaced_at: Option<Moment>,
}

statements! {
    IN_USE = "SELECT id, algorithm, jwk, sealed, made_at, replaced_at FROM signing_keys
    WHERE algorithm = $1 AND replaced_at IS NULL";
    PUBLISHED = "SELECT id, algorithm, jwk, sealed, made_at, replaced_at FROM signing_keys
    WHERE replaced_at IS NULL OR replaced_at > $1 ORDER BY made_at, id";
    REPLACE = "UPDATE signing_keys SET replaced_at = $2, sealed = '' WHERE id = $1 AND replaced_at IS NULL";
    ADD = "INSERT INTO signing_keys (id, algorithm, jwk, sealed, made_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    FORGET = "DELETE FROM signing_keys WHERE replaced_at <= $1";
}

/// The key that signs by this algorithm, if one was made.
pub async fn in_use(store: &Store, algorithm: &str) -> Result<Option<KeptSigningKey>> {
    store.db.read_one(IN_USE, args![algorithm], key).await
}

/// Every key that something may have been signed with that is still valid.
pub async fn published(store: &Store, now: Moment) -> Result<Vec<KeptSigningKey>> {
    store.db.read(PUBLISHED, args![forgotten(now).0], key).await
}

/// Puts a new key in the place of the one that signed, where that is still in its place. Of nodes that do so at once one has its way.
pub async fn put(store: &Store, replaced: Option<String>, new: KeptSigningKey, now: Moment) -> Result<()> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            tx.execute(FORGET, args![forgotten(now).0]).await?;
            if let Some(id) = &replaced
                && tx.execute(REPLACE, args![id, now.0]).await? > 0
            {
                ring::note(tx, &ids, Event::KeyRetired, id.clone(), now);
            }
            let added = args![&new.id, &new.algorithm, &new.jwk, &new.sealed, now.0];
            if tx.execute(ADD, added).await? > 0 {
                ring::note(tx, &ids, Event::KeyAdded, new.id.clone(), now);
            }
            Ok(())
        })
    });
    write.await
}

/// What was replaced by then has signed nothing that is still valid.
fn forgotten(now: Moment) -> Moment {
    now.plus_seconds(-SIGNING_KEY_PUBLISHED_SECONDS)
}

fn key(row: &dyn Row) -> Result<KeptSigningKey> {
    Ok(KeptSigningKey {
        id: row.text(0)?,
        algorithm: row.text(1)?,
        jwk: row.text(2)?,
        sealed: row.text(3)?,
        made_at: Moment(row.int(4)?),
        replaced_at: row.opt_int(5)?.map(Moment),
    })
}
