//! Operations: the table of them, how they are called, and each by itself.

pub mod break_glass;
pub(crate) mod catalogue;
pub mod definition;
pub mod everything;
pub(crate) mod identifier;
pub mod invitations;
pub(crate) mod invocation;
pub mod last_data_point;
pub mod lastn;
pub mod meta;
pub(crate) mod operation;
pub mod patient_match;
pub(crate) mod public_table;
pub mod purview;
pub mod read_receipts;
pub(crate) mod sender;
pub mod status_query;
pub mod validate;
pub(crate) mod verdict;
