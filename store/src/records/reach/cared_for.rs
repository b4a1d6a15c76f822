//! Records cared for: those that carers' consents open to a user now, among which a session can be about one.

use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::{PatientId, UserId};
use rules::moment::Moment;

statements! {
    /// A record that is frozen, or whose sharing is disabled, has no such row of sight.
    OF_CARER = "SELECT p.id, p.fhir_id FROM consents c JOIN patients p ON p.id = c.patient_id
            JOIN sight s ON s.patient_id = c.patient_id AND s.viewer_id = c.grantee_id
        WHERE c.grantee_id = $1 AND c.grantee_kind = 'CARER' AND s.labels <> 0 AND (s.ends_at IS NULL OR s.ends_at > $2)
        ORDER BY p.fhir_id LIMIT $3";
}

/// The patients for whom a user cares with at least one label, each with the id of their Patient, `limit` of them at the most.
pub async fn of_carer(store: &Store, user: UserId, limit: i64, now: Moment) -> Result<Vec<(PatientId, String)>> {
    let row = |row: &dyn Row| Ok((row.id(0)?, row.text(1)?));
    store.db.read(OF_CARER, args![user, now.0, limit], row).await
}
