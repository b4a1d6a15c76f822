//! `$meta`: the profiles, tags and security labels of a resource, or of all resources of a type that the caller may see; and
//! `$meta-add`, which sets the privacy label.

use crate::callers::api::FhirReader;
use crate::fhir::media;
use crate::fhir::operations::catalogue::META_ADD;
use crate::fhir::operations::invocation::{Argument, Invocation};
use crate::fhir::read::answer;
use crate::fhir::read::request::ReadRequest;
use crate::http::call::Call;
use crate::interactions::{meta, relabelling};
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::labels::{Coding, Label};
use serde_json::{Map, Value, json};

const ONE_LABEL: &str = "meta must have one security label, which is a privacy label (urn:recordgate:privacy-label), and nothing \
    else: that is all that can be set without the rest of the resource";

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

/// `$meta-add`: sets the privacy label, in the place of the one that is there.
pub async fn add(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let id = answer::id(resource_type, &call)?.into_owned();
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&META_ADD, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    let asked = asked.and_sent((&app, &caller), &head.headers, body).await?.checked()?;
    let label = match asked.all("meta").next() {
        Some(Argument::Object(meta)) => label(resource_type, meta),
        _ => None,
    };
    let label = label.ok_or_else(|| Refusal::Unprocessable(ONE_LABEL.into()))?;
    let now = relabelling::relabel(&app, &caller, (resource_type, &id), label).await?;
    Ok(told(meta::of_body(&now.stored.body)))
}

/// The label that a Meta says, where it says one and nothing else.
fn label(of: ResourceType, meta: &Value) -> Option<Label> {
    let members = meta.as_object().filter(|members| members.len() == 1)?;
    let [coding] = members.get("security")?.as_array()?.as_slice() else { return None };
    let text = |member| coding.get(member).and_then(Value::as_str);
    Label::of_coding(of.name(), &Coding { system: text("system"), code: text("code") })
}

fn told(meta: Map<String, Value>) -> Response {
    let one = (!meta.is_empty()).then(|| json!({ "name": "return", "valueMeta": meta }));
    answer::parameters(one.into_iter().collect())
}
