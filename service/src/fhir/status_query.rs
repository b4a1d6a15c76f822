//! `POST /fhir/Patient/$status-query`: which of these are patients of the calling organisation, and whether they live and have an
//! account.

use crate::app::trouble::During;
use crate::callers::api::FhirSender;
use crate::fhir::invocation::Invocation;
use crate::fhir::public_operations::STATUS_QUERY;
use crate::fhir::{answer, body, identifier, media, sender};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::response::Response;
use rules::guidance::parts;
use rules::reach::Reach;
use serde_json::{Value, json};
use std::collections::HashMap;
use store::identities::{self, Identity};

pub async fn query(FhirSender(caller): FhirSender, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&STATUS_QUERY, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    let asked = asked.and_text((&app, &caller), body::text(&app, &head.headers, body).await?).await?.checked()?;
    let identifiers = identifier::asked(&asked, &[])?;
    let mut known: HashMap<(String, String), Identity> = HashMap::new();
    for (organisation, eyes) in sender::organisations(&app, &caller.reach).await? {
        // By the organisation, whatever the team that asks may see.
        let reach = Reach::Viewers { teams: Vec::new(), organisation: Some(organisation) };
        let found = identities::find(&app.store, &reach, &identifiers, caller.now).await;
        for identity in found.during("looking patients up")? {
            app.accesses.note_one(&caller.viewer(), identity.patient, parts::STATUS_QUERY, identity.right, Some(eyes));
            known.insert(identity.identifier.clone(), identity);
        }
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
