//! What the pages show about the second factor: asking for it, setting up an app or a passkey, recovery codes, and resetting it by a link.

use super::frame::{Frame, GuardedText, TimeText};
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
    pub question: FactorQuestion,
    pub problem: Option<String>,
}

/// What can be shown as a second factor.
#[derive(Debug, Default)]
pub struct FactorQuestion {
    /// Whether an app shows codes; recovery codes there are always.
    pub has_app: bool,
    pub passkey: Option<PasskeyQuestion>,
}

/// A passkey that the page's script asks for.
#[derive(Debug)]
pub struct PasskeyQuestion {
    /// What the answer is held against.
    pub sealed: GuardedText,
    /// What the browser is asked, as JSON.
    pub options: String,
}

/// A passkey, as its owner sees it.
#[derive(Debug)]
pub struct PasskeyRow {
    pub id: i64,
    pub name: String,
    pub made: TimeText,
    pub used: Option<TimeText>,
    pub may_be_removed: bool,
}

/// `/second-factor`.
#[derive(Debug, Template)]
#[template(path = "second_factor.html")]
pub struct SecondFactorPage {
    pub frame: Frame,
    pub notice: Option<&'static str>,
    pub has_app: bool,
    pub passkeys: Vec<PasskeyRow>,
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
    Form { form: GuardedText, may_remove_app: bool, may_make_passkey: bool },
}

/// The page on which a passkey is made.
#[derive(Debug, Template)]
#[template(path = "passkey_enrolment.html")]
pub struct PasskeyEnrolmentPage {
    pub frame: Frame,
    pub form: GuardedText,
    /// What the browser is asked, as JSON.
    pub options: String,
    pub name: String,
    pub problem: Option<String>,
}

/// The page on which an app is set up.
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
