//! A request with `prompt=none` (OpenID Connect Core, 3.1.2.1): whoever is signed in and has granted the same to the same app is asked
//! nothing, and the app has its code at once; otherwise it hears what stands in the way.

use super::authorization_page::AuthorizationRequest;
use super::decision::{self, Consenting, Ground};
use super::launched;
use super::smart_grant;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::launch::BrowserSignIn;
use crate::callers::sign_in::{self, SignIn};
use crate::voices::page::PageStop;
use axum::http::HeaderMap;
use axum::response::Response;
use rules::limits::CODE_SECONDS;
use rules::moment::Moment;
use rules::oauth_errors::RedirectError;
use rules::redirect;
use rules::scope::Scope;
use rules::smart::grant;
use rules::smart::offer::{self, SmartOffer};
use rules::smart::request::SmartScopes;
use rules::smart::word::SmartScope;
use store::clients::Client;
use store::opening::SessionChoice;
use store::patients;
use store::standing_grants::{self, StandingGrant};

/// Leads back to the app, with a code or with the reason why there is none.
pub(super) async fn answer(
    app: &App,
    headers: &HeaderMap,
    mut checked: AuthorizationRequest,
) -> Result<Response, PageStop> {
    let denial = |checked: &AuthorizationRequest, why| Ok(decision::denial(app, checked, why));
    let Ok(person) = sign_in::find(app, headers).await? else {
        return denial(&checked, RedirectError::LoginRequired);
    };
    if let Some(why) = obstacle(app, headers, &checked, &person).await? {
        return denial(&checked, why);
    }
    checked.sign_in = Some(BrowserSignIn { id: person.id, at: person.started_at });
    checked.factor = person.entrance.factor;
    checked.ticked = checked.request.smart.as_ref().map(|offer| offer.lines().map(ToString::to_string).collect());
    let Some(consenting) = decision::consenting(&checked, &person.user) else {
        return denial(&checked, RedirectError::ConsentRequired);
    };
    let Some((choice, before)) = standing(app, &checked, &consenting, &person).await? else {
        return denial(&checked, RedirectError::ConsentRequired);
    };
    let scopes = consenting.smart.as_ref().map(|smart| smart.scopes.as_slice()).unwrap_or_default();
    let session_seconds = session_seconds(&checked.client, scopes, &before, person.now);
    // A pushed request is good for one code, page or none. What an app asks by itself keeps nobody signed in.
    let ground = Ground { form: checked.form, session_seconds };
    decision::grant(app, &consenting, choice, (&checked, ground), person.now).await
}

/// What only a page settles, or whoever is asked anew.
async fn obstacle(
    app: &App,
    headers: &HeaderMap,
    checked: &AuthorizationRequest,
    person: &SignIn,
) -> Result<Option<RedirectError>, PageStop> {
    let asks_for =
        |scope: &SmartScope| checked.request.smart.as_ref().is_some_and(|offer| offer.scopes.contains(scope));
    let oldest = checked.request.smart.as_ref().and_then(|offer: &SmartOffer| offer.max_age);
    if oldest.is_some_and(|seconds| person.now.is_past(person.started_at.plus_seconds(seconds))) {
        return Ok(Some(RedirectError::LoginRequired));
    }
    let is_safe = redirect::is_for_silent_codes(&checked.request.redirect_uri, app.settings.sandbox);
    if !is_safe || checked.launched.is_some() || checked.client.unchecked || person.must_enrol(app) {
        return Ok(Some(RedirectError::InteractionRequired));
    }
    if asks_for(&SmartScope::OfflineAccess) {
        return Ok(Some(RedirectError::ConsentRequired));
    }
    let is_proven = launched::has_factor(app, headers, person).await?;
    Ok((!is_proven).then_some(RedirectError::InteractionRequired))
}

/// The session of the same app on which this one can stand, and what both are about: of several the one that lasts longest. What it is
/// about must be the user's to choose still.
async fn standing(
    app: &App,
    checked: &AuthorizationRequest,
    consenting: &Consenting<'_>,
    person: &SignIn,
) -> Result<Option<(SessionChoice, StandingGrant)>, PageStop> {
    let (user, now) = (&person.user, person.now);
    let whose = (user.id, checked.client.id);
    let all = standing_grants::of(&app.store, whose, person.id, now).await.during("looking for what was granted")?;
    let Some(wanted) = &consenting.smart else { return Ok(None) };
    let covers = |before: &StandingGrant| {
        let granted = SmartScopes::kept(&before.smart_scopes);
        before.scope == consenting.scope
            && grant::is_still_registered(&granted.scopes, &checked.client.smart_scopes)
            && offer::is_covered(&wanted.scopes, &granted)
    };
    let mut covering: Vec<StandingGrant> = all.into_iter().filter(covers).collect();
    covering.sort_by_key(|before| std::cmp::Reverse(before.ends_at.map_or(i64::MAX, |end| end.0)));
    let Some(choices) = decision::choices_of(app, checked, (user, consenting.scope), now).await? else {
        return Ok(None);
    };
    for before in covering {
        let is_about_patient = consenting.scope == Scope::Patient || decision::is_picked(consenting, checked);
        let choice = SessionChoice { record: before.record.filter(|_| is_about_patient), team: before.team };
        if decision::is_picked(consenting, checked) {
            let (Some(team), Some(patient)) = (choice.team, choice.record) else { continue };
            let named = patients::fhir_id(&app.store, patient).await.during("looking a patient up")?;
            let Some(id) = named else { continue };
            if smart_grant::picked(app, (user, team), &id, now).await? == Some(patient) {
                return Ok(Some((choice, before)));
            }
            continue;
        }
        let is_theirs = choices.options.iter().any(|option| option.choice == choice);
        if is_theirs || (choices.options.is_empty() && choice == SessionChoice::default()) {
            return Ok(Some((choice, before)));
        }
    }
    Ok(None)
}

/// No longer than what it stands on; and where nothing renews it, no longer than its one access token.
fn session_seconds(client: &Client, scopes: &[SmartScope], before: &StandingGrant, now: Moment) -> Option<i64> {
    let rest = before.ends_at.map(|end| now.seconds_until(end));
    let is_renewed = scopes.contains(&SmartScope::OnlineAccess);
    let own = (!is_renewed).then(|| CODE_SECONDS + client.access_seconds);
    rest.into_iter().chain(own).min()
}
