//! `--peers`: npm's oidc-provider beside the service, at what both can do.

pub(crate) mod comparison;
mod door;
mod install;
mod introspection;
pub(crate) mod race;
mod revocation;
pub(crate) mod run;
