//! What the page of notices shows: what somebody was told, what of it is new, and what waits for their answer.

use super::frame::{Frame, GuardedText};
use super::record::DateText;
use askama::Template;

/// `/notices`.
#[derive(Debug, Template)]
#[template(path = "notices.html")]
pub struct NoticesPage {
    pub frame: Frame,
    pub notice: Option<String>,
    pub notices: Vec<NoticeRow>,
    /// How to say that all of it was seen, where something is new.
    pub seen: Option<SeenForm>,
    pub older: Option<String>,
}

#[derive(Clone, Debug)]
pub struct NoticeRow {
    pub heading: &'static str,
    pub text: String,
    pub at: DateText,
    /// Whose record it is about, where that is not the reader's own.
    pub about: Option<String>,
    pub by: Option<String>,
    pub reason: Option<String>,
    pub is_new: bool,
    /// How to accept what it invites to, while it waits for that.
    pub accept: Option<AcceptForm>,
}

#[derive(Clone, Debug)]
pub struct SeenForm {
    pub form: GuardedText,
    /// The newest of those that are seen by it.
    pub newest: String,
}

#[derive(Clone, Debug)]
pub struct AcceptForm {
    pub action: String,
    pub form: GuardedText,
}
