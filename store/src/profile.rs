//! Who is behind a session, in one statement: a patient with their Patient resource, everyone else with their teams.

use crate::db::{Row, args};
use crate::error::Result;
use crate::organisations::Team;
use crate::people::{self, COLUMNS_OF_USER, User, users_where};
use crate::store::Store;

#[derive(Debug, Default)]
pub struct Profile {
    /// `None` for the session of a team.
    pub user: Option<User>,
    /// The body of a patient's own Patient resource.
    pub patient: Option<String>,
    /// The teams that the user is a member of, by name, or the session's own.
    pub teams: Vec<Team>,
}

const OF_SESSION: &str = users_where!(
    ", (SELECT r.body FROM resources r JOIN words w ON w.id = r.type_id
            WHERE w.word = 'Patient' AND r.fhir_id = u.patient_id AND r.patient_id = u.patient_id AND r.deleted_at IS NULL),
        t.id, t.public_id, t.organisation_id, o.name, t.name",
    "sessions s LEFT JOIN users u ON u.id = s.user_id LEFT JOIN memberships m ON m.user_id = u.id
        LEFT JOIN teams t ON t.id = coalesce(m.team_id, s.team_id) LEFT JOIN organisations o ON o.id = t.organisation_id
    WHERE s.id = $1 ORDER BY t.name"
);

pub const STATEMENTS: &[&str] = &[OF_SESSION];

/// Can be asked together with `seen::see`, which says whether the session is good for anything.
pub async fn of_session(store: &Store, session: i64) -> Result<Profile> {
    let mut profile = Profile::default();
    let row = |row: &Row<'_>| {
        let user = row.opt_int(0)?.map(|_| people::user(row)).transpose()?;
        Ok((user, row.opt_text(COLUMNS_OF_USER)?, team(row)?))
    };
    for (user, patient, team) in store.db.read(OF_SESSION, args![session], row).await? {
        (profile.user, profile.patient) = (user, patient);
        profile.teams.extend(team);
    }
    Ok(profile)
}

/// A row per team; one without a team for a user who is a member of none.
fn team(row: &Row<'_>) -> Result<Option<Team>> {
    const FIRST: usize = COLUMNS_OF_USER + 1;
    let Some(id) = row.opt_int(FIRST)? else { return Ok(None) };
    Ok(Some(Team {
        id,
        public_id: row.text(FIRST + 1)?,
        organisation: row.int(FIRST + 2)?,
        organisation_name: row.text(FIRST + 3)?,
        name: row.text(FIRST + 4)?,
    }))
}
