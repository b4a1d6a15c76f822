//! The ledger: append-only, every grant, redemption, rotation, replay and revocation, every access to a record, and every
//! change of a record, of who belongs to whom, and of accounts, clients and keys.

pub(crate) mod addition;
mod archive;
mod archived_lines;
pub(crate) mod biography;
pub(crate) mod blocks;
pub(crate) mod closure;
pub(crate) mod names;
pub(crate) mod older;
pub(crate) mod reading;
mod retention;
pub(crate) mod roots;
mod spool;
pub(crate) mod verification;

pub use crate::lines::audit::{Breach, BreachKind};
pub use crate::lines::author::Author;
pub use crate::lines::event::{Deed, Event, Topic};
pub use crate::lines::line::{About, Concern, Line};
pub use crate::lines::month::Month;
pub use crate::lines::month_audit::{MonthFault, MonthFaultKind};
pub use crate::lines::root::{MonthRoot, Notary, Removal, Seal, SealState};
pub use addition::add;
pub use archive::{ArchiveVerdict, archive, examine};
pub use archived_lines::each_archived;
pub use biography::each_about;
pub use closure::close;
pub use names::NamedLine;
pub use reading::{LedgerPosition, LedgerSpan, each, line_of_patient, newest, of_patient, of_patient_alone, of_user};
pub use retention::{Retention, RetentionStep, expire};
pub use roots::{reseal, roots};
pub use spool::{Leftovers, Spool};
pub use verification::{Evidence, KeptMonth, Root, Verdict, root, verify};
