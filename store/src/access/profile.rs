//! Who is behind a session, in one statement: the user, and the teams that they look through.

use super::organisations::{self, Team};
use super::people::{self, COLUMNS_OF_USER, User, users_where};
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::SessionId;

#[derive(Debug, Default)]
pub struct Profile {
    /// `None` for the session of a team.
    pub user: Option<User>,
    /// The teams that the user is a member of, by name, or the session's own.
    pub teams: Vec<Team>,
}

statements! {
    OF_SESSION = users_where!(
        ", t.id, t.public_id, t.organisation_id, o.name, t.name, t.default_label, t.default_access, t.break_glass",
        "sessions s LEFT JOIN users u ON u.id = s.user_id
            LEFT JOIN memberships m ON m.user_id = u.id
            LEFT JOIN teams t ON t.id = coalesce(m.team_id, s.team_id)
            LEFT JOIN organisations o ON o.id = t.organisation_id
        WHERE s.id = $1 ORDER BY t.name"
    );
}

pub async fn of_session(store: &Store, session: SessionId) -> Result<Profile> {
    let mut profile = Profile::default();
    let row = |row: &dyn Row| {
        let user = row.opt_int(0)?.map(|_| people::user(row)).transpose()?;
        Ok((user, team(row)?))
    };
    for (user, team) in store.db.read(OF_SESSION, args![session], row).await? {
        profile.user = user;
        profile.teams.extend(team);
    }
    Ok(profile)
}

/// A row per team; one without a team for a user who is a member of none.
fn team(row: &dyn Row) -> Result<Option<Team>> {
    const FIRST: usize = COLUMNS_OF_USER;
    row.opt_int(FIRST)?.map(|_| organisations::team_from(row, FIRST)).transpose()
}
