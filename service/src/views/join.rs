//! What the two pages show on which somebody who was invited makes their account.

use super::frame::{Frame, GuardedText};
use super::password::FieldProblem;
use askama::Template;

/// `/join`: the code, the token and the date of birth.
#[derive(Debug, Template)]
#[template(path = "join.html")]
pub struct JoinPage {
    pub frame: Frame,
    pub form: GuardedText,
    pub code: String,
    pub token: GuardedText,
    /// The e-mail address out of the link, for the page that follows.
    pub email: String,
    pub day: String,
    pub month: String,
    pub year: String,
    pub problem: Option<FieldProblem>,
}

/// The page that follows: e-mail address and password.
#[derive(Debug, Template)]
#[template(path = "join_account.html")]
pub struct JoinAccountPage {
    pub frame: Frame,
    pub form: GuardedText,
    /// Who invites.
    pub organisation: String,
    /// Whether a further code is asked for.
    pub asks_for_paper: bool,
    pub email: String,
    /// Which passwords may be chosen.
    pub rule: String,
    pub problem: Option<FieldProblem>,
}

impl JoinPage {
    fn is_wrong(&self, field: &str) -> bool {
        self.problem.as_ref().is_some_and(|problem| problem.field == field)
    }
}

impl JoinAccountPage {
    fn is_wrong(&self, field: &str) -> bool {
        self.problem.as_ref().is_some_and(|problem| problem.field == field)
    }
}
