//! Lines of the ledger as values: what one says, how it is written down, and how each is bound to the one before. Knows no
//! database.

pub(crate) mod audit;
pub(crate) mod author;
pub(crate) mod block;
pub(crate) mod collection;
pub(crate) mod encoding;
pub(crate) mod event;
pub(crate) mod line;
pub(crate) mod month;
pub(crate) mod month_audit;
pub(crate) mod notebook;
pub(crate) mod root;
pub(crate) mod sum;
