//! The kit of all tests here: one small world to test the service in, and the people and clients who act in it.
//! Everything goes through the routes, with a clock that stands still until it is told to move.

mod address;
mod answer_file;
mod api_reply;
mod app;
pub mod authenticator;
pub mod browser;
mod calendar;
pub mod caller;
mod cast;
pub mod circle;
pub mod client_app;
pub mod clients;
pub mod damage;
pub mod key_server;
mod laid;
pub mod listening;
pub mod log;
pub mod mail_server;
pub mod organisations;
pub mod page;
pub mod passkey_device;
pub mod people;
pub mod person;
pub mod prover;
pub mod records;
pub mod reference;
pub mod reply;
pub mod requests;
pub mod signer;
pub mod token_reply;
mod witness;
mod world;

pub use app::place;
pub use calendar::{DAY, HOUR, MINUTE, NOW};
pub use organisations::{HILLSIDE, HILLSIDE_TEAM, RIVERSIDE, RIVERSIDE_TEAM, SLEEP_TEAM};
pub use requests::{encoded, fields, form_request, request, with, without};
pub use world::{BASE, LOCAL, World};
