//! What the page shows where a person chooses a new password.

use super::frame::{Frame, GuardedText};
use askama::Template;

/// `/password`.
#[derive(Debug, Template)]
#[template(path = "password.html")]
pub struct PasswordPage {
    pub frame: Frame,
    pub form: GuardedText,
    /// Which passwords may be chosen.
    pub rule: String,
    pub problems: Vec<FieldProblem>,
}

/// What was wrong with what was filled in, and in which field it can be mended.
#[derive(Debug, Clone)]
pub struct FieldProblem {
    pub text: String,
    pub field: &'static str,
}

impl PasswordPage {
    fn is_wrong(&self, field: &str) -> bool {
        self.problems.iter().any(|problem| problem.field == field)
    }
}
