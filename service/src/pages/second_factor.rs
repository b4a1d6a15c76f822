//! `/second-factor`: which a person has, and setting up, changing and removing them, each with the password and, where there is one, a
//! fresh proof of it.

use super::passkeys;
use super::recovery_codes::{self, NewCodes};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::known_user::KnownUser;
use crate::callers::login::Login;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::http::origin;
use crate::secrets::invitation;
use crate::secrets::secret::Secret;
use crate::secrets::totp::TotpSecret;
use crate::views::password::FieldProblem;
use crate::views::second_factor::{FactorChanges, FactorEnrolmentPage, SecondFactorPage};
use crate::views::{GuardedText, qr};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::factors::FactorMeans;
use rules::limits::FACTOR_ENROLMENT_SECONDS;
use rules::moment::Moment;
use serde::{Deserialize, Serialize};
use store::factors::{self, GuardedSecret, NewFactor};
use store::people::User;

const PATH: &str = "/second-factor";
const PURPOSE: &str = "second-factor";

/// What the form of an enrolment holds, sealed. Nothing of it is stored before it is confirmed.
#[derive(Serialize, Deserialize)]
struct EnrolmentForm {
    enrolment_until: i64,
    sign_in: i64,
    known: KnownUser,
    /// Sealed once more, as it will be stored.
    secret: String,
}

pub async fn show(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let notice = match call.query() {
        Some("removed") => Some("Your second factor is removed."),
        Some("passkey") => Some("Your passkey is made."),
        Some("passkey-removed") => Some("Your passkey is removed. Delete it from the device that keeps it, too."),
        _ => None,
    };
    let answer = status(&call.app, &person, notice, None).await;
    person.keep(&call.app, answer)
}

async fn status(
    app: &App,
    person: &SignIn,
    notice: Option<&'static str>,
    problem: Option<FieldProblem>,
) -> Result<Response, PageStop> {
    let factors = factors::find(&app.store, person.user.id).await.during("looking for a second factor")?;
    let rows = passkeys::rows(app, person).await?;
    let policy = app.settings.second_factor.of(person.user.user_type);
    let changes = match policy.may_enrol(factors.is_some(), person.entrance.by_link) {
        false if factors.is_some() => FactorChanges::None("It is not asked for at present, and cannot be changed."),
        false => FactorChanges::None("To set one up you need a link, which the operator sends you."),
        true if !person.is_proven() => FactorChanges::ProveFirst,
        true => FactorChanges::Form {
            form: person.form(app, PURPOSE),
            may_remove_app: factors.as_ref().is_some_and(|has| has.app.is_some()) && policy.may_remove(rows.len()),
            may_make_passkey: passkeys::may_make(app, rows.len()),
        },
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let page = SecondFactorPage {
        frame: person.frame(app, PATH),
        notice,
        has_app: factors.as_ref().is_some_and(|factors| factors.app.is_some()),
        passkeys: rows,
        recovery_codes: factors.map(|factors| factors.recovery_codes),
        changes,
        problem,
    };
    Ok(page::html(status, &page))
}

pub async fn change(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, peer, .. } = call;
    let address = origin::address(&app, &head.headers, peer);
    let change = async {
        let params = person.own_form(&app, &head.headers, body, PURPOSE).await?;
        person.must_have_proven(PATH)?;
        let policy = app.settings.second_factor.of(person.user.user_type);
        if !policy.may_enrol(person.has_factor, person.entrance.by_link) {
            return status(&app, &person, None, None).await;
        }
        let password = Secret::new(params.get("password").unwrap_or_default().to_owned());
        let login = Login::new(&head.headers, address, &person.user.username, password);
        let Some(user) = login.user(&app).await? else {
            let problem = FieldProblem { text: "That is not your password.".into(), field: "password" };
            return status(&app, &person, None, Some(problem)).await;
        };
        let must_keep_one = !policy.may_remove(0);
        match (params.get("decision"), params.get("drop")) {
            (Some("set-up"), _) => begin(&app, &person, &user),
            (Some("passkey"), _) => passkeys::begin(&app, &person, &user, (&params, &head.headers)).await,
            (Some("codes"), _) => new_codes(&app, &person).await,
            (Some("remove"), _) => {
                let removed = factors::remove(&app.store, user.id, must_keep_one, person.now).await;
                if !removed.during("removing a second factor")? {
                    return Err(Problem::stale_form().into());
                }
                tracing::info!(user = user.id.0, "a user removed their second factor");
                Ok(page::see_other("/second-factor?removed"))
            }
            (None, Some(passkey)) => passkeys::remove(&app, &person, passkey, must_keep_one).await,
            _ => Err(Problem::stale_form().into()),
        }
    };
    let answer = change.await;
    person.keep(&app, answer)
}

/// Shows a new secret, which becomes the factor once a code of it is shown.
fn begin(app: &App, person: &SignIn, user: &User) -> Result<Response, PageStop> {
    let secret = TotpSecret::new()?;
    let sealed = secret.seal(&app.keys, user.id).ok_or_else(Problem::stale_form)?;
    let enrolment_until = person.now.plus_seconds(FACTOR_ENROLMENT_SECONDS).0;
    let form = EnrolmentForm { enrolment_until, sign_in: person.id.0, known: KnownUser::of(user), secret: sealed };
    enrolment(app, person, &secret, &form, None)
}

fn enrolment(
    app: &App,
    person: &SignIn,
    secret: &TotpSecret,
    form: &EnrolmentForm,
    problem: Option<&str>,
) -> Result<Response, PageStop> {
    let page = FactorEnrolmentPage {
        frame: person.frame(app, PATH),
        form: GuardedText::new(forms::seal(app, form)),
        secret: GuardedText::new(secret.text()),
        code: qr::picture(&secret.link(&person.user.username)).ok_or_else(Problem::stale_form)?,
        problem: problem.map(String::from),
    };
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    Ok(page::html(status, &page))
}

/// The first code makes the secret the factor, and is thereby used.
pub async fn confirm(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let confirm = async {
        let params = crate::callers::page_form::read(&app, &head.headers, body).await?;
        let form: Option<EnrolmentForm> = params.get(forms::FIELD).and_then(|sealed| forms::open(&app, sealed));
        let form = form.filter(|form| form.sign_in == person.id.0 && !person.now.is_past(Moment(form.enrolment_until)));
        let form = form.ok_or_else(Problem::stale_form)?;
        person.must_have_proven(PATH)?;
        let user = form.known.find(&app).await?.ok_or_else(Problem::stale_form)?;
        let secret = TotpSecret::open(&app.keys, user.id, &form.secret).ok_or_else(Problem::stale_form)?;
        let typed = invitation::plain(params.get("code").unwrap_or_default());
        let Some(step) = secret.step_of(&typed, person.now) else {
            let problem = "That is not the code that the app shows now. Is the clock of your phone right?";
            return enrolment(&app, &person, &secret, &form, Some(problem));
        };
        let codes = NewCodes::draw()?;
        let new = NewFactor { secret: GuardedSecret(form.secret), step, recovery_codes: codes.kept };
        let set = factors::set(&app.store, user.id, user.password_hash.clone(), new, person.now).await;
        if !set.during("setting a second factor up")? {
            return Err(Problem::stale_form().into());
        }
        let noted = store::sign_ins::note_factor(&app.store, person.id, FactorMeans::Code, person.now).await;
        noted.during("noting a second factor")?;
        tracing::info!(user = user.id.0, "a user set a second factor up");
        Ok(recovery_codes::page(&app, &person, "Your second factor is set up", codes.shown))
    };
    let answer = confirm.await;
    person.keep(&app, answer)
}

async fn new_codes(app: &App, person: &SignIn) -> Result<Response, PageStop> {
    let codes = NewCodes::draw()?;
    let renewed = factors::renew_recovery_codes(&app.store, person.user.id, codes.kept, person.now).await;
    if renewed.during("making recovery codes")? {
        Ok(recovery_codes::page(app, person, "Your new recovery codes", codes.shown))
    } else {
        Err(Problem::stale_form().into())
    }
}
