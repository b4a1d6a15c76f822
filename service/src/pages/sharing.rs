//! `/sharing`: with whom a patient shares their record, and what; changed label by label, and ended. Each change goes the way that
//! the custom REST API goes.

use super::sharing_words;
use crate::app::App;
use crate::callers::caller::Caller;
use crate::callers::notice_reader::NoticeReader;
use crate::callers::people::RecordSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::consents::label_counts::LabelCounts;
use crate::interactions::consents::{given, shared};
use crate::interactions::items::record::{self, ItemRecord};
use crate::interactions::notices;
use crate::views::record::DateText;
use crate::views::sharing::{EmergencyLook, SharingChangePage, SharingPage, SharingRow};
use crate::views::words;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::labels::Label;
use rules::params::Params;
use views::kinds::consent::{ActorType, ConsentStanding, ConsentView, SentConsent};
use views::kinds::notice::NoticeKind;

pub(super) const PATH: &str = "/sharing";

/// `GET /sharing`.
pub async fn show(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let notice = params.get("done").map(|done| match done {
        "invited" => "The invitation is in their notices. They see nothing until they accept it.",
        "ended" => "Sharing has ended.",
        _ => "What you share was changed.",
    });
    let answer = list(&call.app, &person, &caller, notice).await;
    person.keep(&call.app, answer)
}

async fn list(app: &App, person: &SignIn, caller: &Caller, notice: Option<&'static str>) -> Result<Response, PageStop> {
    let record = own(caller)?;
    let consents = given::of_record(app, caller, &record, None).await?;
    let (shared, over) = consents.iter().partition::<Vec<_>, _>(|consent| opens_something(consent));
    let rows = |some: Vec<&ConsentView>| some.into_iter().map(|consent| row(app, consent)).collect();
    let page = SharingPage {
        frame: person.frame(app, PATH),
        notice,
        labels: sharing_words::labels(LabelCounts::of(app, caller, record.number).await?),
        shared: rows(shared),
        over: rows(over),
        emergencies: emergencies(app, person, &record.patient).await?,
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// The glasses that were broken for this patient, as far back as notices are kept.
async fn emergencies(app: &App, person: &SignIn, patient: &str) -> Result<Vec<EmergencyLook>, PageStop> {
    let reader = NoticeReader::of_person(app, &person.user).await?;
    let told = notices::list(app, &reader, None, false).await?;
    let own = told.into_iter().filter(|told| told.patient_id.as_deref() == Some(patient));
    let looks = own.filter(|told| told.kind == NoticeKind::GlassBroken).map(|told| EmergencyLook {
        at: DateText::new(told.when, &app.settings.time_zone),
        text: words::sentence(&told.text),
        reason: told.reason,
    });
    Ok(looks.collect())
}

/// `GET /sharing/{id}`.
pub async fn check(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let answer = ask(&call.app, (&person, &caller), &id, None).await;
    person.keep(&call.app, answer)
}

/// The form of one consent; `problem` is what was wrong with the last try, and which labels it wanted.
async fn ask(
    app: &App,
    (person, caller): (&SignIn, &Caller),
    id: &str,
    problem: Option<(String, Vec<Label>)>,
) -> Result<Response, PageStop> {
    let record = own(caller)?;
    let consent = one(app, caller, &record, id).await?;
    let counts = LabelCounts::of(app, caller, record.number).await?;
    let (problem, ticked) = match problem {
        Some((problem, ticked)) => (Some(problem), ticked),
        None => (None, sharing_words::granted(&consent)),
    };
    let page = SharingChangePage {
        frame: person.frame(app, PATH),
        labels: sharing_words::choices(counts, &ticked),
        row: row(app, &consent),
        is_locked: consent.professional_edit_only == Some(true),
        is_over: !opens_something(&consent),
        end: sharing_words::end(&consent),
        form: person.form(app, &purpose(id)),
        problem,
    };
    let status = if page.problem.is_some() { StatusCode::FORBIDDEN } else { StatusCode::OK };
    Ok(page::html(status, &page))
}

/// `POST /sharing/{id}`.
pub async fn change(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let Call { app, head, body, .. } = call;
    let changing = async {
        let params = person.own_form(&app, &head.headers, body, &purpose(&id)).await?;
        let record = own(&caller)?;
        let consent = one(&app, &caller, &record, &id).await?;
        let (wanted, done) = wanted(&consent, &params).ok_or_else(Problem::stale_form)?;
        match shared::share(&app, &caller, &record.patient, &wanted).await {
            Ok(_) => Ok(page::see_other(&format!("{PATH}?done={done}"))),
            Err(stop) => {
                let problem = sharing_words::refused(stop)?;
                ask(&app, (&person, &caller), &id, Some((problem, sharing_words::ticked(&params)))).await
            }
        }
    };
    let answer = changing.await;
    person.keep(&app, answer)
}

/// What the form wants of a consent: nothing shared any more, or exactly these labels, and care that has ended begun anew. The care
/// of a team is not the patient's to end, but all labels can be taken from it. Nothing where none of the two buttons was pressed.
fn wanted(consent: &ConsentView, params: &Params<'_>) -> Option<(SentConsent, &'static str)> {
    let named =
        ConsentView { actor_type: consent.actor_type, actor_id: consent.actor_id.clone(), ..ConsentView::default() };
    let sent = |consent| SentConsent { consent, ..SentConsent::default() };
    match params.get("decision")? {
        "end" => {
            let ended = match consent.actor_type {
                ActorType::Team => sharing_words::with_labels(named, &[]),
                ActorType::Professional | ActorType::Carer => ConsentView { discharged: Some(true), ..named },
            };
            Some((sent(ended), "ended"))
        }
        "change" => {
            let labelled = sharing_words::with_labels(named, &sharing_words::ticked(params));
            let again = is_over(consent).then_some(false);
            Some((sent(ConsentView { discharged: again, ..labelled }), "changed"))
        }
        _ => None,
    }
}

/// The consent of this id, if it is one of the record.
async fn one(app: &App, caller: &Caller, record: &ItemRecord, id: &str) -> Result<ConsentView, PageStop> {
    let all = given::of_record(app, caller, record, None).await?;
    Ok(all.into_iter().find(|consent| consent.id.0 == id).ok_or_else(Problem::not_found)?)
}

pub(super) fn own(caller: &Caller) -> Result<ItemRecord, PageStop> {
    Ok(record::own(caller).map_err(|_| Problem::not_found())?)
}

fn is_over(consent: &ConsentView) -> bool {
    matches!(consent.state.0, Some(ConsentStanding::Discharged | ConsentStanding::Ended))
}

/// An invitation counts, too, before it is accepted.
fn opens_something(consent: &ConsentView) -> bool {
    !is_over(consent) && !sharing_words::granted(consent).is_empty()
}

fn row(app: &App, consent: &ConsentView) -> SharingRow {
    sharing_words::row(consent, format!("{PATH}/{}", consent.id.0), &app.settings.time_zone)
}

/// A form changes the one consent that it was made for.
fn purpose(id: &str) -> String {
    format!("share {id}")
}
