//! A consent as the command line shows it.

use crate::formats::when::rfc3339;
use rules::consent::record::Consent;
use rules::labels::Label;
use rules::moment::Moment;
use serde::{Deserialize, Serialize};
use store::reach::consents::StoredConsent;

#[derive(Debug, Serialize, Deserialize)]
pub struct ConsentSummary {
    pub id: String,
    /// The kind of grantee: `TEAM`, `PROFESSIONAL` or `CARER`.
    pub kind: String,
    /// The public id of a team, the username of a person.
    pub grantee: String,
    pub grantee_name: String,
    pub labels: Vec<String>,
    /// `PENDING`, `ACTIVE`, `DISCHARGED` or `ENDED`.
    pub state: String,
    pub locked: bool,
    pub manages: bool,
    /// Whether the patient has taken labels away: then an implied consent does not give them back.
    pub withdrawn: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<String>,
    pub changed_at: String,
}

impl ConsentSummary {
    /// The grantee is told by id and name.
    pub(super) fn of(stored: &StoredConsent, (grantee, grantee_name): (String, String), now: Moment) -> Self {
        let consent: &Consent = stored.consent();
        let basis = consent.basis.as_ref();
        Self {
            id: consent.id.to_string(),
            kind: consent.grantee.word().into(),
            grantee,
            grantee_name,
            labels: consent.labels.each().map(Label::code).map(String::from).collect(),
            state: consent.state(now).code().into(),
            locked: consent.locked.is_some(),
            manages: consent.manages,
            withdrawn: consent.withdrawn,
            basis: basis.map(|basis| basis.kind.code().into()),
            reason: basis.map(|basis| basis.reason.code().into()),
            reason_text: basis.and_then(|basis| basis.text.clone()),
            ends_at: consent.ends_at.map(rfc3339),
            changed_at: rfc3339(stored.changed_at),
        }
    }
}
