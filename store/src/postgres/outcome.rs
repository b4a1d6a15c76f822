//! Finding out what became of a transaction whose COMMIT was sent and never answered.
//!
//! Such a transaction may have been committed, may have been rolled back, and may even still be under way. Its number
//! does not help: after a crash or a failover the server gives unflushed numbers to other transactions. But almost every
//! write notes a line in the ledger, under an id of our own. Writing the same line again settles the matter: the server
//! makes us wait while the first one is under way; if the line is there afterwards, the transaction was committed; if
//! not, our line takes its place, and the transaction can never be committed any more, however late it comes.

use super::hosts::Hosts;
use super::trouble::meaning;
use crate::error::Result;
use crate::ids::Ids;
use crate::sql::arg::OwnedArg;
use crate::sql::arg::{Arg, args};
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

/// Lines of the ledger that only this file writes. They name a session and nobody, so no one's list shows them.
const GIVEN_UP: &str = "given-up";
const UNDONE: &str = "undone";

const TAKE_ITS_PLACE: &str = "INSERT INTO ledger (id, at, event, session_id, times) VALUES ($1, $2, $3, $4, 0)
    ON CONFLICT (id) DO NOTHING";
const LINE: &str = "SELECT at, event, session_id FROM ledger WHERE id = $1";

/// Statements that only PostgreSQL is given, for the test that prepares every one.
pub(super) const STATEMENTS: &[&str] = &[TAKE_ITS_PLACE, LINE];

impl Undo {
    pub(super) fn new(sql: &'static str, args: &[Arg<'_>]) -> Self {
        Self { sql, args: args.iter().map(OwnedArg::from).collect() }
    }
}

/// Asks once, on a connection of its own.
pub(super) async fn ask(hosts: &Hosts, proof: &Proof) -> Result<CommitOutcome> {
    let connection = hosts.connect().await?;
    let line = args![proof.id, proof.at.0, GIVEN_UP, proof.session];
    if connection.execute_prepared(TAKE_ITS_PLACE, line).await.map_err(|error| meaning(&error))? == 1 {
        return Ok(CommitOutcome::RolledBack);
    }
    let rows = connection.query_prepared(LINE, args![proof.id]).await.map_err(|error| meaning(&error))?;
    // Compared whole: the line may be our own of an earlier asking, whose answer was lost too.
    let ours = rows.iter().any(|row| {
        let (at, event, session) = (row.try_get(0).ok(), row.try_get(1).ok(), row.try_get(2).ok());
        at == Some(proof.at.0) && event == Some(proof.event) && session == Some(proof.session.map(|id| id.0))
    });
    Ok(if ours { CommitOutcome::Committed } else { CommitOutcome::RolledBack })
}

/// Takes back a commit that was answered with "try again". Says so in the ledger.
pub(super) async fn take_back(hosts: &Hosts, proof: &Proof, undo: &Undo, ids: &Ids) -> Result<()> {
    let connection = hosts.connect().await?;
    let arguments: Vec<Arg<'_>> = undo.args.iter().map(OwnedArg::arg).collect();
    let work = async {
        connection.batch_execute("BEGIN").await?;
        if connection.execute_prepared(undo.sql, &arguments).await? == 1 {
            let line = args![ids.next(proof.at), proof.at.0, UNDONE, proof.session];
            connection.execute_prepared(TAKE_ITS_PLACE, line).await?;
        }
        connection.batch_execute("COMMIT").await
    };
    work.await.map_err(|error: tokio_postgres::Error| meaning(&error))
}
