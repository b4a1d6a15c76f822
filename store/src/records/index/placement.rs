//! Where a resource is: its compartments, and whether its patient has died.

use crate::access::patients;
use crate::engine::Tx;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use rules::ids::{PatientId, RowId};

statements! {
    PUT_COMPARTMENT = "INSERT INTO compartments (resource_id, version, patient_id) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING";
}

/// Writes where a resource is, of which nothing is written any more.
pub(crate) async fn put(
    tx: &mut Tx<'_>,
    id: RowId,
    version: i64,
    content: &Preparation,
    patients: &[PatientId],
) -> Result<()> {
    // The row itself names the only patient of nearly everything.
    if patients.len() > 1 {
        for patient in patients {
            tx.post(PUT_COMPARTMENT, args![id, version, *patient]).await?;
        }
    }
    if let (ResourceType::Patient, [patient]) = (content.resource_type, patients) {
        patients::set_deceased(tx, *patient, content.deceased).await?;
    }
    Ok(())
}

pub(crate) fn count(patients: &[PatientId]) -> i64 {
    i64::try_from(patients.len()).unwrap_or(i64::MAX)
}
