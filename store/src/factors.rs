//! Second factors: an app that shows codes, one for a user at the most, passkeys, recovery codes, and the links that reset all of it. Whoever
//! they belong to is told of every change.

pub mod links;
pub mod passkeys;

use crate::access::people::{self, PasswordHash};
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::records::sharing::notices::{self, NewNotice};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::consent::notice::{NoticeKind, Recipient};
use rules::factors::FactorChange;
use rules::ids::{PatientId, UserId};
use rules::moment::Moment;

pub use crate::access::clients::Fingerprint;

/// The second factors of a user, of which there is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factors {
    pub app: Option<AppFactor>,
    pub passkeys: i64,
    /// The number of the newest passkey; 0: there is none.
    pub newest_passkey: i64,
    /// Recovery codes that are left.
    pub recovery_codes: i64,
}

/// An app that shows codes by time.
#[derive(Clone, PartialEq, Eq)]
pub struct AppFactor {
    /// Sealed by the key ring.
    pub secret: String,
    pub enrolled_at: Moment,
}

impl std::fmt::Debug for AppFactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AppFactor(…)")
    }
}

statements! {
    FIND = "SELECT f.secret, f.enrolled_at, (SELECT count(*) FROM passkeys p WHERE p.user_id = u.id),
        coalesce((SELECT max(p.id) FROM passkeys p WHERE p.user_id = u.id), 0),
        (SELECT count(*) FROM recovery_codes c WHERE c.user_id = u.id)
        FROM users u LEFT JOIN factors f ON f.user_id = u.id WHERE u.id = $1";
    /// A code of a step is good once, and after it those of later steps only.
    USE_STEP = "UPDATE factors SET last_step = $2 WHERE user_id = $1 AND last_step < $2";
    USE_RECOVERY_CODE = "DELETE FROM recovery_codes WHERE user_id = $1 AND fingerprint = $2";
    SET = "INSERT INTO factors (user_id, secret, last_step, enrolled_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (user_id) DO UPDATE SET secret = $2, last_step = $3, enrolled_at = $4";
    ADD_RECOVERY_CODE = "INSERT INTO recovery_codes (user_id, fingerprint) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    HAS_ANY = "SELECT 1 WHERE EXISTS (SELECT 1 FROM factors WHERE user_id = $1)
        OR EXISTS (SELECT 1 FROM passkeys WHERE user_id = $1)";
    HAS_PASSKEY = "SELECT 1 WHERE EXISTS (SELECT 1 FROM passkeys WHERE user_id = $1)";
    REMOVE = "DELETE FROM factors WHERE user_id = $1";
    REMOVE_PASSKEYS = "DELETE FROM passkeys WHERE user_id = $1";
    REMOVE_RECOVERY_CODES = "DELETE FROM recovery_codes WHERE user_id = $1";
    REMOVE_LINK = "DELETE FROM factor_links WHERE user_id = $1";
    SECRETS = "SELECT user_id, secret FROM factors WHERE user_id > $1 ORDER BY user_id LIMIT $2";
    RESEAL = "UPDATE factors SET secret = $3 WHERE user_id = $1 AND secret = $2";
}

/// Secrets that are read at a time.
const AT_A_TIME: i64 = 500;

/// The factors of a user, if they have any.
pub async fn find(store: &Store, user: UserId) -> Result<Option<Factors>> {
    let factors = |row: &dyn crate::sql::row::Row| {
        let app = match row.opt_text(0)? {
            Some(secret) => Some(AppFactor { secret, enrolled_at: Moment(row.int(1)?) }),
            None => None,
        };
        Ok(Factors { app, passkeys: row.int(2)?, newest_passkey: row.int(3)?, recovery_codes: row.int(4)? })
    };
    let found = store.db.read_one(FIND, args![user], factors).await?;
    Ok(found.filter(|factors| factors.app.is_some() || factors.passkeys > 0))
}

/// Uses the code of a step up; false if it, or one of a later step, was used before. Of two at once one wins.
pub async fn use_step(store: &Store, user: UserId, step: i64) -> Result<bool> {
    store.write(move |tx| Box::pin(async move { Ok(tx.execute(USE_STEP, args![user, step]).await? == 1) })).await
}

/// Uses a recovery code up; false if it is none.
pub async fn use_recovery_code(store: &Store, user: UserId, code: Fingerprint, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let fingerprint: &[u8] = &code.0;
            let is_one = tx.execute(USE_RECOVERY_CODE, args![user, fingerprint]).await? == 1;
            if is_one {
                tell(tx, &ids, user, FactorChange::RecoveryCodeUsed, now).await?;
            }
            Ok(is_one)
        })
    });
    write.await
}

/// What an app is set up with.
#[derive(Debug)]
pub struct NewFactor {
    /// Sealed by the key ring.
    pub secret: GuardedSecret,
    /// The step of the code by which it was confirmed, which is thereby used.
    pub step: i64,
    pub recovery_codes: Vec<Fingerprint>,
}

/// A sealed secret on its way into its row.
pub struct GuardedSecret(pub String);

impl std::fmt::Debug for GuardedSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GuardedSecret(…)")
    }
}

/// Sets an app up in place of the one before, if there was one; false if the user has another password than the one that was
/// `known`.
pub async fn set(store: &Store, user: UserId, known: PasswordHash, new: NewFactor, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let found = people::load_numbered(tx, user).await?;
            if found.is_none_or(|user| user.password_hash != known) {
                return Ok(false);
            }
            tx.execute(SET, args![user, &new.secret.0, new.step, now.0]).await?;
            put_recovery_codes(tx, user, &new.recovery_codes).await?;
            note(tx, &ids, user, Event::FactorSet, now);
            tell(tx, &ids, user, FactorChange::Set, now).await?;
            Ok(true)
        })
    });
    write.await
}

/// Gives a user other recovery codes; false if they have no factor.
pub async fn renew_recovery_codes(store: &Store, user: UserId, codes: Vec<Fingerprint>, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            people::load_numbered(tx, user).await?;
            if tx.query_one(HAS_ANY, args![user], |row| row.int(0)).await?.is_none() {
                return Ok(false);
            }
            put_recovery_codes(tx, user, &codes).await?;
            tell(tx, &ids, user, FactorChange::NewRecoveryCodes, now).await?;
            Ok(true)
        })
    });
    write.await
}

/// Takes a user's app away, and the recovery codes where there is no passkey beside it; false if there was none, or it is the last
/// factor and one must be kept.
pub async fn remove(store: &Store, user: UserId, must_keep_one: bool, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            people::load_numbered(tx, user).await?;
            let has_passkey = tx.query_one(HAS_PASSKEY, args![user], |row| row.int(0)).await?.is_some();
            if (must_keep_one && !has_passkey) || tx.execute(REMOVE, args![user]).await? == 0 {
                return Ok(false);
            }
            if !has_passkey {
                put_recovery_codes(tx, user, &[]).await?;
            }
            note(tx, &ids, user, Event::FactorRemoved, now);
            tell(tx, &ids, user, FactorChange::Removed, now).await?;
            Ok(true)
        })
    });
    write.await
}

/// Seals every secret anew for which `anew` gives another text, and tells how many those were.
pub async fn reseal(store: &Store, anew: impl Fn(UserId, &str) -> Option<String>) -> Result<u64> {
    let (mut after, mut resealed) = (UserId(i64::MIN), 0);
    loop {
        let secret = |row: &dyn crate::sql::row::Row| Ok((row.id(0)?, row.text(1)?));
        let page: Vec<(UserId, String)> = store.db.page(SECRETS, args![after, AT_A_TIME], secret).await?;
        let Some((last, _)) = page.last() else { return Ok(resealed) };
        after = *last;
        let changed = page.into_iter().filter_map(|(user, old)| anew(user, &old).map(|new| (user, old, new)));
        let changed: Vec<(UserId, String, String)> = changed.collect();
        let write = store.write(move |tx| {
            Box::pin(async move {
                let mut count = 0;
                for (user, old, new) in changed {
                    count += tx.execute(RESEAL, args![user, &old, &new]).await?;
                }
                Ok(count)
            })
        });
        resealed += write.await?;
    }
}

/// Gives a user these recovery codes in place of those before.
async fn put_recovery_codes(tx: &mut Tx<'_>, user: UserId, codes: &[Fingerprint]) -> Result<()> {
    tx.execute(REMOVE_RECOVERY_CODES, args![user]).await?;
    for code in codes {
        let fingerprint: &[u8] = &code.0;
        tx.execute(ADD_RECOVERY_CODE, args![user, fingerprint]).await?;
    }
    Ok(())
}

/// Takes all factors of a user away, with recovery codes and link.
async fn take_away(tx: &mut Tx<'_>, ids: &Ids, user: UserId, now: Moment) -> Result<()> {
    tx.execute(REMOVE_RECOVERY_CODES, args![user]).await?;
    tx.execute(REMOVE_LINK, args![user]).await?;
    if tx.execute(REMOVE, args![user]).await? + tx.execute(REMOVE_PASSKEYS, args![user]).await? > 0 {
        note(tx, ids, user, Event::FactorRemoved, now);
    }
    Ok(())
}

fn note(tx: &mut Tx<'_>, ids: &Ids, user: UserId, event: Event, now: Moment) {
    let about = About { user: Some(user), ..About::default() };
    tx.append(Outbox::Records, ids, &Line::new(now, event, None, about));
}

/// It is about nobody's record: no patient has the number 0.
async fn tell(tx: &mut Tx<'_>, ids: &Ids, user: UserId, change: FactorChange, now: Moment) -> Result<()> {
    let notice = NewNotice {
        kind: NoticeKind::Account,
        recipient: Recipient::User(user),
        patient: PatientId(0),
        text: change.words().to_owned(),
        by: (None, None),
        reason: None,
    };
    notices::add(tx, ids, &notice, now).await
}
