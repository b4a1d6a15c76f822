//! Grants that are over, as the people whose they were see them: by whom or why they ended, newest first, in pages.

use super::grants::{Grant, grant, grant_rows};
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use rules::ids::{SessionId, TeamId, UserId};
use rules::moment::Moment;

statements! {
    OF_USER = grant_rows!("s.user_id = $1 AND s.generation > 0 AND (s.revoked_at IS NOT NULL OR s.ends_at <= $2)
        AND s.id < $3 ORDER BY s.id DESC LIMIT $4");
    OF_TEAMS = grant_rows!("s.team_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND s.id < $2
        ORDER BY s.id DESC LIMIT $3");
}

/// Grants of a user to apps that are over, of those that were made before `before`.
pub async fn of_user(store: &Store, user: UserId, before: SessionId, limit: i64, now: Moment) -> Result<Vec<Grant>> {
    store.db.page(OF_USER, args![user, now.0, before, limit], grant).await
}

/// All grants for these teams, those that are live too, of those that were made before `before`.
pub async fn of_teams(store: &Store, teams: &[TeamId], before: SessionId, limit: i64) -> Result<Vec<Grant>> {
    let teams = list(teams.iter().map(|team| team.0));
    store.db.page(OF_TEAMS, args![&teams, before, limit], grant).await
}
