//! The further code of an invitation: printed by a coordinator of a team that has the patient, where the organisation that invites
//! has it asked for. One for each invitation, and it ends with the next one, with time, and with too many wrong tries.

use super::clients::Fingerprint;
use super::invited_accounts::having_team;
use super::patients;
use crate::error::Result;
use crate::ledger::{About, Event, Line};
use crate::sql::arg::args;
use crate::sql::outbox::Outbox;
use crate::sql::row::Row;
use crate::sql::statement::{list, statements};
use crate::store::Store;
use rules::ids::{PatientId, TeamId, UserId};
use rules::limits::PAPER_SECONDS;
use rules::moment::Moment;

/// Somebody who is invited and must prove more than the letter says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitedPatient {
    pub patient: PatientId,
    /// The id of the Patient resource.
    pub patient_id: String,
    /// Who invites.
    pub organisation_name: String,
    pub expires_at: Moment,
    /// Until when the code is good that was printed last, if one was.
    pub paper_expires_at: Option<Moment>,
}

macro_rules! awaited {
    ($further:literal) => {
        concat!(
            "SELECT DISTINCT i.patient_id, p.fhir_id, o.name, i.expires_at, i.paper_expires_at
             FROM registrations g JOIN invitations i ON i.patient_id = g.patient_id
                JOIN patients p ON p.id = i.patient_id JOIN organisations o ON o.id = i.organisation_id
             WHERE g.team_id IN (SELECT CAST(value AS BIGINT) FROM json_each($1)) AND o.invitation_proof = 'paper'
                AND i.expires_at > $2 AND p.deceased = 0
                AND NOT EXISTS (SELECT 1 FROM users u WHERE u.patient_id = i.patient_id)",
            $further
        )
    };
}

statements! {
    AWAITED = awaited!(" AND i.patient_id > $3 ORDER BY i.patient_id LIMIT $4");
    AWAITED_ONE = awaited!(" AND p.fhir_id = $3");
    PRINT = "UPDATE invitations SET paper_fingerprint = $2, paper_expires_at = $3, paper_tries = 0 WHERE patient_id = $1";
}

/// The patients of these teams who are invited and need a further code, behind this one, `limit` of them at the most.
pub async fn awaited(
    store: &Store,
    teams: &[TeamId],
    after: PatientId,
    limit: i64,
    now: Moment,
) -> Result<Vec<AwaitedPatient>> {
    let teams = list(teams.iter().map(|team| team.0));
    store.db.page(AWAITED, args![&teams, now.0, after, limit], awaited_patient).await
}

/// Gives the invitation of a patient of these teams a further code, in the place of the last, and tells whose it is and until when
/// it is good; `None` if there is nobody of these teams who needs one.
pub async fn print(
    store: &Store,
    patient_id: String,
    code: Fingerprint,
    (coordinator, teams): (UserId, Vec<TeamId>),
    now: Moment,
) -> Result<Option<AwaitedPatient>> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let own = list(teams.iter().map(|team| team.0));
            let look = args![&own, now.0, &patient_id];
            let Some(awaited) = tx.query_one(AWAITED_ONE, look, awaited_patient).await? else { return Ok(None) };
            patients::hold(tx, awaited.patient).await?;
            let Some(team) = having_team(tx, awaited.patient, &teams).await? else { return Ok(None) };
            let expires_at = now.plus_seconds(PAPER_SECONDS).min(awaited.expires_at);
            let fingerprint: &[u8] = &code.0;
            if tx.execute(PRINT, args![awaited.patient, fingerprint, expires_at.0]).await? == 0 {
                return Ok(None);
            }
            let about =
                About { user: Some(coordinator), team: Some(team), patient: Some(awaited.patient), ..About::default() };
            tx.append(Outbox::Records, &ids, &Line::new(now, Event::PaperPrinted, None, about));
            Ok(Some(AwaitedPatient { paper_expires_at: Some(expires_at), ..awaited }))
        })
    });
    write.await
}

fn awaited_patient(row: &dyn Row) -> Result<AwaitedPatient> {
    Ok(AwaitedPatient {
        patient: row.id(0)?,
        patient_id: row.text(1)?,
        organisation_name: row.text(2)?,
        expires_at: Moment(row.int(3)?),
        paper_expires_at: row.opt_int(4)?.map(Moment),
    })
}
