//! What the pages show to a Team Coordinator about the accounts of the team's patients: which were made by invitation, who needs a
//! further code, and the paper with that code.

use super::frame::{Frame, GuardedText, TimeText};
use askama::Template;

/// `/coordinator/accounts`.
#[derive(Debug, Template)]
#[template(path = "accounts.html")]
pub struct AccountsPage {
    pub frame: Frame,
    /// Something that has just been done, or was not.
    pub notice: Option<String>,
    pub accounts: Vec<AccountRow>,
    /// Where accounts are that were made earlier, if there are any.
    pub older: Option<String>,
    pub awaited: Vec<AwaitedRow>,
    /// Where further patients are who need a paper, if there are any.
    pub more_awaited: Option<String>,
}

/// A patient as the team sees them.
#[derive(Clone, Debug)]
pub struct PatientText {
    pub name: String,
    /// The id of the Patient resource.
    pub id: String,
    pub born: Option<String>,
}

#[derive(Clone, Debug)]
pub struct AccountRow {
    pub patient: PatientText,
    pub invited_by: String,
    pub made: TimeText,
    /// Present where the account is over.
    pub ended: Option<TimeText>,
    pub end_action: String,
    pub form: GuardedText,
}

#[derive(Clone, Debug)]
pub struct AwaitedRow {
    pub patient: PatientText,
    pub invited_by: String,
    pub until: TimeText,
    /// Until when the code is good that was printed last, if one was.
    pub printed_until: Option<TimeText>,
    pub print_action: String,
    pub form: GuardedText,
}

/// The answer that shows a further code, on no other page and never again.
#[derive(Debug, Template)]
#[template(path = "paper.html")]
pub struct PaperPage {
    pub frame: Frame,
    pub patient: PatientText,
    pub invited_by: String,
    pub code: GuardedText,
    pub until: TimeText,
    /// Where the patient makes the account.
    pub join: String,
}
