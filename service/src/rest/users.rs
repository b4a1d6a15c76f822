//! `GET /json/users/self`: who is behind the session.

use crate::app::trouble::{During, Trouble};
use crate::callers::api::RestReader;
use crate::http::call::Call;
use crate::interactions::read;
use crate::voices::api::{ApiStop, JSON, NO_STORE};
use axum::body::Body;
use axum::http::header;
use axum::response::Response;
use fhir::json;
use rules::answers::Refusal;
use store::profile::{self, Profile};
use views::kinds::person::{PatientFacts, Person};

pub async fn read_self(caller: RestReader, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let Profile { user, teams } = match caller.session() {
        Some(session) => profile::of_session(&app.store, session).await.during("reading the profile of a session")?,
        None => Profile::default(),
    };
    let named: Vec<(&str, &str)> =
        teams.iter().map(|team| (team.name.as_str(), team.organisation_name.as_str())).collect();
    let person = match (user, caller.patient(), caller.reach().own()) {
        (Some(user), Some(id), Some(own)) => {
            let patient = read::own_patient(app, &caller, own, id).await?;
            let resource = patient.as_ref().and_then(|patient| json::read(&patient.body));
            let facts = PatientFacts { account_name: &user.name, ..PatientFacts::default() };
            Person::patient(id, resource.as_ref(), facts)
        }
        (Some(user), ..) => Person::staff(&user.id.to_string(), user.user_type.scope(), &user.name, &named),
        // A SITE session is its team's, not a person's.
        (None, _, None) => Person::site(teams.first().map(|team| team.public_id.as_str()), &named),
        (None, ..) => return Err(Refusal::NotFound("there is no user behind this session".into()).into()),
    };
    let body = serde_json::to_string(&person).map_err(|error| Trouble::new("writing a person as JSON", error))?;
    let mut response = Response::new(Body::from(body));
    response.headers_mut().extend([(header::CONTENT_TYPE, JSON), NO_STORE]);
    Ok(response)
}
