//! A consent as FHIR has it: the canonical Consent, and the RelatedPerson of a carer.

use crate::app::App;
use crate::formats::when;
use crate::preparation;
use fhir::consent::{BasisForm, CanonicalConsent, DEFAULT_SYSTEMS, GranteeReference, Sharing, Vocabulary, canonical};
use fhir::types::ResourceType;
use rules::consent::record::{Consent, ConsentState, Grantee};
use rules::labels::{Coding, Label};
use serde_json::{Value, json};
use std::sync::Arc;
use store::sharing::change::{ConsentForm, ConsentNames};
use store::write::resource_write::NewResource;

/// The bit of the label that a system and a code stand for in a Consent.
pub(crate) fn label_bit(system: &str, code: &str) -> Option<i64> {
    let coding = Coding { system: Some(system), code: Some(code) };
    Label::of_coding(ResourceType::Consent.name(), &coding).map(Label::bit)
}

/// How consents are written; `sent` is the Consent of which some elements are kept.
pub(crate) fn consent_form(app: &App, sent: Option<Value>) -> ConsentForm {
    let base = preparation::base(&app.settings.base_url);
    Arc::new(move |names: &ConsentNames<'_>| {
        let vocabulary = Vocabulary { base: &base, systems: DEFAULT_SYSTEMS, label: &label_bit };
        let mut texts = vec![consent(names, sent.as_ref(), &vocabulary)];
        if names.consent.grantee.is_carer() {
            texts.push(related_person(names));
        }
        texts.iter().map(|text| prepared(text, &base)).collect()
    })
}

fn prepared(text: &Value, base: &str) -> store::Result<NewResource> {
    let text = text.to_string();
    preparation::prepare(&text, base)
        .map_err(|flaw| store::Error::Impossible(format!("the form of a consent is no FHIR: {flaw}")))
}

fn consent(names: &ConsentNames<'_>, sent: Option<&Value>, vocabulary: &Vocabulary<'_>) -> Value {
    let ConsentNames { consent, patient, now, .. } = names;
    let sharing = Sharing {
        patient: (*patient).to_owned(),
        grantee: grantee_reference(consent, names.grantee),
        labels: consent.labels.0,
        is_inactive: consent.discharged,
        ends_at: consent.ends_at.map(|end| end.0),
        locked: Some(consent.locked.is_some()),
        manages: Some(consent.manages),
        basis: consent.basis.as_ref().map(|basis| BasisForm {
            basis: basis.kind.code().into(),
            reason: Some(basis.reason.code().into()),
            text: basis.text.clone(),
        }),
    };
    let state = consent.state(*now);
    let labels: Vec<&str> = consent.labels.each().map(Label::code).collect();
    let (id, changed_at) = (consent.id.to_string(), when::rfc3339(*now));
    let ends_at = consent.ends_at.map(when::rfc3339);
    let form = CanonicalConsent {
        id: &id,
        sharing: &sharing,
        labels: &labels,
        is_pending: state == ConsentState::Pending,
        is_over: matches!(state, ConsentState::Discharged | ConsentState::Ended),
        changed_at: &changed_at,
        ends_at: ends_at.as_deref(),
        performers: &[&format!("Patient/{patient}")],
        sent,
    };
    canonical(&form, vocabulary)
}

/// How a Consent names its grantee. `name` is the public id of a team, the number of a person.
pub(crate) fn grantee_reference(consent: &Consent, name: &str) -> GranteeReference {
    match consent.grantee {
        Grantee::Team(_) => GranteeReference::Organization(name.to_owned()),
        Grantee::Professional(user) => GranteeReference::Practitioner(user.0.to_string()),
        Grantee::Carer(_) => GranteeReference::RelatedPerson(consent.id.to_string()),
    }
}

/// The carer, in the record that they care for.
fn related_person(names: &ConsentNames<'_>) -> Value {
    let is_active = names.consent.state(names.now) == ConsentState::Active;
    json!({
        "resourceType": "RelatedPerson",
        "id": names.consent.id.to_string(),
        "active": is_active,
        "patient": { "reference": format!("Patient/{}", names.patient) },
        "name": [{ "text": names.grantee_name }],
    })
}
