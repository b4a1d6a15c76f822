//! The patients whom a team has in its care, or had: page by page, whoever came last first.

use super::consents::{StoredConsent, consent_row, consents_where};
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::{PatientId, TeamId};
use rules::moment::Moment;

statements! {
    OF_TEAM = consents_where!(
        "c.grantee_kind = 'TEAM' AND c.grantee_id = $1 AND c.patient_id < $2
        AND ($3 = 0 OR $3 = CASE WHEN c.discharged = 0 AND (c.ends_at IS NULL OR c.ends_at > $4) THEN 1 ELSE 2 END)
        ORDER BY c.patient_id DESC LIMIT $5"
    );
}

/// Which of a team's patients are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CareState {
    All,
    Current,
    /// Discharged, or the consent has ended.
    Past,
}

/// A team's consents of this state, for patients of a lower number than `before`, `limit` of them at the most.
pub async fn of_team(
    store: &Store,
    (team, state): (TeamId, CareState),
    before: Option<PatientId>,
    (limit, now): (i64, Moment),
) -> Result<Vec<StoredConsent>> {
    let state = match state {
        CareState::All => 0,
        CareState::Current => 1,
        CareState::Past => 2,
    };
    let before = before.map_or(i64::MAX, |before| before.0);
    store.db.page(OF_TEAM, args![team, before, state, now.0, limit], consent_row).await
}
