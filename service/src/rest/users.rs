//! `GET /json/users/self`: who is behind the session.

use crate::app::trouble::{During, Trouble};
use crate::callers::api::RestReader;
use crate::http::call::Call;
use crate::rest::person::Person;
use crate::voices::api::{ApiStop, JSON, NO_STORE};
use axum::body::Body;
use axum::http::header;
use axum::response::Response;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::reach::{Reach, Right};
use store::profile::{self, Profile};
use store::read;

pub async fn read_self(RestReader(caller): RestReader, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let Profile { user, teams } = match caller.session {
        Some(session) => profile::of_session(&app.store, session).await.during("reading the profile of a session")?,
        None => Profile::default(),
    };
    let person = match (user, &caller.patient, &caller.reach) {
        (Some(user), Some(id), Reach::Own(own)) => {
            let patient = read::read(&app.store, &caller.reach, ResourceType::Patient, id, caller.now).await;
            let patient = patient.during("reading the patient's own Patient")?;
            app.accesses.note_one(&caller.viewer(), *own, ResourceType::Patient.name(), Right::Own, None);
            Person::patient(id, &user, patient.as_ref().map(|patient| patient.body.as_str()))
        }
        (Some(user), ..) => Person::staff(&user, &teams),
        // A SITE session is its team's, not a person's.
        (None, _, Reach::Viewers { .. }) => Person::site(&teams),
        (None, ..) => return Err(Refusal::NotFound("there is no user behind this session".into()).into()),
    };
    let body = serde_json::to_string(&person).map_err(|error| Trouble::new("writing a person as JSON", error))?;
    let mut response = Response::new(Body::from(body));
    response.headers_mut().extend([(header::CONTENT_TYPE, JSON), NO_STORE]);
    Ok(response)
}
