//! `GET /fhir/{type}/_history` and `GET /fhir/_history`: every version of a type, or of everything, that the caller may see.

use crate::app::App;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::history::bundle::{self, Page};
use crate::fhir::read::answer;
use crate::fhir::read::options::ReadOptions;
use crate::fhir::read::request::ReadRequest;
use crate::fhir::search::page_token;
use crate::fhir::search::query_string::{PAGE, Query};
use crate::http::call::Call;
use crate::interactions::history::{self, HistoryRequest};
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;
use store::history::type_history::HistoryPosition;
use store::search::sort::{Cursor, CursorKey};

pub async fn of_type(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    give(&call.app, &caller, &ReadRequest::of(&call), Some(answer::resource_type(&call)?)).await
}

pub async fn of_all(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    give(&call.app, &caller, &ReadRequest::of(&call), None).await
}

/// Newest first, page by page.
pub(crate) async fn give(
    app: &App,
    caller: &Caller,
    request: &ReadRequest<'_>,
    of: Option<ResourceType>,
) -> Result<Response, ApiStop> {
    let query = Query::of_list(request.query)?;
    request.must_take_json(query.format())?;
    let options = ReadOptions::of(&query)?;
    let own = of.map_or_else(|| "/_history".to_owned(), |of| format!("/{}/_history", of.name()));
    let behind = page_token::open_cursor(&app.keys, &own, query.get(PAGE))?.map(|cursor| place(&cursor)).transpose()?;
    let asked = HistoryRequest { window: query.window()?, behind, count: query.count()?, opens: !request.is_head };
    let page = history::of_type(app, caller, of, &asked).await?;
    let next = page
        .versions
        .last()
        .filter(|_| page.more)
        .and_then(|last| page_token::seal_place(&app.keys, &own, &cursor(HistoryPosition::of(last))));
    let fhir = base(&app.settings.base_url);
    let page = Page {
        url: format!("{fhir}{own}"),
        base: fhir,
        matches: page.versions,
        own: query.link(query.get(PAGE)),
        next: next.map(|next| query.link(Some(&next))),
        options,
    };
    bundle::respond(app, caller, page).await
}

fn cursor(place: HistoryPosition) -> Cursor {
    let keys = [place.moment, place.version].map(|number| Some(CursorKey::Number(number)));
    Cursor { row: place.row, keys: keys.into() }
}

fn place(cursor: &Cursor) -> Result<HistoryPosition, rules::answers::Refusal> {
    match cursor.keys[..] {
        [Some(CursorKey::Number(moment)), Some(CursorKey::Number(version))] => {
            Ok(HistoryPosition { moment, row: cursor.row, version })
        }
        _ => Err(page_token::foreign()),
    }
}
