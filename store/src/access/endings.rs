//! Ending what a user is signed in by: their browsers, and the access that they granted to apps. What they granted for a
//! team is the team's.

use super::people::{self, END_SIGN_INS, PasswordHash, User};
use super::user_sessions::end_some;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::store::Store;
use rules::ids::UserId;
use rules::lifecycle::Revoked;
use rules::moment::Moment;

/// What became of a user whose password was changed.
#[derive(Debug)]
pub struct Renewal {
    pub user: User,
    /// Sessions of apps that were ended.
    pub ended: u64,
}

/// A user with a new password, and the first piece of the sessions that end with the old one, with the reason.
pub(crate) struct BegunRenewal {
    user: User,
    first: Option<((u64, bool), Revoked)>,
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
            renew_in(tx, &ids, before, password_hash, end_access, now).await.map(Some)
        })
    });
    let Some(begun) = write.await? else { return Ok(None) };
    finish(store, begun, now).await.map(Some)
}

/// The same of a user who was loaded, in a transaction that does more; `finish` ends the rest of their sessions.
pub(crate) async fn renew_in(
    tx: &mut Tx<'_>,
    ids: &Ids,
    before: User,
    password_hash: PasswordHash,
    end_access: Option<Revoked>,
    now: Moment,
) -> Result<BegunRenewal> {
    let user = User { password_hash, ..before.clone() };
    people::put(tx, ids, Some(&before), &user, now).await?;
    let first = match end_access {
        Some(why) => Some((end_some(tx, ids, user.id, why, now).await?, why)),
        None => None,
    };
    Ok(BegunRenewal { user, first })
}

pub(crate) async fn finish(store: &Store, BegunRenewal { user, first }: BegunRenewal, now: Moment) -> Result<Renewal> {
    let ended = match first {
        Some((first, why)) => end_rest(store, first, user.id, why, now).await?,
        None => 0,
    };
    Ok(Renewal { user, ended })
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
