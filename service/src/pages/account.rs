//! `/account`: who somebody is here, as their record has it, and the e-mail address to which they are written.

use crate::app::App;
use crate::app::mail::letter;
use crate::app::trouble::During;
use crate::callers::login::Login;
use crate::callers::people::AccountSignIn;
use crate::callers::sign_in::SignIn;
use crate::formats::clinical_date;
use crate::http::call::Call;
use crate::http::{forms, origin};
use crate::interactions::read;
use crate::secrets::secret::Secret;
use crate::views::GuardedText;
use crate::views::account::{AccountConfirmPage, AccountFact, AccountPage};
use crate::views::password::FieldProblem;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::json;
use rules::invitations::is_email;
use rules::mail::LinkPurpose;
use store::accounts::addresses::{self, Confirmation};
use store::accounts::links::{self, FollowedLink};
use views::kinds::person::{PatientFacts, Person};

const PATH: &str = "/account";
const EMAIL: &str = "change-email";

const NOTICES: [(&str, &str); 2] = [
    ("sent", "A link is on its way to that address. Follow it within 30 minutes; until then nothing changes."),
    ("confirmed", "Your e-mail address is confirmed."),
];

/// What was typed into the form, and what is wrong with it.
#[derive(Default)]
struct TypedEmail {
    text: String,
    problem: Option<FieldProblem>,
}

/// `GET /account`.
pub async fn show(account: AccountSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let notice = NOTICES.iter().find(|(name, _)| params.get("done") == Some(name)).map(|(_, text)| *text);
    let answer = own(&call.app, &account, notice, TypedEmail::default()).await;
    account.person.keep(&call.app, answer)
}

async fn own(
    app: &App,
    AccountSignIn { person, caller }: &AccountSignIn,
    notice: Option<&'static str>,
    typed: TypedEmail,
) -> Result<Response, PageStop> {
    let facts = match caller.as_ref().and_then(|caller| Some((caller, caller.reach().own()?, caller.patient()?))) {
        Some((caller, own, id)) => {
            let patient = read::own_patient(app, caller, own, id).await?;
            let resource = patient.as_ref().and_then(|patient| json::read(&patient.body));
            let facts = PatientFacts { account_name: &person.user.name, ..PatientFacts::default() };
            facts_of(app, Person::patient(id, resource.as_ref(), facts))
        }
        None => Vec::new(),
    };
    let status = if typed.problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let page = AccountPage {
        frame: person.frame(app, PATH),
        notice,
        username: person.user.username.clone(),
        facts,
        email: addresses::of_user(&app.store, person.user.id).await.during("looking up an e-mail address")?,
        typed: typed.text,
        writes_mail: app.settings.writes_mail(),
        has_record: person.user.patient_id.is_some(),
        has_apps: person.user.user_type.scope().is_some(),
        form: person.form(app, EMAIL),
        problem: typed.problem,
    };
    Ok(page::html(status, &page))
}

/// What a person looks for in these facts; what the record does not say is left out.
fn facts_of(app: &App, person: Person) -> Vec<AccountFact> {
    let joined = |parts: Vec<Option<String>>, between: &str| {
        let there: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        (!there.is_empty()).then(|| there.join(between))
    };
    let address = vec![person.address1, person.address2, person.city, person.state, person.postal_code, person.country];
    let ids = person.national_ids.into_iter();
    let ids = ids.map(|id| Some(id.name.map_or_else(|| id.value.clone(), |name| format!("{} ({name})", id.value))));
    let all = [
        ("Name", joined(vec![person.title, person.first_name, person.last_name], " ")),
        ("Born", person.dob.map(|date| clinical_date::text(&date, &app.settings.time_zone))),
        ("Address", joined(address, ", ")),
        ("Telephone", person.phone),
        ("E-mail address in the record", person.email),
        ("Numbers", joined(ids.collect(), ", ")),
    ];
    all.into_iter().filter_map(|(name, text)| Some(AccountFact { name, text: text? })).collect()
}

/// `POST /account/email`.
pub async fn change_email(account: AccountSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, peer, .. } = call;
    let person = &account.person;
    let changing = async {
        let params = person.own_form(&app, &head.headers, body, EMAIL).await?;
        let text = params.get("email").unwrap_or_default().trim().to_owned();
        let wrong = |field, told: &str| FieldProblem { text: told.to_owned(), field };
        let password = Secret::new(params.get("password").unwrap_or_default().to_owned());
        let address = origin::address(&app, &head.headers, peer);
        let login = Login::new(&head.headers, address, &person.user.username, password);
        let problem = if !app.settings.writes_mail() {
            return Err(Problem::not_found().into());
        } else if !letter::is_address(&text) || !is_email(&text) {
            Some(wrong("email", "That is no e-mail address, as in name@example.org."))
        } else if login.user(&app).await?.is_none() {
            Some(wrong("password", "That is not your password."))
        } else {
            None
        };
        if problem.is_some() {
            return own(&app, &account, None, TypedEmail { text, problem }).await;
        }
        let asked = addresses::ask(&app.store, person.user.id, text, person.now).await;
        match asked.during("asking to confirm an address")? {
            true => Ok(page::see_other(&format!("{PATH}?done=sent"))),
            false => Err(Problem::crowded().into()),
        }
    };
    let answer = changing.await;
    person.keep(&app, answer)
}

/// `GET /account/confirm/{id}`. Looking changes nothing.
pub async fn check(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let Some(typed) = call.part("id").map(std::borrow::Cow::into_owned) else {
        return person.keep(&call.app, Err(Problem::not_found().into()));
    };
    let answer = match followed(&call.app, &person, &typed).await {
        Ok(followed) => {
            let page = AccountConfirmPage {
                frame: person.frame(&call.app, PATH),
                address: followed.address,
                action: GuardedText::new(format!("{PATH}/confirm/{typed}")),
                form: person.form(&call.app, &purpose(followed.link.id)),
            };
            Ok(page::html(StatusCode::OK, &page))
        }
        Err(stop) => Err(stop),
    };
    person.keep(&call.app, answer)
}

/// `POST /account/confirm/{id}`.
pub async fn confirm(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let typed = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let confirming = async {
        let opened = letter::opened(&app.keys, &typed).map(|opened| opened.content.id);
        person.own_form(&app, &head.headers, body, &purpose(opened.unwrap_or_default())).await?;
        let found = followed(&app, &person, &typed).await?;
        let of = (person.user.id, found.address);
        let confirmed = addresses::confirm(&app.store, found.link.id, of, person.now).await;
        match confirmed.during("confirming an address")? {
            Confirmation::Done => Ok(page::see_other(&format!("{PATH}?done=confirmed"))),
            Confirmation::Taken => {
                let wrong = "Another account has this e-mail address.";
                Err(Problem::new(409, "Not this address", wrong, "Use another address, or sign in with that account.")
                    .into())
            }
            Confirmation::Over => Err(over().into()),
        }
    };
    let answer = confirming.await;
    person.keep(&app, answer)
}

/// A form confirms the one address that it was made for.
fn purpose(link: i64) -> String {
    format!("confirm-address {link}")
}

/// The link that somebody followed, if it is theirs and can still be used.
async fn followed(app: &App, person: &SignIn, typed: &str) -> Result<FollowedLink, PageStop> {
    let opened = letter::opened(&app.keys, typed).ok_or_else(over)?;
    let found = links::find(&app.store, opened.content.id, person.now).await.during("looking at a link")?;
    let good = |found: &FollowedLink| {
        found.purpose == LinkPurpose::Confirm
            && found.user.id == person.user.id
            && opened.is_vouched_for(&found.link.salt)
    };
    Ok(found.filter(good).ok_or_else(over)?)
}

fn over() -> Problem {
    let wrong = "This link is over, or it was sent for another account: it was used, it is older than 30 minutes, or a newer one took its place.";
    Problem::new(410, "Not a link any more", wrong, "Have a new one sent from the page of your account.")
}
