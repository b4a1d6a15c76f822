//! `Patient/$date-of-last-data-point` and `Patient/{id}/$date-of-last-data-point`: when something was last written into a record,
//! as far as the caller may see it.

use crate::app::App;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::media;
use crate::fhir::operations::identifier;
use crate::fhir::operations::invocation::Invocation;
use crate::fhir::operations::public_table::DATE_OF_LAST_DATA_POINT;
use crate::fhir::read::answer;
use crate::formats::when;
use crate::http::call::Call;
use crate::interactions::{absence, identities};
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::identifier_systems::PUBLIC_ID;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::guidance::parts;
use rules::moment::Moment;
use serde_json::{Value, json};

/// What is no data point: who the patient is, and what is said about the record.
const NO_DATA_POINTS: [ResourceType; 4] =
    [ResourceType::Patient, ResourceType::Consent, ResourceType::AuditEvent, ResourceType::Provenance];

/// Of those who are named, or of the patient that the session is about.
pub async fn of_type(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let (app, asked) = asked(&caller, call).await?;
    let mut identifiers = identifier::asked(&asked, &PUBLIC_ID)?;
    if identifiers.is_empty() {
        let own = caller.patient().map(str::to_owned).ok_or_else(|| {
            Refusal::Invalid(format!("this session is about no patient: name 1 to 100 by {}", identifier::NAME))
        })?;
        identifiers.push(public_id(own));
    }
    Ok(answer::parameters(results(&app, &caller, &identifiers).await?))
}

pub async fn of_instance(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let id = answer::id(ResourceType::Patient, &call)?.into_owned();
    let (app, asked) = asked(&caller, call).await?;
    if asked.all(identifier::NAME).next().is_some() {
        return Err(Refusal::Invalid("the path names the patient already".into()).into());
    }
    let results = results(&app, &caller, &[public_id(id)]).await?;
    if results.is_empty() {
        return Err(absence::not_there(ResourceType::Patient).into());
    }
    Ok(answer::parameters(results))
}

async fn asked(caller: &Caller, call: Call) -> Result<(crate::app::Shared, Invocation), ApiStop> {
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&DATE_OF_LAST_DATA_POINT, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    let asked = asked.and_sent((&app, caller), &head.headers, body).await?.checked()?;
    Ok((app, asked))
}

fn public_id(id: String) -> (String, String) {
    let [system, _] = PUBLIC_ID;
    (system.to_owned(), id)
}

/// One for each who is known; whoever is not is left out.
async fn results(app: &App, caller: &Caller, identifiers: &[(String, String)]) -> Result<Vec<Value>, ApiStop> {
    let systems = (&PUBLIC_ID[..], &NO_DATA_POINTS[..]);
    let known = identities::last_changes(app, caller, identifiers, systems, parts::LAST_DATA_POINT).await?;
    let result = |(asked, newest): &((String, String), Option<Moment>)| {
        let mut told = vec![identifier::part(asked)];
        told.extend(newest.map(|at| json!({ "name": "lastRecordUpdate", "valueDateTime": when::rfc3339(at) })));
        json!({ "name": "lastDataPointsResult", "part": told })
    };
    Ok(known.iter().map(result).collect())
}
