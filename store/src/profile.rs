//! A user with what describes them, in one statement: the Patient resource of a patient, the teams of everyone else.

use crate::db::{Row, args};
use crate::error::Result;
use crate::organisations::Team;
use crate::people::{self, COLUMNS_OF_USER, User, users_where};
use crate::store::Store;

#[derive(Debug)]
pub struct Profile {
    pub user: User,
    /// The body of a patient's own Patient resource.
    pub patient: Option<String>,
    /// The teams that the user is a member of, by name.
    pub teams: Vec<Team>,
}

const PROFILE: &str = users_where!(
    ", (SELECT r.body FROM resources r JOIN words w ON w.id = r.type_id
            WHERE w.word = 'Patient' AND r.fhir_id = u.patient_id AND r.patient_id = u.patient_id AND r.deleted_at IS NULL),
        t.id, t.public_id, t.organisation_id, o.name, t.name",
    "users u LEFT JOIN memberships m ON m.user_id = u.id LEFT JOIN teams t ON t.id = m.team_id
        LEFT JOIN organisations o ON o.id = t.organisation_id
    WHERE u.id = $1 ORDER BY t.name"
);

pub const STATEMENTS: &[&str] = &[PROFILE];

pub async fn of_user(store: &Store, user: i64) -> Result<Option<Profile>> {
    let row = |row: &Row<'_>| Ok((people::user(row)?, row.opt_text(COLUMNS_OF_USER)?, team(row)?));
    let mut rows = store.db.read(PROFILE, args![user], row).await?.into_iter();
    let Some((user, patient, first)) = rows.next() else { return Ok(None) };
    let teams = first.into_iter().chain(rows.filter_map(|(_, _, team)| team)).collect();
    Ok(Some(Profile { user, patient, teams }))
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
