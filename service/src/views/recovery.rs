//! What the pages show of a forgotten password, and of the mail that a sandbox would have sent.

use super::frame::{Frame, GuardedText, TimeText};
use super::password::FieldProblem;
use askama::Template;

/// `/forgotten-password`.
#[derive(Debug, Template)]
#[template(path = "forgotten_password.html")]
pub struct ForgottenPasswordPage {
    pub frame: Frame,
    /// `None`: the service writes no mail, and the page says who can help.
    pub form: Option<GuardedText>,
    pub problem: Option<FieldProblem>,
}

/// `/new-password/{id}`: where the link of the mail leads.
#[derive(Debug, Template)]
#[template(path = "new_password.html")]
pub struct NewPasswordPage {
    pub frame: Frame,
    /// The path with the link in it.
    pub action: GuardedText,
    /// Whose account it is.
    pub username: String,
    /// Which passwords may be chosen.
    pub rule: String,
    pub problems: Vec<FieldProblem>,
}

/// `/sandbox/outbox`.
#[derive(Debug, Template)]
#[template(path = "outbox.html")]
pub struct OutboxPage {
    pub frame: Frame,
    pub mails: Vec<OutboxMail>,
}

/// A mail that would have been sent.
#[derive(Debug)]
pub struct OutboxMail {
    pub to: String,
    pub subject: &'static str,
    pub at: TimeText,
    pub paragraphs: Vec<String>,
    /// Where its link leads.
    pub link: Option<GuardedText>,
    /// Whether it had a link that is over.
    pub is_over: bool,
}

impl NewPasswordPage {
    fn is_wrong(&self, field: &str) -> bool {
        self.problems.iter().any(|problem| problem.field == field)
    }
}
