//! Finding out what became of a transaction whose COMMIT was sent and never answered.
//!
//! Such a transaction may have been committed, may have been rolled back, and may even still be under way. Its number
//! does not help: after a crash or a failover the server gives unflushed numbers to other transactions. But almost every
//! write has lines wait for the ledger, under an id of our own. Writing under the same id settles the matter: the server
//! makes us wait while the first one is under way; if its lines are there afterwards, the transaction was committed; if
//! not, ours take their place, and the transaction can never be committed any more, however late it comes.

use super::hosts::Hosts;
use super::trouble::meaning;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::lines::encoding;
use crate::lines::event::Event;
use crate::lines::line::{About, Line};
use crate::sql::arg::OwnedArg;
use crate::sql::arg::{Arg, args};
use crate::sql::outbox::Outbox;
use crate::sql::proof::Proof;

/// A statement that takes back what the transaction did, as long as nobody built on it.
pub(crate) struct Undo {
    sql: &'static str,
    args: Vec<OwnedArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommitOutcome {
    Committed,
    RolledBack,
}

const GIVE_UP_RECORDS: &str = "INSERT INTO record_lines (id, lines, given_up) VALUES ($1, $2, 1)
    ON CONFLICT (id) DO NOTHING";
const GIVE_UP_SESSIONS: &str = "INSERT INTO session_lines (id, lines, given_up) VALUES ($1, $2, 1)
    ON CONFLICT (id) DO NOTHING";
/// What is there under an id: as long as it waits in its outbox, and a while after it was added to the ledger.
const RECORD_LINES: &str = "SELECT given_up FROM record_lines WHERE id = $1
    UNION ALL SELECT given_up FROM ledger.taken WHERE id = $1";
const SESSION_LINES: &str = "SELECT given_up FROM session_lines WHERE id = $1
    UNION ALL SELECT given_up FROM ledger.taken WHERE id = $1";

/// Statements that only PostgreSQL is given, for the test that prepares every one.
pub(super) const STATEMENTS: &[&str] = &[GIVE_UP_RECORDS, GIVE_UP_SESSIONS, RECORD_LINES, SESSION_LINES];

impl Undo {
    pub(super) fn new(sql: &'static str, args: &[Arg<'_>]) -> Self {
        Self { sql, args: args.iter().map(OwnedArg::from).collect() }
    }
}

/// Asks once, on a connection of its own.
pub(super) async fn ask(hosts: &Hosts, proof: &Proof) -> Result<CommitOutcome> {
    let connection = hosts.connect().await?;
    let (give_up, lines) = match proof.outbox {
        Outbox::Records => (GIVE_UP_RECORDS, RECORD_LINES),
        Outbox::Sessions => (GIVE_UP_SESSIONS, SESSION_LINES),
    };
    let instead = in_its_place(proof, Event::GivenUp)?;
    let work = async {
        connection.batch_execute("BEGIN").await?;
        connection.execute_prepared(give_up, args![proof.id, instead.as_slice()]).await?;
        // Now nobody else puts anything there: it is the transaction's own, or ours, of now or of an earlier asking whose
        // answer was lost. The transaction's may have left its outbox before ours came.
        let rows = connection.query_prepared(lines, args![proof.id]).await?;
        let committed = rows.iter().any(|row| row.try_get(0).is_ok_and(|given_up: i64| given_up == 0));
        connection.batch_execute(if committed { "ROLLBACK" } else { "COMMIT" }).await?;
        Ok(if committed { CommitOutcome::Committed } else { CommitOutcome::RolledBack })
    };
    work.await.map_err(|error: tokio_postgres::Error| meaning(&error))
}

/// Takes back a commit that was answered with "try again". Says so in the ledger.
pub(super) async fn take_back(hosts: &Hosts, proof: &Proof, undo: &Undo, ids: &Ids) -> Result<()> {
    let connection = hosts.connect().await?;
    let arguments: Vec<Arg<'_>> = undo.args.iter().map(OwnedArg::arg).collect();
    let undone = in_its_place(proof, Event::Undone)?;
    let id = ids.next(line(proof)?.at);
    let work = async {
        connection.batch_execute("BEGIN").await?;
        if connection.execute_prepared(undo.sql, &arguments).await? == 1 {
            connection.execute_prepared(Outbox::Sessions.insert().sql, args![id, undone.as_slice()]).await?;
        }
        connection.batch_execute("COMMIT").await
    };
    work.await.map_err(|error: tokio_postgres::Error| meaning(&error))
}

/// The first line of the transaction.
fn line(proof: &Proof) -> Result<Line> {
    let first = encoding::each(&proof.lines).next();
    encoding::read(first.ok_or_else(|| Error::Impossible("a proof without lines".into()))??)
}

/// A line that says what became of it. It names a session and nobody, so no one's list shows it.
fn in_its_place(proof: &Proof, event: Event) -> Result<Vec<u8>> {
    let told = line(proof)?;
    let mut written = Vec::new();
    let instead = Line { times: 0, ..Line::new(told.at, event, told.session, About::default()) };
    encoding::write(&instead, &mut written);
    Ok(written)
}
