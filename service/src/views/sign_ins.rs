//! What the page shows on which a person sees where they are signed in.

use super::frame::{Frame, GuardedText, TimeText};
use askama::Template;

/// `/sign-ins`.
#[derive(Debug, Template)]
#[template(path = "sign_ins.html")]
pub struct SignInsPage {
    pub frame: Frame,
    pub notice: Option<String>,
    pub here: Option<BrowserRow>,
    pub others: Vec<BrowserRow>,
    /// Sealed form value of the button that ends all others.
    pub form: GuardedText,
}

/// One browser.
#[derive(Clone, Debug)]
pub struct BrowserRow {
    pub name: String,
    pub since: TimeText,
    /// To some minutes.
    pub last_used: TimeText,
    pub action: String,
    pub form: GuardedText,
}
