//! The browser that a user has signed in with before, known by a sealed cookie. Nothing of it is kept on the server.
//!
//! The cookie says "this account signed in here", once for each account, and is made with the stored password: a new
//! password ends it. It opens nothing; it only sets its account's attempts here apart from those of strangers.

use super::cookies;
use crate::app::App;
use crate::secrets::dice::{self, NoRandomness};
use crate::secrets::tokens::{self, Kind, OpenToken, TokenContent};
use axum::http::HeaderMap;
use axum::response::Response;
use rules::limits::{ACCOUNTS_PER_BROWSER, BROWSER_SECONDS};
use sha2::{Digest, Sha256};
use store::people::User;
use store::salt::Salt;

const COOKIE: &str = "recordgate-known";
/// Between the accounts in the cookie; in none of them.
const BETWEEN: char = '.';

/// The number of the browser that a request comes from, if this user has signed in with it under the present password.
pub(super) fn known(app: &App, headers: &HeaderMap, user: &User) -> Option<i64> {
    let now = app.clock.now();
    let salt = salt(user);
    let genuine = |opened: &OpenToken| {
        let TokenContent { id, expires_at, .. } = opened.content;
        id == user.id.0 && !now.is_past(expires_at) && opened.is_vouched_for(&salt)
    };
    accounts(app, headers).map(|(_, opened)| opened).find(genuine).map(|opened| opened.content.generation)
}

/// An answer by which the browser will be known as this user's. Other users' marks stay, the oldest of too many goes.
pub(super) fn remember(
    app: &App,
    headers: &HeaderMap,
    user: &User,
    response: &mut Response,
) -> Result<(), NoRandomness> {
    let generation = match known(app, headers, user) {
        Some(number) => number,
        None => dice::number()?,
    };
    let expires_at = app.clock.now().plus_seconds(BROWSER_SECONDS);
    let content = TokenContent { kind: Kind::Browser, id: user.id.0, generation, expires_at };
    let Some(own) = tokens::seal(&app.keys, &salt(user), content) else { return Ok(()) };
    let others = accounts(app, headers).filter(|(_, opened)| opened.content.id != user.id.0);
    let mut all = own;
    for (other, _) in others.take(ACCOUNTS_PER_BROWSER - 1) {
        all.push(BETWEEN);
        all.push_str(other);
    }
    cookies::set(app, response, COOKIE, &all, BROWSER_SECONDS);
    Ok(())
}

/// What the cookie says, the newest first: each account's mark as it was sent, and opened.
fn accounts<'r>(app: &'r App, headers: &'r HeaderMap) -> impl Iterator<Item = (&'r str, OpenToken)> {
    let marks = cookies::get(app, headers, COOKIE).unwrap_or_default().split(BETWEEN).take(ACCOUNTS_PER_BROWSER);
    marks.filter_map(|mark| Some((mark, tokens::open(&app.keys, &[Kind::Browser], mark)?)))
}

fn salt(user: &User) -> Salt {
    Salt::of_fingerprint(&Sha256::digest(user.password_hash.0.as_bytes()))
}
