//! The access that people granted to one client, ended as a whole.

use super::user_sessions::end_listed;
use crate::error::Result;
use crate::ledger::About;
use crate::sql::arg::args;
use crate::sql::piece;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::{ClientId, SessionId, UserId};
use rules::lifecycle::Revoked;
use rules::moment::Moment;

statements! {
    /// In one order, so that two who end the same sessions do not wait for each other.
    LIVE = "SELECT id, user_id FROM sessions
    WHERE client_id = $1 AND revoked_at IS NULL AND (ends_at IS NULL OR ends_at > $2) ORDER BY id LIMIT $3";
}

/// Ends all sessions of a client, piece by piece: they may be many, and others wait for their turn. Tells how many.
pub async fn end_all(store: &Store, client: ClientId, why: Revoked, now: Moment) -> Result<u64> {
    let most = i64::try_from(piece::ROWS).unwrap_or(i64::MAX);
    let mut all = 0;
    loop {
        let ids = store.ids.clone();
        let write = store.write(move |tx| {
            Box::pin(async move {
                let live: Vec<(SessionId, Option<UserId>)> =
                    tx.query(LIVE, args![client, now.0, most], |row| Ok((row.id(0)?, row.opt_id(1)?))).await?;
                let about = |user| About { client: Some(client), user, ..About::default() };
                let live: Vec<_> = live.into_iter().map(|(id, user)| (id, about(user))).collect();
                end_listed(tx, &ids, &live, why, now).await
            })
        });
        let (ended, is_last) = write.await?;
        all += ended;
        if is_last {
            return Ok(all);
        }
    }
}
