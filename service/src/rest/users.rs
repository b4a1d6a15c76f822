//! `GET /json/users/self`: who is behind the session.

use crate::app::Shared;
use crate::callers::caller::RestCaller;
use crate::rest::person::Person;
use crate::voices::api::{JSON, NO_STORE, Rest};
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::Response;
use rules::answers::Refusal;
use rules::reach::Reach;
use store::profile::{self, Profile};

pub async fn read_self(State(app): State<Shared>, RestCaller(caller): RestCaller) -> Result<Response, Rest> {
    let Profile { user, patient, teams } = match caller.session {
        Some(session) => profile::of_session(&app.store, session).await?,
        None => Profile::default(),
    };
    let person = match (user, &caller.reach) {
        (Some(user), Reach::Patient(id)) => {
            app.accesses.note(&caller.viewer(), Some(id), "Patient");
            Person::patient(id, &user, patient.as_deref())
        }
        (Some(user), _) => Person::staff(&user, &teams),
        // A SITE session is its team's, not a person's.
        (None, Reach::Teams(_)) => Person::site(&teams),
        (None, _) => return Err(Refusal::NotFound("there is no user behind this session".into()).into()),
    };
    let body = serde_json::to_string(&person).map_err(|error| {
        tracing::error!(%error, "a person could not be written as JSON");
        Refusal::Trouble
    })?;
    let mut response = Response::new(Body::from(body));
    response.headers_mut().extend([(header::CONTENT_TYPE, JSON), NO_STORE]);
    Ok(response)
}
