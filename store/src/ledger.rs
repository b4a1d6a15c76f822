//! The ledger: append-only, every grant, redemption, rotation, replay and revocation, and every access to a record.

pub(crate) mod addition;
mod archive;
mod archived_lines;
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
pub use crate::lines::event::Event;
pub use crate::lines::line::{About, Line};
pub use crate::lines::month::Month;
pub use crate::lines::month_audit::{MonthFault, MonthFaultKind};
pub use crate::lines::root::{MonthRoot, Notary, Removal, Seal, SealState};
pub use addition::add;
pub use archive::{ArchiveVerdict, archive, examine};
pub use archived_lines::each_archived;
pub use closure::close;
pub use names::NamedLine;
pub use reading::{Place, Span, each, each_about, newest, of_patient};
pub use retention::{Retention, Step, expire};
pub use roots::{reseal, roots};
pub use spool::{Leftovers, Spool};
pub use verification::{Evidence, KeptMonth, Root, Verdict, root, verify};
