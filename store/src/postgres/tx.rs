//! A write transaction on PostgreSQL.
//!
//! Its isolation is READ COMMITTED with row locks. Every decision is made on a row that was loaded under lock: the lock
//! makes all who would decide about the same session wait in line, whichever node they are on, and READ COMMITTED lets
//! each of them, once it is its turn, see the row as the one before left it. SERIALIZABLE would refuse all but one of
//! them instead, and the refused would have to be run again; a snapshot would let them decide on a row that is gone.
//!
//! A round trip is spent only where an answer is needed: BEGIN travels with the first statement, statements whose count
//! nobody asks for are posted, and COMMIT travels with the last of them. So a refresh is two round trips.

use super::answers::{Answer, PendingStatement, StatementFailure, answers, in_time, once};
use super::loan::Loan;
use super::outcome::Undo;
use crate::error::{Error, Result};
use crate::lines::line::Line;
use crate::lines::notebook::Sheet;
use crate::sql::arg::{Arg, OwnedArg, args};
use crate::sql::outbox::Outbox;
use crate::sql::proof::Proof;
use crate::sql::row::Row;
use bytes::Bytes;
use futures_util::SinkExt;
use futures_util::future::join;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Statements that may be posted before their answers are read.
const MOST_POSTED: usize = 64;

/// The transaction while its job runs. Dropped unfinished, it takes its connection with it, which rolls it back.
pub struct PostgresTx {
    loan: Arc<Loan>,
    /// How long an answer may take before the connection counts as lost.
    silence: Duration,
    /// Sent and not yet answered, in the order sent.
    posted: Vec<PendingStatement>,
    state: TxState,
    wrote: bool,
    /// Lines that are to wait for the ledger, the outbox of the first of them, and the id under which they will.
    pub(crate) lines: Sheet,
    outbox: Option<(Outbox, i64)>,
    /// What is known only to this transaction's commit.
    pub(super) proof: Option<Proof>,
    pub(super) undo: Option<Undo>,
    /// When the looks that are under way must be over.
    pub(super) looks_until: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TxState {
    Open,
    /// A statement was refused: there is nothing left to commit.
    Refused,
    Lost,
}

impl std::fmt::Debug for PostgresTx {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresTx").field("state", &self.state).finish_non_exhaustive()
    }
}

impl PostgresTx {
    pub(super) async fn begin(loan: Loan, silence: Duration) -> Self {
        let loan = Arc::new(loan);
        let begin = plain(&loan, "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
        let (posted, state) = (Vec::new(), TxState::Open);
        let (lines, outbox, proof, undo) = (Sheet::default(), None, None, None);
        let mut tx = Self { loan, silence, posted, state, wrote: false, lines, outbox, proof, undo, looks_until: None };
        tx.send(begin).await;
        tx
    }

    /// The connection of this transaction.
    pub(super) fn loan(&self) -> Arc<Loan> {
        self.loan.clone()
    }

    /// Whether what another node did last can be relied upon. In the aftermath of an outage it may be about to take
    /// back a commit that it could not answer for.
    pub(super) fn is_settled(&self) -> bool {
        !self.loan.is_in_aftermath()
    }

    /// Has a line wait for the ledger, from this transaction's commit on. All lines of a transaction wait together, under
    /// the id of the first: here the outboxes are tables of one database.
    pub(crate) fn append(&mut self, outbox: Outbox, id: i64, line: &Line) {
        self.outbox.get_or_insert((outbox, id));
        self.lines.push(line);
    }

    /// Sends the lines, with what else was posted. Once they are committed, they prove it.
    async fn post_lines(&mut self) -> Result<()> {
        let (Some((outbox, id)), Some(lines)) = (self.outbox, self.lines.written().map(<[u8]>::to_vec)) else {
            return Ok(());
        };
        self.post(outbox.insert().sql, args![id, lines.as_slice()]).await?;
        self.proof = Some(Proof { outbox, id, lines });
        Ok(())
    }

    pub(crate) fn relies_on_the_last_change(&self) -> Result<()> {
        let why = "the database was away a moment ago, and another node may still be taking back a change";
        if self.is_settled() { Ok(()) } else { Err(Error::Unavailable(why.into())) }
    }

    pub(crate) fn undo_with(&mut self, sql: &'static str, args: &[Arg<'_>]) {
        self.undo = Some(Undo::new(sql, args));
    }

    /// Whether there is anything to commit but locks.
    pub(super) const fn wrote(&self) -> bool {
        self.wrote
    }

    pub(crate) async fn execute(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64> {
        self.wrote = true;
        let loan = self.loan.clone();
        self.behind_posted(async { Ok(loan.connection()?.execute_prepared(sql, args).await?) }).await
    }

    /// Sends a statement whose count nobody asks for. Should it fail, the transaction does.
    pub(crate) async fn post(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<()> {
        self.wrote = true;
        let loan = self.loan.clone();
        let mut preparing = pin!(async { Answer::Ok(loan.connection()?.prepared(sql).await?) });
        match once(&mut preparing).await {
            Some(Ok(statement)) if self.posted.len() < MOST_POSTED => {
                let (loan, args) = (loan.clone(), args.iter().map(OwnedArg::from).collect::<Vec<_>>());
                let run = async move {
                    let args = args.iter().map(OwnedArg::arg);
                    Ok(loan.connection()?.execute_raw(&statement, args).await?)
                };
                self.send(Box::pin(run)).await;
                Ok(())
            }
            at_once => {
                let run = async {
                    let statement = match at_once {
                        Some(prepared) => prepared?,
                        None => preparing.await?,
                    };
                    Ok(loan.connection()?.execute_raw(&statement, args.iter().copied()).await?)
                };
                self.behind_posted(run).await.map(|_| ())
            }
        }
    }

    /// The same of one that only locks: there is nothing to commit because of it.
    pub(super) async fn post_lock(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<()> {
        let wrote = self.wrote;
        let posted = self.post(sql, args).await;
        self.wrote = wrote;
        posted
    }

    /// Adds rows to a table. Should that fail, the transaction does.
    pub(crate) async fn copy(&mut self, into: &str, rows: Bytes) -> Result<()> {
        self.wrote = true;
        let loan = self.loan.clone();
        let run = async {
            let connection = loan.connection()?;
            let statement = connection.prepared(&format!("COPY {into} FROM STDIN BINARY")).await?;
            let mut sink = pin!(connection.copy_in(&statement).await?);
            sink.send(rows).await?;
            sink.finish().await?;
            Ok(())
        };
        self.behind_posted(run).await
    }

    pub(crate) async fn query<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        mut map: impl FnMut(&dyn Row) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        let loan = self.loan.clone();
        let rows = self.behind_posted(async { Ok(loan.connection()?.query_prepared(sql, args).await?) }).await?;
        rows.iter().map(|row| map(row)).collect()
    }

    /// Does `work` and reads the answers of what was posted before it, in one round trip. Unread answers would hold up
    /// those behind them.
    pub(super) async fn behind_posted<T>(&mut self, work: impl Future<Output = Answer<T>> + Send) -> Result<T> {
        let before = answers(std::mem::take(&mut self.posted), self.silence);
        let (before, work) = join(before, in_time(work, self.silence)).await;
        // Once one has failed, all behind it are refused because of it: the first says why.
        before.and(work).map_err(|failed| {
            self.state = if matches!(failed, StatementFailure::Lost(_)) { TxState::Lost } else { TxState::Refused };
            failed.into_error()
        })
    }

    async fn send(&mut self, mut statement: PendingStatement) {
        let answered = once(&mut statement).await;
        self.posted.push(answered.map_or(statement, |answer| Box::pin(std::future::ready(answer))));
    }

    /// Ends the transaction with its changes. `Lost`: whether they were made is not known.
    pub(super) async fn commit(&mut self) -> Answer<()> {
        if self.state != TxState::Open {
            self.roll_back().await;
            let why = "a write went on after a statement of it had failed";
            return Err(StatementFailure::Refused(Error::Impossible(why.into())));
        }
        if let Err(error) = self.post_lines().await {
            self.roll_back().await;
            // Nothing was sent that commits.
            return Err(StatementFailure::Refused(error));
        }
        let mut commit = plain(&self.loan, "COMMIT");
        let at_once = match once(&mut commit).await {
            // It never left this process, so nothing was committed.
            Some(Err(failed)) => return Err(StatementFailure::Refused(failed.into_error())),
            at_once => at_once,
        };
        let before = answers(std::mem::take(&mut self.posted), self.silence).await;
        if matches!(before, Err(StatementFailure::Lost(_))) {
            return before;
        }
        let committed = match at_once {
            Some(answer) => answer,
            None => in_time(commit, self.silence).await,
        };
        if committed.is_ok() {
            self.loan.has_ended();
        }
        // Behind a refused statement, COMMIT is answered well and rolls back.
        before.and(committed).map(|_| ())
    }

    /// Ends the transaction without its changes. Where that cannot be said, closing the connection says it.
    pub(super) async fn roll_back(&mut self) {
        if self.state == TxState::Lost {
            return;
        }
        let mut roll_back = plain(&self.loan, "ROLLBACK");
        let at_once = once(&mut roll_back).await;
        let _why_it_fails = answers(std::mem::take(&mut self.posted), self.silence).await;
        let rolled_back = match at_once {
            Some(answer) => answer,
            None => in_time(roll_back, self.silence).await,
        };
        if rolled_back.is_ok() {
            self.loan.has_ended();
        }
    }
}

fn plain(loan: &Arc<Loan>, sql: &'static str) -> PendingStatement {
    let loan = loan.clone();
    Box::pin(async move { Ok(loan.connection()?.batch_execute(sql).await.map(|()| 0)?) })
}
