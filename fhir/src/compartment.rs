//! The patient compartment: whose record a resource belongs to, settled when it is stored.

use crate::reference;
use crate::resource::Resource;
use crate::types::ResourceType;
use serde_json::Value;

/// Where a type names its patient, when that is not `subject` or `patient`. A dot goes into a member.
const PATHS: &[(ResourceType, &[&str])] = &[
    (ResourceType::Appointment, &["participant.actor"]),
    (ResourceType::AppointmentResponse, &["actor"]),
    (ResourceType::AuditEvent, &["agent.who", "entity.what"]),
    (ResourceType::Binary, &["securityContext"]),
    (ResourceType::Coverage, &["beneficiary", "subscriber", "policyHolder"]),
    (ResourceType::DocumentReference, &["subject"]),
    (ResourceType::EnrollmentRequest, &["candidate"]),
    (ResourceType::Group, &["member.entity"]),
    (ResourceType::Person, &["link.target"]),
    (ResourceType::Provenance, &["target"]),
    (ResourceType::ResearchSubject, &["individual"]),
    (ResourceType::Schedule, &["actor"]),
    (ResourceType::SupplyRequest, &["deliverTo"]),
    (ResourceType::Task, &["for"]),
];
const OTHERWISE: &[&str] = &["subject", "patient"];

/// The ids of the patients in whose compartments the resource is, each once, in the order of the paths.
pub(crate) fn patients(resource: &Resource<'_>, id: &str, base: &str) -> Vec<String> {
    if resource.resource_type == ResourceType::Patient {
        return vec![id.into()];
    }
    let mut patients = Vec::new();
    let known = PATHS.iter().find(|(resource_type, _)| *resource_type == resource.resource_type);
    for path in known.map_or(OTHERWISE, |(_, paths)| paths) {
        let (member, deeper) = path.split_once('.').map_or((*path, None), |(member, deeper)| (member, Some(deeper)));
        if let Some(value) = resource.member(member) {
            collect(&value, deeper, base, &mut patients);
        }
    }
    patients
}

/// Follows what is left of a path, through every item of every array on its way.
fn collect(value: &Value, path: Option<&str>, base: &str, patients: &mut Vec<String>) {
    if let Value::Array(items) = value {
        return items.iter().for_each(|item| collect(item, path, base, patients));
    }
    let Some(path) = path else {
        let reference = value.get("reference").and_then(Value::as_str).unwrap_or_default();
        if let Some(id) = reference::id_in(reference, ResourceType::Patient, base)
            && !patients.iter().any(|known| known == id)
        {
            patients.push(id.into());
        }
        return;
    };
    let (member, deeper) = path.split_once('.').map_or((path, None), |(member, deeper)| (member, Some(deeper)));
    if let Some(value) = value.get(member) {
        collect(value, deeper, base, patients);
    }
}
