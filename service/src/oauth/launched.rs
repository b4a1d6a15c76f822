//! A request of an app that was opened from here: by whom, about whom, and whether they are asked for their password once more.

use super::authorization_page::{AuthorizationRequest, wrong};
use crate::app::App;
use crate::callers::launch::{Launch, LaunchSubject};
use crate::callers::sign_in::{self, SignIn};
use crate::voices::page::PageStop;
use axum::http::HeaderMap;
use rules::authorize::Fault;
use rules::ids::UserId;
use rules::limits::LAUNCH_SIGN_IN_SECONDS;
use rules::moment::Moment;
use rules::smart::offer::SmartOffer;
use serde::{Deserialize, Serialize};
use store::people::User;

/// What a launch settles of a request, as the page's form keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LaunchContext {
    user: i64,
    pub(super) subject: LaunchSubject,
    /// When they signed in who are asked for approval alone.
    signed_in_at: Option<i64>,
}

impl LaunchContext {
    /// Nobody but who opened the app approves of it.
    pub(super) fn is_of(&self, user: UserId) -> bool {
        self.user == user.0
    }

    /// When its user proved who they are, if that was before this page.
    pub(super) fn signed_in_at(&self) -> Option<Moment> {
        self.signed_in_at.map(Moment)
    }
}

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
    let person = person.filter(|person| will_do(app, person, &launch, offer));
    checked.form = Some(launch.form());
    checked.launched = Some(LaunchContext {
        user: launch.user().0,
        signed_in_at: person.as_ref().map(|person| person.started_at.0),
        subject: launch.subject,
    });
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
