//! A person's passkeys: what the page of the second factor shows of them, making one (`/second-factor/passkey`) and removing one.

use super::recovery_codes::{self, NewCodes};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::known_user::KnownUser;
use crate::callers::page_form;
use crate::callers::passkeys::ANSWER;
use crate::callers::sign_in::SignIn;
use crate::formats::browser_name;
use crate::http::call::Call;
use crate::http::forms;
use crate::secrets::dice;
use crate::secrets::passkey::{CreationState, PasskeyParty};
use crate::views::second_factor::{PasskeyEnrolmentPage, PasskeyRow};
use crate::views::{GuardedText, TimeText};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use rules::factors::FactorMeans;
use rules::limits::{FACTOR_FORM_SECONDS, PASSKEY_NAME_CHARS, PASSKEYS_PER_USER};
use rules::moment::Moment;
use rules::params::Params;
use serde::{Deserialize, Serialize};
use store::factors::passkeys::{self, NewPasskey, Passkey, PasskeyMaking};
use store::opening::SpentForm;
use store::people::User;
use store::{factors, sign_ins};

const PATH: &str = "/second-factor";

/// What the form of a new passkey holds, sealed. Nothing of it is stored before it is made.
#[derive(Serialize, Deserialize)]
struct CreationForm {
    creation_until: i64,
    id: i64,
    sign_in: i64,
    known: KnownUser,
    name: String,
    state: CreationState,
}

/// Whether somebody with so many passkeys can make another.
pub(super) fn may_make(app: &App, count: usize) -> bool {
    count < PASSKEYS_PER_USER && PasskeyParty::of(&app.settings.base_url).is_some()
}

/// What a person is shown of their passkeys.
pub(super) async fn rows(app: &App, person: &SignIn) -> Result<Vec<PasskeyRow>, PageStop> {
    let all = passkeys::of_user(&app.store, person.user.id).await.during("looking for passkeys")?;
    let factors = factors::find(&app.store, person.user.id).await.during("looking for a second factor")?;
    let apps = usize::from(factors.is_some_and(|factors| factors.app.is_some()));
    let others = all.len().saturating_sub(1) + apps;
    let may_be_removed = app.settings.second_factor.of(person.user.user_type).may_remove(others);
    let shown = |moment| TimeText::new(moment, &app.settings.time_zone);
    let row = |passkey: Passkey| PasskeyRow {
        id: passkey.id,
        name: passkey.name,
        made: shown(passkey.made_at),
        used: passkey.used_at.map(shown),
        may_be_removed,
    };
    Ok(all.into_iter().map(row).collect())
}

/// Asks for a new passkey, which is stored once it is there.
pub(super) async fn begin(
    app: &App,
    person: &SignIn,
    user: &User,
    (params, headers): (&Params<'_>, &HeaderMap),
) -> Result<Response, PageStop> {
    let typed = params.get("name").unwrap_or_default().trim();
    let typed = typed.chars().filter(|sign| !sign.is_control()).take(PASSKEY_NAME_CHARS).collect::<String>();
    let browser = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let name = if typed.is_empty() { browser_name::of(browser) } else { typed };
    ask(app, person, user, name, None).await
}

async fn ask(
    app: &App,
    person: &SignIn,
    user: &User,
    name: String,
    problem: Option<&str>,
) -> Result<Response, PageStop> {
    let known = passkeys::of_user(&app.store, user.id).await.during("looking for passkeys")?;
    let party = PasskeyParty::of(&app.settings.base_url).filter(|_| known.len() < PASSKEYS_PER_USER);
    let party = party.ok_or_else(Problem::stale_form)?;
    let creation = party.creation(user.id, (&user.username, &user.name), &known).ok_or_else(Problem::stale_form)?;
    let form = CreationForm {
        creation_until: person.now.plus_seconds(FACTOR_FORM_SECONDS).0,
        id: dice::number()?,
        sign_in: person.id.0,
        known: KnownUser::of(user),
        name: name.clone(),
        state: creation.state,
    };
    let page = PasskeyEnrolmentPage {
        frame: person.frame(app, PATH),
        form: GuardedText::new(forms::seal(app, &form)),
        options: creation.options,
        name,
        problem: problem.map(String::from),
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    Ok(page::html_with_passkey(app, status, &page, ("", true)))
}

/// Stores the passkey that the browser has made.
pub async fn confirm(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let confirm = async {
        let params = page_form::read(&app, &head.headers, body).await?;
        let form: Option<CreationForm> = params.get(forms::FIELD).and_then(|sealed| forms::open(&app, sealed));
        let form = form.filter(|form| form.sign_in == person.id.0 && !person.now.is_past(Moment(form.creation_until)));
        let form = form.ok_or_else(Problem::stale_form)?;
        person.must_have_proven(PATH)?;
        let user = form.known.find(&app).await?.ok_or_else(Problem::stale_form)?;
        let policy = app.settings.second_factor.of(user.user_type);
        if !policy.may_enrol(person.has_factor, person.entrance.by_link) {
            return Err(Problem::stale_form().into());
        }
        let party = PasskeyParty::of(&app.settings.base_url).ok_or_else(Problem::stale_form)?;
        let Some((key, counter)) = party.made(params.get(ANSWER).unwrap_or_default(), &form.state) else {
            let problem = "The browser made no passkey that can be used here.";
            return ask(&app, &person, &user, form.name, Some(problem)).await;
        };
        let (codes, means) = (NewCodes::draw()?, FactorMeans::of_passkey(key.is_synced));
        let new = NewPasskey { key, counter, name: form.name };
        let question = SpentForm { id: form.id, expires_at: Moment(form.creation_until) };
        let (id, known) = (user.id, user.password_hash.clone());
        let made = passkeys::add(&app.store, id, known, (new, codes.kept), question, person.now).await;
        let PasskeyMaking::Stored { has_new_codes } = made.during("storing a passkey")? else {
            return Err(Problem::stale_form().into());
        };
        sign_ins::note_factor(&app.store, person.id, means, person.now).await.during("noting a second factor")?;
        tracing::info!(user = user.id.0, "a user made a passkey");
        Ok(match has_new_codes {
            true => recovery_codes::page(&app, &person, "Your passkey is made", codes.shown),
            false => page::see_other("/second-factor?passkey"),
        })
    };
    let answer = confirm.await;
    person.keep(&app, answer)
}

/// Removes the passkey of this number.
pub(super) async fn remove(
    app: &App,
    person: &SignIn,
    number: &str,
    must_keep_one: bool,
) -> Result<Response, PageStop> {
    let id = number.parse().map_err(|_| Problem::stale_form())?;
    let removed = passkeys::remove(&app.store, (person.user.id, id), must_keep_one, person.now).await;
    if !removed.during("removing a passkey")? {
        return Err(Problem::stale_form().into());
    }
    tracing::info!(user = person.user.id.0, "a user removed a passkey");
    Ok(page::see_other("/second-factor?passkey-removed"))
}
