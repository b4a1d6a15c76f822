//! What the pages show on which a clinician chooses a team and one of its patients.

use super::frame::Frame;
use super::record::DateText;
use askama::Template;

/// `/teams`: the teams of a clinician, to choose one.
#[derive(Debug, Template)]
#[template(path = "teams.html")]
pub struct TeamsPage {
    pub frame: Frame,
    pub teams: Vec<TeamWay>,
}

#[derive(Clone, Debug)]
pub struct TeamWay {
    pub name: String,
    pub organisation: String,
    pub href: String,
}

/// `/teams/{id}`: the patients whom a team has in its care, or had.
#[derive(Debug, Template)]
#[template(path = "team_patients.html")]
pub struct TeamPatientsPage {
    pub frame: Frame,
    pub team: String,
    /// Where the search leads.
    pub path: String,
    /// Whether there are other teams to choose.
    pub has_others: bool,
    pub sought: String,
    pub states: Vec<CareChoice>,
    pub patients: Vec<TeamPatientRow>,
    /// Whether a search found more than is shown.
    pub is_cut: bool,
    pub older: Option<String>,
    /// To the page by which a record is opened in an emergency, where the team may.
    pub emergency: Option<String>,
}

#[derive(Clone, Debug)]
pub struct CareChoice {
    pub word: &'static str,
    pub text: &'static str,
    pub is_chosen: bool,
}

#[derive(Clone, Debug)]
pub struct TeamPatientRow {
    pub name: String,
    pub born: Option<DateText>,
    pub numbers: Vec<String>,
    /// What the team sees, or that the care has ended.
    pub sees: String,
    pub href: String,
}
