//! What a session's scopes open of what is at hand: of what is about to be written, and of how something was before.

use crate::callers::caller::Caller;
use fhir::extraction::extract;
use fhir::extraction::index_value::IndexValue;
use fhir::parameters::table;
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::ids::PatientId;
use rules::smart::aimed::{AimedLens, LensedItem};
use rules::smart::lens::Opened;
use rules::smart::permissions::{ItemInteraction, Permissions};
use rules::smart::query::{ItemCode, ScopeParameter};
use serde_json::Value;
use store::stored::resource::Resource;

/// Refuses to write what the scopes do not open: what is not in the record in context, or does not match their query.
pub(crate) fn must_open(caller: &Caller, new: &Preparation, is_new: bool) -> Result<(), Refusal> {
    let deed = if is_new { ItemInteraction::Create } else { ItemInteraction::Update };
    let writing = Permissions::of(ItemInteraction::Create).with(Permissions::of(ItemInteraction::Update));
    let reach = caller.reach();
    // Whoever has said what it is that is done has aimed the lens; who has not is taken at what is there.
    let Some(aimed) = reach.lens().map(|lens| match lens.needed().and(writing).is_none() {
        true => lens.to(lens.needed().with(deed.into())),
        false => lens.clone(),
    }) else {
        return Ok(());
    };
    let patients: Vec<PatientId> = match new.resource_type {
        // It is in nobody's record until a document of one carries it.
        ResourceType::Binary => aimed.lens().patient().into_iter().collect(),
        _ => new.patients.iter().map(|patient| number(caller, &aimed, patient)).collect(),
    };
    match shows(&aimed, new.resource_type, &patients, || new.body.joined(1, "", "")) {
        true => Ok(()),
        false => Err(refusal(&aimed, new.resource_type, deed.into())),
    }
}

/// The same of a Consent that shares the record of a patient: only as a whole, because what it shares is in no query.
pub(crate) fn must_open_sharing_of(caller: &Caller, patient: &str) -> Result<(), Refusal> {
    let of = ResourceType::Consent;
    let Some(aimed) = caller.reach().lens() else { return Ok(()) };
    match shows(aimed, of, &[number(caller, aimed, patient)], String::new) {
        true => Ok(()),
        false => Err(refusal(aimed, of, aimed.needed())),
    }
}

fn refusal(lens: &AimedLens, of: ResourceType, needed: Permissions) -> Refusal {
    Refusal::OutsideScopes(Some(lens.lens().would_do(of.name(), needed)))
}

/// No patient has this number, nor an account without a patient.
const SOMEBODY_ELSE: PatientId = PatientId(-1);

/// The number of the patient in context, where it is that one.
fn number(caller: &Caller, lens: &AimedLens, patient: &str) -> PatientId {
    lens.lens().patient().filter(|_| caller.context() == Some(patient)).unwrap_or(SOMEBODY_ELSE)
}

/// Whether the scopes open a version as it was then: the index knows only how the resource is now.
pub(crate) fn opens(caller: &Caller, found: &Resource) -> bool {
    let Some(lens) = caller.reach().lens() else { return true };
    let patients: Vec<PatientId> = found.patients().collect();
    found.is_deleted || shows(lens, found.resource_type, &patients, || found.body.clone())
}

fn shows(lens: &AimedLens, of: ResourceType, patients: &[PatientId], text: impl Fn() -> String) -> bool {
    let is_queried = match lens.opens(of.name()) {
        Opened::Nothing => return false,
        Opened::All => return true,
        Opened::Some(ways) => ways.iter().any(|way| way.query.is_some()),
    };
    let codes = if is_queried { codes(of, &text()) } else { Vec::new() };
    lens.shows(LensedItem { of: of.name(), patients, is_directory: of.is_public(), codes: &codes })
}

/// The codes by which the queries of scopes find a resource.
fn codes(of: ResourceType, text: &str) -> Vec<ItemCode> {
    let body: Value = serde_json::from_str(text).unwrap_or_default();
    let of_parameter = |parameter: ScopeParameter| {
        let values = table::find(of, parameter.word()).map(|known| extract::values(known, &body, ""));
        let code = move |value: &IndexValue<'_>| match value {
            IndexValue::Token { system, code: Some(code) } => {
                Some(ItemCode { parameter, system: system.map(String::from), code: (*code).to_owned() })
            }
            _ => None,
        };
        values.unwrap_or_default().iter().filter_map(code).collect::<Vec<_>>()
    };
    ScopeParameter::ALL.into_iter().flat_map(of_parameter).collect()
}
