//! What the access log shows: who looked at a patient's record, and what the patient's account granted, by day and by app.

use super::frame::{Frame, TimeText};
use askama::Template;

/// `/access-log`: readable by the patient concerned, and by nobody else.
#[derive(Debug, Template)]
#[template(path = "access_log.html")]
pub struct AccessLogPage {
    pub frame: Frame,
    pub days: Vec<LogDay>,
    /// Where older lines are, if there are any.
    pub older: Option<String>,
}

#[derive(Clone, Debug)]
pub struct LogDay {
    /// `15 November 2026`.
    pub text: String,
    /// `2026-11-15`.
    pub date: String,
    pub apps: Vec<LogApp>,
}

/// What one app did on one day, or what was done without an app.
#[derive(Clone, Debug)]
pub struct LogApp {
    pub name: String,
    pub lines: Vec<AccessLine>,
}

#[derive(Clone, Debug)]
pub struct AccessLine {
    pub at: TimeText,
    /// For whom: a person, a team, an organisation.
    pub who: Option<String>,
    pub what: String,
    /// By which right, or why something ended.
    pub why: Option<String>,
    /// Where it is told why they could, if it was somebody else who looked or wrote.
    pub explained: Option<String>,
}
