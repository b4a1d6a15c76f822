//! `--peers`: npm's oidc-provider beside the service, and helios-hfs beside its records, at what both sides can do.

pub(crate) mod comparison;
mod door;
mod helios;
mod install;
mod introspection;
mod npm;
pub(crate) mod race;
pub(crate) mod records;
mod revocation;
pub(crate) mod run;
