//! `GET /fhir/{type}/_history` and `GET /fhir/_history`: every version of a type, or of everything, that the caller may see.

use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::bundle::{self, Page};
use crate::fhir::manner::{self, Manner};
use crate::fhir::query::{PAGE, Query};
use crate::fhir::{answer, media, page, versions};
use crate::http::call::Call;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;
use store::changes::{self, Place};
use store::sorting::{Cursor, CursorKey};

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
    let (manner, stretch, count) = (Manner::of(&query)?, query.stretch()?, query.count()?);
    let own = of.map_or_else(|| "/_history".to_owned(), |of| format!("/{}/_history", of.name()));
    let behind = page::open_cursor(&app.keys, &own, query.get(PAGE))?.map(|cursor| place(&cursor)).transpose()?;
    let wanted = (&stretch, behind, count + 1);
    let found = changes::changes(&app.store, &caller.reach, of, wanted, caller.now).await;
    let page = found.during("reading the history of a type")?;
    let mut found = page.entries;
    let more = page.is_full || found.len() > usize::try_from(count).unwrap_or_default();
    found.truncate(usize::try_from(count).unwrap_or_default());
    versions::note(app, caller, &call.head, &found).await?;
    let next =
        found.last().filter(|_| more).and_then(|last| page::seal_place(&app.keys, &own, &cursor(Place::of(last))));
    let fhir = base(&app.settings.base_url);
    let page = Page {
        base: &fhir,
        url: &format!("{fhir}{own}"),
        matches: &found,
        own: query.link(query.get(PAGE)),
        next: next.map(|next| query.link(Some(&next))),
        subset: manner.subset(),
    };
    Ok(answer::json(manner::layout(bundle::history(&page).into(), manner.is_pretty)))
}

fn cursor(place: Place) -> Cursor {
    let keys = [place.moment, place.version].map(|number| Some(CursorKey::Number(number)));
    Cursor { row: place.row, keys: keys.into() }
}

fn place(cursor: &Cursor) -> Result<Place, rules::answers::Refusal> {
    match cursor.keys[..] {
        [Some(CursorKey::Number(moment)), Some(CursorKey::Number(version))] => {
            Ok(Place { moment, row: cursor.row, version })
        }
        _ => Err(page::foreign()),
    }
}
