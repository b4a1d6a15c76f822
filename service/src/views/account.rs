//! What the pages show on which a person sees and changes their own account.

use super::frame::{Frame, GuardedText};
use super::password::FieldProblem;
use askama::Template;

/// `/account`.
#[derive(Debug, Template)]
#[template(path = "account.html")]
pub struct AccountPage {
    pub frame: Frame,
    pub notice: Option<&'static str>,
    pub username: String,
    /// What the record says of the person: none, for who has no record here.
    pub facts: Vec<AccountFact>,
    /// The e-mail address that they have confirmed.
    pub email: Option<String>,
    /// What they typed last.
    pub typed: String,
    /// Whether the service writes mail at all.
    pub writes_mail: bool,
    /// Whether they have a record to download, and an account that is theirs to close.
    pub has_record: bool,
    pub has_apps: bool,
    pub form: GuardedText,
    pub problem: Option<FieldProblem>,
}

/// One thing that the record says.
#[derive(Debug)]
pub struct AccountFact {
    pub name: &'static str,
    pub text: String,
}

/// `/account/confirm/{id}`: where the link of the mail leads.
#[derive(Debug, Template)]
#[template(path = "account_confirm.html")]
pub struct AccountConfirmPage {
    pub frame: Frame,
    pub address: String,
    /// The path with the link in it.
    pub action: GuardedText,
    pub form: GuardedText,
}

/// `/account/close`.
#[derive(Debug, Template)]
#[template(path = "account_close.html")]
pub struct AccountClosePage {
    pub frame: Frame,
    pub form: GuardedText,
    pub problem: Option<FieldProblem>,
}

impl AccountPage {
    fn is_wrong(&self, field: &str) -> bool {
        self.problem.as_ref().is_some_and(|problem| problem.field == field)
    }
}
