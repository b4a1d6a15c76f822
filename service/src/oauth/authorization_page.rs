//! The authorization page: the request that it is shown for, held against the client's registration, and its words.

use super::smart_grant;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::known_user::KnownUser;
use crate::callers::launch::{BrowserSignIn, LaunchContext};
use crate::callers::second_factor;
use crate::formats::when;
use crate::formats::zone::Zone;
use crate::http::forms;
use crate::http::origin;
use crate::http::well_known;
use crate::secrets::dice;
use crate::views::everyone::{CodeQuestion, KnownReader};
use crate::views::{AuthorizePage, GuardedText, navigation, words};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::authorize::{self, Fault, Registration, Service, ValidRequest};
use rules::factors::FactorMeans;
use rules::guidance::promises::{self, PromiseGroup, Promises};
use rules::guidance::served::Served;
use rules::limits::{FACTOR_FORM_SECONDS, FORM_SECONDS};
use rules::moment::Moment;
use rules::params::Params;
use rules::scope::Scope;
use rules::smart::offer::SmartOffer;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use store::clients::{self, Client};
use store::opening::SpentForm;
use store::people::User;
use store::vocabulary::VOCABULARY;

pub(super) const PATH: &str = "/apiAuthorize.action";

/// What the page's hidden field holds, sealed: the request as it came, so that the decision checks it anew.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct OpenPage {
    params: Vec<(String, String)>,
    /// Uses the form up: a session remembers which form opened it.
    pub(super) form_id: i64,
    pub(super) expires_at: i64,
    pub(super) attempt: u32,
    /// Who has signed in on the page before.
    #[serde(default)]
    pub(super) known: Option<KnownUser>,
    /// The public id of the team that was chosen on it.
    #[serde(default)]
    pub(super) team: Option<String>,
    /// What the launch settles, where the app was opened from here.
    #[serde(default)]
    pub(super) launched: Option<LaunchContext>,
    /// Until when their second factor is awaited, if it is, and what they wanted.
    #[serde(default)]
    pub(super) awaited: Option<AwaitedCode>,
    /// By what they have shown it on the page before, as its word.
    #[serde(default)]
    pub(super) factor: Option<String>,
}

/// A code that must be shown yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct AwaitedCode {
    pub(super) until: i64,
    pub(super) wish: Wish,
    /// The lines of SMART's scopes that were left ticked.
    #[serde(default)]
    pub(super) ticked: Option<Vec<String>>,
}

/// What somebody wants who signs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Wish {
    Approve,
    /// To see first what the app would see.
    Look,
}

/// What one showing of the page adds to the request that it is for.
#[derive(Default)]
struct Showing<'a> {
    attempt: u32,
    known: Option<KnownUser>,
    awaited: Option<AwaitedCode>,
    /// The form that it goes on with; a new one, where it goes on with none.
    form: Option<SpentForm>,
    asks: Vec<PromiseGroup>,
    username: &'a str,
    reader: Option<KnownReader>,
    code: Option<CodeQuestion>,
    problem: Option<String>,
}

/// A request that is right, with the client it is for.
pub(super) struct AuthorizationRequest {
    pub(super) client: Arc<Client>,
    pub(super) request: ValidRequest,
    params: Params<'static>,
    /// The lines of SMART's scopes that were left ticked; none: nobody has seen them yet.
    pub(super) ticked: Option<Vec<String>>,
    /// The public id of the team that was chosen before a patient of it is.
    pub(super) team: Option<String>,
    /// What the launch settles, where the app was opened from here.
    pub(super) launched: Option<LaunchContext>,
    /// The sign-in of the browser that stands for a password.
    pub(super) sign_in: Option<BrowserSignIn>,
    /// By what the user has shown a second factor.
    pub(super) factor: Option<FactorMeans>,
    /// The form that the page shows, where the request was pushed or launched; otherwise a new one.
    pub(super) form: Option<SpentForm>,
    /// What the service does, which is all that the page may promise.
    pub(super) served: &'static Served,
}

/// The request held against the client's registration.
pub(super) async fn check(
    app: &App,
    params: Params<'_>,
    served: &'static Served,
) -> Result<AuthorizationRequest, PageStop> {
    let client_id = params.get("client_id").ok_or_else(|| wrong(&Fault::MissingClientId))?;
    let client = clients::find(&app.store, client_id)
        .await
        .during("looking the client up")?
        .filter(|client| client.disabled_at.is_none());
    let client = client.ok_or_else(|| wrong(&Fault::UnknownClient))?;
    let request = validated(app, &params, &client).map_err(|fault| wrong(&fault))?;
    let params = params.into_owned();
    Ok(AuthorizationRequest {
        client,
        request,
        params,
        ticked: None,
        team: None,
        launched: None,
        sign_in: None,
        factor: None,
        form: None,
        served,
    })
}

/// What a client's parameters ask for.
pub(super) fn validated(app: &App, params: &Params<'_>, client: &Client) -> Result<ValidRequest, Fault> {
    let registration = Registration {
        kind: client.kind,
        redirect_uris: &client.redirect_uris,
        scopes: &client.scopes,
        require_pkce: client.require_pkce,
        pkce_when_sent: client.pkce_when_sent,
        redirect_extra_query: client.redirect_extra_query,
        smart_scopes: &client.smart_scopes,
        user_types: &client.user_types,
        can_be_launched: client.launch_url.is_some(),
    };
    let audience = format!("{}{}", app.settings.base_url, well_known::FHIR);
    let service = Service { audience: &audience, vocabulary: &VOCABULARY };
    authorize::check(params, &registration, &service)
}

/// What a page brought back, checked anew: the registration may have changed while it lay open.
pub(super) async fn reopen(
    app: &App,
    sealed: &str,
    served: &'static Served,
    now: Moment,
) -> Result<(OpenPage, AuthorizationRequest), PageStop> {
    let open: OpenPage = forms::open(app, sealed).ok_or_else(Problem::stale_form)?;
    if now.is_past(Moment(open.expires_at)) {
        return Err(Problem::stale_form().into());
    }
    let params = Params::read(open.params.iter().cloned()).map_err(|fault| wrong(&Fault::Unreadable(fault)))?;
    let mut checked = check(app, params, served).await?;
    checked.launched = open.launched.clone();
    checked.sign_in = checked.launched.as_ref().and_then(LaunchContext::signed_in);
    checked.factor = open.factor.as_deref().and_then(FactorMeans::named);
    Ok((open, checked))
}

/// The authorization page. `attempt` counts the tries; `problem` says what went wrong with the last one.
pub(super) fn page(
    app: &App,
    checked: &AuthorizationRequest,
    attempt: u32,
    username: &str,
    problem: Option<String>,
) -> Result<Response, PageStop> {
    let asks = offered(checked);
    show(app, checked, Showing { attempt, asks, username, problem, form: checked.form, ..Showing::default() })
}

/// The page that asks somebody for their second factor whose password was right. It goes on with the same form, which is
/// spent last: however often its first page is sent, one code is looked at for each try.
pub(super) async fn code_page(
    app: &App,
    checked: &AuthorizationRequest,
    (attempt, form): (u32, Option<SpentForm>),
    (user, wish): (&User, Wish),
    problem: Option<String>,
) -> Result<Response, PageStop> {
    let until = app.clock.now().plus_seconds(FACTOR_FORM_SECONDS).0;
    let remembered = app.settings.second_factor.remembered_seconds(user.user_type);
    let showing = Showing {
        attempt,
        known: Some(KnownUser::of(user)),
        awaited: Some(AwaitedCode { until, wish, ticked: checked.ticked.clone() }),
        form,
        asks: offered(checked),
        code: Some(CodeQuestion {
            remember_days: remembered.map(|seconds| seconds / 86_400),
            question: second_factor::question(app, user).await?,
        }),
        problem,
        ..Showing::default()
    };
    show(app, checked, showing)
}

/// The same for somebody who has signed in on it: what the user is decides what the app can do.
pub(super) fn page_for(
    app: &App,
    checked: &AuthorizationRequest,
    attempt: u32,
    (known, scope, reader): (KnownUser, Scope, KnownReader),
    problem: Option<String>,
) -> Result<Response, PageStop> {
    let asks = if is_in_lines(checked) { Vec::new() } else { Promises::of(scope, checked.served).groups() };
    let (known, reader) = (Some(known), Some(reader));
    show(app, checked, Showing { attempt, known, asks, reader, problem, form: checked.form, ..Showing::default() })
}

/// Whether all that is asked for stands in lines: SMART's words open what they name, where a word of the contract opens all.
fn is_in_lines(checked: &AuthorizationRequest) -> bool {
    let opens = |offer: &SmartOffer| offer.is_pure || offer.scopes.iter().any(|scope| scope.resource().is_some());
    checked.request.smart.as_ref().is_some_and(opens)
}

/// What the page promises of an app before it is known who approves.
fn offered(checked: &AuthorizationRequest) -> Vec<PromiseGroup> {
    let AuthorizationRequest { client, request, served, .. } = checked;
    if is_in_lines(checked) { Vec::new() } else { asks(request.scope, &client.scopes, served) }
}

fn show(app: &App, checked: &AuthorizationRequest, showing: Showing<'_>) -> Result<Response, PageStop> {
    let now = app.clock.now();
    let Showing { attempt, known, awaited, form, asks, username, reader, code, problem } = showing;
    let AuthorizationRequest { client, request, params, .. } = checked;
    let kept = authorize::PARAMETERS.iter().filter(|name| authorize::is_kept(name, request));
    let kept = kept.filter_map(|name| Some(((*name).to_owned(), params.get(name)?.to_owned())));
    let open = OpenPage {
        params: kept.collect(),
        form_id: form.map_or_else(dice::number, |form| Ok(form.id))?,
        expires_at: form.map_or(now.plus_seconds(FORM_SECONDS), |form| form.expires_at).0,
        attempt,
        known,
        team: checked.team.clone(),
        launched: checked.launched.clone(),
        awaited,
        factor: checked.factor.map(|factor| factor.word().to_owned()),
    };
    let asks_for_passkey = code.as_ref().is_some_and(|code| code.question.passkey.is_some());
    let page = AuthorizePage {
        frame: page::frame(app, navigation::ANYBODY, ""),
        owner: client.owner.clone(),
        product: client.product.clone(),
        unchecked: client.unchecked,
        asks,
        lines: smart_grant::lines(request.smart.as_ref(), checked.ticked.as_deref()),
        reader,
        code,
        tries_left: (app.settings.attempts + 1).saturating_sub(attempt).max(1),
        how_long: how_long(client, now, &app.settings.time_zone),
        returns_to: returns_to(client, &request.redirect_uri),
        action: PATH.into(),
        form: GuardedText::new(forms::seal(app, &open)),
        username: username.into(),
        problem,
    };
    let further = format!(" {}", origin::form_target(&request.redirect_uri));
    Ok(page::html_with_passkey(app, StatusCode::OK, &page, (&further, asks_for_passkey)))
}

/// What the app could do; where it named no scope, what the user is decides.
fn asks(scope: Option<Scope>, registered: &[Scope], served: &Served) -> Vec<PromiseGroup> {
    match (scope, registered) {
        (Some(scope), _) => Promises::of(scope, served).groups(),
        (None, [only]) => Promises::of(*only, served).groups(),
        (None, several) => {
            let each =
                |scope: &Scope| format!("{}: {}.", promises::if_you_are(*scope), Promises::of(*scope, served).brief());
            vec![PromiseGroup { heading: promises::BY_WHO_YOU_ARE, sentences: several.iter().map(each).collect() }]
        }
    }
}

fn how_long(client: &Client, now: Moment, zone: &Zone) -> String {
    client.session_seconds.map_or_else(
        || words::UNTIL_TAKEN_BACK.into(),
        |seconds| format!("for {}, until {}", when::length(seconds), zone.day_and_time(now.plus_seconds(seconds))),
    )
}

/// The host that Approve leads to, or words for an app on this device.
fn returns_to(client: &Client, redirect_uri: &str) -> String {
    let host = redirect_uri.strip_prefix("https://").or_else(|| redirect_uri.strip_prefix("http://"));
    host.map_or_else(
        || format!("the {} app on this device", client.product),
        |rest| rest.split(['/', '?']).next().unwrap_or(rest).to_owned(),
    )
}

pub(super) fn wrong(fault: &Fault) -> Problem {
    let what_to_do = "Go back to the app and try again. If it happens again, tell the people who make the app.";
    Problem::new(400, "This link from the app is not right", fault.words(), what_to_do)
}
