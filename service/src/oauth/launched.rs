//! A request of an app that was opened from here: by whom, about whom, and whether they are asked for their password once more.

use super::authorization_page::{AuthorizationRequest, wrong};
use crate::app::App;
use crate::callers::launch::Launch;
use crate::callers::second_factor;
use crate::callers::sign_in::{self, SignIn};
use crate::voices::page::PageStop;
use axum::http::HeaderMap;
use rules::authorize::Fault;
use rules::factors::FactorDemand;
use rules::limits::LAUNCH_SIGN_IN_SECONDS;
use rules::smart::offer::SmartOffer;
use store::people::User;

/// Reads the launch that a request names, and puts into it what that settles. Gives the user, if their browser's sign-in will do.
pub(super) async fn read(
    app: &App,
    headers: &HeaderMap,
    checked: &mut AuthorizationRequest,
) -> Result<Option<User>, PageStop> {
    let Some(offer) = &checked.request.smart else { return Ok(None) };
    let Some(text) = &offer.launch else { return Ok(None) };
    let launch = Launch::open(app, checked.client.id, text).map_err(|fault| wrong(&fault))?;
    // Whoever is not signed in, or whose browser did not say so, is asked for the password: only they know whether they are the one.
    let person = sign_in::find(app, headers).await?.ok();
    if person.as_ref().is_some_and(|person| person.user.id != launch.user()) {
        return Err(wrong(&Fault::UnknownLaunch).into());
    }
    let person = match person {
        Some(person) if will_do(app, &person, &launch, offer) && has_factor(app, headers, &person).await? => {
            Some(person)
        }
        _ => None,
    };
    checked.form = Some(launch.form());
    let settled = launch.settled(person.as_ref());
    checked.sign_in = settled.signed_in();
    checked.launched = Some(settled);
    Ok(person.map(|person| person.user))
}

/// Whether the sign-in of a browser stands for a password that is typed now.
fn will_do(app: &App, person: &SignIn, launch: &Launch, offer: &SmartOffer) -> bool {
    let oldest = offer.max_age.unwrap_or(LAUNCH_SIGN_IN_SECONDS).min(LAUNCH_SIGN_IN_SECONDS);
    person.id == launch.sign_in()
        && offer.is_pure
        && !offer.asks_to_sign_in
        && !person.must_enrol(app)
        && !person.now.is_past(person.started_at.plus_seconds(oldest))
}

/// Whether the page would ask them for no code of a second factor after the password, or they have shown one when they signed in.
pub(super) async fn has_factor(app: &App, headers: &HeaderMap, person: &SignIn) -> Result<bool, PageStop> {
    if person.entrance.factor_at.is_some() {
        return Ok(true);
    }
    Ok(second_factor::demand(app, headers, &person.user).await? == FactorDemand::Nothing)
}
