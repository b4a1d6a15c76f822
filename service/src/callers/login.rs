//! A login: a user name and a password, held against the throttle before the password is looked at.

use super::browser;
use super::second_factor::CodeSource;
use crate::app::App;
use crate::app::failed_authentications::{self, FailureCause};
use crate::app::trouble::During;
use crate::formats::browser_name;
use crate::secrets::queue::Busy;
use crate::secrets::secret::Secret;
use crate::secrets::throttle::{Attempt, Claimant, Wait};
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use rules::params::Params;
use std::net::IpAddr;
use store::people::{self, User};

/// What somebody filled in to be let in, and where it came from.
#[derive(Debug)]
pub(crate) struct Login<'r> {
    headers: &'r HeaderMap,
    address: IpAddr,
    pub(crate) username: &'r str,
    password: Secret,
}

impl<'r> Login<'r> {
    pub(crate) fn read(params: &'r Params<'_>, headers: &'r HeaderMap, address: IpAddr) -> Self {
        let password = Secret::new(params.get("password").unwrap_or_default().to_owned());
        Self::new(headers, address, params.get("username").unwrap_or_default(), password)
    }

    pub(crate) fn new(headers: &'r HeaderMap, address: IpAddr, username: &'r str, password: Secret) -> Self {
        Self { headers, address, username, password }
    }

    /// Where a code comes from that is typed after this.
    pub(crate) const fn source(&self) -> CodeSource<'r> {
        CodeSource { headers: self.headers, address: self.address }
    }

    /// The user, if there is one of this name and password.
    pub(crate) async fn user(&self, app: &App) -> Result<Option<User>, PageStop> {
        let user = people::find(&app.store, self.username).await.during("looking the user up")?;
        let attempt = self.attempt(app, user.as_ref()).map_err(|Wait(seconds)| {
            app.metrics.throttled.inc();
            self.note_failure(app, user.as_ref(), FailureCause::Throttled);
            Problem::wait(seconds)
        })?;
        let known = user.as_ref().map(|user| user.password_hash.clone());
        let right = app.passwords.verify(self.password.clone(), known, attempt).await;
        let right = right.map_err(|busy| {
            if busy == Busy::Line {
                self.note_failure(app, user.as_ref(), FailureCause::Throttled);
            }
            busy_problem(app, busy)
        })?;
        match &user {
            None => self.note_failure(app, None, FailureCause::Unknown),
            Some(_) if !right => self.note_failure(app, user.as_ref(), FailureCause::WrongProof),
            Some(known) if known.is_shut_out() => self.note_failure(app, user.as_ref(), FailureCause::ShutOut),
            Some(_) => {}
        }
        Ok(user.filter(|_| right))
    }

    fn note_failure(&self, app: &App, user: Option<&User>, cause: FailureCause) {
        failed_authentications::sign_in(app, user.map(|user| user.id), self.address, cause);
    }

    /// A browser that the user has signed in with before is counted by itself, everybody else by account and address.
    fn attempt(&self, app: &App, user: Option<&User>) -> Result<Attempt, Wait> {
        let now = app.clock.uptime();
        let Some(user) = user else {
            return app.throttle.login(Claimant::Invented(self.username), self.address, now);
        };
        if let Some(number) = browser::known(app, self.headers, user)
            && let Some(attempt) = app.throttle.login_in_browser(user.id, number, now)?
        {
            return Ok(attempt);
        }
        app.throttle.login(Claimant::Known(user.id), self.address, now)
    }

    /// What the browser is called in which somebody logs in.
    pub(crate) fn browser(&self) -> String {
        let said = self.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        browser_name::of(said.unwrap_or_default())
    }

    /// The answer to somebody who was let in: their browser will be known.
    pub(crate) fn remember(&self, app: &App, user: &User, mut answer: Response) -> Result<Response, PageStop> {
        browser::remember(app, self.headers, user, &mut answer)?;
        Ok(answer)
    }
}

/// What somebody reads whose password cannot be looked at now.
pub(crate) fn busy_problem(app: &App, busy: Busy) -> Problem {
    match busy {
        Busy::Line => {
            app.metrics.throttled.inc();
            Problem::long_line()
        }
        Busy::Everywhere => Problem::busy(),
    }
}
