//! Connecting: off to the service with a new request, and back with a code or an error.

use super::conversation::AppRequest;
use super::diary::{CLIENT_ID, Diary, SCOPE};
use super::walk::{self, Expectation, Walk};
use super::{browsers, screens, steps, story};
use crate::http::forms;
use crate::secrets::dice::NoRandomness;
use crate::secrets::secret::Secret;
use crate::voices::page;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use rules::params::Params;
use std::sync::Arc;

pub(super) async fn connect(State(diary): State<Arc<Diary>>) -> Response {
    begin(&diary).unwrap_or_else(|error| {
        tracing::error!(%error, "no randomness");
        let what = "This machine gave no random numbers, and without them nothing safe can be made.";
        screens::error(StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong", what, None)
    })
}

fn begin(diary: &Diary) -> Result<Response, NoRandomness> {
    let (walk, awaited) = Walk::new()?;
    let key = walk::random()?;
    let mut response = page::see_other(&diary.authorization_url(&awaited));
    browsers::remember(&mut response, key.reveal());
    diary.browsers.begin(key.reveal().to_owned(), walk);
    Ok(response)
}

pub(super) async fn callback(State(diary): State<Arc<Diary>>, headers: HeaderMap, uri: Uri) -> Response {
    let sent = uri.query().unwrap_or_default();
    let params = forms::params(sent.as_bytes()).unwrap_or_default();
    let state = params.get("state").unwrap_or_default();
    let awaited = diary.browsers.with(&headers, |walk| walk.answered(state)).flatten();
    match (awaited, params.get("code")) {
        (None, _) => not_awaited(&params),
        (Some(_), None) => without_access(&params),
        (Some(awaited), Some(code)) => {
            let came_back = format!("{}?{sent}", diary.redirect_uri());
            let asking = story::authorization(&diary.authorization_url(&awaited), &came_back);
            diary.browsers.with(&headers, |walk| walk.note(asking));
            let request = AppRequest::Token(vec![
                ("grant_type", Secret::new("authorization_code".into())),
                ("client_id", Secret::new(CLIENT_ID.into())),
                ("code", Secret::new(code.into())),
                ("redirect_uri", Secret::new(diary.redirect_uri())),
                ("code_verifier", awaited.verifier),
            ]);
            steps::take(&diary, &headers, story::CODE, &request).await
        }
    }
}

/// An answer that this browser did not ask for may be an attacker's: another account's code, slipped in.
fn not_awaited(params: &Params<'_>) -> Response {
    let what = "The state that came back is not one that Sleep Diary sent from this browser, so it does not use the \
                answer. If you made the request by hand, take the code from here.";
    let parts = ["code", "error", "state"].iter().filter_map(|name| Some(format!("{name}={}", params.get(name)?)));
    let detail = parts.collect::<Vec<_>>().join("\n");
    let detail = Some(detail).filter(|detail| !detail.is_empty());
    screens::error(StatusCode::BAD_REQUEST, "This answer is not ours", what, detail)
}

fn without_access(params: &Params<'_>) -> Response {
    let error = params.get("error").unwrap_or("none");
    let (heading, what) = match error {
        "access_denied" => (
            "No access, no harm done",
            "You denied access, or the login failed. An app is not told which. Sleep Diary works without your record, too.",
        ),
        _ => ("Recordgate could not answer", "Something went wrong there. Sleep Diary got neither a code nor access."),
    };
    screens::error(StatusCode::OK, heading, what, Some(format!("error={error}")))
}

impl Diary {
    fn redirect_uri(&self) -> String {
        format!("{}/callback", self.url)
    }

    fn authorization_url(&self, awaited: &Expectation) -> String {
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("response_type", "code")
            .append_pair("client_id", CLIENT_ID)
            .append_pair("redirect_uri", &self.redirect_uri())
            .append_pair("scope", SCOPE)
            .append_pair("state", awaited.state.reveal())
            .append_pair("code_challenge", &awaited.challenge())
            .append_pair("code_challenge_method", "S256")
            .finish();
        format!("{}/apiAuthorize.action?{query}", self.base_url)
    }
}
