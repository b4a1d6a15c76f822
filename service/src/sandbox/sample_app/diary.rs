//! What the app is: its registration at the service, and what its handlers share.

use super::browsers::Browsers;
use std::net::SocketAddr;

/// The Client ID that Night Owl Labs was issued.
pub(super) const CLIENT_ID: &str = "sleep-diary";
pub(super) const SCOPE: &str = "PATIENT";

/// What the app's handlers share.
#[derive(Debug)]
pub(super) struct Diary {
    /// Where browsers find the app.
    pub(super) url: String,
    /// Where browsers find the service.
    pub(super) base_url: String,
    /// Where the service listens: on this machine, so that the app needs no TLS to reach it.
    pub(super) service: SocketAddr,
    pub(super) browsers: Browsers,
}
