//! Measurements: their types, those of a record by type, and making them. They are deleted as every item is.

use super::answer;
use super::body::{self, pairs};
use super::create;
use super::list::{self, ListAsker};
use crate::callers::api::{RestPatient, RestTeamReader, RestTeamWriter};
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::interactions::items::kind::{Criterion, ItemKind, codes};
use crate::interactions::items::record;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;
use rules::rest_errors::RestError;
use rules::rest_faults::ShapeFault;
use views::kinds::measurement::Measurement;
use views::list::{ListQuery, OwnParameter};
use views::measurement_types::{self, MeasurementType, TYPES};

const API_REFS: &str = "apiRefs";

/// `GET /json/measurements/apiRefs`: the types that there are.
pub(crate) async fn types(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    answer::json(StatusCode::OK, &measurement_types::listed())
}

/// `GET /json/measurements`.
pub(crate) async fn own(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    let (query, criteria) = asked(&call)?;
    let record = record::of_session(&call.app, &caller).await?;
    let is_wanted = |one: &Measurement| is_named(&query, one);
    list::answered::<Measurement>(ListAsker::of(&caller, &call), &record, &query, criteria, is_wanted).await
}

/// `GET /json/measurements/{id}`, of the patient of this id.
pub(crate) async fn of_patient(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    let (query, criteria) = asked(&call)?;
    let record = record::named(&call.app, &caller, &call.part("id").unwrap_or_default()).await?;
    let is_wanted = |one: &Measurement| is_named(&query, one);
    list::answered::<Measurement>(ListAsker::of(&caller, &call), &record, &query, criteria, is_wanted).await
}

/// `GET /json/measurements/byType/{apiRef}`.
pub(crate) async fn by_type(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    let query = ListQuery::read(&pairs(&call)?, &[])?;
    let api_ref = call.part("apiRef").unwrap_or_default();
    must_be_known("type", [api_ref.as_ref()].into_iter())?;
    let criteria = vec![codes([api_ref.as_ref()].into_iter())];
    let record = record::of_session(&call.app, &caller).await?;
    let is_of_type = |one: &Measurement| one.api_ref == api_ref;
    list::answered::<Measurement>(ListAsker::of(&caller, &call), &record, &query, vec![criteria], is_of_type).await
}

/// `POST /json/measurements/{id}`, for the patient of this id.
pub(crate) async fn create_for(caller: RestTeamWriter, call: Call) -> Result<Response, ApiStop> {
    let record = record::named(&call.app, &caller, &call.part("id").unwrap_or_default()).await?;
    create::create::<Measurement>(&caller, call, &record).await
}

/// The filters of a list, and the criteria of the types that it names.
fn asked(call: &Call) -> Result<(ListQuery, Vec<Vec<Criterion>>), ApiStop> {
    let query = ListQuery::read(&pairs(call)?, &[OwnParameter::Several(API_REFS, TYPES.len())])?;
    must_be_known(API_REFS, query.several(API_REFS))?;
    let criteria = match query.several(API_REFS).next() {
        Some(_) => vec![vec![codes(query.several(API_REFS))]],
        None => Measurement::criteria(),
    };
    Ok((query, criteria))
}

/// Whether a measurement is of a type that the list names; one that is coded twice is of one type.
fn is_named(query: &ListQuery, one: &Measurement) -> bool {
    query.several(API_REFS).next().is_none() || query.several(API_REFS).any(|api_ref| api_ref == one.api_ref)
}

fn must_be_known<'a>(parameter: &str, mut api_refs: impl Iterator<Item = &'a str>) -> Result<(), RestError> {
    match api_refs.any(|api_ref| MeasurementType::named(api_ref).is_none()) {
        true => {
            let why = format!("must be one of the types of measurements: {}", MeasurementType::all_names());
            Err(RestError::BadRequest(ShapeFault::Parameter { name: parameter, why: &why }.words()))
        }
        false => Ok(()),
    }
}
