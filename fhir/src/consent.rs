//! A Consent that shares a record, read and written in one form: nothing is read that could not be enforced.

mod actor;
mod canonical;
mod extensions;
mod provision;
mod reading;
mod sharing;
mod vocabulary;

pub use canonical::{CanonicalConsent, canonical};
pub use reading::{ConsentReading, read};
pub use sharing::{BasisForm, GranteeReference, Sharing};
pub use vocabulary::{DEFAULT_SYSTEMS, Vocabulary};
