//! The ledger: append-only, every grant, redemption, rotation, replay and revocation, every access to a record, and every
//! change of a record, of who belongs to whom, and of accounts, clients and keys.

pub(crate) mod addition;
pub(crate) mod names;
pub(crate) mod older;
pub(crate) mod reading;
mod spool;
pub(crate) mod verification;

pub use crate::lines::audit::{Breach, BreachKind};
pub use crate::lines::author::Author;
pub use crate::lines::event::{Deed, Event, Topic};
pub use crate::lines::line::{About, Line};
pub use addition::add;
pub use names::NamedLine;
pub use reading::{Place, Span, each, each_about, newest, of_patient};
pub use spool::{Leftovers, Spool};
pub use verification::{Root, Verdict, root, verify};
