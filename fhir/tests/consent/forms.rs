//! Consents in the canonical form, what is read of them, and what is refused.

use fhir::consent::{
    BasisForm, CanonicalConsent, ConsentReading, DEFAULT_SYSTEMS, GranteeReference, Sharing, Vocabulary, canonical,
    read,
};
use fhir::limits::Shape;
use fhir::validation::{Expectation, validate};
use rules::calendar::instant;
use rules::labels::{Coding, Label, Labels};
use rules::moment::Moment;
use serde_json::{Value, json};

pub(crate) const CHANGED_AT: &str = "2027-01-15T08:00:00.000Z";
pub(crate) const EXPECTATION: Expectation<'static> =
    Expectation { resource_type: None, id: None, shape: Shape { depth: 64, values: 10_000 }, issues: 100 };

pub(crate) fn label(system: &str, code: &str) -> Option<i64> {
    Label::of_coding("Consent", &Coding { system: Some(system), code: Some(code) }).map(Label::bit)
}

pub(crate) fn vocabulary() -> Vocabulary<'static> {
    Vocabulary { base: "https://records.example/fhir", systems: DEFAULT_SYSTEMS, label: &label }
}

pub(crate) fn shared(consent: &Value) -> Sharing {
    match read(consent, &vocabulary()) {
        Ok(ConsentReading::Sharing(sharing)) => sharing,
        other => panic!("not shared: {other:?}"),
    }
}

/// The elements that are not understood.
pub(crate) fn refused(consent: &Value) -> Vec<String> {
    let issues = read(consent, &vocabulary()).expect_err("refused");
    issues.into_iter().map(|issue| issue.expression).collect()
}

pub(crate) fn sharing() -> Sharing {
    Sharing {
        patient: "amina".into(),
        grantee: GranteeReference::Organization("clinic".into()),
        labels: 5,
        is_inactive: false,
        ends_at: None,
        locked: Some(false),
        manages: Some(false),
        basis: Some(BasisForm { basis: "EXPLICIT".into(), reason: Some("OTHER".into()), text: Some("told us".into()) }),
    }
}

pub(crate) fn written(sharing: &Sharing, sent: Option<&Value>) -> Value {
    let labels: Vec<&str> = Labels(sharing.labels).each().map(Label::code).collect();
    let ends_at = sharing.ends_at.map(|end| instant(Moment(end)));
    let form = CanonicalConsent {
        id: "01900000-0000-7000-8000-000000000001",
        sharing,
        labels: &labels,
        is_pending: false,
        is_over: sharing.is_inactive,
        changed_at: CHANGED_AT,
        ends_at: ends_at.as_deref(),
        performers: &["Patient/amina"],
        sent,
    };
    let written = canonical(&form, &vocabulary());
    let issues = validate(&written.to_string(), &EXPECTATION);
    assert!(issues.is_empty(), "the canonical form is FHIR R4: {issues:?}");
    written
}

/// The canonical form with one element changed, by its JSON pointer.
pub(crate) fn with(pointer: &str, value: Value) -> Value {
    let mut form = written(&sharing(), None);
    let (holder, name) = pointer.rsplit_once('/').expect("a pointer");
    form.pointer_mut(holder).and_then(Value::as_object_mut).expect("an object").insert(name.into(), value);
    form
}

pub(crate) fn without(pointer: &str) -> Value {
    let mut form = written(&sharing(), None);
    let (holder, name) = pointer.rsplit_once('/').expect("a pointer");
    form.pointer_mut(holder).and_then(Value::as_object_mut).expect("an object").remove(name).expect("it was there");
    form
}

pub(crate) fn concept(system: &str, code: &str) -> Value {
    json!({ "coding": [{ "system": system, "code": code }] })
}

pub(crate) fn policy(code: &str) -> Value {
    concept("http://terminology.hl7.org/CodeSystem/v3-ActCode", code)
}
