//! What the pages about connected apps show: the apps that a person has let use their account, those that were, and what ends
//! with one.

use super::frame::{Frame, GuardedText, TimeText};
use askama::Template;

/// `/connected-apps`.
#[derive(Debug, Template)]
#[template(path = "connected_apps.html")]
pub struct ConnectedAppsPage {
    pub frame: Frame,
    pub notice: Option<String>,
    pub apps: Vec<ConnectedApp>,
    /// Where apps are that were connected earlier, if there are any.
    pub older: Option<String>,
    pub ended: Vec<EndedRow>,
    /// Where older ones that ended are, if there are any.
    pub ended_older: Option<String>,
}

/// An app with its connections: one for each time that its user approved it and is not over.
#[derive(Clone, Debug)]
pub struct ConnectedApp {
    pub product: String,
    pub owner: String,
    /// Its connections on all pages.
    pub in_all: i64,
    pub connections: Vec<AppRow>,
}

#[derive(Clone, Debug)]
pub struct AppRow {
    /// What the app may do, in a few words.
    pub may: String,
    /// Whose record it is about, or which team it is for.
    pub about: String,
    pub since: TimeText,
    pub last_used: Option<TimeText>,
    pub ends: Option<TimeText>,
    /// The page that says what ends, and asks.
    pub check: String,
}

/// A connection that is over.
#[derive(Clone, Debug)]
pub struct EndedRow {
    pub product: String,
    pub owner: String,
    pub since: TimeText,
    pub ended: TimeText,
    pub why: String,
}

/// `/connected-apps/revoke/{id}`: what ends with a connection, before it is ended.
#[derive(Debug, Template)]
#[template(path = "disconnect.html")]
pub struct DisconnectPage {
    pub frame: Frame,
    pub product: String,
    pub owner: String,
    pub may: String,
    pub since: TimeText,
    /// Other connections of the same app, which go on.
    pub others: i64,
    pub action: String,
    pub form: GuardedText,
}
