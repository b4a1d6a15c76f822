//! Registrations: which teams a patient is a patient of.

use super::sight;
use crate::access::organisations::{Team, team_row, teams_where};
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use rules::ids::{OrganisationId, PatientId, TeamId};
use rules::moment::Moment;
use std::collections::HashSet;

statements! {
    TEAMS = teams_where!(
        "t.id IN (SELECT g.team_id FROM registrations g JOIN patients p ON p.id = g.patient_id WHERE p.fhir_id = $1)
            ORDER BY t.id"
    );
    TEAM_NUMBERS = "SELECT team_id FROM registrations WHERE patient_id = $1 ORDER BY team_id";
    OF_ORGANISATION = "SELECT DISTINCT g.patient_id FROM registrations g JOIN teams t ON t.id = g.team_id
    WHERE g.patient_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND t.organisation_id = $2";
    END = "DELETE FROM registrations WHERE patient_id = $1 AND team_id = $2";
    REGISTER = "INSERT INTO registrations (patient_id, team_id) VALUES ($1, $2)";
}

/// The teams that the patient of this FHIR id is registered with.
pub async fn teams(store: &Store, patient: &str) -> Result<Vec<Team>> {
    store.db.read(TEAMS, args![patient], team_row).await
}

/// Those of these patients who are registered with a team of the organisation.
pub async fn of_organisation(
    store: &Store,
    organisation: OrganisationId,
    patients: impl Iterator<Item = PatientId> + Send,
) -> Result<HashSet<PatientId>> {
    let patients = list(patients.map(|patient| patient.0));
    let found = store.db.page(OF_ORGANISATION, args![&patients, organisation], |row| row.id(0)).await?;
    Ok(found.into_iter().collect())
}

/// Makes `teams` the teams that a patient is registered with, and what follows for who sees the record. Tells whether
/// that changed anything.
pub(crate) async fn set(tx: &mut Tx<'_>, ids: &Ids, patient: PatientId, teams: &[TeamId], now: Moment) -> Result<bool> {
    let before: Vec<TeamId> = tx.query(TEAM_NUMBERS, args![patient], |row| row.id(0)).await?;
    let ended = before.iter().filter(|team| !teams.contains(team)).map(|team| (END, *team, Event::Deregistered));
    let begun = teams.iter().filter(|team| !before.contains(team)).map(|team| (REGISTER, *team, Event::Registered));
    let changes: Vec<_> = ended.chain(begun).collect();
    if changes.is_empty() {
        return Ok(false);
    }
    for (statement, team, event) in changes {
        tx.execute(statement, args![patient, team]).await?;
        let about = About { patient: Some(patient), team: Some(team), ..About::default() };
        tx.append(Outbox::Records, ids, &Line::new(now, event, None, about));
    }
    sight::derive(tx, patient).await?;
    Ok(true)
}
