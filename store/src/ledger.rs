//! The ledger: append-only, every grant, redemption, rotation, replay and revocation, and every access to a record.

use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::sql::arg::args;
use crate::sql::proof::Proof;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::{ClientId, OrganisationId, PatientId, SessionId, TeamId, UserId};
use rules::moment::Moment;
use rules::reach::Right;
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
    pub client: Option<ClientId>,
    pub user: Option<UserId>,
    pub team: Option<TeamId>,
    pub organisation: Option<OrganisationId>,
    pub patient: Option<PatientId>,
}

/// Accesses of one caller to one part of one record, within a moment.
#[derive(Clone, Debug)]
pub struct Accesses {
    pub at: Moment,
    pub about: About,
    /// The part of the record: a resource type.
    pub what: &'static str,
    /// By which right it was seen.
    pub right: Right,
    pub times: i64,
}

/// What else a line says.
struct Detail<'a> {
    text: Option<&'a str>,
    times: i64,
    right: Option<Right>,
}

/// One line as the patient reads it.
#[derive(Clone, Debug)]
pub struct Line {
    pub id: i64,
    pub at: Moment,
    pub event: Event,
    pub detail: Option<String>,
    pub times: i64,
    /// By which right a record was seen; lines of the first release do not say.
    pub right: Option<Right>,
    pub product: Option<String>,
    pub owner: Option<String>,
    pub user: Option<String>,
    pub team: Option<String>,
    pub organisation: Option<String>,
}

statements! {
    NOTE = "INSERT INTO ledger
        (id, at, event, session_id, client_id, user_id, team_id, organisation_id, patient_id, detail, times,
            by_right)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    /// A line of a session that says no more than what happened. Most lines are of this kind.
    pub(crate) NOTE_OF_SESSION = "INSERT INTO ledger (id, at, event, session_id, client_id, user_id, team_id, times)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 1)";
    PATIENT_NAME = "SELECT fhir_id FROM patients WHERE id = $1";
    OF_PATIENT = "SELECT l.id, l.at, l.event, l.detail, l.times, c.product, c.owner, u.name, t.name, o.name,
        l.by_right
    FROM ledger l LEFT JOIN clients c ON c.id = l.client_id LEFT JOIN users u ON u.id = l.user_id
        LEFT JOIN teams t ON t.id = l.team_id LEFT JOIN organisations o ON o.id = l.organisation_id
    WHERE l.id IN (
        SELECT * FROM (SELECT p.id FROM ledger p WHERE p.patient_id = $1 AND p.id < $3 ORDER BY p.id DESC LIMIT $4) a
        UNION
        SELECT * FROM (SELECT q.id FROM ledger q WHERE q.user_id = $2 AND q.event <> 'refreshed' AND q.id < $3
            ORDER BY q.id DESC LIMIT $4) b)
    ORDER BY l.id DESC LIMIT $4";
}

/// Writes one line, in the transaction of what it tells of.
pub(crate) async fn note(
    tx: &mut Tx<'_>,
    ids: &Ids,
    now: Moment,
    event: Event,
    session: Option<SessionId>,
    about: &About,
    detail: Option<&str>,
) -> Result<()> {
    let id = ids.next(now);
    if let (Some(session), None, None, None) = (session, about.organisation, about.patient, detail) {
        tx.proves(Proof { id, at: now, event: event.word(), session: Some(session) });
        let line = args![id, now.0, event.word(), session, about.client, about.user, about.team];
        return tx.post(NOTE_OF_SESSION, line).await;
    }
    insert(tx, id, now, event, session, about, Detail { text: detail, times: 1, right: None }).await
}

/// Writes accesses, a line each.
pub async fn record(store: &Store, accesses: Arc<[Accesses]>) -> Result<()> {
    let ids = store.ids.clone();
    let write = store.db.write(move |tx| {
        Box::pin(async move {
            for access in accesses.iter() {
                let id = ids.next(access.at);
                let detail = Detail { text: Some(access.what), times: access.times, right: Some(access.right) };
                insert(tx, id, access.at, Event::Accessed, None, &access.about, detail).await?;
            }
            Ok(())
        })
    });
    write.await
}

async fn insert(
    tx: &mut Tx<'_>,
    id: i64,
    at: Moment,
    event: Event,
    session: Option<SessionId>,
    about: &About,
    detail: Detail<'_>,
) -> Result<()> {
    // A line tells of a patient by their public name, which it would otherwise take another table to know.
    let patient = match about.patient {
        Some(patient) => patient_name(tx, patient).await?,
        None => None,
    };
    let line = args![
        id,
        at.0,
        event.word(),
        session,
        about.client,
        about.user,
        about.team,
        about.organisation,
        patient.as_deref(),
        detail.text,
        detail.times,
        detail.right.map(Right::word),
    ];
    tx.proves(Proof { id, at, event: event.word(), session });
    tx.post(NOTE, line).await
}

async fn patient_name(tx: &mut Tx<'_>, patient: PatientId) -> Result<Option<String>> {
    tx.query_one(PATIENT_NAME, args![patient], |row| row.text(0)).await
}

/// The newest lines that concern a patient: who looked at the record, and what the patient's own account granted.
pub async fn of_patient(store: &Store, patient: &str, user: UserId, before: i64, limit: i64) -> Result<Vec<Line>> {
    store.db.page(OF_PATIENT, args![patient, user, before, limit], line).await
}

fn line(row: &dyn Row) -> Result<Line> {
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
        right: row.opt_text(10)?.as_deref().and_then(Right::named),
    })
}
