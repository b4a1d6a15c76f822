//! What is said of what is not there, or not any more: the same for what is out of reach and for what never was.

use super::inquiries;
use crate::app::App;
use crate::callers::caller::Caller;
use fhir::spelling::did_you_mean;
use fhir::types::{self, ResourceType};
use rules::answers::Refusal;
use rules::params::shown;
use store::stored::resource::Resource;

/// What is said where a path has something else in the place of a type.
#[must_use]
pub fn no_such_type(name: &str) -> Refusal {
    let (meant, name) = (did_you_mean(name, types::all().map(ResourceType::name)), shown(name));
    let words = "is no resource type of FHIR R4; GET /fhir/metadata lists those that there are";
    Refusal::NotFound(format!("{name} {words}{meant}"))
}

/// What a read found, unless that is nothing or out of reach, which is counted.
pub(crate) fn present<R>(
    (app, caller): (&App, &Caller),
    (of, id): (ResourceType, &str),
    found: Option<R>,
) -> Result<R, Refusal> {
    found.ok_or_else(|| unread((app, caller), (of, id)))
}

/// What is said where a read found nothing, which is counted.
pub(crate) fn unread((app, caller): (&App, &Caller), (of, id): (ResourceType, &str)) -> Refusal {
    inquiries::read_refused(app, caller, of, id);
    not_there(of)
}

/// The same of a write.
pub(crate) fn unwritten((app, caller): (&App, &Caller), (of, id): (ResourceType, &str)) -> Refusal {
    inquiries::write_refused(app, caller, of, id);
    not_there(of)
}

/// What is said of an id that nothing can have, or that nothing has for certain.
pub(crate) fn not_there(resource_type: ResourceType) -> Refusal {
    Refusal::NotFound(format!("there is no {} of this id that this caller may see", resource_type.name()))
}

/// Refuses a version that says that the resource was deleted; those hear of it who might have seen the resource.
pub(crate) fn must_be_there(found: &Resource) -> Result<(), Refusal> {
    match found.is_deleted {
        true => Err(gone(found)),
        false => Ok(()),
    }
}

/// What those hear who saw a resource in a record that it was taken out of.
pub(crate) fn taken_out(last: &Resource) -> Refusal {
    let (name, id, version) = (last.resource_type.name(), &last.id, last.version);
    Refusal::Gone(format!(
        "{name}/{id} was taken out of the record that it was in, after version {version}; its versions of before are in its _history"
    ))
}

fn gone(deletion: &Resource) -> Refusal {
    let (name, id, version) = (deletion.resource_type.name(), &deletion.id, deletion.version);
    Refusal::Gone(format!("{name}/{id} was deleted, by version {version}; its earlier versions are in its _history"))
}
