//! The service: knows HTTP and pages, nothing of SQL. A request goes service → store with one ruling in the middle.

pub mod accesses;
pub mod app;
pub mod caller;
pub mod clock;
pub mod dice;
pub mod fhir;
pub mod forms;
pub mod health;
pub mod keys;
pub mod metrics;
pub mod oauth;
pub mod origin;
pub mod page;
pub mod pages;
pub mod passwords;
pub mod rest;
pub mod routes;
pub mod sandbox;
pub mod secret;
pub mod server;
pub mod sweeper;
pub mod throttle;
pub mod tokens;
pub mod views;
pub mod voice;
pub mod when;
