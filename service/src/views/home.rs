//! What the page shows where a signed-in person arrives: what they can do here, what is connected, who looked last.

use super::everyone::Link;
use super::frame::{Frame, TimeText};
use askama::Template;

/// `/` for somebody who is signed in.
#[derive(Debug, Template)]
#[template(path = "home.html")]
pub struct HomePage {
    pub frame: Frame,
    pub heading: String,
    pub text: String,
    /// By whose invitation the account was made, if it was by one.
    pub invited: Option<InvitedText>,
    pub tasks: Vec<HomeTask>,
    pub overviews: Vec<Overview>,
}

/// Who invited somebody to make their account, and when they did.
#[derive(Clone, Debug)]
pub struct InvitedText {
    pub organisation: String,
    pub at: TimeText,
}

/// Something that the reader can do here.
#[derive(Clone, Copy, Debug)]
pub struct HomeTask {
    pub href: &'static str,
    pub title: &'static str,
    pub text: &'static str,
}

/// The newest few of a list that has a page of its own.
#[derive(Clone, Debug)]
pub struct Overview {
    pub id: &'static str,
    pub heading: &'static str,
    /// What is said where there is nothing.
    pub empty: &'static str,
    pub lines: Vec<OverviewLine>,
    pub way: Link,
}

#[derive(Clone, Debug)]
pub struct OverviewLine {
    pub text: String,
    pub at: Option<TimeText>,
}
