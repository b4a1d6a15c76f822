//! Sight: who sees which patient and how far, derived by `rules::sight` in the transaction that changes what it follows
//! from, and written down so that a query can ask for it.

use crate::access::patients;
use crate::engine::Tx;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use rules::ids::{PatientId, TeamId, ViewerId};
use rules::labels::Labels;
use rules::moment::Moment;
use rules::sight::{self, Facts, Sight};

statements! {
    REGISTRATIONS = "SELECT g.team_id, t.organisation_id FROM registrations g JOIN teams t ON t.id = g.team_id
        WHERE g.patient_id = $1 ORDER BY g.team_id";
    MAKERS = "SELECT viewer_id FROM makers WHERE patient_id = $1 ORDER BY viewer_id";
    MADE = "INSERT INTO makers (patient_id, viewer_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    OF_PATIENT = "SELECT viewer_id, patient_id, labels, ends_at FROM sight WHERE patient_id = $1 ORDER BY viewer_id";
    CLOSE = "DELETE FROM sight WHERE patient_id = $1 AND viewer_id = $2";
    OPEN = "INSERT INTO sight (patient_id, viewer_id, labels, ends_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (patient_id, viewer_id) DO UPDATE SET labels = $3, ends_at = $4";
    PATIENTS_OF_TEAM = "SELECT patient_id FROM registrations WHERE team_id = $1 ORDER BY patient_id";
}

/// Writes down what follows for one patient. Others who would do the same wait until this transaction has ended.
pub(crate) async fn derive(tx: &mut Tx<'_>, patient: PatientId) -> Result<()> {
    patients::hold(tx, patient).await?;
    let known = facts(tx, patient).await?;
    let (before, after) = (of_patient(tx, patient).await?, sight::of(patient, &known));
    if before != after {
        tx.touch(|touched| {
            touched.finding = true;
            touched.sight.push(patient);
        });
    }
    for gone in before.iter().filter(|row| !after.iter().any(|kept| kept.viewer == row.viewer)) {
        tx.post(CLOSE, args![patient, gone.viewer]).await?;
    }
    for row in after.iter().filter(|row| !before.contains(row)) {
        tx.post(OPEN, args![patient, row.viewer, row.labels.0, row.ends_at.map(|end| end.0)]).await?;
    }
    Ok(())
}

/// Notes that viewers made something about a patient, which is an association with them from now on.
pub(crate) async fn made(
    tx: &mut Tx<'_>,
    patient: PatientId,
    makers: impl IntoIterator<Item = ViewerId>,
) -> Result<()> {
    let mut is_new = false;
    for maker in makers {
        is_new |= tx.execute(MADE, args![patient, maker]).await? == 1;
    }
    if is_new { derive(tx, patient).await } else { Ok(()) }
}

/// Writes down what follows when a team has moved to another organisation.
pub(crate) async fn derive_for_team(tx: &mut Tx<'_>, team: TeamId) -> Result<()> {
    for patient in tx.query(PATIENTS_OF_TEAM, args![team], |row| row.id(0)).await? {
        derive(tx, patient).await?;
    }
    Ok(())
}

async fn facts(tx: &mut Tx<'_>, patient: PatientId) -> Result<Facts> {
    Ok(Facts {
        registrations: tx.query(REGISTRATIONS, args![patient], |row| Ok((row.id(0)?, row.id(1)?))).await?,
        makers: tx.query(MAKERS, args![patient], |row| row.id(0)).await?,
    })
}

async fn of_patient(tx: &mut Tx<'_>, patient: PatientId) -> Result<Vec<Sight>> {
    tx.query(OF_PATIENT, args![patient], |row: &dyn Row| {
        Ok(Sight {
            viewer: row.id(0)?,
            patient: row.id(1)?,
            labels: Labels(row.int(2)?),
            ends_at: row.opt_int(3)?.map(Moment),
        })
    })
    .await
}
