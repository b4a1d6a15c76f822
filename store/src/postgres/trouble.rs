//! What PostgreSQL's errors mean to us: the database is away, the change was refused, or nobody knows.

use crate::error::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

/// Whether the connection is of no more use, and with it anything the server may still have done unsaid.
pub(super) fn is_lost(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_none_or(is_fatal)
}

/// Whether the server interrupted the statement because its time was over.
pub(super) fn is_canceled(error: &tokio_postgres::Error) -> bool {
    error.code() == Some(&SqlState::QUERY_CANCELED)
}

fn is_fatal(error: &DbError) -> bool {
    !matches!(error.parsed_severity(), Some(Severity::Error))
}

/// The error as the rest of the store knows it. Takes the code and the message alone: a DETAIL may quote the row.
pub(super) fn meaning(error: &tokio_postgres::Error) -> Error {
    let Some(answer) = error.as_db_error() else {
        let why = std::error::Error::source(error).map(|why| format!(": {why}")).unwrap_or_default();
        return Error::Unavailable(format!("{error}{why}"));
    };
    let text = format!("{} ({})", answer.message(), answer.code().code());
    match answer.code() {
        code if is_fatal(answer) || passes(code) => Error::Unavailable(text),
        // Another transaction wrote the same row first; whoever comes again sees it.
        code if *code == SqlState::UNIQUE_VIOLATION => Error::Taken(text),
        _ => Error::Database(text),
    }
}

/// Whether the same request, sent again, may well succeed: nothing was written, and what stood in the way passes.
fn passes(code: &SqlState) -> bool {
    // Connection trouble, resources used up (a full disk), an operator at work, the server's own machine.
    ["08", "53", "57", "58"].iter().any(|class| code.code().starts_with(class))
        || [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::LOCK_NOT_AVAILABLE,
            // The server became a standby under us.
            SqlState::READ_ONLY_SQL_TRANSACTION,
        ]
        .contains(code)
}
