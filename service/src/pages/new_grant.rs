//! A new grant's refresh token, shown on one page after the redirect that follows the grant.
//!
//! The token is not kept anywhere: a short-lived cookie names the new session, and the page that shows the token (which
//! follows from the session) also takes the cookie away.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::cookies;
use crate::callers::sign_in::SignIn;
use crate::http::forms;
use crate::secrets::tokens::{self, Kind, TokenContent};
use crate::views::GuardedText;
use crate::voices::page::PageStop;
use axum::http::HeaderMap;
use axum::response::Response;
use rules::ids::SessionId;
use rules::moment::Moment;
use serde::{Deserialize, Serialize};
use store::bearer;

const COOKIE: &str = "recordgate-granted";
const SECONDS: i64 = 60;

#[derive(Debug, Serialize, Deserialize)]
struct NewGrant {
    new_grant: i64,
    sign_in: i64,
    expires_at: i64,
}

/// Remembers in the browser which grant is new.
pub(super) fn remember(app: &App, person: &SignIn, session: SessionId, response: &mut Response) {
    let expires_at = person.now.plus_seconds(SECONDS).0;
    let sealed = forms::seal(app, &NewGrant { new_grant: session.0, sign_in: person.id.0, expires_at });
    cookies::set(app, response, COOKIE, &sealed, SECONDS);
}

pub(super) fn forget(app: &App, response: &mut Response) {
    cookies::set(app, response, COOKIE, "", 0);
}

/// The new grant of this person, if there is one to show, and its still unused refresh token.
pub(super) async fn find(
    app: &App,
    person: &SignIn,
    headers: &HeaderMap,
) -> Result<Option<(SessionId, GuardedText)>, PageStop> {
    let sealed: Option<NewGrant> = cookies::get(app, headers, COOKIE).and_then(|sealed| forms::open(app, sealed));
    let ours = sealed.filter(|new| new.sign_in == person.id.0 && !person.now.is_past(Moment(new.expires_at)));
    let Some(new) = ours else { return Ok(None) };
    let found = bearer::find(&app.store, SessionId(new.new_grant)).await.during("looking at the new session")?;
    let unused = found.filter(|new| new.session.generation == 1 && new.session.revoked_at.is_none());
    Ok(unused.and_then(|new| {
        let content = TokenContent { kind: Kind::Refresh, id: new.id.0, generation: 1, expires_at: Moment(0) };
        Some((new.id, GuardedText::new(tokens::seal(&app.keys, &new.salt, content)?)))
    }))
}
