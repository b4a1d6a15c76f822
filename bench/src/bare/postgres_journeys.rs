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
/// Lines of a bare loop wait in a table like the service's. In the service's own they would be added to its ledger, by a
/// service that is to be idle while a bare loop runs.
const LINES: &str = "CREATE TABLE IF NOT EXISTS bare_lines (LIKE session_lines INCLUDING ALL)";
const LAST_LINE: &str = "SELECT max(id) FROM bare_lines";

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
    let refresh = journeys::refresh();
    Refresh { note: refresh.note.replace("session_lines", "bare_lines"), ..refresh }
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

/// The line that follows all that bare loops have written.
pub(crate) async fn next_line(client: &Client) -> Result<i64, Trouble> {
    client.batch_execute(LINES).await?;
    let last: Option<i64> = client.query_one(LAST_LINE, &[]).await?.try_get(0)?;
    Ok(last.map_or(1, |last| last + 1))
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
    client.execute(statement, &[&line, &journeys::line_of_refresh(*session, *app, *user, now)]).await
}
