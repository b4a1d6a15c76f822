//! The service: knows HTTP and pages, nothing of SQL. A request goes service → store with one ruling in the middle.

pub mod app;
pub mod callers;
pub mod cli;
pub mod documents;
pub mod explanation;
pub mod fhir;
pub mod formats;
pub mod health;
pub mod http;
pub mod interactions;
pub mod oauth;
pub mod operator;
pub mod pages;
pub mod preparation;
pub mod reference;
pub mod rest;
pub mod routes;
pub mod sandbox;
pub mod secrets;
pub mod server;
mod sharing;
pub mod views;
pub mod voices;
