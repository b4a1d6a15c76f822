//! The routes of the FHIR API, in the form of `list.rs`.

use super::route::{Route, delete, get, patch, post, put};
use crate::callers::api::{FhirReader, FhirSender, FhirSystem, FhirWriter};
use crate::callers::requirement::Anyone;
use crate::fhir;
use crate::interactions::write::request::{NOT_BY_CRITERIA, NOT_PATCHED};
use crate::reference::inputs;
use crate::reference::listing::Payload::{Acceptance, Content, Json};
use crate::reference::listing::Schema;
use crate::voices::stop::Voice::Fhir;

pub(super) fn routes() -> Vec<Route> {
    vec![
        get::<Anyone>(Fhir, "/fhir/metadata", fhir::metadata::read)
            .says("Describes the FHIR API: its CapabilityStatement.")
            .takes(inputs::READ)
            .takes(inputs::MODE)
            .may_answer(&[304]),
        post::<FhirReader>(Fhir, "/fhir", fhir::bundle::endpoint::exchange)
            .says("Does the requests of a Bundle: each on its own (batch), or all or nothing (transaction).")
            .takes(inputs::REQUESTS)
            .may_answer(&[404, 405, 409, 410, 412]),
        get::<FhirReader>(Fhir, "/fhir/{type}", fhir::search::endpoint::by_query)
            .says("Finds resources of the type by any of its search parameters.")
            .takes(inputs::SEARCH)
            .takes(inputs::PAGES)
            .may_answer(&[404, 422]),
        post::<FhirReader>(Fhir, "/fhir/{type}/_search", fhir::search::endpoint::by_form)
            .says("Finds resources of the type; the parameters are in a form.")
            .takes(inputs::SEARCH)
            .takes(inputs::PAGES)
            .may_answer(&[404, 422]),
        get::<FhirReader>(Fhir, "/fhir", fhir::search::endpoint::of_all)
            .says("Finds resources of several types, or of all.")
            .takes(inputs::TYPES)
            .takes(inputs::SEARCH)
            .takes(inputs::PAGES)
            .may_answer(&[422]),
        post::<FhirReader>(Fhir, "/fhir/_search", fhir::search::endpoint::of_all_by_form)
            .says("Finds resources of several types, or of all; the parameters are in a form.")
            .takes(inputs::TYPES)
            .takes(inputs::SEARCH)
            .takes(inputs::PAGES)
            .may_answer(&[422]),
        get::<FhirReader>(Fhir, "/fhir/{type}/{id}/{member}", fhir::search::endpoint::in_compartment)
            .says("Finds resources in the compartment of a Patient, Encounter, RelatedPerson, Practitioner or Device.")
            .takes(inputs::SEARCH)
            .takes(inputs::PAGES)
            .may_answer(&[404, 422]),
        post::<FhirReader>(Fhir, "/fhir/{type}/{id}/{member}/_search", fhir::search::endpoint::in_compartment_by_form)
            .says("Finds resources in a compartment; the parameters are in a form.")
            .takes(inputs::SEARCH)
            .takes(inputs::PAGES)
            .may_answer(&[404, 422]),
        get::<FhirReader>(Fhir, "/fhir/Patient/{id}", fhir::read::patient::read)
            .says("Reads a Patient.")
            .takes(inputs::READ)
            .may_answer(&[304, 410]),
        get::<FhirReader>(Fhir, "/fhir/{type}/{id}", fhir::read::instance::read)
            .says("Reads a resource of any type.")
            .takes(inputs::READ)
            .may_answer(&[304, 410]),
        get::<FhirReader>(Fhir, "/fhir/_history", fhir::history::type_history::of_all)
            .says("Lists the versions of all resources, newest first.")
            .takes(inputs::HISTORY)
            .takes(inputs::PAGES)
            .may_answer(&[422]),
        get::<FhirReader>(Fhir, "/fhir/{type}/_history", fhir::history::type_history::of_type)
            .says("Lists the versions of all resources of a type, newest first.")
            .takes(inputs::HISTORY)
            .takes(inputs::PAGES)
            .may_answer(&[422]),
        get::<FhirReader>(Fhir, "/fhir/{type}/{id}/_history", fhir::read::instance::history)
            .says("Lists the versions of a resource, newest first.")
            .takes(inputs::HISTORY)
            .takes(inputs::PAGES)
            .may_answer(&[422]),
        get::<FhirReader>(Fhir, "/fhir/{type}/{id}/_history/{version}", fhir::read::instance::version)
            .says("Reads a version of a resource.")
            .takes(inputs::READ)
            .may_answer(&[304, 410]),
        post::<FhirWriter>(Fhir, "/fhir/{type}", fhir::write::create::create)
            .says("Stores a resource of any type under a new id.")
            .takes(inputs::RESOURCE)
            .takes(inputs::ABSENCE)
            .takes(inputs::PREFERENCE)
            .may_answer(&[200, 404, 409, 412])
            .but_not_of(NOT_BY_CRITERIA),
        put::<FhirWriter>(Fhir, "/fhir/{type}/{id}", fhir::write::update::update)
            .says("Stores a new version of a resource, or what is new under a UUID that a System Client chose. Only its source may.")
            .takes(inputs::RESOURCE)
            .takes(inputs::CONDITION)
            .takes(inputs::PREFERENCE)
            .may_answer(&[201, 404, 405, 409, 412]),
        put::<FhirWriter>(Fhir, "/fhir/{type}", fhir::write::update::conditional)
            .says("Stores a new version of the one resource that meets the criteria, or a new resource where none does.")
            .takes(inputs::RESOURCE)
            .takes(inputs::CRITERIA)
            .takes(inputs::CONDITION)
            .takes(inputs::PREFERENCE)
            .may_answer(&[201, 404, 409, 412])
            .but_not_of(NOT_BY_CRITERIA),
        patch::<FhirWriter>(Fhir, "/fhir/{type}", fhir::write::patch::conditional)
            .says("Changes parts of the one resource that meets the criteria.")
            .takes(inputs::PATCH)
            .takes(inputs::CRITERIA)
            .takes(inputs::CONDITION)
            .takes(inputs::PREFERENCE)
            .may_answer(&[404, 409, 412])
            .but_not_of(NOT_BY_CRITERIA),
        delete::<FhirWriter>(Fhir, "/fhir/{type}", fhir::write::delete::conditional)
            .says("Deletes the one resource that meets the criteria, if there is any.")
            .takes(inputs::CRITERIA)
            .takes(inputs::CONDITION)
            .may_answer(&[404, 409, 412, 422])
            .but_not_of(NOT_BY_CRITERIA),
        patch::<FhirWriter>(Fhir, "/fhir/{type}/{id}", fhir::write::patch::patch)
            .says("Changes parts of a resource: JSON Patch, JSON Merge Patch or FHIRPath Patch. Only its source may.")
            .takes(inputs::PATCH)
            .takes(inputs::CONDITION)
            .takes(inputs::PREFERENCE)
            .may_answer(&[404, 409, 410, 412])
            .but_not_of(NOT_PATCHED),
        delete::<FhirWriter>(Fhir, "/fhir/{type}/{id}", fhir::write::delete::delete)
            .says("Deletes a resource; its history stays. Only its source may.")
            .takes(inputs::FORMATS)
            .takes(inputs::CONDITION)
            .may_answer(&[404, 405, 409, 412]),
        post::<FhirSender>(Fhir, "/fhir/DocumentReference/$read-receipt-query", fhir::operations::read_receipts::query)
            .says("Asks which documents their patients have read.")
            .takes(inputs::RECEIPTS),
        post::<FhirSender>(Fhir, "/fhir/Patient/$status-query", fhir::operations::status_query::query)
            .says("Asks which of these are patients of the organisation, and whether they live and have an account.")
            .takes(inputs::PATIENTS),
        post::<FhirSystem>(Fhir, "/fhir/Organization/$generate-invitation-tokens", fhir::operations::invitations::generate)
            .says("Invites patients of the organisation to make an account: gives a code and a token for each who can be invited.")
            .takes(inputs::PATIENTS),
        post::<FhirReader>(Fhir, "/fhir/Patient/$date-of-last-data-point", fhir::operations::last_data_point::of_type)
            .says("Asks when something was last written into these records, or into the session's own.")
            .takes(inputs::PATIENTS),
        get::<FhirReader>(Fhir, "/fhir/Patient/$date-of-last-data-point", fhir::operations::last_data_point::of_type)
            .says("Asks when something was last written into the record that the session is about."),
        post::<FhirReader>(Fhir, "/fhir/Patient/{id}/$date-of-last-data-point", fhir::operations::last_data_point::of_instance)
            .says("Asks when something was last written into this record.")
            .may_answer(&[404]),
        get::<FhirReader>(Fhir, "/fhir/Patient/{id}/$date-of-last-data-point", fhir::operations::last_data_point::of_instance)
            .says("Asks when something was last written into this record.")
            .may_answer(&[404]),
        post::<FhirReader>(Fhir, "/fhir/Patient/{id}/$break-glass", fhir::operations::break_glass::break_glass)
            .says("Opens a record to a team in an emergency; everybody concerned is told.")
            .may_answer(&[404, 422]),
        post::<FhirReader>(Fhir, "/fhir/Patient/{id}/$mend-glass", fhir::operations::break_glass::mend_glass)
            .says("Ends an emergency look.")
            .may_answer(&[404]),
        get::<FhirReader>(Fhir, "/fhir/$purview", fhir::operations::purview::read)
            .says("Says for whom the caller looks, as a Consent would name them."),
        post::<FhirReader>(Fhir, "/fhir/$purview", fhir::operations::purview::read)
            .says("Says for whom the caller looks, as a Consent would name them."),
        get::<FhirReader>(Fhir, "/fhir/Consent/$purview", fhir::operations::purview::read)
            .says("The same, where the public record has it."),
        post::<FhirReader>(Fhir, "/fhir/Consent/$purview", fhir::operations::purview::read)
            .says("The same, where the public record has it."),
        post::<FhirReader>(Fhir, "/fhir/{type}/$validate", fhir::operations::validate::of_type)
            .says("Tells what is wrong with a resource of the type, and stores nothing.")
            .takes(inputs::VALIDATION)
            .may_answer(&[404, 422]),
        post::<FhirReader>(Fhir, "/fhir/{type}/{id}/$validate", fhir::operations::validate::of_instance)
            .says("Tells what is wrong with what would be stored under this id; without a body, with what is stored.")
            .takes(inputs::VALIDATION)
            .may_answer(&[404, 410, 422]),
        get::<FhirReader>(Fhir, "/fhir/{type}/{id}/$validate", fhir::operations::validate::of_instance)
            .says("Tells what is wrong with what is stored under this id.")
            .takes(inputs::VALIDATION)
            .may_answer(&[404, 410, 422]),
        get::<FhirReader>(Fhir, "/fhir/{type}/$meta", fhir::operations::meta::of_type)
            .says("Gathers the profiles, tags and labels of all resources of the type that the caller may see.")
            .takes(inputs::FORMATS)
            .may_answer(&[404, 422]),
        get::<FhirReader>(Fhir, "/fhir/{type}/{id}/$meta", fhir::operations::meta::of_instance)
            .says("Gives the meta of a resource alone.")
            .takes(inputs::FORMATS)
            .may_answer(&[404, 410]),
        post::<FhirReader>(Fhir, "/fhir/{type}/{id}/$meta-add", fhir::operations::meta::add)
            .says("Sets the privacy label of an item: the patient of any in the own record, everybody else of what they made.")
            .may_answer(&[404, 409, 410, 422]),
        get::<FhirReader>(Fhir, "/fhir/Patient/$everything", fhir::operations::everything::of_own)
            .says("Gives a patient their own record, page by page.")
            .takes(inputs::EVERYTHING)
            .takes(inputs::PAGES)
            .may_answer(&[404, 410, 422]),
        get::<FhirReader>(Fhir, "/fhir/Patient/{id}/$everything", fhir::operations::everything::of_instance)
            .says("Gives a patient's record, page by page: the Patient, the compartment, and what that refers to.")
            .takes(inputs::EVERYTHING)
            .takes(inputs::PAGES)
            .may_answer(&[404, 410, 422]),
        post::<FhirReader>(Fhir, "/fhir/Patient/{id}/$everything", fhir::operations::everything::of_instance)
            .says("The same, asked by a Parameters resource.")
            .takes(inputs::EVERYTHING)
            .takes(inputs::PAGES)
            .may_answer(&[404, 410, 422]),
        get::<FhirReader>(Fhir, "/fhir/$export", fhir::export::kick_off::of_all)
            .says("Begins an export of all that the caller may see (Bulk Data Access).")
            .takes(inputs::EXPORT)
            .gives(Acceptance),
        post::<FhirReader>(Fhir, "/fhir/$export", fhir::export::kick_off::of_all)
            .says("The same, asked by a Parameters resource.")
            .takes(inputs::EXPORT)
            .gives(Acceptance),
        get::<FhirReader>(Fhir, "/fhir/Patient/$export", fhir::export::kick_off::of_patients)
            .says("Begins an export of what is in the records of patients.")
            .takes(inputs::EXPORT)
            .gives(Acceptance),
        post::<FhirReader>(Fhir, "/fhir/Patient/$export", fhir::export::kick_off::of_patients)
            .says("The same, asked by a Parameters resource.")
            .takes(inputs::EXPORT)
            .gives(Acceptance),
        get::<FhirReader>(Fhir, "/fhir/Group/{id}/$export", fhir::export::kick_off::of_group)
            .says("Begins an export of what is in the records of the members of a Group.")
            .takes(inputs::EXPORT)
            .gives(Acceptance)
            .may_answer(&[410, 422]),
        post::<FhirReader>(Fhir, "/fhir/Group/{id}/$export", fhir::export::kick_off::of_group)
            .says("The same, asked by a Parameters resource.")
            .takes(inputs::EXPORT)
            .gives(Acceptance)
            .may_answer(&[404, 410]),
        get::<FhirReader>(Fhir, "/fhir/$export/{id}", fhir::export::status::poll)
            .says("Says how far an export is (202), or what it gives (200).")
            .takes(inputs::FORMATS)
            .gives(Json(Schema::ExportManifest))
            .may_answer(&[202, 422]),
        delete::<FhirReader>(Fhir, "/fhir/$export/{id}", fhir::export::status::cancel)
            .says("Ends an export: nothing of it can be fetched any more.")
            .gives(Acceptance)
            .may_answer(&[404]),
        get::<FhirReader>(Fhir, "/fhir/$export/{id}/{name}", fhir::export::file::read)
            .says("Gives a file of an export: a resource to a line.")
            .gives(Content)
            .may_answer(&[422]),
        get::<FhirReader>(Fhir, "/fhir/Observation/$lastn", fhir::operations::lastn::find)
            .says("Finds of each kind of observation the newest ones.")
            .takes(inputs::LASTN)
            .may_answer(&[422]),
        post::<FhirReader>(Fhir, "/fhir/Patient/$match", fhir::operations::patient_match::find)
            .says("Finds who of those whom the caller may see a Patient could be.")
            .takes(inputs::MATCH)
            .may_answer(&[422]),
        post::<FhirWriter>(Fhir, "/fhir/Binary", fhir::documents::upload::create)
            .says("Stores a Binary: its content, of any media type, or the resource.")
            .takes(inputs::BINARY)
            .may_answer(&[409]),
        put::<FhirWriter>(Fhir, "/fhir/Binary/{id}", fhir::documents::upload::update)
            .says("Stores a Binary under this id: a new version, or what is new. Only its source may.")
            .takes(inputs::BINARY)
            .takes(inputs::CONDITION)
            .takes(inputs::PREFERENCE)
            .may_answer(&[201, 404, 405, 412]),
        get::<FhirReader>(Fhir, "/fhir/Binary/{id}", fhir::documents::binary::read)
            .says("Reads a Binary: its content, or the resource if Accept asks for it.")
            .takes(inputs::FORMATS)
            .takes(inputs::RANGES)
            .gives(Content)
            .may_answer(&[206, 304, 410, 416]),
        get::<FhirReader>(Fhir, "/fhir/Binary/{id}/_history/{version}", fhir::documents::binary::version)
            .says("Reads a version of a Binary: its content, or the resource if Accept asks for it.")
            .takes(inputs::FORMATS)
            .takes(inputs::RANGES)
            .gives(Content)
            .may_answer(&[206, 304, 410, 416]),
    ]
}
