//! `--peers`: npm's oidc-provider beside the service, at what both can do.

pub(crate) mod comparison;
mod install;
mod introspection;
pub(crate) mod race;
pub(crate) mod run;
