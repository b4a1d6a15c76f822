//! What a Team Coordinator does with a team's grants: gives one, in the place of others or beside them, and ends one.

use super::opening::{self, Holder, Opening};
use super::sessions;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::About;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::{ClientId, SessionId, TeamId, UserId};
use rules::lifecycle::Revoked;
use rules::moment::Moment;

statements! {
    /// In one order, so that two who end the same sessions do not wait for each other.
    LIVE = "SELECT id FROM sessions WHERE team_id = $1 AND client_id = $2 AND revoked_at IS NULL
        AND (ends_at IS NULL OR ends_at > $3) AND id <> $4 ORDER BY id";
    CLIENT_OF = "SELECT client_id, team_id FROM sessions WHERE id = $1";
    SET_ENDER = "UPDATE sessions SET ender_id = $2 WHERE id = $1";
}

/// Opens a team's session; `None` if its form was used before. With `replace`, what the client had of this team ends in the
/// same moment.
pub async fn open(store: &Store, opening: Opening, replace: bool, now: Moment) -> Result<Option<SessionId>> {
    let ids = store.ids.clone();
    store.room()?;
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            let opened = opening::insert(tx, SessionId(ids.next(now)), &opening, &ids, now).await?;
            if let (Some(new), Holder::Team { team, coordinator }, true) = (opened, opening.holder, replace) {
                let live: Vec<SessionId> =
                    tx.query(LIVE, args![team, opening.client, now.0, new], |row| row.id(0)).await?;
                for id in live {
                    end_one(tx, &ids, id, opening.client, team, coordinator, now).await?;
                }
            }
            Ok(opened)
        })
    });
    write.await
}

/// Ends a grant of one of these teams; `false` if there is none such to end. From the answer on, no token of it works.
pub async fn end(store: &Store, id: SessionId, teams: Vec<TeamId>, by: UserId, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            let found = tx.query_one(CLIENT_OF, args![id], |row| Ok((row.id(0)?, row.opt_id(1)?))).await?;
            match found {
                Some((client, Some(team))) if teams.contains(&team) => {
                    end_one(tx, &ids, id, client, team, by, now).await
                }
                _ => Ok(false),
            }
        })
    });
    write.await
}

async fn end_one(
    tx: &mut Tx<'_>,
    ids: &Ids,
    id: SessionId,
    client: ClientId,
    team: TeamId,
    by: UserId,
    now: Moment,
) -> Result<bool> {
    let about = About { client: Some(client), user: Some(by), team: Some(team), ..Default::default() };
    let ended = sessions::end(tx, ids, id, &about, Revoked::ByCoordinator, now).await?;
    if ended {
        tx.execute(SET_ENDER, args![id, by]).await?;
    }
    Ok(ended)
}
