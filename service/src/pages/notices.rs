//! `/notices`: what somebody was told; and a carer who was invited accepts.

use crate::app::App;
use crate::callers::notice_reader::NoticeReader;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::choices;
use crate::interactions::consents::invited;
use crate::interactions::notices;
use crate::views::notices::{AcceptForm, NoticeRow, NoticesPage, SeenForm};
use crate::views::record::DateText;
use crate::views::words;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::reference;
use rules::limits::LIST_LINES;
use store::patients;
use views::elements::party::Party;
use views::kinds::notice::{Notice, NoticeKind};

const PATH: &str = "/notices";
const SEEN: &str = "notices-seen";

/// `GET /notices`.
pub async fn show(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let before = match params.get("before") {
        Some(text) => text.parse().map_err(|_| Problem::unreadable_address())?,
        None => i64::MAX,
    };
    let told = params.get("accepted").map(|_| "You care for that record now. Apps ask you whose record they get.");
    let answer = list(&call.app, &person, before, told).await;
    person.keep(&call.app, answer)
}

async fn list(app: &App, person: &SignIn, before: i64, told: Option<&str>) -> Result<Response, PageStop> {
    let reader = NoticeReader::of_person(app, &person.user).await?;
    let all = notices::list(app, &reader, None, false).await?;
    let mut shown: Vec<&Notice> = all.iter().filter(|notice| number(notice) < before).take(LIST_LINES + 1).collect();
    let is_more = shown.len() > LIST_LINES;
    shown.truncate(LIST_LINES);
    let mut rows = Vec::new();
    for notice in &shown {
        rows.push(row(app, person, notice).await?);
    }
    let newest = all.first().filter(|_| all.iter().any(|notice| notice.seen.is_none()));
    let page = NoticesPage {
        frame: person.frame(app, PATH),
        notice: told.map(String::from),
        notices: rows,
        seen: newest.map(|newest| SeenForm { form: person.form(app, SEEN), newest: newest.id.clone() }),
        older: shown.last().filter(|_| is_more).map(|last| format!("{PATH}?before={}", last.id)),
    };
    Ok(page::html(StatusCode::OK, &page))
}

fn number(notice: &Notice) -> i64 {
    notice.id.parse().unwrap_or_default()
}

async fn row(app: &App, person: &SignIn, notice: &Notice) -> Result<NoticeRow, PageStop> {
    let patient = notice.patient_id.as_deref().unwrap_or_default();
    let about = match notice.kind {
        NoticeKind::Account => None,
        _ => about(app, person, patient).await?,
    };
    let invitation = match notice.kind {
        NoticeKind::CarerInvited => invited::pending(app, person.user.id, patient, person.now).await?,
        _ => None,
    };
    Ok(NoticeRow {
        heading: heading(notice.kind),
        text: words::sentence(&notice.text),
        at: DateText::new(notice.when.clone(), &app.settings.time_zone),
        about,
        by: notice.by.as_ref().and_then(|by: &Party| by.name.clone()),
        reason: notice.reason.clone(),
        is_new: notice.seen.is_none(),
        accept: invitation.map(|_| AcceptForm {
            action: format!("{PATH}/accept/{patient}"),
            form: person.form(app, &accept_purpose(patient)),
        }),
    })
}

/// Whose record it is about: of the own nothing is said.
async fn about(app: &App, person: &SignIn, patient: &str) -> Result<Option<String>, PageStop> {
    if person.user.patient_id.as_deref() == Some(patient) {
        return Ok(None);
    }
    if person.user.patient_id.is_some()
        && let Some(number) = patients::find(&app.store, patient).await?
        && let Some(name) = choices::name(app, person.user.id, number, person.now).await?
    {
        return Ok(Some(format!("the record of {name}")));
    }
    Ok(Some(format!("the record of patient {patient}")))
}

fn heading(kind: NoticeKind) -> &'static str {
    match kind {
        NoticeKind::GlassBroken => "An emergency look",
        NoticeKind::ConsentChanged => "Sharing has changed",
        NoticeKind::AddedToTeam => "A team was added",
        NoticeKind::Discharged => "Care has ended",
        NoticeKind::SharingDisabled => "Sharing was disabled",
        NoticeKind::RecordState => "The state of a record",
        NoticeKind::ResultArrived => "Something has arrived",
        NoticeKind::CarerInvited => "An invitation to care for a record",
        NoticeKind::Message => "A message",
        NoticeKind::Account => "Your account",
    }
}

/// `POST /notices/seen`.
pub async fn see_all(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let seeing = async {
        let params = person.own_form(&app, &head.headers, body, SEEN).await?;
        let newest = params.get("newest").and_then(|newest| newest.parse().ok()).ok_or_else(Problem::stale_form)?;
        let reader = NoticeReader::of_person(&app, &person.user).await?;
        notices::see_all(&app, &reader, newest, person.now).await?;
        Ok(page::see_other(PATH))
    };
    let answer = seeing.await;
    person.keep(&app, answer)
}

/// `POST /notices/accept/{patient}`.
pub async fn accept(person: SignIn, call: Call) -> Result<Response, PageStop> {
    let patient = call.part("patient").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let accepting = async {
        person.own_form(&app, &head.headers, body, &accept_purpose(&patient)).await?;
        let waiting = match reference::is_id(&patient) {
            true => invited::pending(&app, person.user.id, &patient, person.now).await?,
            false => None,
        };
        let invitation = waiting.ok_or_else(over)?;
        invited::accept(&app, person.user.id, invitation, person.now).await?.map_err(|_| over())?;
        Ok(page::see_other(&format!("{PATH}?accepted=1")))
    };
    let answer = accepting.await;
    person.keep(&app, answer)
}

/// An invitation that was accepted already, or taken back.
fn over() -> Problem {
    let wrong = "This invitation was accepted already, or taken back.";
    Problem::new(404, "No invitation any more", wrong, "Look at your notices, or ask the person who invited you.")
}

/// A form accepts the one invitation that it was made for.
fn accept_purpose(patient: &str) -> String {
    format!("accept-carer {patient}")
}
