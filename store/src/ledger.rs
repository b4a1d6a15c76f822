//! The ledger: append-only, every grant, redemption, rotation, replay and revocation, and every access to a record.

pub(crate) mod addition;
pub(crate) mod names;
pub(crate) mod older;
pub(crate) mod reading;
mod spool;
pub(crate) mod verification;

pub use crate::lines::audit::{Breach, BreachKind};
pub use crate::lines::event::Event;
pub use crate::lines::line::{About, Line};
pub use addition::add;
pub use names::NamedLine;
pub use reading::{Place, Span, each, each_about, newest, of_patient};
pub use spool::{Leftovers, Spool};
pub use verification::{Root, Verdict, root, verify};
