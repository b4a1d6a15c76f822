//! What `docs/contract.md` says in its tables, and how each cell is held against the rules.

pub(crate) mod client_kinds;
pub(crate) mod durations;
pub(crate) mod expiry_errors;
pub(crate) mod limits;
pub(crate) mod markdown;
pub(crate) mod outcomes;
pub(crate) mod transitions;

/// The contract itself.
pub(crate) const CONTRACT: &str = include_str!("../../../docs/contract.md");

/// What the contract leaves open, decided.
pub(crate) const GAPS: &str = include_str!("../../../docs/gaps.md");
