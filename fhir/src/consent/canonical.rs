//! The canonical form of a Consent: what is shared, in the one way in which this service writes it.

use crate::consent::sharing::Sharing;
use crate::consent::vocabulary::{
    ACCESS, ACT_CODE, ACTION, BASIS, CONSENT_DOCUMENT, LABEL, LOCKED, LOINC, MANAGES, PARTICIPATION, PATIENT_PRIVACY,
    REASON, SCOPE, Vocabulary,
};
use serde_json::{Map, Value, json};

/// What the form says besides what is shared.
#[derive(Clone, Copy, Debug)]
pub struct CanonicalConsent<'c> {
    pub id: &'c str,
    pub sharing: &'c Sharing,
    /// The codes of the labels granted, in their order.
    pub labels: &'c [&'c str],
    /// Invited, and not accepted yet.
    pub is_pending: bool,
    /// Discharged or ended.
    pub is_over: bool,
    /// The moment of the last change, and the end, as R4 writes an instant.
    pub changed_at: &'c str,
    pub ends_at: Option<&'c str>,
    /// References to those who consented or attested.
    pub performers: &'c [&'c str],
    /// The Consent as it was sent, of which some elements are kept.
    pub sent: Option<&'c Value>,
}

/// Elements that are kept as they were sent.
const KEPT: [&str; 7] =
    ["text", "identifier", "organization", "sourceAttachment", "sourceReference", "policy", "verification"];

/// Writes the form.
#[must_use]
pub fn canonical(consent: &CanonicalConsent<'_>, vocabulary: &Vocabulary<'_>) -> Value {
    let sharing = consent.sharing;
    let status = match (consent.is_over, consent.is_pending) {
        (true, _) => "inactive",
        (false, true) => "proposed",
        (false, false) => "active",
    };
    let mut form = Map::new();
    let mut set = |name: &str, value: Value| form.insert(name.into(), value);
    set("resourceType", "Consent".into());
    set("id", consent.id.into());
    for name in KEPT {
        if let Some(kept) = consent.sent.and_then(|sent| sent.get(name)) {
            set(name, kept.clone());
        }
    }
    set("extension", extensions(sharing, vocabulary));
    set("status", status.into());
    set("scope", concept(SCOPE, PATIENT_PRIVACY));
    set("category", json!([concept(LOINC, CONSENT_DOCUMENT)]));
    set("patient", json!({ "reference": format!("Patient/{}", sharing.patient) }));
    set("dateTime", consent.changed_at.into());
    if !consent.performers.is_empty() {
        let performers = consent.performers.iter().map(|reference| json!({ "reference": reference })).collect();
        set("performer", Value::Array(performers));
    }
    set("policyRule", concept(ACT_CODE, "OPTOUTE"));
    set("provision", provision(consent, vocabulary));
    Value::Object(form)
}

/// A refusal, and an exception from it for each label.
fn provision(consent: &CanonicalConsent<'_>, vocabulary: &Vocabulary<'_>) -> Value {
    let actor = json!([{ "role": concept(PARTICIPATION, "PRCP"),
        "reference": { "reference": consent.sharing.grantee.reference() } }]);
    let permit = |code: &&str| {
        json!({ "type": "permit", "actor": actor, "action": [concept(ACTION, ACCESS)],
            "securityLabel": [{ "system": vocabulary.ours(LABEL), "code": code }] })
    };
    let mut root = Map::new();
    root.insert("type".into(), "deny".into());
    if let Some(end) = consent.ends_at {
        root.insert("period".into(), json!({ "end": end }));
    }
    root.insert("actor".into(), actor.clone());
    if !consent.labels.is_empty() {
        root.insert("provision".into(), consent.labels.iter().map(permit).collect());
    }
    Value::Object(root)
}

fn extensions(sharing: &Sharing, vocabulary: &Vocabulary<'_>) -> Value {
    let flag = |name: &str, flag: Option<bool>| json!({ "url": vocabulary.ours(name), "valueBoolean": flag.unwrap_or_default() });
    let mut all = vec![flag(LOCKED, sharing.locked), flag(MANAGES, sharing.manages)];
    if let Some(basis) = &sharing.basis {
        let mut codings = vec![json!({ "system": vocabulary.ours(BASIS), "code": basis.basis })];
        if let Some(reason) = &basis.reason {
            codings.push(json!({ "system": vocabulary.ours(REASON), "code": reason }));
        }
        let mut said = Map::new();
        said.insert("coding".into(), Value::Array(codings));
        if let Some(text) = &basis.text {
            said.insert("text".into(), text.as_str().into());
        }
        all.push(json!({ "url": vocabulary.ours(BASIS), "valueCodeableConcept": said }));
    }
    Value::Array(all)
}

fn concept(system: &str, code: &str) -> Value {
    json!({ "coding": [{ "system": system, "code": code }] })
}
