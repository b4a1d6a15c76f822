//! Passkeys: several for a user, each a second factor. Whoever they belong to is told of every change.

use super::{HAS_ANY, note, put_recovery_codes, tell};
use crate::access::clients::Fingerprint;
use crate::access::opening::{self, SpentForm};
use crate::access::people::{self, PasswordHash};
use crate::error::Result;
use crate::ledger::Event;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::factors::{FactorChange, FactorMeans};
use rules::ids::UserId;
use rules::limits::PASSKEYS_PER_USER;
use rules::moment::Moment;

/// A passkey, as its row has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    pub id: i64,
    pub key: PasskeyKey,
    /// How often it was used, as its authenticator counts; 0 where it does not count.
    pub counter: i64,
    /// What its owner calls it.
    pub name: String,
    pub made_at: Moment,
    pub used_at: Option<Moment>,
}

/// What an authenticator says of a passkey when it makes it. Nothing of it is secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyKey {
    /// The id that the authenticator gave it.
    pub credential: Vec<u8>,
    /// As COSE has it.
    pub public_key: Vec<u8>,
    pub algorithm: i64,
    /// How its authenticator is reached, as browsers tell it.
    pub transports: String,
    /// Whether its owner's devices share it.
    pub is_synced: bool,
}

impl Passkey {
    /// What it is shown by.
    #[must_use]
    pub const fn means(&self) -> FactorMeans {
        FactorMeans::of_passkey(self.key.is_synced)
    }
}

/// A passkey that was made a moment ago.
#[derive(Clone, Debug)]
pub struct NewPasskey {
    pub key: PasskeyKey,
    pub counter: i64,
    pub name: String,
}

/// What became of a new passkey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasskeyMaking {
    /// It is there. Recovery codes are new where it is the first factor.
    Stored { has_new_codes: bool },
    /// There are as many as there can be.
    TooMany,
    /// The question was answered before, the passkey is somebody's, or the user has another password.
    Stale,
}

/// What became of a passkey that was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasskeyUse {
    Counted,
    /// The question was answered before, or the passkey is gone.
    Stale,
    /// Its counter has not risen.
    Behind,
}

statements! {
    OF_USER = "SELECT id, credential, public_key, algorithm, transports, synced, counter, name, made_at, used_at FROM passkeys
        WHERE user_id = $1 ORDER BY id LIMIT $2";
    COUNT = "SELECT count(*) FROM passkeys WHERE user_id = $1";
    ADD = "INSERT INTO passkeys (id, user_id, credential, public_key, algorithm, transports, synced, counter, name, made_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING";
    IS_THERE = "SELECT 1 FROM passkeys WHERE user_id = $1 AND id = $2";
    /// Authenticators that do not count say 0 each time.
    COUNT_USE = "UPDATE passkeys SET counter = $3, used_at = $4
        WHERE user_id = $1 AND id = $2 AND (counter < $3 OR (counter = 0 AND counter = $3))";
    HAS_OTHER = "SELECT 1 WHERE EXISTS (SELECT 1 FROM passkeys WHERE user_id = $1 AND id <> $2)
        OR EXISTS (SELECT 1 FROM factors WHERE user_id = $1)";
    REMOVE = "DELETE FROM passkeys WHERE user_id = $1 AND id = $2";
}

/// The passkeys of a user, the oldest first.
pub async fn of_user(store: &Store, user: UserId) -> Result<Vec<Passkey>> {
    let most = i64::try_from(PASSKEYS_PER_USER).unwrap_or(i64::MAX);
    store.db.page(OF_USER, args![user, most], passkey).await
}

fn passkey(row: &dyn Row) -> Result<Passkey> {
    Ok(Passkey {
        id: row.int(0)?,
        key: PasskeyKey {
            credential: row.bytes(1)?,
            public_key: row.bytes(2)?,
            algorithm: row.int(3)?,
            transports: row.text(4)?,
            is_synced: row.flag(5)?,
        },
        counter: row.int(6)?,
        name: row.text(7)?,
        made_at: Moment(row.int(8)?),
        used_at: row.opt_int(9)?.map(Moment),
    })
}

/// Gives a user a passkey that answers a question which is thereby used, and these recovery codes where it is the first factor.
pub async fn add(
    store: &Store,
    user: UserId,
    known: PasswordHash,
    (new, codes): (NewPasskey, Vec<Fingerprint>),
    question: SpentForm,
    now: Moment,
) -> Result<PasskeyMaking> {
    let (ids, id) = (store.ids.clone(), store.ids.next(now));
    let write = store.write(move |tx| {
        Box::pin(async move {
            let found = people::load_numbered(tx, user).await?;
            if found.is_none_or(|user| user.password_hash != known) || !opening::spend(tx, &question).await? {
                return Ok(PasskeyMaking::Stale);
            }
            let count = tx.query_one(COUNT, args![user], |row| row.int(0)).await?.unwrap_or_default();
            if usize::try_from(count).is_ok_and(|count| count >= PASSKEYS_PER_USER) {
                return Ok(PasskeyMaking::TooMany);
            }
            let is_first = tx.query_one(HAS_ANY, args![user], |row| row.int(0)).await?.is_none();
            let PasskeyKey { credential, public_key, algorithm, transports, is_synced } = &new.key;
            let (credential, public_key) = (credential.as_slice(), public_key.as_slice());
            let row = args![
                id,
                user,
                credential,
                public_key,
                *algorithm,
                transports,
                *is_synced,
                new.counter,
                &new.name,
                now.0
            ];
            if tx.execute(ADD, row).await? == 0 {
                return Ok(PasskeyMaking::Stale);
            }
            if is_first {
                put_recovery_codes(tx, user, &codes).await?;
            }
            note(tx, &ids, user, Event::FactorSet, now);
            tell(tx, &ids, user, FactorChange::PasskeyMade, now).await?;
            Ok(PasskeyMaking::Stored { has_new_codes: is_first })
        })
    });
    write.await
}

/// Counts that a passkey answered a question, which is thereby used: of two answers at once one counts.
pub async fn count_use(
    store: &Store,
    (user, id): (UserId, i64),
    counter: i64,
    question: SpentForm,
    now: Moment,
) -> Result<PasskeyUse> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            people::load_numbered(tx, user).await?;
            let is_there = tx.query_one(IS_THERE, args![user, id], |row| row.int(0)).await?.is_some();
            if !is_there || !opening::spend(tx, &question).await? {
                return Ok(PasskeyUse::Stale);
            }
            if tx.execute(COUNT_USE, args![user, id, counter, now.0]).await? == 1 {
                return Ok(PasskeyUse::Counted);
            }
            tell(tx, &ids, user, FactorChange::PasskeyCopied, now).await?;
            Ok(PasskeyUse::Behind)
        })
    });
    write.await
}

/// Takes a passkey away; false if there is none of this number, or it is the last factor and one must be kept.
pub async fn remove(store: &Store, (user, id): (UserId, i64), must_keep_one: bool, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            people::load_numbered(tx, user).await?;
            let has_other = tx.query_one(HAS_OTHER, args![user, id], |row| row.int(0)).await?.is_some();
            if (must_keep_one && !has_other) || tx.execute(REMOVE, args![user, id]).await? == 0 {
                return Ok(false);
            }
            if !has_other {
                put_recovery_codes(tx, user, &[]).await?;
            }
            note(tx, &ids, user, Event::FactorRemoved, now);
            tell(tx, &ids, user, FactorChange::PasskeyRemoved, now).await?;
            Ok(true)
        })
    });
    write.await
}
