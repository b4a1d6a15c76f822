//! Checking a declared consent.

use super::check::{Check, FHIR_ID, fhir_id, uuid};
use super::check_label;
use super::consent_declaration::{BasisDeclaration, ConsentDeclaration, EndDeclaration};
use crate::formats::when;
use rules::consent::basis::{Basis, BasisKind, OTHER_NEEDS_TEXT, Reason};
use store::sharing::declared::GranteeName;

/// A consent as a file or the command line spells it.
#[derive(Debug, Default)]
pub(crate) struct ConsentFields {
    pub team: Option<String>,
    pub carer: Option<String>,
    pub professional: Option<String>,
    pub labels: Option<Vec<String>>,
    pub basis: Option<String>,
    pub reason: Option<String>,
    pub reason_text: Option<String>,
    pub manages: Option<bool>,
    pub ends_at: Option<String>,
    pub discharged: Option<bool>,
    pub locked: Option<bool>,
}

const REASONS: &str = "PATIENT_CONSENTED, REFERRAL, IN_TREATMENT, COURT_ORDER, PARENT or OTHER";
const END: &str = "never, a day such as 2031-04-30, or a moment such as 2031-04-30T12:00:00Z";

/// The consent, if everything about it will do.
pub(crate) fn consent(
    patient: Option<&str>,
    fields: ConsentFields,
    at: String,
    problems: &mut Vec<String>,
) -> Option<ConsentDeclaration> {
    let whom = [&fields.team, &fields.carer, &fields.professional].into_iter().find_map(Option::as_deref);
    let named = whom.map(|whom| format!("to {whom}"));
    let mut check = Check::new(&at, "consent", named.as_deref(), problems);
    let patient = check.must("patient", patient, FHIR_ID, fhir_id);
    let to = grantee(&mut check, &fields);
    if fields.manages == Some(true) && fields.carer.is_none() {
        check.note("manages is for a carer only; leave it out");
    }
    let labels = check_label::labels(&mut check, "labels", fields.labels.as_deref());
    let basis = basis(&mut check, &fields);
    let ends_at = check.may("ends_at", fields.ends_at.as_deref(), END, |text| match text {
        "never" => Some(EndDeclaration::Never),
        text => when::end_of(text).map(|end| EndDeclaration::At(end.0)),
    });
    let ConsentFields { manages, discharged, locked, .. } = fields;
    let all = check.sound(patient.zip(to));
    all.map(|(patient, to)| ConsentDeclaration { at, patient, to, labels, basis, manages, ends_at, discharged, locked })
}

fn grantee(check: &mut Check<'_>, fields: &ConsentFields) -> Option<GranteeName> {
    match (&fields.team, &fields.carer, &fields.professional) {
        (Some(team), None, None) => check.must("team", Some(team), "the UUID of a team", uuid).map(GranteeName::Team),
        (None, Some(carer), None) => Some(GranteeName::Carer(carer.to_lowercase())),
        (None, None, Some(professional)) => Some(GranteeName::Professional(professional.to_lowercase())),
        _ => {
            check.note("name one of team, carer and professional");
            None
        }
    }
}

/// Of what is said, half is enough where the other half follows.
fn basis(check: &mut Check<'_>, fields: &ConsentFields) -> Option<BasisDeclaration> {
    let kind = check.may("basis", fields.basis.as_deref(), "EXPLICIT or IMPLIED", BasisKind::named);
    let reason = check.may("reason", fields.reason.as_deref(), REASONS, Reason::named);
    let text = fields.reason_text.clone();
    let (kind, reason) = match (kind, reason) {
        (None, None) if text.is_none() => return None,
        (None, None) => {
            check.note("reason_text needs a reason beside it");
            return None;
        }
        (Some(BasisKind::Implied), None) => {
            check.note(&format!("basis IMPLIED needs a reason; it must be {REASONS}"));
            return None;
        }
        (kind, reason) => (kind.unwrap_or(BasisKind::Explicit), reason.unwrap_or(Reason::PatientConsented)),
    };
    if !(Basis { kind, reason, text: text.clone() }).is_complete() {
        check.note(&format!("{OTHER_NEEDS_TEXT}: reason_text"));
    }
    Some(BasisDeclaration { kind, reason, text })
}
