//! The ground floor: what a statement, its arguments, its rows and a transaction are. Knows no engine.

pub(crate) mod advisory_locks;
pub(crate) mod arg;
pub(crate) mod budget;
pub mod caller_key;
pub(crate) mod fair_queue;
pub(crate) mod last_commit;
pub(crate) mod marks;
pub(crate) mod migration;
pub(crate) mod outbox;
pub(crate) mod piece;
pub(crate) mod proof;
pub(crate) mod row;
pub(crate) mod rows;
pub(crate) mod statement;
pub(crate) mod table;
pub(crate) mod touched;
pub(crate) mod transfer_endpoint;
pub(crate) mod watch;
