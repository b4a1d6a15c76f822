//! What the pages show about the second factor: asking for a code, setting one up, its recovery codes, and resetting it by a link.

use super::frame::{Frame, GuardedText};
use super::password::FieldProblem;
use askama::Template;

/// A page that asks for a code: after the password, and before what can harm.
#[derive(Debug, Template)]
#[template(path = "factor_code.html")]
pub struct CodePage {
    pub frame: Frame,
    pub action: &'static str,
    pub form: GuardedText,
    /// Where to go afterwards.
    pub next: String,
    /// Why it is asked for.
    pub why: &'static str,
    /// For how many days the browser can be remembered, where it can.
    pub remember_days: Option<i64>,
    pub problem: Option<String>,
}

/// `/second-factor`.
#[derive(Debug, Template)]
#[template(path = "second_factor.html")]
pub struct SecondFactorPage {
    pub frame: Frame,
    pub notice: Option<&'static str>,
    /// How many recovery codes are left; none, where there is no factor.
    pub recovery_codes: Option<i64>,
    pub changes: FactorChanges,
    pub problem: Option<FieldProblem>,
}

/// What can be changed about a second factor.
#[derive(Debug)]
pub enum FactorChanges {
    /// Nothing, and why.
    None(&'static str),
    /// A code is asked for first.
    ProveFirst,
    /// With the password.
    Form { form: GuardedText, may_remove: bool },
}

/// The page on which a factor is set up.
#[derive(Debug, Template)]
#[template(path = "factor_enrolment.html")]
pub struct FactorEnrolmentPage {
    pub frame: Frame,
    pub form: GuardedText,
    /// To be typed into an app.
    pub secret: GuardedText,
    /// The same to be scanned.
    pub code: QrPicture,
    pub problem: Option<String>,
}

/// A QR code: its modules along an edge, with the quiet zone, and the dark ones as a path.
pub struct QrPicture {
    pub edge: usize,
    pub path: String,
}

/// It holds a secret.
impl std::fmt::Debug for QrPicture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("QrPicture(…)")
    }
}

/// Recovery codes, on the only page that shows them.
#[derive(Debug, Template)]
#[template(path = "recovery_codes.html")]
pub struct RecoveryCodesPage {
    pub frame: Frame,
    pub heading: &'static str,
    pub codes: Vec<GuardedText>,
}

/// `/second-factor/reset`: where an operator's link leads.
#[derive(Debug, Template)]
#[template(path = "factor_reset.html")]
pub struct FactorResetPage {
    pub frame: Frame,
    pub form: GuardedText,
    pub link: GuardedText,
    pub username: String,
    pub problem: Option<String>,
}
