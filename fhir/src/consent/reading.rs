//! Reading a Consent: what it shares, or all that is not understood of it, each by its element. A base permission is never spread
//! over labels that nobody named.

use crate::consent::sharing::Sharing;
use crate::consent::vocabulary::{ACT_CODE, PATIENT_PRIVACY, PERMISSIONS, REFUSALS, SCOPE, Vocabulary, codings, items};
use crate::consent::{actor, extensions, provision};
use crate::issue::{Issue, IssueCode};
use crate::reference::id_in;
use crate::types::ResourceType;
use serde_json::Value;

/// What a Consent is to this service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConsentReading {
    /// An ordinary item, without effect on sharing: of another scope, or of another status.
    WithoutEffect,
    Sharing(Sharing),
}

/// Elements that are kept as they are sent, or set by us.
const KNOWN: [&str; 21] = [
    "resourceType",
    "id",
    "meta",
    "language",
    "text",
    "contained",
    "extension",
    "identifier",
    "status",
    "scope",
    "category",
    "patient",
    "dateTime",
    "performer",
    "organization",
    "sourceAttachment",
    "sourceReference",
    "policy",
    "policyRule",
    "verification",
    "provision",
];

/// Reads a Consent that is valid by R4.
pub fn read(consent: &Value, vocabulary: &Vocabulary<'_>) -> Result<ConsentReading, Vec<Issue>> {
    let status = consent.get("status").and_then(Value::as_str).unwrap_or_default();
    let is_sharing = codings(consent.get("scope")).any(|found| found == (SCOPE, PATIENT_PRIVACY));
    if !is_sharing || !["active", "inactive"].contains(&status) {
        return Ok(ConsentReading::WithoutEffect);
    }
    let mut issues = Vec::new();
    let names = consent.as_object().into_iter().flat_map(|members| members.keys());
    for name in names.filter(|name| !name.starts_with('_') && !KNOWN.contains(&name.as_str())) {
        issues.push(Issue::rule(IssueCode::NotSupported, format!("Consent.{name}"), "is not understood"));
    }
    let patient = consent.get("patient").and_then(|patient| patient.get("reference")).and_then(Value::as_str);
    let patient = patient.and_then(|patient| id_in(patient, ResourceType::Patient, vocabulary.base));
    if patient.is_none() {
        let words = "must be a reference to the patient of this service whose record is shared";
        issues.push(Issue::rule(IssueCode::Required, "Consent.patient", words));
    }
    let is_refusal = policy(consent, &mut issues);
    let root = consent.get("provision").unwrap_or(&Value::Null);
    let (mut grantee, mut granted) = (None, provision::Granted::default());
    let path = "Consent.provision";
    actor::read(root, path, vocabulary, &mut grantee, &mut issues);
    provision::read(root, path, (true, is_refusal), vocabulary, &mut granted, &mut issues);
    for (at, nested) in items(root, "provision").iter().enumerate() {
        let path = format!("{path}.provision[{at}]");
        actor::read(nested, &path, vocabulary, &mut grantee, &mut issues);
        provision::read(nested, &path, (false, is_refusal), vocabulary, &mut granted, &mut issues);
    }
    let ends_at = provision::end(root, path, &mut issues);
    let extended = extensions::read(consent, vocabulary, &mut issues);
    let names_nobody = !issues.iter().any(|issue| issue.expression.contains(".actor["));
    if grantee.is_none() && names_nobody {
        let words = "exactly one grantee is needed: an actor with the role PRCP";
        issues.push(Issue::rule(IssueCode::NotSupported, format!("{path}.actor"), words));
    }
    match (patient, grantee) {
        (Some(patient), Some(grantee)) if issues.is_empty() => Ok(ConsentReading::Sharing(Sharing {
            patient: patient.into(),
            grantee,
            labels: granted.labels(),
            is_inactive: status == "inactive",
            ends_at,
            locked: extended.locked,
            manages: extended.manages,
            basis: extended.basis,
        })),
        _ => Err(issues),
    }
}

/// Whether the policy refuses: then a label without a type is an exception from the refusal. Of any other policy that is understood,
/// and of none, every provision says its type.
fn policy(consent: &Value, issues: &mut Vec<Issue>) -> bool {
    let codes: Vec<(&str, &str)> = codings(consent.get("policyRule")).collect();
    let is = |known: &[&str]| codes.iter().any(|(system, code)| *system == ACT_CODE && known.contains(code));
    let is_understood = consent.get("policyRule").is_none() || is(&REFUSALS) != is(&PERMISSIONS);
    if !is_understood {
        let words = format!("is not understood: one of {} and {} is", REFUSALS.join(", "), PERMISSIONS.join(", "));
        issues.push(Issue::rule(IssueCode::NotSupported, "Consent.policyRule", words));
    }
    is(&REFUSALS)
}
