//! Statements that were sent and whose answers are still to come, in order.

use super::trouble::{is_lost, meaning};
use crate::error::Error;
use futures_util::future::BoxFuture;
use futures_util::future::poll_immediate;
use std::time::Duration;
use tokio::time::timeout;

/// Why a statement has no result.
#[derive(Debug)]
pub(super) enum StatementFailure {
    /// The server refused it, and with it the transaction.
    Refused(Error),
    /// The connection is gone; what the server did is not known.
    Lost(Error),
}

pub(super) type Answer<T> = std::result::Result<T, StatementFailure>;
pub(super) type PendingStatement = BoxFuture<'static, Answer<u64>>;

impl From<tokio_postgres::Error> for StatementFailure {
    fn from(error: tokio_postgres::Error) -> Self {
        if is_lost(&error) { Self::Lost(meaning(&error)) } else { Self::Refused(meaning(&error)) }
    }
}

impl StatementFailure {
    pub(super) fn into_error(self) -> Error {
        match self {
            Self::Refused(error) | Self::Lost(error) => error,
        }
    }
}

/// Sends a statement: its first poll does. Gives the answer in the rare case that it is there at once.
pub(super) async fn once<T>(statement: &mut (impl Future<Output = T> + Unpin)) -> Option<T> {
    poll_immediate(statement).await
}

/// An answer, or `Lost` when the other side says nothing for too long.
pub(super) async fn in_time<T>(work: impl Future<Output = Answer<T>>, silence: Duration) -> Answer<T> {
    let late = || Err(StatementFailure::Lost(Error::Unavailable("the database did not answer in time".into())));
    timeout(silence, work).await.unwrap_or_else(|_| late())
}

/// Reads the answers of all that was posted; the first that is not well.
pub(super) async fn answers(posted: Vec<PendingStatement>, silence: Duration) -> Answer<()> {
    let mut all = Ok(());
    for statement in posted {
        let answer = in_time(statement, silence).await.map(|_| ());
        let lost = matches!(answer, Err(StatementFailure::Lost(_)));
        all = all.and(answer);
        if lost {
            break;
        }
    }
    all
}
