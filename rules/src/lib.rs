//! The contract's tables as pure functions: what the store has seen, plus the moment, gives a ruling.
//!
//! No clock, no I/O, no dependencies: everything here can be read beside `docs/contract.md` and checked cell by cell.
#![no_std]

extern crate alloc;

pub mod answers;
pub mod assertions;
pub mod authorize;
pub mod belief;
pub mod bound_key;
pub mod calendar;
pub mod clients;
pub mod consent;
pub mod dpop;
pub mod factors;
pub mod guidance;
pub mod ids;
pub mod invitations;
pub mod key_freshness;
pub mod key_urls;
pub mod labels;
pub mod lifecycle;
pub mod limits;
pub mod logout;
pub mod mail;
pub mod moment;
pub mod networks;
pub mod noted;
pub mod oauth_errors;
pub mod openid;
pub mod origin;
pub mod params;
pub mod passkeys;
pub mod passwords;
pub mod reach;
pub mod redirect;
pub mod registration;
pub mod rest_errors;
pub mod rest_faults;
pub mod revocation;
pub mod right;
pub mod scope;
pub mod sight;
pub mod smart;
pub mod source;
