//! `$meta`: the profiles, tags and security labels of a resource, or of all resources of a type that the caller may see.

use crate::callers::api::FhirReader;
use crate::fhir::read::answer;
use crate::fhir::read::request::ReadRequest;
use crate::http::call::Call;
use crate::interactions::meta;
use crate::voices::api::ApiStop;
use axum::response::Response;
use serde_json::{Map, Value, json};

pub async fn of_instance(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    ReadRequest::of(&call).options()?;
    let id = answer::id(resource_type, &call)?;
    Ok(told(meta::of_resource(&call.app, &caller, resource_type, &id).await?))
}

pub async fn of_type(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    ReadRequest::of(&call).options()?;
    Ok(told(meta::of_type(&call.app, &caller, resource_type).await?))
}

fn told(meta: Map<String, Value>) -> Response {
    let one = (!meta.is_empty()).then(|| json!({ "name": "return", "valueMeta": meta }));
    answer::parameters(one.into_iter().collect())
}
