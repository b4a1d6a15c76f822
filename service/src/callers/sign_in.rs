//! A signed-in browser: its cookie, the person behind it, and the sealed values in that person's forms.

use super::cookies;
use super::notice_reader::NoticeReader;
use super::page_form;
use super::requirement::{Requirement, Who};
use crate::app::App;
use crate::app::response_budget::Taker;
use crate::app::trouble::During;
use crate::http::forms;
use crate::secrets::tokens::{self, Kind, TokenContent};
use crate::views::parting::Parting;
use crate::views::{Frame, GuardedText, navigation};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use rules::factors::{self, FactorPolicy};
use rules::ids::SignInId;
use rules::limits::{SIGN_IN_IDLE_SECONDS, SIGN_IN_LONGEST_SECONDS, SIGN_IN_NOTED_SECONDS, SIGN_IN_REMEMBERED_SECONDS};
use rules::moment::Moment;
use rules::params::Params;
use serde::{Deserialize, Serialize};
use store::people::User;
use store::salt::Salt;
use store::sharing::notices;
use store::sign_ins::{self, Entrance};

const COOKIE: &str = "recordgate";

/// The sign-in of a browser, with the person behind it. A page that takes one cannot be seen without.
#[derive(Debug)]
pub struct SignIn {
    pub id: SignInId,
    pub user: User,
    pub now: Moment,
    pub started_at: Moment,
    /// How they came in.
    pub entrance: Entrance,
    pub has_factor: bool,
    salt: Salt,
    /// How many notices wait for them.
    unseen: i64,
}

/// What a form of a signed-in person holds, sealed: it is theirs, for this purpose, and for a while.
#[derive(Debug, Serialize, Deserialize)]
struct OwnForm {
    sign_in: i64,
    purpose: String,
    expires_at: i64,
}

impl Requirement for SignIn {
    const WHO: Who = Who::Person;
    type Stop = PageStop;

    /// Without a valid cookie the browser is sent to sign in, and comes back afterwards.
    async fn of(app: &App, head: &Parts) -> Result<Self, PageStop> {
        let found = find(app, &head.headers).await?;
        let person = found.map_err(|why| PageStop::SignInFirst { next: head.uri.path().to_owned(), why })?;
        let path = head.uri.path();
        let is_about_it = path.starts_with("/second-factor") || path.starts_with("/sign-out");
        if person.must_enrol(app) && !is_about_it { Err(PageStop::EnrolFirst) } else { Ok(person) }
    }

    fn taker(&self) -> Option<Taker> {
        Some(Taker::User(self.user.id))
    }
}

/// The person behind a request's cookie, if they are signed in; otherwise why they are not any more, if they were.
pub async fn find(app: &App, headers: &HeaderMap) -> Result<Result<SignIn, Option<Parting>>, PageStop> {
    let now = app.clock.now();
    let Some(opened) =
        cookies::get(app, headers, COOKIE).and_then(|text| tokens::open(&app.keys, &[Kind::SignIn], text))
    else {
        return Ok(Err(None));
    };
    if now.is_past(opened.content.expires_at) {
        return Ok(Err(Some(Parting::TimedOut)));
    }
    let id = SignInId(opened.content.id);
    let row = sign_ins::find(&app.store, id).await.during("looking at the sign-in")?;
    let Some(row) = row.filter(|row| opened.is_vouched_for(&row.salt) && !row.user.is_shut_out()) else {
        return Ok(Err(None));
    };
    if row.ended {
        return Ok(Err(Some(Parting::EndedElsewhere)));
    }
    if now.is_past(row.started_at.plus_seconds(SIGN_IN_LONGEST_SECONDS)) {
        return Ok(Err(Some(Parting::TimedOut)));
    }
    if now.is_past(row.last_used_at.plus_seconds(SIGN_IN_NOTED_SECONDS)) {
        sign_ins::note_use(&app.store, id, now).await.during("noting that a browser was used")?;
    }
    let reader = NoticeReader::of_person(app, &row.user).await?;
    let unseen = notices::unseen(&app.store, reader.recipients()).await.during("counting notices")?;
    let (entrance, has_factor, started_at) = (row.entrance, row.has_factor, row.started_at);
    // Where nobody is asked for it, nothing waits for it either.
    let has_factor = has_factor && app.settings.second_factor.of(row.user.user_type) != FactorPolicy::Off;
    Ok(Ok(SignIn { id, user: row.user, now, started_at, entrance, has_factor, salt: row.salt, unseen }))
}

impl SignIn {
    /// A sign-in of this moment.
    pub fn new(id: SignInId, user: User, salt: Salt, entrance: Entrance, now: Moment) -> Self {
        Self { id, user, now, started_at: now, entrance, has_factor: entrance.factor_at.is_some(), salt, unseen: 0 }
    }

    /// Whether they may do what can harm: they have no second factor, or have shown it a moment ago.
    pub fn is_proven(&self) -> bool {
        !self.has_factor || factors::is_fresh(self.entrance.factor_at, self.now)
    }

    /// Asks for the second factor first, where they are not, and leads back to a page of ours.
    pub fn must_have_proven(&self, next: &str) -> Result<(), PageStop> {
        if self.is_proven() { Ok(()) } else { Err(PageStop::ProveFirst { next: next.to_owned() }) }
    }

    /// Whether they came by a link in order to set a second factor up, and have not yet.
    pub fn must_enrol(&self, app: &App) -> bool {
        let policy = app.settings.second_factor.of(self.user.user_type);
        self.entrance.by_link && policy == FactorPolicy::Required && !self.has_factor
    }

    /// The frame of this person's page at `here`.
    pub fn frame(&self, app: &App, here: &str) -> Frame {
        Frame {
            signed_in_as: Some(self.user.name.clone()),
            sign_out_form: Some(self.form(app, "sign-out")),
            navigation: navigation::with_notices(navigation::of(self.user.user_type), here, self.unseen),
            ..page::frame(app, &[], here)
        }
    }

    /// A sealed value for a form of this person, good for `purpose` only.
    pub fn form(&self, app: &App, purpose: &str) -> GuardedText {
        let expires_at = self.now.plus_seconds(SIGN_IN_LONGEST_SECONDS).0;
        GuardedText::new(forms::seal(app, &OwnForm { sign_in: self.id.0, purpose: purpose.into(), expires_at }))
    }

    /// Reads a form and refuses it unless it is this person's own, for `purpose`.
    pub async fn own_form(
        &self,
        app: &App,
        headers: &HeaderMap,
        body: Body,
        purpose: &str,
    ) -> Result<Params<'static>, PageStop> {
        self.must_own(app, page_form::read(app, headers, body).await?, purpose)
    }

    /// The same of a form with a field for a text.
    pub async fn own_long_form(
        &self,
        app: &App,
        headers: &HeaderMap,
        body: Body,
        purpose: &str,
    ) -> Result<Params<'static>, PageStop> {
        self.must_own(app, page_form::read_long(app, headers, body).await?, purpose)
    }

    fn must_own(&self, app: &App, params: Params<'static>, purpose: &str) -> Result<Params<'static>, PageStop> {
        let sealed: Option<OwnForm> = params.get(forms::FIELD).and_then(|sealed| forms::open(app, sealed));
        let own = sealed.is_some_and(|form| {
            form.sign_in == self.id.0 && form.purpose == purpose && !self.now.is_past(Moment(form.expires_at))
        });
        if own { Ok(params) } else { Err(Problem::stale_form().into()) }
    }

    /// An answer that keeps this person signed in for a while longer.
    pub fn keep(&self, app: &App, answer: Result<Response, PageStop>) -> Result<Response, PageStop> {
        let mut response = match answer {
            Err(PageStop::Problem(problem)) => page::problem_in(self.frame(app, ""), problem),
            other => other?,
        };
        let expires_at = self.now.plus_seconds(SIGN_IN_IDLE_SECONDS);
        let content = TokenContent { kind: Kind::SignIn, id: self.id.0, generation: 0, expires_at };
        if let Some(token) = tokens::seal(&app.keys, &self.salt, content) {
            // Kept for longer than it opens anything: who comes back with it is told that their time was up.
            cookies::set(app, &mut response, COOKIE, &token, SIGN_IN_REMEMBERED_SECONDS);
        }
        Ok(response)
    }
}

/// An answer that signs the browser out.
pub fn forget(app: &App, mut response: Response) -> Response {
    cookies::set(app, &mut response, COOKIE, "", 0);
    response
}
