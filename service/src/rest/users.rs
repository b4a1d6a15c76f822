//! `GET /json/users/self`: who is behind the session.

use crate::app::trouble::{During, Trouble};
use crate::callers::api::RestReader;
use crate::http::call::Call;
use crate::interactions::read;
use crate::rest::person::Person;
use crate::voices::api::{ApiStop, JSON, NO_STORE};
use axum::body::Body;
use axum::http::header;
use axum::response::Response;
use rules::answers::Refusal;
use store::profile::{self, Profile};

pub async fn read_self(caller: RestReader, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let Profile { user, teams } = match caller.session() {
        Some(session) => profile::of_session(&app.store, session).await.during("reading the profile of a session")?,
        None => Profile::default(),
    };
    let person = match (user, caller.patient(), caller.reach().own()) {
        (Some(user), Some(id), Some(own)) => {
            let patient = read::own_patient(app, &caller, own, id).await?;
            Person::patient(id, &user, patient.as_ref().map(|patient| patient.body.as_str()))
        }
        (Some(user), ..) => Person::staff(&user, &teams),
        // A SITE session is its team's, not a person's.
        (None, _, None) => Person::site(&teams),
        (None, ..) => return Err(Refusal::NotFound("there is no user behind this session".into()).into()),
    };
    let body = serde_json::to_string(&person).map_err(|error| Trouble::new("writing a person as JSON", error))?;
    let mut response = Response::new(Body::from(body));
    response.headers_mut().extend([(header::CONTENT_TYPE, JSON), NO_STORE]);
    Ok(response)
}
