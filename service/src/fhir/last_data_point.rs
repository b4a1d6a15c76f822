//! `Patient/$date-of-last-data-point` and `Patient/{id}/$date-of-last-data-point`: when something was last written into a record,
//! as far as the caller may see it.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::invocation::Invocation;
use crate::fhir::public_operations::DATE_OF_LAST_DATA_POINT;
use crate::fhir::{answer, identifier, media};
use crate::formats::when;
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::identifier_systems::PUBLIC_ID;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::guidance::parts;
use rules::ids::{PatientId, ViewerId};
use rules::reach::Right;
use serde_json::{Value, json};
use std::collections::HashMap;
use store::{compartment, identities, read as records};

/// What is no data point: who the patient is, and what is said about the record.
const NO_DATA_POINTS: [ResourceType; 4] =
    [ResourceType::Patient, ResourceType::Consent, ResourceType::AuditEvent, ResourceType::Provenance];

/// A patient whom the caller may see, by which right and through whose eyes.
type Seen = (PatientId, Right, Option<ViewerId>);

/// Of those who are named, or of the patient that the session is about.
pub async fn of_type(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let (app, asked) = asked(&caller, call).await?;
    let mut identifiers = identifier::asked(&asked, &PUBLIC_ID)?;
    if identifiers.is_empty() {
        let own = caller.patient.clone().ok_or_else(|| {
            Refusal::Invalid(format!("this session is about no patient: name 1 to 100 by {}", identifier::NAME))
        })?;
        identifiers.push(public_id(own));
    }
    Ok(answer::parameters(results(&app, &caller, &identifiers).await?))
}

pub async fn of_instance(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let id = answer::id(ResourceType::Patient, &call)?.into_owned();
    let (app, asked) = asked(&caller, call).await?;
    if asked.all(identifier::NAME).next().is_some() {
        return Err(Refusal::Invalid("the path names the patient already".into()).into());
    }
    let results = results(&app, &caller, &[public_id(id)]).await?;
    if results.is_empty() {
        return Err(answer::not_there(ResourceType::Patient).into());
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
    let seen = seen(app, caller, identifiers).await?;
    let mut results = Vec::new();
    for asked in identifiers {
        let Some((patient, right, eyes)) = seen.get(asked) else { continue };
        let newest = compartment::newest(&app.store, &caller.reach, *patient, &NO_DATA_POINTS, caller.now).await;
        let newest = newest.during("looking for the newest of a record")?;
        app.accesses.note_one(&caller.viewer(), *patient, parts::LAST_DATA_POINT, *right, *eyes);
        let mut told = vec![identifier::part(asked)];
        told.extend(newest.map(|at| json!({ "name": "lastRecordUpdate", "valueDateTime": when::rfc3339(at) })));
        results.push(json!({ "name": "lastDataPointsResult", "part": told }));
    }
    Ok(results)
}

async fn seen(
    app: &App,
    caller: &Caller,
    identifiers: &[(String, String)],
) -> Result<HashMap<(String, String), Seen>, ApiStop> {
    let (own, national): (Vec<_>, Vec<_>) =
        identifiers.iter().cloned().partition(|(system, _)| PUBLIC_ID.contains(&system.as_str()));
    let found = identities::find(&app.store, &caller.reach, &national, caller.now).await;
    let found = found.during("looking patients up")?.into_iter();
    let mut seen: HashMap<(String, String), Seen> =
        found.map(|one| (one.identifier, (one.patient, one.right, one.eyes))).collect();
    for identifier in own {
        let found = records::read(&app.store, &caller.reach, ResourceType::Patient, &identifier.1, caller.now).await;
        if let Some(found) = found.during("reading a Patient")?
            && let Some(patient) = found.patient
        {
            seen.insert(identifier, (patient, found.right, found.eyes));
        }
    }
    Ok(seen)
}
