//! The few shapes that answers rely on, checked when a resource is stored so that reading it later cannot fail.

use crate::base64_binary;
use crate::fault::Fault;
use crate::reference;
use crate::resource::Resource;
use crate::types::ResourceType;
use serde_json::Value;

/// The states of a DocumentReference (FHIR's value set DocumentReferenceStatus).
const DOCUMENT_STATUS: [&str; 3] = ["current", "superseded", "entered-in-error"];

/// What has to hold for any stored resource: content that is sent as bytes must be base64.
pub(crate) fn check(resource: &Resource<'_>) -> Result<(), Fault> {
    let is_content = |holder: Option<&Value>| {
        holder.is_none_or(|data| data.as_str().is_some_and(|data| base64_binary::decode(data).is_some()))
    };
    let sound = match resource.resource_type {
        ResourceType::Binary => is_content(resource.member("data").as_ref()),
        ResourceType::DocumentReference => attachments(&resource.member("content").unwrap_or_default())
            .into_iter()
            .all(|attachment| is_content(attachment.and_then(|attachment| attachment.get("data")))),
        _ => true,
    };
    let fault = || Fault::BreaksRule(format!("{} has data that is not base64", resource.resource_type.name()));
    sound.then_some(()).ok_or_else(fault)
}

/// What has to hold for a DocumentReference beyond that: what FHIR requires, and that it is about a patient of ours, if it is
/// about anybody. One without a subject is its source's own.
pub fn complete_document(document: &Resource<'_>, base: &str) -> Result<(), Fault> {
    let status = document.member("status");
    if !status.as_ref().and_then(Value::as_str).is_some_and(|status| DOCUMENT_STATUS.contains(&status)) {
        let known = DOCUMENT_STATUS.join(", ");
        return Err(Fault::BreaksRule(format!("DocumentReference.status must be one of {known}")));
    }
    let content = document.member("content").unwrap_or_default();
    let attachments = attachments(&content);
    if attachments.is_empty() || !attachments.iter().all(|attachment| attachment.is_some_and(Value::is_object)) {
        return Err(Fault::BreaksRule(
            "DocumentReference.content must be an array of at least one object, each with an attachment".into(),
        ));
    }
    document.member("subject").map_or(Ok(()), |subject| must_be_a_patient(&subject, base))
}

/// A reference to another server's patient is nobody's here.
fn must_be_a_patient(subject: &Value, base: &str) -> Result<(), Fault> {
    let named = subject.get("reference").and_then(Value::as_str).unwrap_or_default();
    match reference::id_in(named, ResourceType::Patient, base) {
        Some(_) => Ok(()),
        None => Err(Fault::BreaksRule(
            "DocumentReference.subject must be a reference to a patient, Patient/id, where there is one".into(),
        )),
    }
}

fn attachments(content: &Value) -> Vec<Option<&Value>> {
    content.as_array().into_iter().flatten().map(|item| item.get("attachment")).collect()
}
