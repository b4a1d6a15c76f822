//! The statements of a read and of a refresh on PostgreSQL with their arguments, as the service sends them. What `store` tells
//! of its statements and tables is used here and nowhere else.

use crate::measure::trouble::Trouble;
use fhir::types::ResourceType;
use store::PostgresOptions;
use store::journeys::{self, Read, Refresh};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, Statement};

/// What a statement is given.
pub(crate) type Parameters<'a> = Vec<&'a (dyn ToSql + Sync)>;

/// The patients' own sessions: those of the refreshing clients are at another generation, and are not touched.
const SESSIONS: &str = "SELECT s.id, s.client_id, s.user_id, p.fhir_id, p.id
    FROM sessions s JOIN users u ON u.id = s.user_id JOIN patients p ON p.id = u.patient_id
    WHERE s.generation = 2 ORDER BY s.id";
/// Of the lines of a bare loop, which are numbered below zero: the service's ids are above it, and those of its last requests
/// may still be on their way when a bare round begins.
const LAST_LINE: &str = "SELECT max(id) FROM ledger WHERE id < 0";
/// Where a bare loop begins to count.
const FIRST_LINE: i64 = i64::MIN / 2;

/// A session to act on, and whose record it opens.
#[derive(Debug, Clone)]
pub(crate) struct PatientSession {
    pub(crate) session: i64,
    client: i64,
    user: i64,
    patient: String,
    patient_number: i64,
}

/// A statement of the read and what it is given.
#[derive(Debug, Clone)]
pub(crate) struct ReadStatement {
    pub(crate) sql: String,
    pub(crate) arguments: fn(&PatientSession) -> Parameters<'_>,
    /// The column that holds the record, in the statement that gives it.
    pub(crate) record: Option<&'static str>,
}

/// All statements of one read: who calls, and the resource.
pub(crate) fn read() -> Vec<ReadStatement> {
    let Read { bearer, resource } = journeys::read();
    vec![
        ReadStatement { sql: bearer.into(), arguments: |session| vec![&session.session], record: None },
        ReadStatement {
            sql: resource,
            arguments: |session| vec![&PATIENT, &session.patient, &session.patient_number],
            record: Some("body"),
        },
    ]
}

/// FHIR's number of the type.
const PATIENT: i64 = ResourceType::Patient.number();

/// How many connections there are for reading and for writing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Connections {
    pub(crate) read: usize,
    pub(crate) write: usize,
}

pub(crate) fn of_a_node() -> Connections {
    let PostgresOptions { read_connections: read, write_connections: write, .. } = PostgresOptions::default();
    Connections { read, write }
}

pub(crate) fn refresh() -> Refresh {
    journeys::refresh()
}

pub(crate) async fn patient_sessions(client: &Client) -> Result<Vec<PatientSession>, Trouble> {
    client.query(SESSIONS, &[]).await?.iter().map(patient_session).collect()
}

fn patient_session(row: &Row) -> Result<PatientSession, Trouble> {
    let (session, client) = (row.try_get(0)?, row.try_get(1)?);
    Ok(PatientSession {
        session,
        client,
        user: row.try_get(2)?,
        patient: row.try_get(3)?,
        patient_number: row.try_get(4)?,
    })
}

/// The ledger's line that follows all that a bare loop has written.
pub(crate) async fn next_line(client: &Client) -> Result<i64, Trouble> {
    let last: Option<i64> = client.query_one(LAST_LINE, &[]).await?.try_get(0)?;
    Ok(last.map_or(FIRST_LINE, |last| last + 1))
}

/// A session's row as the load finds it: its generation, and a moment. Any will do: nothing asks for it afterwards.
pub(crate) fn generation_and_moment(row: &Row) -> Result<(i64, i64), Trouble> {
    Ok((row.try_get("generation")?, row.try_get("granted_at")?))
}

/// Sends the rotation of a session.
pub(crate) async fn rotate(
    client: &Client,
    statement: &Statement,
    PatientSession { session, .. }: &PatientSession,
    (generation, now): (i64, i64),
) -> Result<u64, tokio_postgres::Error> {
    client.execute(statement, &[&generation, &now, session]).await
}

/// Sends the ledger's line of a refresh.
pub(crate) async fn note(
    client: &Client,
    statement: &Statement,
    PatientSession { session, client: app, user, .. }: &PatientSession,
    (line, now): (i64, i64),
) -> Result<u64, tokio_postgres::Error> {
    let columns: [&(dyn ToSql + Sync); 7] = [&line, &now, &"refreshed", session, app, user, &None::<i64>];
    client.execute(statement, &columns).await
}
