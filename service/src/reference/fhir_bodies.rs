//! What the FHIR API's operations take and give, as OpenAPI tells it: resources as HL7 has them, of which a schema would say less than
//! /fhir/metadata and R4 do, with an example of each sort.

use super::components;
use super::listing::{Input, Listing, ParameterPlace, Payload};
use axum::http::Method;
use rules::answers::{Refusal, answer_in};
use rules::clients::Api;
use serde_json::{Map, Value, json};

const FHIR_JSON: &str = "application/fhir+json";
const FORM: &str = "application/x-www-form-urlencoded";

/// A sort of resource, by the name of its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FhirBody {
    Resource,
    Bundle,
    Parameters,
    OperationOutcome,
}

impl FhirBody {
    const ALL: [Self; 4] = [Self::Resource, Self::Bundle, Self::Parameters, Self::OperationOutcome];

    fn name(self) -> String {
        format!("Fhir{self:?}")
    }

    /// A reference to its schema, with an example.
    pub(super) fn content(self) -> Value {
        json!({ "schema": self.reference(), "example": self.example() })
    }

    fn reference(self) -> Value {
        components::reference(&self.name())
    }

    fn schema(self) -> Value {
        let text = json!({ "type": "string" });
        let (own, required) = match self {
            Self::Resource => {
                (json!({ "resourceType": text, "id": text, "meta": { "type": "object" } }), vec!["resourceType"])
            }
            Self::Bundle => (
                json!({
                    "resourceType": { "const": "Bundle" },
                    "type": text,
                    "total": { "type": "integer" },
                    "link": { "type": "array", "items": { "type": "object" } },
                    "entry": { "type": "array", "items": { "type": "object" } },
                }),
                vec!["resourceType", "type"],
            ),
            Self::Parameters => (
                json!({
                    "resourceType": { "const": "Parameters" },
                    "parameter": { "type": "array", "items": { "type": "object" } },
                }),
                vec!["resourceType"],
            ),
            Self::OperationOutcome => (
                json!({
                    "resourceType": { "const": "OperationOutcome" },
                    "issue": { "type": "array", "items": { "type": "object" } },
                }),
                vec!["resourceType", "issue"],
            ),
        };
        json!({ "type": "object", "description": "As FHIR R4 has it.", "properties": own, "required": required })
    }

    fn example(self) -> Value {
        match self {
            Self::Resource => weight(),
            Self::Bundle => {
                json!({ "resourceType": "Bundle", "type": "searchset", "entry": [{ "resource": weight(), "search": { "mode": "match" } }] })
            }
            Self::Parameters => {
                json!({ "resourceType": "Parameters", "parameter": [{ "name": "reason", "valueString": "found unconscious" }] })
            }
            Self::OperationOutcome => {
                let said = answer_in(
                    Api::Fhir,
                    &Refusal::NotFound("there is no Observation of this id that you may see".into()),
                );
                json!({ "resourceType": "OperationOutcome", "issue": [{ "severity": "error", "code": said.issue,
                    "details": { "coding": [{ "code": said.code }] }, "diagnostics": said.message }] })
            }
        }
    }
}

fn weight() -> Value {
    json!({ "resourceType": "Observation", "status": "final", "subject": { "reference": "Patient/amina-okafor" },
        "code": { "coding": [{ "system": "http://loinc.org", "code": "29463-7" }] }, "effectiveDateTime": "2026-11-02",
        "valueQuantity": { "value": 64.5, "unit": "kg", "system": "http://unitsofmeasure.org", "code": "kg" } })
}

/// Their schemas, by name.
pub(super) fn schemas() -> impl Iterator<Item = (String, Value)> {
    FhirBody::ALL.into_iter().map(|body| (body.name(), body.schema()))
}

/// What a route of the FHIR API gives when all is well.
pub(super) fn given(listing: &Listing) -> FhirBody {
    let last = listing.path.rsplit('/').next().unwrap_or_default();
    match last {
        "$validate" => FhirBody::OperationOutcome,
        "fhir" | "_search" | "_history" | "$everything" | "$lastn" | "$match" | "{member}" => FhirBody::Bundle,
        "{type}" if listing.method == Method::GET => FhirBody::Bundle,
        _ if listing.method == Method::DELETE || listing.payload == Payload::Acceptance => FhirBody::OperationOutcome,
        "$meta"
        | "$meta-add"
        | "$read-receipt-query"
        | "$status-query"
        | "$generate-invitation-tokens"
        | "$date-of-last-data-point"
        | "$break-glass"
        | "$mend-glass" => FhirBody::Parameters,
        _ => FhirBody::Resource,
    }
}

/// What its body can be, by media type, and whether there must be one.
pub(super) fn request(listing: &Listing) -> Option<Value> {
    if ![Method::POST, Method::PUT, Method::PATCH].contains(&listing.method) {
        return None;
    }
    let last = listing.path.rsplit('/').next().unwrap_or_default();
    if last == "_search" {
        let schema = json!({ "type": "object", "additionalProperties": { "type": "string" } });
        return Some(json!({ "required": false, "content": { FORM: { "schema": schema } } }));
    }
    let body = match last {
        "fhir" => FhirBody::Bundle,
        operation if operation.starts_with('$') && operation != "$validate" => FhirBody::Parameters,
        _ => FhirBody::Resource,
    };
    let mut content = Map::from_iter([(FHIR_JSON.to_owned(), body.content())]);
    if listing.method == Method::PATCH {
        let operation = json!({ "op": "replace", "path": "/status", "value": "amended" });
        let patch = json!({ "schema": { "type": "array", "items": { "type": "object" } }, "example": [operation] });
        content.insert("application/json-patch+json".into(), patch);
        let merge = json!({ "schema": { "type": "object" }, "example": { "status": "amended" } });
        content.insert("application/merge-patch+json".into(), merge);
    }
    if listing.path.starts_with("/fhir/Binary") {
        content.insert("application/octet-stream".into(), json!({ "schema": {} }));
    }
    let named = listing.inputs.iter().find(|input| input.place == ParameterPlace::Json);
    Some(json!({ "required": named.is_some_and(|input| input.is_required), "content": content }))
}

/// Parameters that a search has beside those that are named: by whatever names its type has.
pub(super) fn free_parameters(input: &Input) -> Option<Value> {
    let name = input.name.strip_prefix('(')?.strip_suffix(')')?;
    let schema = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    Some(json!({ "name": name, "in": "query", "required": false, "description": input.about, "style": "form",
        "explode": true, "schema": schema }))
}
