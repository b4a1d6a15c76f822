//! The service: knows HTTP and pages, nothing of SQL. A request goes service → store with one ruling in the middle.

pub mod app;
pub mod cli;
pub mod clock;
pub mod config;
pub mod control;
pub mod dice;
pub mod keys;
pub mod logs;
pub mod metrics;
pub mod passwords;
pub mod secret;
pub mod throttle;
pub mod times;
pub mod tokens;
pub mod toml_table;
