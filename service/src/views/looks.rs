//! What the page shows on which a professional reads what they looked at themselves.

use super::frame::{Frame, TimeText};
use askama::Template;

/// `/looks`.
#[derive(Debug, Template)]
#[template(path = "looks.html")]
pub struct LooksPage {
    pub frame: Frame,
    pub days: Vec<LookDay>,
    pub older: Option<String>,
}

/// What somebody did on one day.
#[derive(Clone, Debug)]
pub struct LookDay {
    /// `15 November 2026`.
    pub text: String,
    /// `2026-11-15`.
    pub date: String,
    pub looks: Vec<LookLine>,
}

#[derive(Clone, Debug)]
pub struct LookLine {
    pub at: TimeText,
    pub what: String,
    /// The id of the patient.
    pub patient: Option<String>,
    /// Who did it, where that is not the reader, and through which team or app.
    pub by: Vec<String>,
    /// Whether it was by a broken glass.
    pub is_emergency: bool,
}
