//! `POST /fhir/Patient/$status-query`: which of these are patients of the calling organisation, and whether they live and have an
//! account.

use crate::callers::api::FhirSender;
use crate::fhir::operations::invocation::Invocation;
use crate::fhir::operations::public_table::STATUS_QUERY;
use crate::fhir::operations::{identifier, sender};
use crate::fhir::read::answer;
use crate::fhir::{body, media};
use crate::http::call::Call;
use crate::interactions::identities;
use crate::voices::api::ApiStop;
use axum::response::Response;
use rules::guidance::parts;
use serde_json::{Value, json};
use std::collections::HashMap;
use store::identities::Identity;

pub async fn query(caller: FhirSender, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&STATUS_QUERY, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    let asked = asked.and_text((&app, &caller), body::text(&app, &head.headers, body).await?).await?.checked()?;
    let identifiers = identifier::asked(&asked, &[])?;
    let mut known: HashMap<(String, String), Identity> = HashMap::new();
    for (organisation, viewer) in sender::organisations(&app, caller.reach()).await? {
        let by = (organisation, viewer);
        let found = identities::of_organisation(&app, &caller, by, &identifiers, parts::STATUS_QUERY).await?;
        known.extend(found.into_iter().map(|identity| (identity.identifier.clone(), identity)));
    }
    Ok(answer::parameters(identifiers.iter().map(|asked| status(asked, known.get(asked))).collect()))
}

/// Unknown and foreign are the same: the answer does not tell who is a patient elsewhere.
fn status(asked: &(String, String), known: Option<&Identity>) -> Value {
    let mut told = vec![identifier::part(asked)];
    match known {
        None => told.push(json!({ "name": "diagnostics", "valueString": "Not found" })),
        Some(known) => {
            told.push(json!({ "name": "deceased", "valueBoolean": known.deceased }));
            told.push(json!({ "name": "registered", "valueBoolean": known.registered }));
            let born = known.birth_date.as_ref();
            told.extend(born.map(|born| json!({ "name": "dateOfBirth", "valueDate": born })));
        }
    }
    json!({ "name": "patientStatus", "part": told })
}
