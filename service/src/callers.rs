//! Who calls: bearers of tokens and signed-in people. Building one is the authorisation.

pub mod admin;
pub mod api;
pub(crate) mod bearer;
mod browser;
pub mod caller;
pub(crate) mod cookies;
pub(crate) mod invitee;
pub(crate) mod known_user;
pub(crate) mod launch;
pub(crate) mod login;
pub mod notice_reader;
pub mod officer;
pub(crate) mod page_form;
pub(crate) mod passkeys;
pub mod people;
pub(crate) mod proof;
pub mod requirement;
pub(crate) mod second_factor;
pub mod sign_in;
pub mod staff;
