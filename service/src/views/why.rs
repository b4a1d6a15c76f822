//! What a patient is told of why somebody could see something of their record.

use super::access_log::AccessLine;
use super::everyone::Link;
use super::frame::Frame;
use askama::Template;

/// `/access-log/why` and `/sharing/{id}/why`: readable by the patient concerned, and by nobody else.
#[derive(Debug, Template)]
#[template(path = "why.html")]
pub struct WhyPage {
    pub frame: Frame,
    /// The line of the access log that is asked about, where one is.
    pub line: Option<AccessLine>,
    /// How it is today, where there is still somebody to ask about.
    pub today: Option<WhyToday>,
    /// Back to where it was asked.
    pub back: Link,
}

/// What is decided at this moment.
#[derive(Clone, Debug)]
pub struct WhyToday {
    /// `the team Sleep Clinic`.
    pub viewer: String,
    /// `your personal details`, or another part of the record.
    pub what: String,
    pub sees: bool,
    /// Each right in its order.
    pub steps: Vec<String>,
    /// The labels that are held, as people know them.
    pub held: String,
    pub consents: Vec<ConsentLine>,
    pub notes: Vec<String>,
}

/// A consent in words.
#[derive(Clone, Debug)]
pub struct ConsentLine {
    pub labels: String,
    /// What it comes to now: `It is in force.`
    pub state: &'static str,
    pub given: String,
    pub changed: String,
    pub by: String,
    /// Until when, where it ends.
    pub ends: Option<String>,
}
