//! Ending what a user is signed in by: their browsers, and the access that they granted to apps. What they granted for a
//! team is the team's.

use super::people::{self, END_SIGN_INS, PasswordHash, User};
use super::sessions;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::piece::{self, Piece};
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::{ClientId, SessionId, UserId};
use rules::lifecycle::Revoked;
use rules::moment::Moment;

statements! {
    /// In one order, so that two who end the same sessions do not wait for each other.
    LIVE = "SELECT id, client_id FROM sessions
    WHERE user_id = $1 AND revoked_at IS NULL AND (ends_at IS NULL OR ends_at > $2) ORDER BY id LIMIT $3";
}

/// What became of a user whose password was changed.
#[derive(Debug)]
pub struct Renewal {
    pub user: User,
    /// Sessions of apps that were ended.
    pub ended: u64,
}

/// Gives a user a new password, which signs all their browsers out, and ends the access of their apps if there is a reason
/// to; `None` if there is no user of that name, or with another password than the one that was `known`.
pub async fn renew(
    store: &Store,
    username: String,
    known: Option<PasswordHash>,
    password_hash: PasswordHash,
    end_access: Option<Revoked>,
    now: Moment,
) -> Result<Option<Renewal>> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let before = people::load(tx, &username).await?;
            let before = before.filter(|user| known.is_none_or(|known| user.password_hash == known));
            let Some(before) = before else { return Ok(None) };
            let user = User { password_hash, ..before.clone() };
            people::put(tx, &ids, Some(&before), &user, now).await?;
            let first = match end_access {
                Some(why) => Some((end_some(tx, &ids, user.id, why, now).await?, why)),
                None => None,
            };
            Ok(Some((user, first)))
        })
    });
    let Some((user, first)) = write.await? else { return Ok(None) };
    let ended = match first {
        Some((first, why)) => end_rest(store, first, user.id, why, now).await?,
        None => 0,
    };
    Ok(Some(Renewal { user, ended }))
}

/// Signs all browsers of a user out and ends the access of all their apps, of which it gives the number; `None` if there is
/// no user of that name.
pub async fn end_all(store: &Store, username: String, why: Revoked, now: Moment) -> Result<Option<u64>> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let Some(user) = people::load(tx, &username).await? else { return Ok(None) };
            let browsers = tx.execute(END_SIGN_INS, args![user.id, now.0]).await?;
            if let Ok(times @ 1..) = i64::try_from(browsers) {
                let about = About { user: Some(user.id), ..Default::default() };
                let line = Line { times, ..Line::new(now, Event::SignedOut, None, about) };
                tx.append(Outbox::Sessions, &ids, &line);
            }
            Ok(Some((end_some(tx, &ids, user.id, why, now).await?, user.id)))
        })
    });
    let Some((first, user)) = write.await? else { return Ok(None) };
    end_rest(store, first, user, why, now).await.map(Some)
}

/// Ends what the first piece left of a user's sessions, piece by piece: they may be many, and others wait for their turn.
/// Whoever is stopped in between asks again, and the rest is ended.
async fn end_rest(store: &Store, first: (u64, bool), user: UserId, why: Revoked, now: Moment) -> Result<u64> {
    let (mut all, mut is_last) = first;
    while !is_last {
        let ids = store.ids.clone();
        let write = store.write(move |tx| Box::pin(async move { end_some(tx, &ids, user, why, now).await }));
        let (ended, last) = write.await?;
        (all, is_last) = (all + ended, last);
    }
    Ok(all)
}

/// Ends one piece; also says whether it was the last.
async fn end_some(tx: &mut Tx<'_>, ids: &Ids, user: UserId, why: Revoked, now: Moment) -> Result<(u64, bool)> {
    let piece = Piece::begin();
    let most = i64::try_from(piece::ROWS).unwrap_or(i64::MAX);
    let live: Vec<(SessionId, ClientId)> =
        tx.query(LIVE, args![user, now.0, most], |row| Ok((row.id(0)?, row.id(1)?))).await?;
    let (mut ended, mut done) = (0, 0);
    for (id, client) in &live {
        if !piece.has_room(done) {
            break;
        }
        let about = About { client: Some(*client), user: Some(user), ..Default::default() };
        ended += u64::from(sessions::end(tx, ids, *id, &about, why, now).await?);
        done += 1;
    }
    Ok((ended, done == live.len() && live.len() < piece::ROWS))
}
