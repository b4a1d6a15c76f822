//! The ledger: append-only, every grant, redemption, rotation, replay and revocation, and every access to a record.

use crate::db::{Row, Tx, args};
use crate::error::Result;
use crate::ids::Ids;
use crate::postgres::Proof;
use crate::store::Store;
use rules::moment::Moment;
use std::sync::Arc;

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
    Accessed,
}

impl Event {
    pub const ALL: [Self; 8] = [
        Self::Granted,
        Self::CodeRedeemed,
        Self::Refreshed,
        Self::Revoked,
        Self::OrganisationGranted,
        Self::OrganisationWithdrawn,
        Self::DocumentRead,
        Self::Accessed,
    ];

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
            Self::Accessed => "accessed",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.word() == word)
    }
}

/// Whom it concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct About {
    pub client: Option<i64>,
    pub user: Option<i64>,
    pub team: Option<i64>,
    pub organisation: Option<i64>,
    pub patient: Option<String>,
}

/// Accesses of one caller to one part of one record, within a moment.
#[derive(Clone, Debug)]
pub struct Accesses {
    pub at: Moment,
    pub about: About,
    /// The part of the record: a resource type.
    pub what: &'static str,
    pub times: i64,
}

/// One line as the patient reads it.
#[derive(Clone, Debug)]
pub struct Line {
    pub id: i64,
    pub at: Moment,
    pub event: Event,
    pub detail: Option<String>,
    pub times: i64,
    pub product: Option<String>,
    pub owner: Option<String>,
    pub user: Option<String>,
    pub team: Option<String>,
    pub organisation: Option<String>,
}

pub(crate) const NOTE: &str = "INSERT INTO ledger
        (id, at, event, session_id, client_id, user_id, team_id, organisation_id, patient_id, detail, times)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
const OF_PATIENT: &str = "SELECT l.id, l.at, l.event, l.detail, l.times, c.product, c.owner, u.name, t.name, o.name
    FROM ledger l LEFT JOIN clients c ON c.id = l.client_id LEFT JOIN users u ON u.id = l.user_id
        LEFT JOIN teams t ON t.id = l.team_id LEFT JOIN organisations o ON o.id = l.organisation_id
    WHERE l.id IN (
        SELECT * FROM (SELECT p.id FROM ledger p WHERE p.patient_id = $1 AND p.id < $3 ORDER BY p.id DESC LIMIT $4) a
        UNION
        SELECT * FROM (SELECT q.id FROM ledger q WHERE q.user_id = $2 AND q.event <> 'refreshed' AND q.id < $3
            ORDER BY q.id DESC LIMIT $4) b)
    ORDER BY l.id DESC LIMIT $4";

pub const STATEMENTS: &[&str] = &[NOTE, OF_PATIENT];

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
    insert(tx, ids.next(now), now, event, session, about, (detail, 1)).await
}

/// Writes accesses, a line each.
pub async fn record(store: &Store, accesses: Arc<[Accesses]>) -> Result<()> {
    let ids = store.ids.clone();
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            for access in accesses.iter() {
                let id = ids.next(access.at);
                let said = (Some(access.what), access.times);
                insert(tx, id, access.at, Event::Accessed, None, &access.about, said).await?;
            }
            Ok(())
        })
    });
    write.await
}

async fn insert(
    tx: &mut Tx,
    id: i64,
    at: Moment,
    event: Event,
    session: Option<i64>,
    about: &About,
    (detail, times): (Option<&str>, i64),
) -> Result<()> {
    let line = args![
        id,
        at.0,
        event.word(),
        session,
        about.client,
        about.user,
        about.team,
        about.organisation,
        about.patient.as_deref(),
        detail,
        times,
    ];
    tx.proves(Proof { id, at, event: event.word(), session });
    tx.post(NOTE, line).await
}

/// The newest lines that concern a patient: who looked at the record, and what the patient's own account granted.
pub async fn of_patient(store: &Store, patient: &str, user: i64, before: i64, limit: i64) -> Result<Vec<Line>> {
    store.db.read(OF_PATIENT, args![patient, user, before, limit], line).await
}

fn line(row: &Row<'_>) -> Result<Line> {
    Ok(Line {
        id: row.int(0)?,
        at: Moment(row.int(1)?),
        event: row.word(2, Event::named)?,
        detail: row.opt_text(3)?,
        times: row.int(4)?,
        product: row.opt_text(5)?,
        owner: row.opt_text(6)?,
        user: row.opt_text(7)?,
        team: row.opt_text(8)?,
        organisation: row.opt_text(9)?,
    })
}
