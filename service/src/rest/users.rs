//! Users: who is behind the session, and others whom the caller may see.

use super::answer;
use super::body;
use crate::app::trouble::During;
use crate::callers::api::{RestReader, RestTeamReader};
use crate::http::call::Call;
use crate::interactions::read;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::human_name;
use fhir::identifier_systems::NATIONAL;
use fhir::json;
use fhir::reference;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::rest_errors::RestError;
use rules::rest_faults::{ShapeFault, ValueFault};
use store::profile::{self, Profile};
use views::kinds::person::{PatientFacts, Person};

/// As an error calls one.
const USER: &str = "User";

/// `GET /json/users/self`.
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
    answer::json(StatusCode::OK, &person)
}

/// `GET /json/users/{id}`: a patient, or a professional.
pub(crate) async fn read_one(caller: RestReader, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let app = &call.app;
    let id = call.part("id").unwrap_or_default().into_owned();
    if !reference::is_id(&id) {
        return Err(RestError::NotFound(USER).into());
    }
    // A patient's session is about one record.
    let is_other = caller.patient().is_some_and(|own| own != id);
    if !is_other && let Some(patient) = read::if_there(app, &caller, ResourceType::Patient, &id).await? {
        return answer::json(StatusCode::OK, &of_patient(&id, &patient.body));
    }
    match read::if_there(app, &caller, ResourceType::Practitioner, &id).await? {
        Some(found) => {
            let name = serde_json::from_str(&found.body).ok().and_then(|found| human_name::written(&found));
            answer::json(StatusCode::OK, &Person::staff(&id, None, name.as_deref().unwrap_or_default(), &[]))
        }
        None => {
            read::found_none(app, &caller, &[ResourceType::Patient], &id);
            Err(RestError::NotFound(USER).into())
        }
    }
}

/// `GET /json/users/byNationalId/{value}/{idType}`: what a patient is recognised by.
pub(crate) async fn by_national_id(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let (value, word) = (call.part("value").unwrap_or_default(), call.part("idType").unwrap_or_default());
    let Some(system) = NATIONAL.iter().find(|system| system.word == word) else {
        let known = NATIONAL.map(|system| system.word).join(", ");
        let why = ValueFault::NotOneOf(&known).words();
        return Err(RestError::BadRequest(ShapeFault::Parameter { name: "type", why: &why }.words()).into());
    };
    let found = match value.is_empty() {
        true => None,
        false => read::patient_by_identifier(&call.app, &caller, (system.uri, &value)).await?,
    };
    let found = found.ok_or(RestError::NotFound("Patient"))?;
    answer::json(StatusCode::OK, &of_patient(&found.id, &found.body).banner())
}

fn of_patient(id: &str, body: &str) -> Person {
    Person::patient(id, json::read(body).as_ref(), PatientFacts::default())
}
