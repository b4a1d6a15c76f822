//! `GET /fhir/{type}/_history` and `GET /fhir/_history`: every version of a type, or of everything, that the caller may see.

use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::history::bundle::{self, Page};
use crate::fhir::history::versions;
use crate::fhir::media;
use crate::fhir::read::answer;
use crate::fhir::read::options::{self, ReadOptions};
use crate::fhir::search::page_token;
use crate::fhir::search::query_string::{PAGE, Query};
use crate::http::call::Call;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;
use store::history::type_history::{self, HistoryPosition};
use store::search::sort::{Cursor, CursorKey};

pub async fn of_type(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    tell(Some(answer::resource_type(&call)?), &caller, call).await
}

pub async fn of_all(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    tell(None, &caller, call).await
}

/// Newest first, page by page.
async fn tell(of: Option<ResourceType>, caller: &Caller, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let query = Query::of_list(call.query())?;
    media::must_take_json(&call.head.headers, query.format())?;
    let (options, window, count) = (ReadOptions::of(&query)?, query.window()?, query.count()?);
    let own = of.map_or_else(|| "/_history".to_owned(), |of| format!("/{}/_history", of.name()));
    let behind = page_token::open_cursor(&app.keys, &own, query.get(PAGE))?.map(|cursor| place(&cursor)).transpose()?;
    let wanted = (&window, behind, count + 1);
    let found = type_history::changes(&app.store, &caller.reach, of, wanted, caller.now).await;
    let page = found.during("reading the history of a type")?;
    let mut found = page.entries;
    let more = page.is_full || found.len() > usize::try_from(count).unwrap_or_default();
    found.truncate(usize::try_from(count).unwrap_or_default());
    versions::note(app, caller, &call.head, &found).await?;
    let next = found
        .last()
        .filter(|_| more)
        .and_then(|last| page_token::seal_place(&app.keys, &own, &cursor(HistoryPosition::of(last))));
    let fhir = base(&app.settings.base_url);
    let page = Page {
        base: &fhir,
        url: &format!("{fhir}{own}"),
        matches: &found,
        own: query.link(query.get(PAGE)),
        next: next.map(|next| query.link(Some(&next))),
        subset: options.subset(),
    };
    Ok(answer::json(options::layout(bundle::history(&page).into(), options.is_pretty)))
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
