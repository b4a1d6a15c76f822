//! `GET /json/{kind}` and `GET /json/{kind}/forPatient/{patientId}`: the items of a record, whole or page by page.

use super::answer;
use super::body::pairs;
use super::list_entry::ListEntry;
use super::page_link::{self, ListName};
use crate::app::App;
use crate::callers::api::{RestPatient, RestTeamReader};
use crate::callers::caller::Caller;
use crate::http::call::Call;
use crate::http::encoding;
use crate::interactions::items::kind::{Criterion, ItemKind};
use crate::interactions::items::list::{self, ListPage, ListRequest};
use crate::interactions::items::record::{self, ItemRecord};
use crate::interactions::search::query;
use crate::voices::api::ApiStop;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use views::list::ListQuery;
use views::order::ListKey;
use views::view;

const AFTER: &str = "after";

/// Who asks for a list, and with which request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListAsker<'a> {
    app: &'a App,
    caller: &'a Caller,
    head: &'a Parts,
}

impl<'a> ListAsker<'a> {
    pub fn of(caller: &'a Caller, call: &'a Call) -> Self {
        Self { app: &call.app, caller, head: &call.head }
    }
}

pub(crate) async fn own<K: ItemKind>(caller: RestPatient, call: Call) -> Result<Response, ApiStop> {
    let query = view::list_query::<K>(&pairs(&call)?, &[])?;
    let record = record::of_session(&call.app, &caller).await?;
    whole::<K>(ListAsker::of(&caller, &call), &record, &query).await
}

pub(crate) async fn of_patient<K: ItemKind>(caller: RestTeamReader, call: Call) -> Result<Response, ApiStop> {
    let query = view::list_query::<K>(&pairs(&call)?, &[])?;
    let record = record::named(&call.app, &caller, &call.part("patientId").unwrap_or_default()).await?;
    whole::<K>(ListAsker::of(&caller, &call), &record, &query).await
}

async fn whole<K: ItemKind>(asker: ListAsker<'_>, record: &ItemRecord, query: &ListQuery) -> Result<Response, ApiStop> {
    answered::<K>(asker, record, query, K::criteria(), |_| true).await
}

/// The list of what meets the criteria and is wanted.
pub(crate) async fn answered<K: ItemKind>(
    asker: ListAsker<'_>,
    record: &ItemRecord,
    query: &ListQuery,
    criteria: Vec<Vec<Criterion>>,
    is_wanted: impl Fn(&K) -> bool + Send + Sync,
) -> Result<Response, ApiStop> {
    let page = page(asker, record, query, criteria, is_wanted).await?;
    let ListPage { items, deleted, next } = page;
    let items = items.into_iter().map(|item| ListEntry::Item(Box::new(item)));
    let entries: Vec<ListEntry<K>> = items.chain(deleted.into_iter().map(ListEntry::Deleted)).collect();
    let of = ListName { kind: K::KIND, patient: &record.patient };
    linked(asker, of, &entries, next.as_ref())
}

/// A page of that list.
pub(crate) async fn page<K: ItemKind>(
    asker: ListAsker<'_>,
    record: &ItemRecord,
    query: &ListQuery,
    criteria: Vec<Vec<Criterion>>,
    is_wanted: impl Fn(&K) -> bool + Send + Sync,
) -> Result<ListPage<K>, ApiStop> {
    let of = ListName { kind: K::KIND, patient: &record.patient };
    let after =
        query.after.as_deref().map(|after| page_link::open(&asker.app.keys, asker.caller, of, after)).transpose()?;
    list::list(asker.app, asker.caller, ListRequest { record, query, after, criteria }, is_wanted).await
}

/// The answer with these entries, and a link to what comes behind the last.
pub(crate) fn linked(
    asker: ListAsker<'_>,
    of: ListName<'_>,
    entries: &impl Serialize,
    next: Option<&ListKey>,
) -> Result<Response, ApiStop> {
    let answer = answer::json(StatusCode::OK, entries)?;
    let Some(sealed) = next.and_then(|next| page_link::seal(&asker.app.keys, asker.caller, of, next)) else {
        return Ok(answer);
    };
    let sent = query::pairs(asker.head.uri.query().unwrap_or_default().as_bytes())?;
    let kept = sent.iter().filter(|(name, _)| name != AFTER).map(|(name, value)| (name.as_str(), value.as_str()));
    let query = encoding::query(kept.chain([(AFTER, sealed.as_str())]));
    let (base_url, path) = (&asker.app.settings.base_url, asker.head.uri.path());
    Ok(answer::with(answer, header::LINK, format!("<{base_url}{path}?{query}>; rel=\"next\"")))
}
