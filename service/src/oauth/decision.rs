//! The decision on the authorization page: Approve with a login, or Deny; either way back to the app.

use super::approval;
use super::authorization_page::{self, AuthorizationRequest, OpenPage, Wish};
use super::smart_grant::{self, SmartGrant};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::launch::LaunchContext;
use crate::callers::login::Login;
use crate::callers::second_factor;
use crate::http::forms;
use crate::interactions::choices::{self, Choices, Chosen};
use crate::secrets::dice;
use crate::secrets::tokens::{self, Kind, TokenContent};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::response::Response;
use rules::factors::FactorDemand;
use rules::guidance::served::Served;
use rules::ids::TeamId;
use rules::moment::Moment;
use rules::oauth_errors::RedirectError;
use rules::params::Params;
use rules::scope::{self, Scope, UserType};
use rules::smart::offer;
use rules::smart::word::SmartScope;
use store::opening::{self, CodeBinding, Holder, Opening, SessionChoice, SpentForm};
use store::people::User;
use store::salt::Salt;

pub(super) async fn decide(
    app: &App,
    params: &Params<'_>,
    login: &Login<'_>,
    served: &'static Served,
) -> Result<Response, PageStop> {
    let now = app.clock.now();
    let sealed = params.get(forms::FIELD).ok_or_else(Problem::stale_form)?;
    let (open, mut checked) = authorization_page::reopen(app, sealed, served, now).await?;
    checked.ticked = match &open.awaited {
        // The page that asks for a code shows no lines to be ticked.
        Some(awaited) => awaited.ticked.clone(),
        None => checked.request.smart.as_ref().map(|offer| smart_grant::ticked(offer, params)),
    };
    match params.get("decision") {
        Some("approve") => approve(app, params, login, (&open, checked), Wish::Approve, now).await,
        Some("look") => approve(app, params, login, (&open, checked), Wish::Look, now).await,
        // Anybody can press Deny, as often as they like. It opens nothing, so nothing is written for it.
        Some("deny") => Ok(denial(app, &checked, RedirectError::AccessDenied)),
        _ => Err(Problem::stale_form().into()),
    }
}

/// What is to be granted, before it is settled whose record or which team it is about.
pub(super) struct Consenting<'c> {
    user: &'c User,
    pub(super) scope: Scope,
    /// What of SMART's scopes; nothing where the contract's words stand alone.
    pub(super) smart: Option<SmartGrant>,
}

async fn approve(
    app: &App,
    params: &Params<'_>,
    login: &Login<'_>,
    (open, mut checked): (&OpenPage, AuthorizationRequest),
    wish: Wish,
    now: Moment,
) -> Result<Response, PageStop> {
    let form = form_of(open);
    let user = match &open.known {
        Some(known) => known.find(app).await?.ok_or_else(Problem::stale_form)?,
        None => match login.user(app).await? {
            Some(user) => user,
            None => return failure(app, login.username, open, &checked, form).await,
        },
    };
    if checked.launched.as_ref().is_some_and(|launched| !launched.is_of(user.id)) {
        spend(app, form).await?;
        return Ok(denial(app, &checked, RedirectError::AccessDenied));
    }
    let wish = match second_step(app, params, login, (open, &mut checked), (&user, wish), now).await? {
        Ok(wish) => wish,
        Err(answer) => return Ok(answer),
    };
    let Some(consenting) = consenting(&checked, &user) else {
        spend(app, form).await?;
        return Ok(denial(app, &checked, RedirectError::AccessDenied));
    };
    let scope = consenting.scope;
    let Some(choices) = choices_of(app, &checked, (&user, scope), now).await? else {
        spend(app, form).await?;
        return Ok(denial(app, &checked, RedirectError::AccessDenied));
    };
    let named = |field: &str| match field {
        choices::TEAM => params.get(field).map(String::from).or_else(|| open.team.clone()),
        field => params.get(field).map(String::from),
    };
    let answer = match (choices.chosen(named), wish) {
        (Chosen::Foreign, _) => {
            spend(app, form).await?;
            return Err(Problem::stale_form().into());
        }
        (Chosen::This(choice), _) if is_picked(&consenting, &checked) => {
            checked.team = named(choices::TEAM);
            pick(app, params, (&consenting, choice), (open, &checked), wish, now).await?
        }
        (Chosen::This(choice), Wish::Approve) => {
            grant(app, &consenting, choice, (&checked, Ground::of(&checked, form)), now).await?
        }
        (Chosen::Nothing, Wish::Approve) if open.known.is_some() => {
            spend(app, form).await?;
            let problem = Some("Choose one of them, or deny.".to_owned());
            approval::page(app, &checked, open.attempt, (&user, scope), &choices, problem).await?
        }
        _ => {
            spend(app, form).await?;
            approval::page(app, &checked, open.attempt, (&user, scope), &choices, None).await?
        }
    };
    if open.known.is_some() && open.awaited.is_none() {
        return Ok(answer);
    }
    let mut answer = login.remember(app, &user, answer)?;
    if open.awaited.is_some() && params.get("remember").is_some() {
        second_factor::remember(app, login.source().headers, &user, &mut answer).await?;
    }
    Ok(answer)
}

/// The page for somebody who opened the app from here and is asked for approval alone. Every line of it is ticked.
pub(super) async fn ask_for_approval(
    app: &App,
    mut checked: AuthorizationRequest,
    user: &User,
) -> Result<Response, PageStop> {
    let now = app.clock.now();
    checked.ticked = checked.request.smart.as_ref().map(|offer| offer.lines().map(ToString::to_string).collect());
    let consenting = consenting(&checked, user);
    let Some(consenting) = consenting else { return Ok(denial(app, &checked, RedirectError::AccessDenied)) };
    let who = (user, consenting.scope);
    let Some(choices) = choices_of(app, &checked, who, now).await? else {
        return Ok(denial(app, &checked, RedirectError::AccessDenied));
    };
    match choices.chosen(|_| None) {
        Chosen::This(choice) if is_picked(&consenting, &checked) => {
            let Some(team) = choice.team else { return Ok(denial(app, &checked, RedirectError::AccessDenied)) };
            ask_for_patient(app, &checked, 1, (who, team, None), (None, now)).await
        }
        _ => approval::page(app, &checked, 1, who, &choices, None).await,
    }
}

/// What a session of this user can be about or for; only what a launch names, where there was one. `None`: that is theirs no longer.
pub(super) async fn choices_of(
    app: &App,
    checked: &AuthorizationRequest,
    (user, scope): (&User, Scope),
    now: Moment,
) -> Result<Option<Choices>, PageStop> {
    let choices = choices::of(app, user, scope, now).await?;
    let launched = checked.launched.as_ref().and_then(|launched| launched.subject.choice.as_deref());
    Ok(match launched {
        Some(id) => Some(choices.only(id)).filter(|choices| !choices.options.is_empty()),
        None => Some(choices),
    })
}

/// Whether a session is about one patient of a team: the clinician picks them, unless they had them before them when they opened the app.
pub(super) fn is_picked(consenting: &Consenting<'_>, checked: &AuthorizationRequest) -> bool {
    let Some(smart) = &consenting.smart else { return false };
    let is_named = launched_patient(checked).is_some() && offer::is_told_of_patient(&smart.scopes);
    consenting.scope == Scope::Clinician && (is_named || offer::needs_patient(&smart.scopes))
}

fn launched_patient(checked: &AuthorizationRequest) -> Option<&str> {
    checked.launched.as_ref().and_then(|launched| launched.subject.patient.as_deref())
}

/// What somebody whose password was right wants, once they have shown their second factor, where it is asked for; otherwise the answer
/// that they get. A wrong code is a try on the page, as a wrong password is.
async fn second_step(
    app: &App,
    params: &Params<'_>,
    login: &Login<'_>,
    (open, checked): (&OpenPage, &mut AuthorizationRequest),
    (user, wish): (&User, Wish),
    now: Moment,
) -> Result<Result<Wish, Response>, PageStop> {
    let form = form_of(open);
    let Some(awaited) = &open.awaited else {
        if open.known.is_some() {
            return Ok(Ok(wish));
        }
        return Ok(match second_factor::demand(app, login.source().headers, user).await? {
            FactorDemand::Nothing => Ok(wish),
            FactorDemand::Proof => {
                let going_on = (open.attempt, Some(form));
                Err(authorization_page::code_page(app, checked, going_on, (user, wish), None).await?)
            }
            FactorDemand::NotEnrolled => {
                spend(app, form).await?;
                Err(denial(app, checked, RedirectError::AccessDenied))
            }
        });
    };
    if now.is_past(Moment(awaited.until)) {
        return Err(Problem::stale_form().into());
    }
    checked.factor = second_factor::prove(app, login.source(), user, params).await?;
    if checked.factor.is_some() {
        return Ok(Ok(awaited.wish));
    }
    spend(app, form).await?;
    Ok(Err(if open.attempt < app.settings.attempts {
        let problem = Some("That is not right, or it was used before. Please try again.".to_owned());
        authorization_page::code_page(app, checked, (open.attempt + 1, None), (user, awaited.wish), problem).await?
    } else {
        denial(app, checked, RedirectError::AccessDenied)
    }))
}

/// What this user can grant of what is asked for and was left ticked; `None` where that is nothing.
pub(super) fn consenting<'c>(checked: &AuthorizationRequest, user: &'c User) -> Option<Consenting<'c>> {
    let AuthorizationRequest { client, request, .. } = checked;
    let registered: Vec<Scope> = match &request.smart {
        Some(offer) if offer.is_pure => {
            let types = offer::may_sign_in(&client.scopes, &client.user_types);
            types.into_iter().filter_map(UserType::scope).collect()
        }
        _ => client.scopes.clone(),
    };
    let scope = scope::granted(request.scope, &registered, user.user_type).filter(|_| !user.is_shut_out())?;
    let ticked = checked.ticked.as_deref().unwrap_or_default();
    let smart = match &request.smart {
        Some(offer) => Some(smart_grant::of(offer, client, ticked, (user, scope), checked.sign_in.is_some())?),
        None => None,
    };
    Some(Consenting { user, scope, smart })
}

/// Asks a clinician for the patient whom the app is told of, or grants access about the one who was picked.
async fn pick(
    app: &App,
    params: &Params<'_>,
    (consenting, choice): (&Consenting<'_>, SessionChoice),
    (open, checked): (&OpenPage, &AuthorizationRequest),
    wish: Wish,
    now: Moment,
) -> Result<Response, PageStop> {
    let form = form_of(open);
    let who = (consenting.user, consenting.scope);
    let Some(team) = choice.team else {
        spend(app, form).await?;
        return Ok(denial(app, checked, RedirectError::AccessDenied));
    };
    let named = params.get(smart_grant::PATIENT).filter(|_| open.known.is_some());
    let named = launched_patient(checked).or(named);
    if let (Some(id), Wish::Approve) = (named, wish) {
        let picked = smart_grant::picked(app, (consenting.user, team), id, now).await?;
        let Some(record) = picked else {
            spend(app, form).await?;
            return Ok(denial(app, checked, RedirectError::AccessDenied));
        };
        let choice = SessionChoice { record: Some(record), ..choice };
        return grant(app, consenting, choice, (checked, Ground::of(checked, form)), now).await;
    }
    spend(app, form).await?;
    let words = params.get(smart_grant::QUERY);
    // Whoever comes from the page on which the team was chosen has not been asked yet.
    let was_asked = open.known.is_some() && params.get(choices::TEAM).is_none();
    let problem = (was_asked && wish == Wish::Approve).then(|| "Choose one of them, or deny.".to_owned());
    ask_for_patient(app, checked, open.attempt, (who, team, words), (problem, now)).await
}

/// The page on which a clinician picks the patient, or is told which one the app was opened for.
async fn ask_for_patient(
    app: &App,
    checked: &AuthorizationRequest,
    attempt: u32,
    (who, team, words): ((&User, Scope), TeamId, Option<&str>),
    (problem, now): (Option<String>, Moment),
) -> Result<Response, PageStop> {
    if let Some(id) = launched_patient(checked) {
        let named = smart_grant::named(app, (who.0, team), id, now).await?;
        let Some(name) = named else { return Ok(denial(app, checked, RedirectError::AccessDenied)) };
        return approval::page_about(app, checked, attempt, who, name);
    }
    match smart_grant::pick(app, (who.0, team), words, now).await? {
        Some(pick) => approval::page_with_pick(app, checked, attempt, who, pick, problem),
        None => Ok(denial(app, checked, RedirectError::AccessDenied)),
    }
}

/// Another try where the operator allows several on the page; otherwise back to the app, as the contract says.
async fn failure(
    app: &App,
    username: &str,
    open: &OpenPage,
    checked: &AuthorizationRequest,
    form: SpentForm,
) -> Result<Response, PageStop> {
    spend(app, form).await?;
    if open.attempt < app.settings.attempts {
        let problem = "That username and password do not belong together. Please try again.".to_owned();
        return authorization_page::page(app, checked, open.attempt + 1, username, Some(problem));
    }
    Ok(denial(app, checked, RedirectError::AccessDenied))
}

/// The page's form, to be marked as used by every login that was looked at: it opens one session or none.
const fn form_of(open: &OpenPage) -> SpentForm {
    SpentForm { id: open.form_id, expires_at: Moment(open.expires_at) }
}

async fn spend(app: &App, form: SpentForm) -> Result<(), PageStop> {
    if opening::spend_form(&app.store, form).await.during("using a form up")? {
        Ok(())
    } else {
        Err(Problem::stale_form().into())
    }
}

/// On what a session stands beside what was granted.
pub(super) struct Ground {
    /// `None`: nobody was shown a page, and the request was not pushed.
    pub(super) form: Option<SpentForm>,
    pub(super) session_seconds: Option<i64>,
}

impl Ground {
    fn of(checked: &AuthorizationRequest, form: SpentForm) -> Self {
        Self { form: Some(form), session_seconds: checked.client.session_seconds }
    }
}

pub(super) async fn grant(
    app: &App,
    Consenting { user, scope, smart }: &Consenting<'_>,
    choice: SessionChoice,
    (checked, Ground { form, session_seconds }): (&AuthorizationRequest, Ground),
    now: Moment,
) -> Result<Response, PageStop> {
    let AuthorizationRequest { client, request, .. } = checked;
    let salt = Salt::new(dice::bytes()?);
    let has = |scope| smart.as_ref().is_some_and(|smart| smart.scopes.contains(&scope));
    let is_online = has(SmartScope::OnlineAccess) && !has(SmartScope::OfflineAccess);
    let opening = Opening {
        salt: salt.clone(),
        client: client.id,
        holder: Holder::User(user.id),
        choice,
        scope: *scope,
        scope_spelt: request.scope_spelt.clone(),
        smart_scopes: smart.as_ref().map(|smart| smart.kept.clone()),
        nonce: smart.as_ref().and_then(|smart| smart.nonce.clone()),
        authenticated_at: checked.sign_in.map(|sign_in| sign_in.at),
        sign_in: checked.sign_in.filter(|_| is_online).map(|sign_in| sign_in.id),
        factor: checked.factor.or_else(|| checked.launched.as_ref().and_then(LaunchContext::factor)),
        code: Some(CodeBinding {
            redirect_uri: request.redirect_uri.clone(),
            redirect_uri_sent: request.redirect_uri_sent,
            challenge: request.challenge.clone(),
            key: request.key,
        }),
        session_seconds,
        form,
        login: Some((*user).clone()),
    };
    let id =
        opening::open(&app.store, opening, now).await.during("opening a session")?.ok_or_else(Problem::stale_form)?;
    tracing::info!(session = id.0, client = client.client_id, scope = scope.word(), "access was granted");
    let code = tokens::seal(
        &app.keys,
        &salt,
        TokenContent { kind: Kind::Code, id: id.0, generation: 0, expires_at: Moment(0) },
    );
    match code {
        Some(code) => Ok(back(app, checked, "code", &code)),
        None => Ok(denial(app, checked, RedirectError::ServerError)),
    }
}

pub(super) fn denial(app: &App, checked: &AuthorizationRequest, error: RedirectError) -> Response {
    back(app, checked, "error", error.word())
}

/// Redirects to the app with one parameter, the state that it sent, and who answers (RFC 9207): an app of several
/// services can tell whose code it holds.
fn back(app: &App, checked: &AuthorizationRequest, name: &str, value: &str) -> Response {
    let uri = &checked.request.redirect_uri;
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair(name, value);
    if let Some(state) = &checked.request.state {
        query.append_pair("state", state);
    }
    query.append_pair("iss", &app.settings.base_url);
    let joint = if uri.contains('?') { '&' } else { '?' };
    page::see_other(&format!("{uri}{joint}{}", query.finish()))
}
