//! What a scope of SMART lets an app do, in words for the person who decides about it: a line for each, which can be unticked.

use crate::smart::permissions::{ItemInteraction, Permissions};
use crate::smart::query::{ScopeParameter, ScopeQuery};
use crate::smart::word::{ResourceScope, SmartScope};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What people call the types that apps ask for most; the others are said as FHIR names them, in words.
const NAMES: [(&str, &str); 24] = [
    ("AllergyIntolerance", "allergies"),
    ("Appointment", "appointments"),
    ("Binary", "files"),
    ("CarePlan", "care plans"),
    ("CareTeam", "care teams"),
    ("Communication", "messages"),
    ("Condition", "diagnoses and problems"),
    ("Consent", "with whom the record is shared"),
    ("Coverage", "insurance"),
    ("Device", "devices"),
    ("DiagnosticReport", "reports of tests"),
    ("DocumentReference", "documents and letters"),
    ("Encounter", "visits and stays"),
    ("Goal", "goals"),
    ("Immunization", "vaccinations"),
    ("Medication", "medicines"),
    ("MedicationRequest", "prescriptions"),
    ("MedicationStatement", "medicines taken"),
    ("Observation", "measurements and test results"),
    ("Patient", "name, date of birth and contact details"),
    ("Practitioner", "professionals"),
    ("Procedure", "procedures"),
    ("QuestionnaireResponse", "answers to questionnaires"),
    ("RelatedPerson", "relatives and carers"),
];

/// The line of a scope.
#[must_use]
pub fn line(scope: &SmartScope) -> String {
    match scope {
        SmartScope::Resource(resource) => of_resource(resource),
        SmartScope::OpenId => "Know that it is you each time, by an id that no other app is told.".into(),
        SmartScope::FhirUser => "Know who you are in the record.".into(),
        SmartScope::Profile => "Know your name.".into(),
        SmartScope::OfflineAccess => "Go on when you are not there.".into(),
        SmartScope::OnlineAccess => "Go on while you are signed in.".into(),
        SmartScope::Launch | SmartScope::LaunchPatient => "Know whose record it is about.".into(),
    }
}

fn of_resource(scope: &ResourceScope) -> String {
    let what = scope.of.as_deref().map_or_else(|| "everything that can be shared with apps".into(), name);
    let only = scope.query.as_ref().map(only).unwrap_or_default();
    format!("{}: {what}{only}.", deeds(scope.permissions))
}

fn name(of: &str) -> String {
    if let Some((_, words)) = NAMES.into_iter().find(|(known, _)| *known == of) {
        return words.into();
    }
    let mut words = String::new();
    for sign in of.chars() {
        if sign.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(sign.to_ascii_lowercase());
    }
    format!("what FHIR calls “{words}”")
}

/// “See, add and change”.
fn deeds(permissions: Permissions) -> String {
    let sees = Permissions::READ.and(permissions) != Permissions::NONE;
    let has = |interaction| permissions.contains(Permissions::of(interaction));
    let all = [
        (sees, "see"),
        (has(ItemInteraction::Create), "add"),
        (has(ItemInteraction::Update), "change"),
        (has(ItemInteraction::Delete), "delete"),
    ];
    let words: Vec<&str> = all.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
    let joined = match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    };
    let mut signs = joined.chars();
    signs.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(signs).collect()
}

fn only(query: &ScopeQuery) -> String {
    let told = query.criteria().iter().map(|criterion| {
        let of = match criterion.parameter {
            ScopeParameter::Category => "of the category",
            ScopeParameter::ClinicalStatus | ScopeParameter::Status => "with the status",
            ScopeParameter::Code => "with the code",
            ScopeParameter::Type => "of the type",
        };
        format!("{of} “{}”", criterion.code)
    });
    format!(", only {}", told.collect::<Vec<_>>().join(" and "))
}
