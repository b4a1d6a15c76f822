//! What is told of why somebody sees an item, or does not.

use serde::{Deserialize, Serialize};

/// The whole answer.
#[derive(Debug, Serialize, Deserialize)]
pub struct Explanation {
    /// In words: `the team Sleep Clinic`.
    pub viewer: String,
    /// The id of the Patient resource.
    pub patient: String,
    /// `Observation/123`.
    pub item: String,
    /// The moment that was asked about.
    pub at: String,
    /// Whether a read of the item by that viewer is answered with it.
    pub sees: bool,
    /// What such a read hears: `shown`, or the status, the code and the words of the refusal.
    pub answer: String,
    /// `self`, `source`, `participant`, `consent`, `glass` or `directory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
    /// Through whose eyes it is seen, where the viewer has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    /// Every right in its order, and what was found of it, as it was decided.
    pub steps: Vec<String>,
    /// The labels of the patient that are held.
    pub held: Vec<String>,
    /// What the patient has given to the viewer.
    pub consents: Vec<ConsentTold>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub glass: Option<GlassTold>,
    /// What else bears on it: states of the record, and changes since the moment that was asked about.
    pub notes: Vec<String>,
}

/// A consent, and who gave it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ConsentTold {
    pub id: String,
    /// The name of the grantee.
    pub to: String,
    pub labels: Vec<String>,
    /// `PENDING`, `ACTIVE`, `DISCHARGED` or `ENDED`.
    pub state: String,
    /// `EXPLICIT, PATIENT_CONSENTED`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<String>,
    pub given_at: String,
    pub changed_at: String,
    /// Who changed it last.
    pub changed_by: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<String>,
}

/// A broken glass.
#[derive(Debug, Serialize, Deserialize)]
pub struct GlassTold {
    pub broken_at: String,
    pub broken_by: String,
    pub until: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
