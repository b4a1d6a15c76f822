//! Registrations: which teams have a patient in their care, by a consent that is not discharged.

use super::{consents, sight};
use crate::access::organisations::{Team, team_row, teams_where};
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::Event;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use rules::consent::basis::{Basis, BasisKind, Reason};
use rules::consent::record::{Consent, Grantee};
use rules::ids::{OrganisationId, PatientId, TeamId};
use rules::labels::Labels;
use rules::moment::Moment;
use std::collections::HashSet;

/// Why a team that is declared by the shorthand of the world file has a patient.
const REGISTERED: &str = "registered";

/// That a consent `c` is one that a world file declared by the name of the team alone, in this release or before.
macro_rules! is_declared {
    () => {
        "c.basis = 'IMPLIED' AND c.reason = 'OTHER' AND c.reason_text IN ('registered', 'registered before')"
    };
}

statements! {
    TEAMS = teams_where!(
        "t.id IN (SELECT g.team_id FROM registrations g JOIN patients p ON p.id = g.patient_id WHERE p.fhir_id = $1)
            ORDER BY t.id"
    );
    /// Whether a world file has declared each of them by its name alone, and nobody has given more since.
    TEAM_NUMBERS = concat!(
        "SELECT g.team_id, CASE WHEN ", is_declared!(), " THEN 1 ELSE 0 END
        FROM registrations g JOIN consents c ON c.patient_id = g.patient_id AND c.grantee_id = g.team_id
        WHERE g.patient_id = $1 ORDER BY g.team_id"
    );
    DECLARED = concat!(
        "SELECT t.public_id FROM registrations g JOIN consents c ON c.patient_id = g.patient_id AND c.grantee_id = g.team_id
            JOIN patients p ON p.id = g.patient_id JOIN teams t ON t.id = g.team_id
        WHERE p.fhir_id = $1 AND ", is_declared!()
    );
    OF_ORGANISATION = "SELECT DISTINCT g.patient_id FROM registrations g JOIN teams t ON t.id = g.team_id
    WHERE g.patient_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND t.organisation_id = $2";
}

/// The teams that the patient of this FHIR id is registered with.
pub async fn teams(store: &Store, patient: &str) -> Result<Vec<Team>> {
    store.db.read(TEAMS, args![patient], team_row).await
}

/// The public ids of the teams that a world file has declared to have the patient, and nobody has given more since.
pub(crate) async fn declared(store: &Store, patient: &str) -> Result<Vec<String>> {
    store.db.read(DECLARED, args![patient], |row| row.text(0)).await
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

/// Makes `teams` the teams that have a patient in their care, and what follows for who sees the record: an operator's consent of
/// all labels for each that is new, and the discharge of those that were declared so before and are not named any more: what the
/// patient or a professional has given is not the file's to take. Those of `apart` have consents that are declared by themselves, and
/// stay as they are. Tells whether that changed anything.
pub(crate) async fn set(
    tx: &mut Tx<'_>,
    ids: &Ids,
    patient: PatientId,
    (teams, apart): (&[TeamId], &[TeamId]),
    now: Moment,
) -> Result<bool> {
    let row = |row: &dyn Row| Ok((row.id(0)?, row.flag(1)?));
    let before: Vec<(TeamId, bool)> = tx.query(TEAM_NUMBERS, args![patient], row).await?;
    let stays = |team: &TeamId| teams.contains(team) || apart.contains(team);
    let declared = before.iter().filter(|(_, is_declared)| *is_declared).map(|(team, _)| *team);
    let ended = declared.filter(|team| !stays(team)).map(|team| (team, Event::Deregistered));
    let is_there = |team: &&TeamId| before.iter().any(|(known, _)| known == *team);
    let begun = teams.iter().filter(|team| !is_there(team)).map(|team| (*team, Event::Registered));
    let changes: Vec<_> = ended.chain(begun).collect();
    if changes.is_empty() {
        return Ok(false);
    }
    for (team, event) in changes {
        let there = consents::load_pair(tx, patient, Grantee::Team(team)).await?.map(|stored| stored.given.consent);
        let consent = there.unwrap_or_else(|| Consent::new(consents::new_id(ids, now), patient, Grantee::Team(team)));
        let consent = match event {
            Event::Registered => Consent { discharged: false, ..registration(consent) },
            _ => Consent { discharged: true, ..consent },
        };
        consents::put(tx, ids, &consent, (event, None), now).await?;
    }
    sight::derive(tx, patient).await?;
    Ok(true)
}

/// What a registration without further words opens: all labels, but for those that the patient has taken away.
fn registration(consent: Consent) -> Consent {
    if consent.withdrawn {
        return consent;
    }
    let text = Some(REGISTERED.into());
    Consent {
        labels: Labels::ALL,
        basis: Some(Basis { text, ..Basis::new(BasisKind::Implied, Reason::Other) }),
        ends_at: None,
        ..consent
    }
}
