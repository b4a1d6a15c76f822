//! Signed-in browsers: one row each, asked at every page. To end the row is to sign the browser out, on every node.

use super::people::{COLUMNS_OF_USER, User, is_login_still_good, user, users_where};
use super::salt::Salt;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::factors::FactorMeans;
use rules::ids::{SignInId, UserId};
use rules::limits::SIGN_INS_PER_USER;
use rules::moment::Moment;

/// A signed-in browser, as its row tells.
#[derive(Debug)]
pub struct SignIn {
    pub salt: Salt,
    pub user: User,
    pub started_at: Moment,
    pub last_used_at: Moment,
    pub ended: bool,
    pub entrance: Entrance,
    /// Whether the user has a second factor.
    pub has_factor: bool,
}

/// How somebody came in who gives their password.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entrance {
    /// When they proved a second factor, if they did, and by what.
    pub factor_at: Option<Moment>,
    pub factor: Option<FactorMeans>,
    /// Whether a link reset their second factor.
    pub by_link: bool,
}

/// A signed-in browser as its user is told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserBrowser {
    pub id: SignInId,
    /// What it is called, coarsely; those of the first release say nothing.
    pub browser: Option<String>,
    pub started_at: Moment,
    pub last_used_at: Moment,
}

statements! {
    SIGN_IN = "INSERT INTO sign_ins (id, salt, user_id, started_at, browser, last_used_at, factor_at, by_link, factor)
    VALUES ($1, $2, $3, $4, $5, $4, $6, $7, $8)";
    /// A user who is signed in too often is signed out where they signed in first.
    END_OLDEST = "UPDATE sign_ins SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL AND id NOT IN
        (SELECT id FROM sign_ins WHERE user_id = $1 AND ended_at IS NULL ORDER BY id DESC LIMIT $3)";
    SIGNED_IN = users_where!(", s.salt, s.started_at, s.ended_at, s.last_used_at, s.factor_at, s.by_link,
            CASE WHEN EXISTS (SELECT 1 FROM factors f WHERE f.user_id = s.user_id)
                OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = s.user_id) THEN 1 END, s.factor",
        "sign_ins s JOIN users u ON u.id = s.user_id WHERE s.id = $1");
    NOTE_USE = "UPDATE sign_ins SET last_used_at = $2 WHERE id = $1 AND ended_at IS NULL";
    NOTE_FACTOR = "UPDATE sign_ins SET factor_at = $2, factor = $3 WHERE id = $1 AND ended_at IS NULL";
    BROWSERS = "SELECT id, browser, started_at, coalesce(last_used_at, started_at) FROM sign_ins
    WHERE user_id = $1 AND ended_at IS NULL AND started_at > $2 AND coalesce(last_used_at, started_at) > $3
    ORDER BY id DESC LIMIT $4";
    END_ONE = "UPDATE sign_ins SET ended_at = $3 WHERE id = $1 AND user_id = $2 AND ended_at IS NULL";
    END_OTHERS = "UPDATE sign_ins SET ended_at = $3 WHERE user_id = $2 AND id <> $1 AND ended_at IS NULL";
}

/// Remembers a browser in which this user has just logged in, and gives its id; `None` if the user has another password
/// or another patient's record by now.
pub async fn open(
    store: &Store,
    user: &User,
    salt: Salt,
    (browser, entrance): (String, Entrance),
    now: Moment,
) -> Result<Option<SignInId>> {
    let (id, login) = (SignInId(store.ids.next(now)), user.clone());
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            if !is_login_still_good(tx, &login).await? {
                return Ok(None);
            }
            let Entrance { factor_at, factor, by_link } = entrance;
            let (factor_at, factor) = (factor_at.map(|at| at.0), factor.map(FactorMeans::word));
            let row = args![id, salt.as_bytes(), login.id, now.0, &browser, factor_at, by_link, factor];
            tx.execute(SIGN_IN, row).await?;
            tx.execute(END_OLDEST, args![login.id, now.0, SIGN_INS_PER_USER]).await?;
            Ok(Some(id))
        })
    });
    write.await
}

pub async fn find(store: &Store, id: SignInId) -> Result<Option<SignIn>> {
    let sign_in = |row: &dyn Row| {
        let started_at = row.int(COLUMNS_OF_USER + 1)?;
        Ok(SignIn {
            user: user(row)?,
            salt: Salt::from_bytes(&row.bytes(COLUMNS_OF_USER)?)?,
            started_at: Moment(started_at),
            ended: row.opt_int(COLUMNS_OF_USER + 2)?.is_some(),
            last_used_at: Moment(row.opt_int(COLUMNS_OF_USER + 3)?.unwrap_or(started_at)),
            entrance: Entrance {
                factor_at: row.opt_int(COLUMNS_OF_USER + 4)?.map(Moment),
                factor: row.opt_word(COLUMNS_OF_USER + 7, FactorMeans::named)?,
                by_link: row.int(COLUMNS_OF_USER + 5)? != 0,
            },
            has_factor: row.opt_int(COLUMNS_OF_USER + 6)?.is_some(),
        })
    };
    store.db.read_one(SIGNED_IN, args![id], sign_in).await
}

/// Notes that a browser was used just now.
pub async fn note_use(store: &Store, id: SignInId, now: Moment) -> Result<()> {
    store.db.write(move |tx| Box::pin(async move { tx.execute(NOTE_USE, args![id, now.0]).await.map(|_| ()) })).await
}

/// Notes that a second factor was proven in a browser just now, and by what.
pub async fn note_factor(store: &Store, id: SignInId, factor: FactorMeans, now: Moment) -> Result<()> {
    let write = store.db.write(move |tx| {
        Box::pin(async move { tx.execute(NOTE_FACTOR, args![id, now.0, factor.word()]).await.map(|_| ()) })
    });
    write.await
}

/// Where a user is signed in, the newest first: browsers that signed in after one moment and were used after another.
pub async fn of_user(store: &Store, user: UserId, started: Moment, used: Moment) -> Result<Vec<UserBrowser>> {
    let browser = |row: &dyn Row| {
        Ok(UserBrowser {
            id: row.id(0)?,
            browser: row.opt_text(1)?,
            started_at: Moment(row.int(2)?),
            last_used_at: Moment(row.int(3)?),
        })
    };
    store.db.page(BROWSERS, args![user, started.0, used.0, SIGN_INS_PER_USER], browser).await
}

/// Signs one browser of a user out; `false` if it is not theirs, or was signed out before.
pub async fn end(store: &Store, id: SignInId, user: UserId, now: Moment) -> Result<bool> {
    let write =
        store.db.write(move |tx| Box::pin(async move { Ok(tx.execute(END_ONE, args![id, user, now.0]).await? == 1) }));
    write.await
}

/// Signs all browsers of a user out but one, and tells how many.
pub async fn end_others(store: &Store, kept: SignInId, user: UserId, now: Moment) -> Result<u64> {
    store.db.write(move |tx| Box::pin(async move { tx.execute(END_OTHERS, args![kept, user, now.0]).await })).await
}
