//! The commands, as an operator gives them, each test on a data directory of its own.

mod apply;
mod backup;
mod client_keys;
mod configuration;
mod consents;
mod control_socket;
mod file_modes;
mod grants;
mod health;
mod import;
mod ledger;
mod ledger_months;
mod management;
mod manual;
mod refusals;
mod store_presence;
mod verify;
