//! What the pages of sharing show: with whom a patient shares what, and the forms that change it.

use super::frame::{Frame, GuardedText};
use super::password::FieldProblem;
use super::record::DateText;
use askama::Template;

/// `/sharing`: teams, professionals and carers, and the four labels.
#[derive(Debug, Template)]
#[template(path = "sharing.html")]
pub struct SharingPage {
    pub frame: Frame,
    pub notice: Option<&'static str>,
    /// How many items each label opens today.
    pub labels: Vec<LabelText>,
    pub shared: Vec<SharingRow>,
    /// With whom nothing is shared, or not any more.
    pub over: Vec<SharingRow>,
    /// Who looked beyond what is shared, the newest first.
    pub emergencies: Vec<EmergencyLook>,
}

/// A glass that was broken, as the patient was told of it.
#[derive(Clone, Debug)]
pub struct EmergencyLook {
    pub at: DateText,
    pub text: String,
    pub reason: Option<String>,
}

/// A label, and how much of the record it is.
#[derive(Clone, Debug)]
pub struct LabelText {
    pub name: &'static str,
    pub items: String,
}

/// One to whom the record is open, or was.
#[derive(Clone, Debug)]
pub struct SharingRow {
    pub name: String,
    /// `Team`, `Professional`, `Carer`.
    pub kind: &'static str,
    pub cells: Vec<SharingCell>,
    /// Since when, on what it rests, and until when.
    pub about: Vec<String>,
    /// To the page that changes it.
    pub change: String,
}

#[derive(Clone, Debug)]
pub struct SharingCell {
    pub label: &'static str,
    pub is_shared: bool,
}

/// `/sharing/{id}`: what one of them sees, to be changed or ended.
#[derive(Debug, Template)]
#[template(path = "sharing_change.html")]
pub struct SharingChangePage {
    pub frame: Frame,
    pub problem: Option<String>,
    pub row: SharingRow,
    pub labels: Vec<LabelChoice>,
    /// Whether professionals have locked it.
    pub is_locked: bool,
    /// Whether nothing is shared.
    pub is_over: bool,
    /// What ending it comes to.
    pub end: String,
    pub form: GuardedText,
}

/// A label that can be ticked.
#[derive(Clone, Debug)]
pub struct LabelChoice {
    pub code: &'static str,
    pub name: &'static str,
    pub items: String,
    pub is_ticked: bool,
}

/// `/sharing/carer`: somebody is invited to care for the record.
#[derive(Debug, Template)]
#[template(path = "carer_invitation.html")]
pub struct CarerInvitationPage {
    pub frame: Frame,
    pub problem: Option<FieldProblem>,
    pub email: String,
    pub labels: Vec<LabelChoice>,
    pub manages: bool,
    pub form: GuardedText,
}
