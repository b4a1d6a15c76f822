//! Grants as people see them: the sessions of a user, a team or a client, and taking them back.

use super::sessions;
use crate::error::Result;
use crate::ledger::About;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{list as list_of_numbers, statements};
use crate::store::Store;
use rules::ids::{PatientId, SessionId, TeamId, UserId};
use rules::lifecycle::Revoked;
use rules::moment::Moment;
use rules::scope::{Scope, UserType};
use std::collections::HashMap;

/// One grant: a session with the names that go with it.
#[derive(Clone, Debug)]
pub struct Grant {
    pub id: SessionId,
    pub client_id: String,
    pub owner: String,
    pub product: String,
    pub scope: Scope,
    pub username: Option<String>,
    pub team: Option<String>,
    pub granted_at: Moment,
    /// When it last got tokens; with ten-minute access tokens this is near enough to its last use.
    pub last_used_at: Option<Moment>,
    pub ends_at: Option<Moment>,
    pub revoked_at: Option<Moment>,
    pub revoked_why: Option<String>,
    /// The Team Coordinator who granted it, for a team's grant.
    pub granter: Option<Granter>,
    /// The person who ended it, where it was one and not the operator or the service.
    pub ender: Option<String>,
    /// The record that a carer's session is about.
    pub record: Option<PatientId>,
    /// The name of the one team that a member's session is for.
    pub for_team: Option<String>,
}

/// Who granted a team's access. The grant is the team's, and stays when they leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Granter {
    pub name: String,
    pub username: String,
    /// Whether they are no longer a Team Coordinator of that team.
    pub has_left: bool,
}

/// Whose grants; also whose a grant must be for them to take it back.
#[derive(Clone, Debug)]
pub enum Whose {
    User(UserId),
    Teams(Vec<TeamId>),
    Anyone,
}

/// Grants as `grant` reads them, of the sessions `s` that what follows chooses.
macro_rules! grant_rows {
    ($further:literal) => {
        concat!(
            "SELECT s.id, c.client_id, c.owner, c.product, s.scope, u.username, t.name, s.granted_at, s.rotated_at,
                    s.ends_at, s.revoked_at, s.revoked_why, g.name, g.username, g.type, m.team_id,
                    (SELECT e.name FROM users e WHERE e.id = s.ender_id), s.record_id,
                    (SELECT f.name FROM teams f WHERE f.id = s.for_team_id)
             FROM sessions s JOIN clients c ON c.id = s.client_id
                LEFT JOIN users u ON u.id = s.user_id LEFT JOIN teams t ON t.id = s.team_id
                LEFT JOIN users g ON g.id = s.granter_id
                LEFT JOIN memberships m ON m.user_id = s.granter_id AND m.team_id = s.team_id
             WHERE ",
            $further
        )
    };
}
pub(super) use grant_rows;

statements! {
    LIVE_OF_USER = grant_rows!("s.id < $1 AND s.user_id = $3 AND s.generation > 0 AND s.revoked_at IS NULL
        AND (s.ends_at IS NULL OR s.ends_at > $4)
        AND NOT EXISTS (SELECT 1 FROM sign_ins i WHERE i.id = s.sign_in_id AND i.ended_at IS NOT NULL) ORDER BY s.id DESC LIMIT $2");
    LIVE_ONE_OF_USER = grant_rows!("s.id = $1 AND s.user_id = $2 AND s.generation > 0 AND s.revoked_at IS NULL
        AND (s.ends_at IS NULL OR s.ends_at > $3)
        AND NOT EXISTS (SELECT 1 FROM sign_ins i WHERE i.id = s.sign_in_id AND i.ended_at IS NOT NULL)");
    LIVE_PER_CLIENT = "SELECT c.client_id, count(*) FROM sessions s JOIN clients c ON c.id = s.client_id
    WHERE s.user_id = $1 AND s.generation > 0 AND s.revoked_at IS NULL AND (s.ends_at IS NULL OR s.ends_at > $2)
    AND NOT EXISTS (SELECT 1 FROM sign_ins i WHERE i.id = s.sign_in_id AND i.ended_at IS NOT NULL)
    GROUP BY c.client_id";
    LIVE_OF_TEAMS = grant_rows!("s.id < $1 AND s.team_id IN (SELECT CAST(value AS BIGINT) FROM json_each($3))
        AND s.revoked_at IS NULL AND (s.ends_at IS NULL OR s.ends_at > $4) ORDER BY s.id DESC LIMIT $2");
    /// Those too that a clock ahead of ours has made.
    ALL = grant_rows!("s.id < $1 ORDER BY s.id DESC LIMIT $2");
    OWNER = "SELECT client_id, user_id, team_id FROM sessions WHERE id = $1";
}

/// Grants that `list` reads at a time.
const AT_A_TIME: i64 = 1000;

/// Before every page: the newest grants come first.
pub const NEWEST: SessionId = SessionId(i64::MAX);

/// The live grants of a user or of teams, for `Anyone` those of any state: newest first, those before `before`, `limit` of
/// them at the most.
pub async fn page(store: &Store, whose: &Whose, before: SessionId, limit: i64, now: Moment) -> Result<Vec<Grant>> {
    match whose {
        Whose::User(user) => store.db.page(LIVE_OF_USER, args![before, limit, *user, now.0], grant).await,
        Whose::Anyone => store.db.page(ALL, args![before, limit], grant).await,
        Whose::Teams(teams) => {
            let teams = list_of_numbers(teams.iter().map(|team| team.0));
            store.db.page(LIVE_OF_TEAMS, args![before, limit, &teams, now.0], grant).await
        }
    }
}

/// One live grant of a user; `None` if it is over, or not theirs.
pub async fn live_one(store: &Store, id: SessionId, user: UserId, now: Moment) -> Result<Option<Grant>> {
    store.db.read_one(LIVE_ONE_OF_USER, args![id, user, now.0], grant).await
}

/// How many live grants a user has of each client, by Client ID.
pub async fn live_per_client(store: &Store, user: UserId, now: Moment) -> Result<HashMap<String, i64>> {
    let count = |row: &dyn Row| Ok((row.text(0)?, row.int(1)?));
    Ok(store.db.page(LIVE_PER_CLIENT, args![user, now.0], count).await?.into_iter().collect())
}

/// All of them, however many there are.
pub async fn list(store: &Store, whose: &Whose, now: Moment) -> Result<Vec<Grant>> {
    let mut all: Vec<Grant> = Vec::new();
    loop {
        let before = all.last().map_or(NEWEST, |last| last.id);
        let page = page(store, whose, before, AT_A_TIME, now).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// Takes a grant back; `false` if there is none such to take back. From the answer on, no token of it works.
pub async fn revoke(store: &Store, id: SessionId, whose: Whose, why: Revoked, now: Moment) -> Result<bool> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let owner = tx.query_one(OWNER, args![id], |row| Ok((row.id(0)?, row.opt_id(1)?, row.opt_id(2)?))).await?;
            let Some((client, user, team)) = owner else { return Ok(false) };
            let theirs = match &whose {
                Whose::User(asking) => user == Some(*asking),
                Whose::Teams(teams) => team.is_some_and(|team| teams.contains(&team)),
                Whose::Anyone => true,
            };
            if !theirs {
                return Ok(false);
            }
            let about = About { client: Some(client), user, team, ..Default::default() };
            sessions::end(tx, &ids, id, &about, why, now).await
        })
    });
    write.await
}

pub(super) fn grant(row: &dyn Row) -> Result<Grant> {
    Ok(Grant {
        id: row.id(0)?,
        client_id: row.text(1)?,
        owner: row.text(2)?,
        product: row.text(3)?,
        scope: row.word(4, Scope::named)?,
        username: row.opt_text(5)?,
        team: row.opt_text(6)?,
        granted_at: Moment(row.int(7)?),
        last_used_at: row.opt_int(8)?.map(Moment),
        ends_at: row.opt_int(9)?.map(Moment),
        revoked_at: row.opt_int(10)?.map(Moment),
        revoked_why: row.opt_text(11)?,
        granter: granter(row)?,
        ender: row.opt_text(16)?,
        record: row.opt_id(17)?,
        for_team: row.opt_text(18)?,
    })
}

fn granter(row: &dyn Row) -> Result<Option<Granter>> {
    let Some(user_type) = row.opt_word(14, UserType::named)? else { return Ok(None) };
    let is_member = row.opt_int(15)?.is_some();
    Ok(Some(Granter {
        name: row.text(12)?,
        username: row.text(13)?,
        has_left: user_type != UserType::TeamCoord || !is_member,
    }))
}
