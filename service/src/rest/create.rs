//! `POST /json/{kind}` and `POST /json/{kind}/forPatient/{patientId}`: an item, or an array of them, all or none.

use super::answer;
use super::body;
use crate::app::App;
use crate::callers::api::{RestPatient, RestTeamWriter};
use crate::callers::caller::Caller;
use crate::http::call::Call;
use crate::interactions::items::creation;
use crate::interactions::items::files::ItemFile;
use crate::interactions::items::kind::ItemKind;
use crate::interactions::items::record::{self, ItemRecord};
use crate::interactions::items::writing::WrittenItem;
use crate::voices::api::ApiStop;
use axum::http::{StatusCode, header};
use axum::response::Response;
use rules::rest_errors::RestError;
use views::item::ItemMembers;
use views::sent::{self, SentItems};
use views::view::Shown;

pub(crate) async fn own<K: ItemKind>(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    let record = record::of_session(&call.app, &caller).await?;
    create::<K>(&caller, call, &record).await
}

pub(crate) async fn for_patient<K: ItemKind>(caller: RestTeamWriter, call: Call) -> Result<Response, ApiStop> {
    let record = record::named(&call.app, &caller, &call.part("patientId").unwrap_or_default()).await?;
    create::<K>(&caller, call, &record).await
}

/// Makes what the body has, in this record.
pub(crate) async fn create<K: ItemKind>(caller: &Caller, call: Call, record: &ItemRecord) -> Result<Response, ApiStop> {
    body::no_parameters(&call)?;
    let Call { app, head, body, .. } = call;
    let text = body::text(&app, &head.headers, body).await?;
    let sent = match K::IS_SENT_TOGETHER {
        true => sent::one_or_several::<K>(&text, K::demand)?,
        false => SentItems { items: vec![sent::one::<K>(&text, K::demand)?], is_array: false },
    };
    made(&app, caller, record, &sent).await
}

/// Makes what was sent, in this record.
pub(crate) async fn made<K: ItemKind>(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    sent: &SentItems<K>,
) -> Result<Response, ApiStop> {
    made_with(app, caller, record, (sent, Vec::new())).await
}

/// The same with the files that came with it.
pub(crate) async fn made_with<K: ItemKind>(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    (sent, files): (&SentItems<K>, Vec<ItemFile>),
) -> Result<Response, ApiStop> {
    must_be_in(record, sent)?;
    let made = creation::create(app, caller, record, (&sent.items, &files)).await?;
    answered(app, made, sent.is_array)
}

/// Refuses an item that names another patient than the one whose record it goes to.
fn must_be_in<K>(record: &ItemRecord, sent: &SentItems<K>) -> Result<(), RestError> {
    let is_other = |named: &String| *named != record.patient;
    match sent.items.iter().any(|one| one.item.patient_id.as_ref().is_some_and(is_other)) {
        true => Err(RestError::NotFound("Patient")),
        false => Ok(()),
    }
}

/// The items as they are stored now, an array where one was sent.
pub(crate) fn answered<K: ItemKind>(app: &App, made: Vec<WrittenItem<K>>, is_array: bool) -> Result<Response, ApiStop> {
    let is_new = made.iter().any(|one| one.is_new);
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let items: Vec<Shown<K>> = made.into_iter().map(|one| one.shown).collect();
    match items.first() {
        Some(only) if !is_array => {
            let answer = answer::json(status, only)?;
            Ok(if is_new { answer::with(answer, header::LOCATION, location(app, &only.item)) } else { answer })
        }
        _ => answer::json(status, &items),
    }
}

/// Where an item is in FHIR.
fn location(app: &App, item: &ItemMembers) -> String {
    format!("{}/fhir/{}", app.settings.base_url, item.fhir_reference)
}
