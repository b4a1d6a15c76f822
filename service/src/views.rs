//! What the pages show: plain data that the handlers fill in and the templates in `templates/` lay out.

pub mod access_log;
pub mod grants;
pub mod sample;
pub mod words;

use askama::Template;
use std::fmt;

/// Text that a page must carry but that no log may: a refresh token, a sealed form value.
#[derive(Clone, Default)]
pub struct Guarded(String);

impl Guarded {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// For templates only: the text as the reader's browser needs it.
    pub fn shown(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[guarded]")
    }
}

/// A moment, once for people and once for machines (`<time datetime>`).
#[derive(Debug, Clone)]
pub struct Shown {
    pub text: String,
    pub iso: String,
}

/// What the layout around every page needs to know.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    pub sandbox: bool,
    pub signed_in_as: Option<String>,
    /// Sealed form value of the sign-out button; without it there is no button.
    pub sign_out_form: Option<Guarded>,
}

/// `/apiAuthorize.action`: a person decides whether an app may use their account.
#[derive(Debug, Template)]
#[template(path = "authorize.html")]
pub struct AuthorizePage {
    pub frame: Frame,
    pub owner: String,
    pub product: String,
    /// What is asked for, a sentence each; `words` holds the wording by scope.
    pub asks: Vec<String>,
    /// Completes "Access lasts …": "for 90 days, until 12 February 2027", "until you take it back".
    pub how_long: String,
    /// Completes "we will send you back to …": the host of the redirect URI, or words for an app on this device.
    pub returns_to: String,
    pub action: String,
    pub form: Guarded,
    pub username: String,
    pub problem: Option<String>,
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
    pub form: Guarded,
    /// Where to go afterwards.
    pub next: String,
    pub username: String,
    pub problem: Option<String>,
}

/// A signed-in person whose user type has no page of its own.
#[derive(Debug, Template)]
#[template(path = "home.html")]
pub struct HomePage {
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

#[cfg(test)]
mod specimens;
#[cfg(test)]
mod tests;
