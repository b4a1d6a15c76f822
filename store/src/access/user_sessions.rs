//! The access that a user granted to apps, ended as a whole. What they granted for a team is the team's.

use super::sessions;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::About;
use crate::sql::arg::args;
use crate::sql::piece::{self, Piece};
use crate::sql::statement::statements;
use rules::ids::{ClientId, SessionId, UserId};
use rules::lifecycle::Revoked;
use rules::moment::Moment;

statements! {
    /// In one order, so that two who end the same sessions do not wait for each other.
    LIVE = "SELECT id, client_id FROM sessions
    WHERE user_id = $1 AND revoked_at IS NULL AND (ends_at IS NULL OR ends_at > $2) ORDER BY id LIMIT $3";
}

/// Ends one piece of a user's sessions; gives their number, and says whether it was the last piece.
pub(super) async fn end_some(
    tx: &mut Tx<'_>,
    ids: &Ids,
    user: UserId,
    why: Revoked,
    now: Moment,
) -> Result<(u64, bool)> {
    let most = i64::try_from(piece::ROWS).unwrap_or(i64::MAX);
    let live: Vec<(SessionId, ClientId)> =
        tx.query(LIVE, args![user, now.0, most], |row| Ok((row.id(0)?, row.id(1)?))).await?;
    let about = |client| About { client: Some(client), user: Some(user), ..About::default() };
    let live: Vec<_> = live.into_iter().map(|(id, client)| (id, about(client))).collect();
    end_listed(tx, ids, &live, why, now).await
}

/// Ends as many of these sessions as one turn at the writer has time for; gives their number, and says whether none are left, where they
/// are all that one piece can have or fewer.
pub(super) async fn end_listed(
    tx: &mut Tx<'_>,
    ids: &Ids,
    live: &[(SessionId, About)],
    why: Revoked,
    now: Moment,
) -> Result<(u64, bool)> {
    let piece = Piece::begin();
    let (mut ended, mut done) = (0, 0);
    for (id, about) in live {
        if !piece.has_room(done) {
            break;
        }
        ended += u64::from(sessions::end(tx, ids, *id, about, why, now).await?);
        done += 1;
    }
    Ok((ended, done == live.len() && live.len() < piece::ROWS))
}

/// Ends all of a user's sessions in the transaction that gives a reason to: not one of them may outlive it.
pub(super) async fn end_every(tx: &mut Tx<'_>, ids: &Ids, user: UserId, why: Revoked, now: Moment) -> Result<u64> {
    let mut all = 0;
    loop {
        let (ended, is_last) = end_some(tx, ids, user, why, now).await?;
        all += ended;
        if is_last {
            return Ok(all);
        }
    }
}
