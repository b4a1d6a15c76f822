//! `GET /json/users/self`: who is behind the session.

use crate::app::{App, Shared};
use crate::caller::RestCaller;
use crate::rest::person::Person;
use crate::voice::{JSON, NO_STORE, Rest};
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::Response;
use rules::answers::Refusal;
use rules::reach::Reach;
use store::organisations::{self, Team};
use store::profile::{self, Profile};

pub async fn read_self(State(app): State<Shared>, RestCaller(caller): RestCaller) -> Result<Response, Rest> {
    let profile = match caller.user {
        Some(id) => profile::of_user(&app.store, id).await?,
        None => None,
    };
    let person = match (profile, &caller.reach) {
        (Some(Profile { user, patient, .. }), Reach::Patient(id)) => {
            app.accesses.note(&caller, Some(id), "Patient");
            Person::patient(id, &user, patient.as_deref())
        }
        (Some(Profile { user, teams, .. }), _) => Person::staff(&user, &teams),
        (None, Reach::Teams(teams)) => of_team(&app, teams).await?,
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

/// A SITE session is its team's, not a person's.
async fn of_team(app: &App, teams: &[i64]) -> Result<Person, Rest> {
    let mut known: Vec<Team> = Vec::new();
    for team in teams {
        known.extend(organisations::team(&app.store, *team).await?);
    }
    Ok(Person::site(&known))
}
