//! A launch: what an app is given that somebody opens from their own pages (SMART's EHR launch), sealed. It says who opened it, in which
//! browser, and about whom; nothing is kept of it until a code is made by it.

use super::sign_in::SignIn;
use crate::app::App;
use crate::app::trouble::Trouble;
use crate::secrets::dice;
use rules::authorize::Fault;
use rules::factors::FactorMeans;
use rules::ids::{ClientId, SignInId, UserId};
use rules::limits::{FORM_SECONDS, LAUNCH_SECONDS};
use rules::moment::Moment;
use serde::{Deserialize, Serialize};
use store::clients::Client;
use store::opening::SpentForm;

const PREFIX: &str = "rgh_";

/// What somebody opened an app for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LaunchSubject {
    /// The id of the record that it is about, or the public id of the team that it is for.
    pub(crate) choice: Option<String>,
    /// The id of the Patient whom a clinician had before them.
    pub(crate) patient: Option<String>,
}

/// An app that somebody has opened.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Launch {
    sign_in: i64,
    user: i64,
    client: i64,
    subject: LaunchSubject,
    /// Of the form that its authorization page shows, however often it is opened: one decision is made about it.
    form_id: i64,
    begun_at: i64,
}

/// What a launch settles of a request, as the page's form keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LaunchContext {
    user: i64,
    pub(crate) subject: LaunchSubject,
    /// When they signed in who are asked for approval alone.
    signed_in_at: Option<i64>,
    /// And which sign-in of a browser it is.
    #[serde(default)]
    sign_in: Option<i64>,
    /// By what they showed a second factor then or since, as its word.
    #[serde(default)]
    factor: Option<String>,
}

/// The sign-in of a browser that stands for a password.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrowserSignIn {
    pub(crate) id: SignInId,
    pub(crate) at: Moment,
}

impl LaunchContext {
    /// Nobody but who opened the app approves of it.
    pub(crate) fn is_of(&self, user: UserId) -> bool {
        self.user == user.0
    }

    /// The sign-in by which its user proved who they are, if that was before this page.
    pub(crate) fn signed_in(&self) -> Option<BrowserSignIn> {
        Some(BrowserSignIn { id: SignInId(self.sign_in?), at: Moment(self.signed_in_at?) })
    }

    /// By what they showed a second factor, if they did.
    pub(crate) fn factor(&self) -> Option<FactorMeans> {
        self.factor.as_deref().and_then(FactorMeans::named)
    }
}

impl Launch {
    /// Begins one, and gives it as the app is told of it.
    pub(crate) fn begin(
        app: &App,
        person: &SignIn,
        client: &Client,
        subject: LaunchSubject,
    ) -> Result<String, Trouble> {
        let launch = Self {
            sign_in: person.id.0,
            user: person.user.id.0,
            client: client.id.0,
            subject,
            form_id: dice::number()?,
            begun_at: person.now.0,
        };
        let bytes = serde_json::to_vec(&launch).map_err(|error| Trouble::new("writing a launch", error))?;
        let no_key = || Trouble::new("sealing a launch", "the key ring has no key to seal with");
        app.keys.seal(PREFIX, &bytes).ok_or_else(no_key)
    }

    /// Opens what an app says it was given.
    pub(crate) fn open(app: &App, client: ClientId, text: &str) -> Result<Self, Fault> {
        let launch = app.keys.open_sealed(PREFIX, text);
        let launch: Option<Self> = launch.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let launch = launch.filter(|launch| launch.client == client.0).ok_or(Fault::UnknownLaunch)?;
        match app.clock.now().is_past(Moment(launch.begun_at).plus_seconds(LAUNCH_SECONDS)) {
            true => Err(Fault::ExpiredLaunch),
            false => Ok(launch),
        }
    }

    pub(crate) const fn user(&self) -> UserId {
        UserId(self.user)
    }

    /// What it settles of a request, where this person's sign-in stands for a password.
    pub(crate) fn settled(&self, person: Option<&SignIn>) -> LaunchContext {
        LaunchContext {
            user: self.user,
            subject: self.subject.clone(),
            signed_in_at: person.map(|person| person.started_at.0),
            sign_in: person.map(|person| person.id.0),
            factor: person.and_then(|person| person.entrance.factor).map(|factor| factor.word().to_owned()),
        }
    }

    /// The sign-in of the browser in which it began.
    pub(crate) const fn sign_in(&self) -> SignInId {
        SignInId(self.sign_in)
    }

    pub(crate) const fn form(&self) -> SpentForm {
        SpentForm { id: self.form_id, expires_at: Moment(self.begun_at).plus_seconds(FORM_SECONDS) }
    }
}
