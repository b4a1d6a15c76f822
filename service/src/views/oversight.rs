//! What the pages of a privacy officer show: emergency looks, and of one patient the sharing and who looked. No item of a record.

use super::frame::{Frame, GuardedText, TimeText};
use super::looks::LookDay;
use super::password::FieldProblem;
use super::record::DateText;
use askama::Template;

/// `/officer`: the emergency looks of the organisation's teams, and the way to a patient.
#[derive(Debug, Template)]
#[template(path = "officer.html")]
pub struct OfficerPage {
    pub frame: Frame,
    pub organisation: String,
    pub number: String,
    pub problem: Option<FieldProblem>,
    pub form: GuardedText,
    pub glasses: Vec<GlassText>,
    pub older: Option<String>,
}

/// A glass that was broken.
#[derive(Clone, Debug)]
pub struct GlassText {
    pub at: TimeText,
    pub until: TimeText,
    pub user: String,
    pub team: String,
    /// The id of the patient.
    pub patient: String,
    pub reason: Option<String>,
    /// To what was seen.
    pub href: String,
}

/// `/officer/emergencies/{id}`: what was seen in one of them.
#[derive(Debug, Template)]
#[template(path = "officer_glass.html")]
pub struct OfficerGlassPage {
    pub frame: Frame,
    pub glass: GlassText,
    /// The parts of the record, each with how often it was opened.
    pub seen: Vec<String>,
    pub days: Vec<LookDay>,
}

/// `/officer/patients/{id}`: who a patient is, with whom the record is shared, and its states.
#[derive(Debug, Template)]
#[template(path = "officer_patient.html")]
pub struct OfficerPatientPage {
    pub frame: Frame,
    pub notice: Option<&'static str>,
    pub problem: Option<FieldProblem>,
    pub name: String,
    pub born: Option<DateText>,
    pub numbers: Vec<String>,
    pub path: String,
    pub consents: Vec<ConsentText>,
    pub states: Vec<StateForm>,
    pub form: GuardedText,
    pub history: Vec<LookDay>,
    pub older: Option<String>,
}

#[derive(Clone, Debug)]
pub struct ConsentText {
    pub name: String,
    pub kind: &'static str,
    pub about: Vec<String>,
}

/// A state of a record as it is, and the other one.
#[derive(Clone, Debug)]
pub struct StateForm {
    pub id: &'static str,
    pub heading: &'static str,
    pub text: &'static str,
    pub decision: &'static str,
    pub button: &'static str,
}

/// `/officer/patients/{id}/looks`: who of the organisation looked at a record.
#[derive(Debug, Template)]
#[template(path = "officer_looks.html")]
pub struct OfficerLooksPage {
    pub frame: Frame,
    pub name: String,
    pub organisation: String,
    pub path: String,
    pub days: Vec<LookDay>,
    pub older: Option<String>,
}
