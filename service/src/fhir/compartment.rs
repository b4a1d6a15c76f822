//! The patient compartment: whose record a resource belongs to, settled when it is stored.

use crate::fhir::resource::Parsed;
use crate::reference;
use serde_json::Value;

/// Where a type names its patient, when that is not `subject` or `patient`. A dot goes into a member.
const PATHS: &[(&str, &[&str])] = &[
    ("Appointment", &["participant.actor"]),
    ("AppointmentResponse", &["actor"]),
    ("AuditEvent", &["agent.who", "entity.what"]),
    ("Binary", &["securityContext"]),
    ("Coverage", &["beneficiary", "subscriber", "policyHolder"]),
    ("DocumentReference", &["subject"]),
    ("EnrollmentRequest", &["candidate"]),
    ("Group", &["member.entity"]),
    ("Person", &["link.target"]),
    ("Provenance", &["target"]),
    ("ResearchSubject", &["individual"]),
    ("Schedule", &["actor"]),
    ("SupplyRequest", &["deliverTo"]),
    ("Task", &["for"]),
];
const OTHERWISE: &[&str] = &["subject", "patient"];

/// The id of the patient in whose compartment the resource is; a Patient is in its own.
pub(super) fn patient(resource: &Parsed<'_>, id: &str) -> Option<String> {
    if resource.type_name == "Patient" {
        return Some(id.into());
    }
    let paths = PATHS.iter().find(|(type_name, _)| *type_name == resource.type_name).map_or(OTHERWISE, |(_, at)| at);
    paths.iter().find_map(|path| {
        let (member, deeper) = path.split_once('.').map_or((*path, None), |(member, deeper)| (member, Some(deeper)));
        let value = resource.member(member)?;
        each(&value).find_map(|item| match deeper {
            Some(deeper) => each(item.get(deeper)?).find_map(named),
            None => named(item),
        })
    })
}

/// The items of an array, or the one value that is no array.
fn each(value: &Value) -> std::slice::Iter<'_, Value> {
    match value {
        Value::Array(items) => items.iter(),
        one => std::slice::from_ref(one).iter(),
    }
}

fn named(reference: &Value) -> Option<String> {
    reference::id_in(reference.get("reference")?.as_str()?, "Patient").map(String::from)
}
