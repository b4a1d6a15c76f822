//! `/apps`: the apps that a person can open from here (SMART's EHR launch): about a record of theirs, for a team, or for the patient whom
//! a clinician has before them. An app that is opened so gets nothing yet: it comes back to ask.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::launch::{Launch, LaunchSubject};
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::{forms, origin};
use crate::interactions::choices::{self, Choices, Chosen, TEAM};
use crate::interactions::team_patients;
use crate::views::apps::{AppLaunchPage, AppsPage, GalleryApp};
use crate::views::everyone::{Choice, ChoiceOption};
use crate::views::words;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rules::clients::Obtains;
use rules::params::Params;
use rules::scope::Scope;
use rules::smart::offer;
use store::clients::{self, Client};
use store::organisations::Team;

const PATH: &str = "/apps";
const PATIENT: &str = "patient";
/// The most apps that the page lists.
const MOST_APPS: i64 = 200;

/// The patient whom a clinician has before them, seen by one of their teams.
struct PatientInView {
    /// The public id of the team, and the id of the Patient.
    team: String,
    patient: String,
    name: String,
}

/// `GET /apps`.
pub async fn show(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let params = forms::params(call.query().unwrap_or_default().as_bytes());
    let listing = async {
        let params = params.map_err(|_| Problem::unreadable_address())?;
        list(&call.app, &person, &params).await
    };
    let answer = listing.await;
    person.keep(&call.app, answer)
}

async fn list(app: &App, person: &SignIn, params: &Params<'_>) -> Result<Response, PageStop> {
    let patient = in_view(app, person, params).await?;
    let row = |client: Client| GalleryApp {
        href: place(&client.client_id, patient.as_ref()),
        product: client.product,
        owner: client.owner,
    };
    let page = AppsPage {
        frame: person.frame(app, PATH),
        apps: can_be_opened(app, person).await?.into_iter().map(row).collect(),
        about: patient.map(|patient| patient.name),
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// `GET /apps/{client}`.
pub async fn show_one(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let client_id = call.part("client").unwrap_or_default().into_owned();
    let params = forms::params(call.query().unwrap_or_default().as_bytes());
    let showing = async {
        let params = params.map_err(|_| Problem::unreadable_address())?;
        let client = find(&call.app, &person, &client_id).await?;
        ask(&call.app, &person, &client, &params, None).await
    };
    let answer = showing.await;
    person.keep(&call.app, answer)
}

/// `POST /apps/{client}`: leads to the app, with a launch.
pub async fn open(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let client_id = call.part("client").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let opening = async {
        let params = person.own_form(&app, &head.headers, body, &purpose(&client_id)).await?;
        let client = find(&app, &person, &client_id).await?;
        let patient = in_view(&app, &person, &params).await?;
        let choices = choices_of(&app, &person).await?;
        let subject = match choices.chosen(|field| params.get(field).map(String::from)) {
            Chosen::Foreign => return Err(Problem::stale_form().into()),
            Chosen::Nothing => {
                let problem = Some("Choose one of them.".to_owned());
                return ask(&app, &person, &client, &params, problem).await;
            }
            Chosen::This(choice) => LaunchSubject {
                choice: choices.options.iter().find(|option| option.choice == choice).map(|option| option.id.clone()),
                patient: patient.map(|patient| patient.patient),
            },
        };
        let launch = Launch::begin(&app, &person, &client, subject)?;
        Ok(page::see_other(&leading_to(&app, &client, &launch)?))
    };
    let answer = opening.await;
    person.keep(&app, answer)
}

/// The address at which the app is opened (SMART App Launch 2.2, 2.0.3).
fn leading_to(app: &App, client: &Client, launch: &str) -> Result<String, PageStop> {
    let url = client.launch_url.as_deref().ok_or_else(Problem::not_found)?;
    let iss = format!("{}/fhir", app.settings.base_url);
    let query =
        form_urlencoded::Serializer::new(String::new()).append_pair("iss", &iss).append_pair("launch", launch).finish();
    let joint = if url.contains('?') { '&' } else { '?' };
    Ok(format!("{url}{joint}{query}"))
}

/// The page that asks what the app is opened for, and says where it leads.
async fn ask(
    app: &App,
    person: &SignIn,
    client: &Client,
    params: &Params<'_>,
    problem: Option<String>,
) -> Result<Response, PageStop> {
    let patient = in_view(app, person, params).await?;
    let url = client.launch_url.as_deref().unwrap_or_default();
    let (about, choice, kept) = match &patient {
        Some(seen) => {
            let kept = vec![(TEAM, seen.team.clone()), (PATIENT, seen.patient.clone())];
            (Some(seen.name.clone()), None, kept)
        }
        None => {
            let choices = choices_of(app, person).await?;
            match choices.options.as_slice() {
                [] => (None, None, Vec::new()),
                [only] => (Some(only.text()), None, Vec::new()),
                _ => (None, Some(choice(&choices)), Vec::new()),
            }
        }
    };
    let page = AppLaunchPage {
        frame: person.frame(app, PATH),
        product: client.product.clone(),
        owner: client.owner.clone(),
        goes_to: origin::of_url(url).split("://").last().unwrap_or_default().to_owned(),
        about,
        choice,
        kept,
        action: place(&client.client_id, None),
        form: person.form(app, &purpose(&client.client_id)),
        back: format!("{PATH}{}", query_of(patient.as_ref())),
        problem,
    };
    Ok(page::html_posting_to(StatusCode::OK, &page, &format!(" {}", origin::form_target(url))))
}

fn choice(choices: &Choices) -> Choice {
    let is_team = choices.field == TEAM;
    let option = |option: &choices::SessionOption| ChoiceOption {
        id: option.id.clone(),
        text: if is_team { option.text() } else { words::capital(&option.text()) },
        is_chosen: option.is_own,
    };
    Choice {
        field: choices.field,
        legend: if is_team { "For which team?" } else { "Whose record?" },
        hint: "The app is told of this one.",
        options: choices.options.iter().map(option).collect(),
        search: None,
    }
}

/// What somebody can open an app for; nothing, where they are nobody whom apps ask.
async fn choices_of(app: &App, person: &SignIn) -> Result<Choices, PageStop> {
    let scope = person.user.user_type.scope().ok_or_else(Problem::not_found)?;
    Ok(choices::of(app, &person.user, scope, person.now).await?)
}

/// The patient whom the parameters name, if a team of this clinician sees them. One of others and one who never was are the same.
async fn in_view(app: &App, person: &SignIn, params: &Params<'_>) -> Result<Option<PatientInView>, PageStop> {
    let Some(patient) = params.get(PATIENT) else { return Ok(None) };
    let (Some(Scope::Clinician), Some(named)) = (person.user.user_type.scope(), params.get(TEAM)) else {
        return Err(Problem::not_found().into());
    };
    let choices = choices_of(app, person).await?.only(named);
    let team = choices.options.first().and_then(|option| option.choice.team).ok_or_else(Problem::not_found)?;
    let who = (person.user.id, team);
    team_patients::in_care(app, who, patient, person.now).await?.ok_or_else(Problem::not_found)?;
    let found = team_patients::candidate(app, who, patient, person.now).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    Ok(Some(PatientInView { team: named.to_owned(), patient: found.id, name: found.text }))
}

/// The app, if it is one that this person can open.
async fn find(app: &App, person: &SignIn, client_id: &str) -> Result<Client, PageStop> {
    let client = clients::find(&app.store, client_id).await.during("looking an app up")?;
    let client = client.filter(|client| may_open(client, person)).ok_or_else(Problem::not_found)?;
    Ok((*client).clone())
}

async fn can_be_opened(app: &App, person: &SignIn) -> Result<Vec<Client>, PageStop> {
    let all = clients::launched(&app.store, MOST_APPS).await.during("listing the apps that can be opened")?;
    Ok(all.into_iter().filter(|client| may_open(client, person)).collect())
}

fn may_open(client: &Client, person: &SignIn) -> bool {
    client.launch_url.is_some()
        && client.disabled_at.is_none()
        && client.kind.obtains() == Obtains::AuthorizationCode
        && offer::may_sign_in(&client.scopes, &client.user_types).contains(&person.user.user_type)
}

/// The page of an app, for the patient in view.
fn place(client_id: &str, patient: Option<&PatientInView>) -> String {
    format!("{PATH}/{}{}", utf8_percent_encode(client_id, NON_ALPHANUMERIC), query_of(patient))
}

fn query_of(patient: Option<&PatientInView>) -> String {
    patient.map(|seen| format!("?{}", of_patient(&seen.team, &seen.patient))).unwrap_or_default()
}

/// The parameters that name a patient of a team.
fn of_patient(team: &str, patient: &str) -> String {
    form_urlencoded::Serializer::new(String::new()).append_pair(TEAM, team).append_pair(PATIENT, patient).finish()
}

/// Where the apps are that can be opened for a patient of a team, if there are any and they are in its care.
pub(super) async fn for_patient(
    app: &App,
    person: &SignIn,
    team: &Team,
    patient: &str,
) -> Result<Option<String>, PageStop> {
    if can_be_opened(app, person).await?.is_empty() {
        return Ok(None);
    }
    let cared_for = team_patients::in_care(app, (person.user.id, team.id), patient, person.now).await?;
    Ok(cared_for.map(|_| format!("{PATH}?{}", of_patient(&team.public_id, patient))))
}

/// A form opens the one app that it was made for.
fn purpose(client_id: &str) -> String {
    format!("open-app {client_id}")
}
