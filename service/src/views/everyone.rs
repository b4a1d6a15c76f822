//! What the pages show that anyone may meet: the authorization page, signing in, the front page, and any page that says that
//! something was done, or says no.

use super::frame::{Frame, GuardedText};
use super::second_factor::FactorQuestion;
use crate::app::SandboxLogin;
use askama::Template;
use rules::guidance::promises::PromiseGroup;

/// `/apiAuthorize.action`: a person decides whether an app may use their account.
#[derive(Debug, Template)]
#[template(path = "authorize.html")]
pub struct AuthorizePage {
    pub frame: Frame,
    pub owner: String,
    pub product: String,
    /// Whether the app says itself what it is, and nobody who runs the service has checked it.
    pub unchecked: bool,
    /// What is asked for; `rules::guidance::promises` has the wording.
    pub asks: Vec<PromiseGroup>,
    /// What is asked for in SMART's words: lines to be unticked. Then `asks` is empty.
    pub lines: Vec<ScopeLine>,
    /// Who has signed in on the page before; nobody yet: it asks for username and password.
    pub reader: Option<KnownReader>,
    /// How often a password may still be typed, before the reader is sent back without access.
    pub tries_left: u32,
    /// Whether it asks for the second factor, after the password.
    pub code: Option<CodeQuestion>,
    /// Completes "Access lasts …": "for 90 days, until 12 February 2027", "until you take it back".
    pub how_long: String,
    /// Completes "we will send you back to …": the host of the redirect URI, or words for an app on this device.
    pub returns_to: String,
    pub action: String,
    pub form: GuardedText,
    pub username: String,
    pub problem: Option<String>,
}

/// A scope of SMART, which can be unticked.
#[derive(Debug)]
pub struct ScopeLine {
    pub field: String,
    /// The scope as it is spelt.
    pub value: String,
    pub text: String,
    pub is_ticked: bool,
}

/// A code that is asked for.
#[derive(Debug)]
pub struct CodeQuestion {
    /// For how many days the browser can be remembered, where it can.
    pub remember_days: Option<i64>,
    pub question: FactorQuestion,
}

/// Somebody who has signed in on the authorization page, and has yet to approve.
#[derive(Debug)]
pub struct KnownReader {
    pub name: String,
    /// Completes "You opened … for …", where the app was opened from here about somebody or for a team.
    pub about: Option<String>,
    pub choice: Option<Choice>,
    /// What the app would see today, of each record that can be chosen.
    pub counts: Vec<RecordCounts>,
}

/// A record or a team to be chosen.
#[derive(Debug)]
pub struct Choice {
    pub field: &'static str,
    pub legend: &'static str,
    pub hint: &'static str,
    pub options: Vec<ChoiceOption>,
    /// What was searched for, where more can be found than is shown.
    pub search: Option<String>,
}

impl Choice {
    /// The id of its first option on the page, to which a problem's link leads; where there is none, of what finds others.
    pub(super) fn first(&self) -> String {
        if self.options.is_empty() { "q".into() } else { format!("{}-1", self.field) }
    }
}

#[derive(Debug)]
pub struct ChoiceOption {
    pub id: String,
    pub text: String,
    pub is_chosen: bool,
}

/// What is in a record, counted.
#[derive(Debug)]
pub struct RecordCounts {
    /// Completes "What it would see today of …".
    pub of: String,
    pub rows: Vec<RecordCount>,
    /// No more than so many were counted.
    pub most: Option<i64>,
}

#[derive(Debug)]
pub struct RecordCount {
    pub part: String,
    pub counts: String,
}

/// Any page that says no: a wrong link from an app, 403, 404, 413, 429, 500.
#[derive(Debug, Template)]
#[template(path = "error.html")]
pub struct ErrorPage {
    pub frame: Frame,
    pub status: u16,
    pub heading: String,
    pub what_was_wrong: String,
    pub what_to_do: String,
}

/// `/sign-in`.
#[derive(Debug, Template)]
#[template(path = "sign_in.html")]
pub struct SignInPage {
    pub frame: Frame,
    pub form: GuardedText,
    /// Where to go afterwards.
    pub next: String,
    pub username: String,
    pub problem: Option<String>,
    /// Why the reader must sign in again, if they were signed in.
    pub notice: Option<String>,
    /// Who can sign in to a sandbox.
    pub logins: Vec<SandboxLogin>,
}

/// `/` for somebody who is not signed in.
#[derive(Debug, Template)]
#[template(path = "front.html")]
pub struct FrontPage {
    pub frame: Frame,
}

/// `/apiLogout.action`: asks whether somebody wants to be signed out.
#[derive(Debug, Template)]
#[template(path = "logout.html")]
pub struct LogoutPage {
    pub frame: Frame,
    pub name: String,
    /// The app that asks, if it says which it is.
    pub product: Option<String>,
    pub action: String,
    pub form: GuardedText,
    pub request: GuardedText,
}

/// Something was done: a few words, and where to go from here.
#[derive(Debug, Template)]
#[template(path = "done.html")]
pub struct DonePage {
    pub frame: Frame,
    pub heading: String,
    pub text: String,
    pub links: Vec<Link>,
}

#[derive(Debug, Clone)]
pub struct Link {
    pub href: String,
    pub text: String,
}
