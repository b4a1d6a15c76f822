//! Versions: what a resource of any type was, one by one (`…/_history/{version}`) and as its history (`…/_history`).

use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::documents::reading;
use crate::fhir::bundle::{self, Page};
use crate::fhir::query::{PAGE, Query};
use crate::fhir::{answer, media, page};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::http::Method;
use axum::response::Response;
use fhir::types::ResourceType;
use store::versions;

pub(super) async fn read(resource_type: ResourceType, caller: Caller, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let id = answer::id_to_read(resource_type, &call)?;
    let version = call.part("version").and_then(|version| number(&version));
    let version = version.ok_or_else(|| answer::not_there(resource_type))?;
    let found = versions::read(&app.store, &caller.reach, (resource_type, &id), version, caller.now).await;
    let found = answer::present(resource_type, found.during("reading a version")?)?;
    app.accesses.note(&caller.viewer(), found.patient, resource_type.name(), found.right);
    if answer::is_held(&call.head.headers, found.version) {
        return Ok(answer::not_modified(&found));
    }
    if call.head.method != Method::HEAD {
        reading::document_as_stored(app, &caller, &found).await.during("noting that a document was read")?;
    }
    Ok(answer::whole(found))
}

/// Newest first, page by page.
pub(super) async fn history(resource_type: ResourceType, caller: Caller, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let query = Query::of_search(call.query(), &[])?;
    media::must_take_json(&call.head.headers, query.format())?;
    let id = answer::id(resource_type, &call)?;
    let own = format!("{}/{id}", resource_type.name());
    let before = match query.get(PAGE) {
        Some(_) => page::open(&app.keys, &own, query.get(PAGE))?,
        None => i64::MAX,
    };
    let count = query.count()?;
    let found =
        versions::history(&app.store, &caller.reach, (resource_type, &id), (before, count + 1), caller.now).await;
    let mut found = found.during("reading a history")?;
    if found.is_empty() && before == i64::MAX {
        return Err(answer::not_there(resource_type).into());
    }
    let more = found.len() > usize::try_from(count).unwrap_or_default();
    found.truncate(usize::try_from(count).unwrap_or_default());
    for version in &found {
        app.accesses.note(&caller.viewer(), version.patient, resource_type.name(), version.right);
        if call.head.method != Method::HEAD {
            reading::document_as_stored(app, &caller, version).await.during("noting that a document was read")?;
        }
    }
    let next = found.last().filter(|_| more).and_then(|last| page::seal(&app.keys, &own, last.version));
    let url = format!("{}/fhir/{own}", app.settings.base_url);
    let page = Page {
        url: &format!("{url}/_history"),
        matches: &found,
        own: query.link(query.get(PAGE)),
        next: next.map(|next| query.link(Some(&next))),
    };
    Ok(answer::json(bundle::history(&page, &url)))
}

fn number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|version| *version > 0 && text.bytes().all(|byte| byte.is_ascii_digit()))
}
