//! Sight: who sees which patient and how far, derived by `rules::consent::standing` in the transaction that changes what it follows
//! from, and written down so that a query can ask for it.

use super::consents;
use crate::access::patients;
use crate::engine::Tx;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::consent::eyes::Eyes;
use rules::consent::standing::{self, GivenConsent, Standing};
use rules::consent::state::PatientState;
use rules::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};
use rules::labels::Labels;
use rules::moment::Moment;
use rules::scope::UserType;
use rules::sight::Sight;

statements! {
    /// With what each of them is.
    pub(super) MAKERS = "SELECT m.patient_id, m.viewer_id, t.id, o.id, u.type FROM makers m LEFT JOIN teams t ON t.id = m.viewer_id
            LEFT JOIN organisations o ON o.id = m.viewer_id LEFT JOIN users u ON u.id = m.viewer_id
        WHERE m.patient_id = $1 ORDER BY m.viewer_id";
    MADE = "INSERT INTO makers (patient_id, viewer_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    OF_PATIENT = "SELECT patient_id, viewer_id, labels, ends_at, stays FROM sight WHERE patient_id = $1 ORDER BY viewer_id";
    CLOSE = "DELETE FROM sight WHERE patient_id = $1 AND viewer_id = $2";
    OPEN = "INSERT INTO sight (patient_id, viewer_id, labels, ends_at, stays) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (patient_id, viewer_id) DO UPDATE SET labels = $3, ends_at = $4, stays = $5";
    PATIENTS_OF_TEAM = "SELECT patient_id FROM consents WHERE grantee_id = $1 ORDER BY patient_id";
}

/// Writes down what follows for one patient. Others who would do the same wait until this transaction has ended.
pub(crate) async fn derive(tx: &mut Tx<'_>, patient: PatientId) -> Result<()> {
    patients::hold(tx, patient).await?;
    let before = tx.query(OF_PATIENT, args![patient], standing_row).await?;
    let after = follows(tx, patient).await?;
    if before != after {
        tx.touch(|touched| {
            touched.finding = true;
            touched.sight.push(patient);
        });
    }
    for gone in before.iter().filter(|row| !after.iter().any(|kept| kept.sight.viewer == row.sight.viewer)) {
        tx.post(CLOSE, args![patient, gone.sight.viewer]).await?;
    }
    for row in after.iter().filter(|row| !before.contains(row)) {
        let Sight { viewer, labels, ends_at, .. } = row.sight;
        tx.post(OPEN, args![patient, viewer, labels.0, ends_at.map(|end| end.0), row.stays]).await?;
    }
    Ok(())
}

/// What follows from consents, makers and states.
async fn follows(tx: &mut Tx<'_>, patient: PatientId) -> Result<Vec<Standing>> {
    let given: Vec<GivenConsent> = consents::load(tx, patient).await?.into_iter().map(|stored| stored.given).collect();
    let makers = tx.query(MAKERS, args![patient], maker_row).await?;
    let makers: Vec<Eyes> = makers.into_iter().filter_map(|(_, eyes)| eyes).collect();
    let state = patients::load_state(tx, patient).await?.unwrap_or(PatientState::normal(patient));
    Ok(standing::of(&state, &given, &makers))
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

/// The rows of one patient.
pub(crate) async fn rows(store: &Store, patient: PatientId) -> Result<Vec<Standing>> {
    store.db.page(OF_PATIENT, args![patient], standing_row).await
}

/// A maker of somebody's record, and what it is; `None` where it is gone.
pub(crate) fn maker_row(row: &dyn Row) -> Result<(PatientId, Option<Eyes>)> {
    let (patient, number) = (row.id(0)?, row.int(1)?);
    let team: Option<TeamId> = row.opt_id(2)?;
    let organisation: Option<OrganisationId> = row.opt_id(3)?;
    let person = row.opt_word(4, UserType::named)?.map(|user_type| match user_type {
        UserType::Patient => Eyes::Carer(UserId(number)),
        _ => Eyes::Individual(UserId(number)),
    });
    Ok((patient, team.map(Eyes::Team).or(organisation.map(Eyes::Organisation)).or(person)))
}

/// A row of sight.
pub(crate) fn standing_row(row: &dyn Row) -> Result<Standing> {
    let sight = Sight {
        patient: row.id(0)?,
        viewer: row.id(1)?,
        labels: Labels(row.int(2)?),
        ends_at: row.opt_int(3)?.map(Moment),
    };
    Ok(Standing { sight, stays: row.flag(4)? })
}
