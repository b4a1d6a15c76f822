//! The second factor of somebody whose password was right: whether it is asked for, whether it was shown, and the browser in which
//! it need not be shown for a while.

use super::browser;
use super::cookies;
use super::passkeys;
use crate::app::App;
use crate::app::failed_authentications::{self, FailureCause};
use crate::app::trouble::{During, Trouble};
use crate::secrets::invitation;
use crate::secrets::throttle::Wait;
use crate::secrets::tokens::{self, Kind, TokenContent};
use crate::secrets::totp::TotpSecret;
use crate::views::second_factor::FactorQuestion;
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use axum::http::HeaderMap;
use axum::response::Response;
use rules::factors::{FactorDemand, FactorMeans};
use rules::limits::ACCOUNTS_PER_BROWSER;
use rules::moment::Moment;
use rules::params::Params;
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use store::factors::{self, Factors};
use store::people::User;
use store::salt::Salt;

const COOKIE: &str = "recordgate-factor";
/// Between the accounts in the cookie; in none of them.
const BETWEEN: char = '.';

/// Where a second factor was shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeSource<'r> {
    pub(crate) headers: &'r HeaderMap,
    pub(crate) address: IpAddr,
}

/// What is asked of a user after the password, in the browser that these headers come from.
pub(crate) async fn demand(app: &App, headers: &HeaderMap, user: &User) -> Result<FactorDemand, Trouble> {
    let factors = factors::find(&app.store, user.id).await.during("looking for a second factor")?;
    let is_remembered = factors.as_ref().is_some_and(|factors| is_remembered(app, headers, user, factors));
    Ok(app.settings.second_factor.of(user.user_type).demand(factors.is_some(), is_remembered))
}

/// What a page asks of a user who must show their second factor.
pub(crate) async fn question(app: &App, user: &User) -> Result<FactorQuestion, PageStop> {
    let factors = factors::find(&app.store, user.id).await.during("looking for a second factor")?;
    Ok(FactorQuestion {
        has_app: factors.is_some_and(|factors| factors.app.is_some()),
        passkey: passkeys::question(app, user).await?,
    })
}

/// By what the user has shown their second factor, if what a form brings is right: an answer of a passkey, or else a code of their app
/// or one of their recovery codes. It is thereby used. Held against the throttle before it is looked at.
pub(crate) async fn prove(
    app: &App,
    from: CodeSource<'_>,
    user: &User,
    params: &Params<'_>,
) -> Result<Option<FactorMeans>, PageStop> {
    let failed = |cause| failed_authentications::second_factor(app, user.id, from.address, cause);
    let number = browser::known(app, from.headers, user);
    let attempt = app.throttle.second_factor(user.id, number, from.address, app.clock.uptime());
    let attempt = attempt.map_err(|Wait(seconds)| {
        app.metrics.throttled.inc();
        failed(FailureCause::Throttled);
        Problem::wait(seconds)
    })?;
    let shown = match passkeys::answer(params) {
        Some(answer) => passkeys::is_shown(app, user, params, answer).await?,
        None => {
            let typed = params.get("code").unwrap_or_default();
            is_right(app, user, typed, app.clock.now()).await?.then_some(FactorMeans::Code)
        }
    };
    attempt.settle(shown.is_some());
    if shown.is_none() {
        failed(FailureCause::WrongProof);
    }
    Ok(shown)
}

async fn is_right(app: &App, user: &User, typed: &str, now: Moment) -> Result<bool, PageStop> {
    let typed = invitation::plain(typed);
    let Some(factors) = factors::find(&app.store, user.id).await.during("looking for a second factor")? else {
        return Ok(false);
    };
    if typed.len() == rules::factors::DIGITS {
        let secret = factors.app.and_then(|app_factor| TotpSecret::open(&app.keys, user.id, &app_factor.secret));
        let step = secret.and_then(|secret| secret.step_of(&typed, now));
        let Some(step) = step else { return Ok(false) };
        return Ok(factors::use_step(&app.store, user.id, step).await.during("using a code up")?);
    }
    let code = invitation::fingerprint(&typed);
    Ok(factors::use_recovery_code(&app.store, user.id, code, now).await.during("using a recovery code up")?)
}

/// An answer by which this browser need not show the factor for a while, where that is allowed.
pub(crate) async fn remember(
    app: &App,
    headers: &HeaderMap,
    user: &User,
    response: &mut Response,
) -> Result<(), PageStop> {
    let Some(seconds) = app.settings.second_factor.remembered_seconds(user.user_type) else { return Ok(()) };
    let factors = factors::find(&app.store, user.id).await.during("looking for a second factor")?;
    let Some(factors) = factors else { return Ok(()) };
    let expires_at = app.clock.now().plus_seconds(seconds);
    let content = TokenContent { kind: Kind::FactorBrowser, id: user.id.0, generation: 0, expires_at };
    let Some(mut all) = tokens::seal(&app.keys, &salt(user, &factors), content) else { return Ok(()) };
    let others = marks(app, headers).filter(|mark| {
        tokens::open(&app.keys, &[Kind::FactorBrowser], mark).is_some_and(|opened| opened.content.id != user.id.0)
    });
    for other in others.take(ACCOUNTS_PER_BROWSER - 1) {
        all.push(BETWEEN);
        all.push_str(other);
    }
    cookies::set(app, response, COOKIE, &all, seconds);
    Ok(())
}

/// Whether the user showed one of these very factors in this browser under the present password, not too long ago.
fn is_remembered(app: &App, headers: &HeaderMap, user: &User, factors: &Factors) -> bool {
    let (now, salt) = (app.clock.now(), salt(user, factors));
    marks(app, headers).filter_map(|mark| tokens::open(&app.keys, &[Kind::FactorBrowser], mark)).any(|opened| {
        let TokenContent { id, expires_at, .. } = opened.content;
        id == user.id.0 && !now.is_past(expires_at) && opened.is_vouched_for(&salt)
    })
}

fn marks<'r>(app: &App, headers: &'r HeaderMap) -> impl Iterator<Item = &'r str> {
    cookies::get(app, headers, COOKIE).unwrap_or_default().split(BETWEEN).take(ACCOUNTS_PER_BROWSER)
}

/// Another password, another app and another passkey each end what was remembered.
fn salt(user: &User, factors: &Factors) -> Salt {
    let enrolled_at = factors.app.as_ref().map_or(0, |app| app.enrolled_at.0);
    let mut digest =
        Sha256::new().chain_update(user.password_hash.0.as_bytes()).chain_update(enrolled_at.to_be_bytes());
    if factors.passkeys > 0 {
        digest.update(factors.newest_passkey.to_be_bytes());
    }
    Salt::of_fingerprint(&digest.finalize())
}
