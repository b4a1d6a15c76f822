//! The ledger: append-only, every grant, redemption, rotation, replay and revocation, and every access to a record.

use crate::db::Tx;
use crate::db::args;
use crate::error::Result;
use crate::ids::Ids;
use rules::moment::Moment;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Granted,
    CodeRedeemed,
    Refreshed,
    Revoked,
    OrganisationGranted,
    OrganisationWithdrawn,
    DocumentRead,
}

impl Event {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Granted => "granted",
            Self::CodeRedeemed => "code-redeemed",
            Self::Refreshed => "refreshed",
            Self::Revoked => "revoked",
            Self::OrganisationGranted => "organisation-granted",
            Self::OrganisationWithdrawn => "organisation-withdrawn",
            Self::DocumentRead => "document-read",
        }
    }
}

/// Whom it concerns.
#[derive(Clone, Debug, Default)]
pub struct About {
    pub client: Option<i64>,
    pub user: Option<i64>,
    pub team: Option<i64>,
    pub organisation: Option<i64>,
    pub patient: Option<String>,
}

const NOTE: &str = "INSERT INTO ledger
        (id, at, event, session_id, client_id, user_id, team_id, organisation_id, patient_id, detail)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";

pub const STATEMENTS: &[&str] = &[NOTE];

/// Writes one line, in the transaction of what it tells of.
pub(crate) async fn note(
    tx: &mut Tx,
    ids: &Ids,
    now: Moment,
    event: Event,
    session: Option<i64>,
    about: &About,
    detail: Option<&str>,
) -> Result<()> {
    let line = args![
        ids.next(now),
        now.0,
        event.word(),
        session,
        about.client,
        about.user,
        about.team,
        about.organisation,
        about.patient.as_deref(),
        detail,
    ];
    tx.execute(NOTE, line).await.map(|_| ())
}
