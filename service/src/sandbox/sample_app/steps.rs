//! The buttons: each sends one request to the service, adds it to the trace, and shows the trace.

use super::conversation::AppRequest;
use super::diary::{CLIENT_ID, Diary, SCOPE};
use super::findings::PDF;
use super::screens::{self, TRACE};
use super::story::{self, Story};
use super::walk::Walk;
use crate::http::forms;
use crate::secrets::secret::Secret;
use crate::voices::page;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::Deserialize;
use std::sync::Arc;

/// Patients within the session's reach: for a patient's session that is the patient alone.
const PATIENT: &str = "/fhir/Patient";
const MYSELF: &str = "/json/users/self";
/// Body weight, as LOINC has it.
const WEIGHT: &str = "http://loinc.org%7C29463-7";
const FHIR_JSON: &str = "application/fhir+json";

#[derive(Deserialize)]
struct Tokens {
    access_token: String,
    refresh_token: Option<String>,
}

pub(super) async fn call_fhir(State(diary): State<Arc<Diary>>, headers: HeaderMap, body: Body) -> Response {
    press(&diary, &headers, body, story::FHIR, |walk| reading(walk, PATIENT.into(), FHIR_JSON)).await
}

pub(super) async fn call_rest(State(diary): State<Arc<Diary>>, headers: HeaderMap, body: Body) -> Response {
    press(&diary, &headers, body, story::REST, |walk| reading(walk, MYSELF.into(), "application/json")).await
}

pub(super) async fn search(State(diary): State<Arc<Diary>>, headers: HeaderMap, body: Body) -> Response {
    let ask = |walk: &mut Walk| {
        let patient = walk.findings.patient.as_ref()?;
        let path = format!("/fhir/Observation?patient={patient}&code={WEIGHT}&_sort=-date&_count=2");
        reading(walk, path, FHIR_JSON)
    };
    press(&diary, &headers, body, story::SEARCH, ask).await
}

pub(super) async fn next_page(State(diary): State<Arc<Diary>>, headers: HeaderMap, body: Body) -> Response {
    let ask = |walk: &mut Walk| reading(walk, walk.findings.next_page.clone()?, FHIR_JSON);
    press(&diary, &headers, body, story::NEXT_PAGE, ask).await
}

pub(super) async fn find_letter(State(diary): State<Arc<Diary>>, headers: HeaderMap, body: Body) -> Response {
    let ask = |walk: &mut Walk| {
        let patient = walk.findings.patient.as_ref()?;
        let path = format!("/fhir/DocumentReference?patient={patient}&contenttype={PDF}&_sort=-date&_count=1");
        reading(walk, path, FHIR_JSON)
    };
    press(&diary, &headers, body, story::FIND_LETTER, ask).await
}

pub(super) async fn open_letter(State(diary): State<Arc<Diary>>, headers: HeaderMap, body: Body) -> Response {
    let ask = |walk: &mut Walk| reading(walk, walk.findings.letter.clone()?, PDF);
    press(&diary, &headers, body, story::OPEN_LETTER, ask).await
}

/// Takes the refresh token out of the walk while it is on its way: a second press of the button would be a replay.
pub(super) async fn refresh(State(diary): State<Arc<Diary>>, headers: HeaderMap, body: Body) -> Response {
    press(&diary, &headers, body, story::REFRESH, |walk| Some(refreshing(walk.refresh.take()?))).await
}

pub(super) async fn replay(State(diary): State<Arc<Diary>>, headers: HeaderMap, body: Body) -> Response {
    press(&diary, &headers, body, story::REPLAY, |walk| Some(refreshing(walk.used.clone()?))).await
}

fn reading(walk: &Walk, path: String, accept: &'static str) -> Option<AppRequest> {
    Some(AppRequest::Read { path, accept, access: walk.access.clone()? })
}

fn refreshing(token: Secret) -> AppRequest {
    AppRequest::Token(vec![
        ("grant_type", Secret::new("refresh_token".into())),
        ("client_id", Secret::new(CLIENT_ID.into())),
        ("refresh_token", token),
        ("scope", Secret::new(SCOPE.into())),
    ])
}

/// Checks that the button is of this browser's own page, then takes the step that `ask` makes of the walk.
async fn press(
    diary: &Diary,
    headers: &HeaderMap,
    body: Body,
    story: Story,
    ask: impl FnOnce(&mut Walk) -> Option<AppRequest>,
) -> Response {
    let params = forms::read(headers, body).await.unwrap_or_default();
    let form = params.get(forms::FIELD).unwrap_or_default();
    match diary.browsers.with(headers, |walk| walk.is_own_form(form).then(|| ask(walk))).flatten() {
        None => {
            let what =
                "That button belongs to a page that is gone: the app was started anew, or another walk was begun.";
            screens::error(StatusCode::FORBIDDEN, "Please start again", what, None)
        }
        Some(None) => page::see_other(TRACE),
        Some(Some(request)) => take(diary, headers, story, &request).await,
    }
}

/// Sends one request, adds it and its answer to the trace, and shows that.
pub(super) async fn take(diary: &Diary, headers: &HeaderMap, story: Story, request: &AppRequest) -> Response {
    let answer = match diary.ask(request).await {
        Ok(answer) => answer,
        Err(silence) => {
            diary.browsers.with(headers, |walk| keep(walk, request));
            return screens::silent(diary, &silence);
        }
    };
    let exchange = story::exchange(diary, story, request, &answer);
    let step = diary.browsers.with(headers, |walk| {
        match (answer.status, serde_json::from_slice::<Tokens>(&answer.body)) {
            (StatusCode::OK, Ok(tokens)) => hold(walk, request, tokens),
            _ => keep(walk, request),
        }
        if answer.status.is_success() {
            walk.findings.keep(&diary.base_url, answer.media_type(), &answer.body);
        }
        walk.note(exchange);
        walk.exchanges().len()
    });
    page::see_other(&format!("{TRACE}#step-{}", step.unwrap_or(1)))
}

/// New tokens: what was held before is used up.
fn hold(walk: &mut Walk, request: &AppRequest, tokens: Tokens) {
    walk.access = Some(Secret::new(tokens.access_token));
    walk.refresh = tokens.refresh_token.map(Secret::new);
    if let Some(used) = refresh_token(request) {
        walk.used = Some(used.clone());
    }
}

/// No new tokens: a refresh token that was on its way is still the one that the app has.
fn keep(walk: &mut Walk, request: &AppRequest) {
    if let Some(token) = refresh_token(request).filter(|token| walk.used.as_ref() != Some(token)) {
        walk.refresh = Some(token.clone());
    }
}

fn refresh_token(request: &AppRequest) -> Option<&Secret> {
    let AppRequest::Token(parameters) = request else { return None };
    parameters.iter().find(|(name, _)| *name == "refresh_token").map(|(_, token)| token)
}
