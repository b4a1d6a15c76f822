//! Sharing: what changes who sees a record, each in one transaction with its line of the ledger, its notices and its FHIR form.

pub mod change;
pub mod declared;
pub mod glass;
pub mod notices;
pub mod states;

use rules::consent::denial::Denial;

/// What came of something that somebody wanted: a refusal is a value, and no trouble.
pub type Ruled<T> = std::result::Result<T, Denial>;
