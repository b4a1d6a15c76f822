//! Memberships: which teams a clinician or a coordinator belongs to.

use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::statement::statements;
use rules::ids::{TeamId, UserId};
use rules::moment::Moment;

statements! {
    TEAMS = "SELECT team_id FROM memberships WHERE user_id = $1 ORDER BY team_id";
    LEAVE = "DELETE FROM memberships WHERE user_id = $1 AND team_id = $2";
    JOIN = "INSERT INTO memberships (user_id, team_id) VALUES ($1, $2)";
}

/// Makes `teams` the teams that a user is a member of. Tells whether that changed anything.
pub(crate) async fn set(tx: &mut Tx<'_>, ids: &Ids, user: UserId, teams: &[TeamId], now: Moment) -> Result<bool> {
    let before: Vec<TeamId> = tx.query(TEAMS, args![user], |row| row.id(0)).await?;
    let left = before.iter().filter(|team| !teams.contains(team)).map(|team| (LEAVE, *team, Event::Left));
    let joined = teams.iter().filter(|team| !before.contains(team)).map(|team| (JOIN, *team, Event::Joined));
    let changes: Vec<_> = left.chain(joined).collect();
    if changes.is_empty() {
        return Ok(false);
    }
    tx.touch(|touched| {
        touched.users.insert(user);
    });
    for (statement, team, event) in changes {
        tx.execute(statement, args![user, team]).await?;
        let about = About { user: Some(user), team: Some(team), ..About::default() };
        tx.append(Outbox::Records, ids, &Line::new(now, event, None, about));
    }
    Ok(true)
}
