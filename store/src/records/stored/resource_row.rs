//! The row of a resource: its content and its standing, each with its hash.

use super::digest::{self, ContentRow, StandingRow};
use crate::engine::Tx;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::statements;

statements! {
    PUT = "INSERT INTO resources (id, type, fhir_id, version, updated_at, needs, source_organisation_id,
            source_team_id, source_user_id, source_patient_id, patient_id, patients, body, content_hash, standing_hash,
            label_chosen)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        ON CONFLICT (id) DO UPDATE SET version = $4, updated_at = $5, needs = $6, patient_id = $11, patients = $12,
            body = $13, content_hash = $14, standing_hash = $15, label_chosen = $16, deleted_at = NULL";
}

/// Puts the row of a resource, new or in the place of the one before. `packed` is its body as it is stored.
pub(crate) async fn put(tx: &mut Tx<'_>, content: &ContentRow<'_>, standing: &StandingRow, packed: &str) -> Result<()> {
    let (organisation, team, user, patient) = digest::source_columns(standing.source);
    let (content_hash, standing_hash) = (content.hash(), standing.hash());
    let columns = args![
        content.row,
        content.type_number,
        content.fhir_id,
        content.version,
        content.updated_at,
        standing.needs,
        organisation,
        team,
        user,
        patient,
        content.patient,
        content.patients,
        packed,
        content_hash.as_slice(),
        standing_hash.as_slice(),
        standing.is_label_chosen,
    ];
    tx.post(PUT, columns).await
}
