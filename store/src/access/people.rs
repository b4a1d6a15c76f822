//! People: users, and the teams they belong to.

use super::memberships;
use super::patients;
use super::sessions;
use super::user_lines;
use super::user_sessions;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, statements};
use crate::store::Store;
use rules::ids::UserId;
use rules::lifecycle::Revoked;
use rules::moment::Moment;
use rules::scope::UserType;

pub use super::user::{PasswordHash, User};

pub(crate) const COLUMNS_OF_USER: usize = 10;

/// The patient's name is looked up by itself: PostgreSQL locks no row of an outer join.
macro_rules! users_where {
    ($further:literal, $from:literal) => {
        concat!(
            "SELECT u.id, u.username, u.password_hash, u.type, u.name,
                (SELECT p.fhir_id FROM patients p WHERE p.id = u.patient_id), u.frozen_at,
                (SELECT p.deceased FROM patients p WHERE p.id = u.patient_id),
                (SELECT h.public_id FROM organisations h WHERE h.id = u.organisation_id),
                (SELECT p.frozen_at FROM patients p WHERE p.id = u.patient_id)",
            $further,
            " FROM ",
            $from
        )
    };
}
pub(crate) use users_where;

statements! {
    BY_USERNAME = users_where!("", "users u WHERE u.username = $1");
    BY_ID = users_where!("", "users u WHERE u.id = $1");
    PAGE = users_where!("", "users u WHERE u.username > $1 ORDER BY u.username LIMIT $2");
    PUT = "INSERT INTO users (id, username, password_hash, type, name, patient_id, frozen_at, organisation_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT h.id FROM organisations h WHERE h.public_id = $8))
    ON CONFLICT (id) DO UPDATE SET password_hash = $3, type = $4, name = $5, patient_id = $6, frozen_at = $7,
        organisation_id = (SELECT h.id FROM organisations h WHERE h.public_id = $8)";
    pub(crate) END_SIGN_INS = "UPDATE sign_ins SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL";
    END_LINKS = "DELETE FROM account_links WHERE user_id = $1";
}

/// Those of them that load a row in order to decide about it.
pub(crate) const LOCKING: &[Statement<'static>] = &[BY_USERNAME, BY_ID];

pub async fn find(store: &Store, username: &str) -> Result<Option<User>> {
    store.db.read_one(BY_USERNAME, args![&username.to_lowercase()], user).await
}

/// The user of this number of ours.
pub async fn numbered(store: &Store, id: UserId) -> Result<Option<User>> {
    store.db.read_one(BY_ID, args![id], user).await
}

/// Users that `list` reads at a time.
const AT_A_TIME: i64 = 1000;

/// The users whose names come after this one, in the order of their names, `limit` of them at the most.
pub async fn page(store: &Store, after: &str, limit: i64) -> Result<Vec<User>> {
    store.db.page(PAGE, args![after, limit], user).await
}

/// All of them, however many there are.
pub async fn list(store: &Store) -> Result<Vec<User>> {
    let mut all: Vec<User> = Vec::new();
    loop {
        let page = page(store, all.last().map_or("", |last| &last.username), AT_A_TIME).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// Changes a user in one transaction; `None` if there is none of that name.
pub async fn change(
    store: &Store,
    username: String,
    change: impl FnOnce(&mut User) + Send + 'static,
    now: Moment,
) -> Result<Option<User>> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let Some(before) = load(tx, &username).await? else { return Ok(None) };
            let mut user = before.clone();
            change(&mut user);
            put(tx, &ids, Some(&before), &user, now).await?;
            Ok(Some(user))
        })
    });
    write.await
}

pub(crate) async fn load(tx: &mut Tx<'_>, username: &str) -> Result<Option<User>> {
    tx.lock_one(BY_USERNAME, args![&username.to_lowercase()], user).await
}

pub(crate) async fn load_numbered(tx: &mut Tx<'_>, id: UserId) -> Result<Option<User>> {
    tx.lock_one(BY_ID, args![id], user).await
}

/// Writes a user under its own `id`, new or changed. A new password ends links that were sent to them; it or a freeze signs the user's browsers out; another
/// patient's record does so too, and ends the access of their apps, which nobody granted to that record; a new type ends
/// memberships that users of that type do not have.
pub(crate) async fn put(tx: &mut Tx<'_>, ids: &Ids, before: Option<&User>, user: &User, now: Moment) -> Result<()> {
    tx.touch(|touched| {
        touched.users.insert(user.id);
    });
    let patient = match &user.patient_id {
        Some(patient) => Some(patients::number(tx, ids, patient, now).await?),
        None => None,
    };
    let username = user.username.to_lowercase();
    let row = args![
        user.id,
        &username,
        &user.password_hash.0,
        user.user_type.word(),
        &user.name,
        patient,
        user.frozen_at.map(|at| at.0),
        user.organisation.as_deref(),
    ];
    tx.execute(PUT, row).await?;
    let former = match before.and_then(|before| before.patient_id.as_ref()) {
        Some(former) if user.patient_id.as_ref() != Some(former) => Some(patients::number(tx, ids, former, now).await?),
        _ => None,
    };
    user_lines::note(tx, ids, (before, former), user, now);
    let Some(before) = before else { return Ok(()) };
    let is_other_record = before.patient_id != user.patient_id;
    if before.password_hash != user.password_hash || before.frozen_at != user.frozen_at || is_other_record {
        tx.execute(END_SIGN_INS, args![user.id, now.0]).await?;
    }
    if before.password_hash != user.password_hash {
        tx.execute(END_LINKS, args![user.id]).await?;
    }
    if is_other_record {
        user_sessions::end_every(tx, ids, user.id, Revoked::PatientChanged, now).await?;
    }
    if !user.user_type.may_be_member() && before.user_type.may_be_member() {
        memberships::set(tx, ids, user.id, &[], now).await?;
    }
    let standing = |user: &User| (user.user_type, user.frozen_at, user.patient_id.clone());
    if standing(before) != standing(user) {
        sessions::forget_user(tx, user.id);
    }
    Ok(())
}

/// Whether a login that was looked at before this transaction is still good: the user has the same password, and the same
/// patient's record. Whoever changes either waits until the transaction has ended, and so finds what came of it.
pub(crate) async fn is_login_still_good(tx: &mut Tx<'_>, login: &User) -> Result<bool> {
    let user = load_numbered(tx, login.id).await?;
    let known = |user: User| user.password_hash == login.password_hash && user.patient_id == login.patient_id;
    Ok(user.is_some_and(known))
}

pub(crate) fn user(row: &dyn Row) -> Result<User> {
    Ok(User {
        id: row.id(0)?,
        username: row.text(1)?,
        password_hash: PasswordHash(row.text(2)?),
        user_type: row.word(3, UserType::named)?,
        name: row.text(4)?,
        patient_id: row.opt_text(5)?,
        frozen_at: row.opt_int(6)?.map(Moment),
        deceased: row.opt_int(7)?.is_some_and(|deceased| deceased != 0),
        organisation: row.opt_text(8)?,
        record_frozen: row.opt_int(9)?.is_some(),
    })
}
