//! What the page shows on which a clinician opens a record in an emergency.

use super::frame::{Frame, GuardedText};
use super::password::FieldProblem;
use askama::Template;

/// `/teams/{id}/emergency`, or the same for one patient.
#[derive(Debug, Template)]
#[template(path = "glass.html")]
pub struct GlassPage {
    pub frame: Frame,
    pub team: String,
    pub organisation: String,
    /// To the team's patients.
    pub back: String,
    pub action: String,
    pub form: GuardedText,
    /// Whether the patient is asked for, too.
    pub asks_for_number: bool,
    pub number: String,
    pub reason: String,
    pub needs_reason: bool,
    pub minutes: i64,
    pub problem: Option<FieldProblem>,
}
