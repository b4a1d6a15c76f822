//! What an entry of a Bundle asks for: the same that a request of its own would, and in the same words refused.

use crate::app::App;
use crate::callers::api;
use crate::callers::caller::Caller;
use crate::fhir::bundle::entry_read::EntryRead;
use crate::interactions::absence;
use crate::interactions::write::criteria;
use crate::interactions::write::patch_body::Patch;
use crate::interactions::write::request::{NOT_BY_CRITERIA, NOT_PATCHED, WriteRequest, WriteTarget};
use crate::interactions::write::version_demand;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use fhir::exchange::{self, RequestEntry};
use fhir::reference;
use fhir::types::{self, ResourceType};
use rules::answers::Refusal;
use rules::params::shown;
use std::sync::Arc;
use store::write::resource_write::Demand;

/// A read, or a write of a resource of this type.
#[derive(Debug)]
pub(crate) enum EntryRequest {
    Read(EntryRead),
    Write(ResourceType, WriteRequest),
}

/// The parts of the URL that an entry names, relative to our base.
struct LedgerPosition<'u> {
    of: ResourceType,
    /// Behind the type.
    rest: Vec<&'u str>,
    query: Option<&'u str>,
}

/// What an entry asks for, if the caller may ask for such a thing at all.
pub(crate) async fn entry_request(app: &App, caller: &Caller, entry: &RequestEntry) -> Result<EntryRequest, ApiStop> {
    let url = relative(app, &entry.url)?;
    let place = place(url)?;
    let of = place.of;
    if matches!(entry.method.as_str(), "GET" | "HEAD") {
        refuse(entry, &[("ifMatch", &entry.if_match), ("ifNoneExist", &entry.if_none_exist)])?;
        let reading = EntryRead::of(of, &place.rest, place.query, entry).ok_or_else(|| unknown(entry))?;
        return Ok(EntryRequest::Read(reading));
    }
    api::must_write(caller)?;
    refuse(entry, &[("ifNoneMatch", &entry.if_none_match)])?;
    let request = match entry.method.as_str() {
        "POST" => {
            if !place.rest.is_empty() || place.query.is_some() {
                return Err(unknown(entry).into());
            }
            refuse(entry, &[("ifMatch", &entry.if_match)])?;
            let unless = entry.if_none_exist.as_deref();
            if unless.is_some() && NOT_BY_CRITERIA.contains(&of.name()) {
                return Err(Refusal::Invalid(format!("a {} is not created on criteria", of.name())).into());
            }
            let unless = match unless {
                Some(text) => Some(criteria::of_text(app, caller, of, text).await?),
                None => None,
            };
            WriteRequest::Create { text: resource(entry)?, unless }
        }
        "PUT" => WriteRequest::Update {
            aim: aim(app, caller, &place).await?,
            text: resource(entry)?,
            demand: demand(entry)?,
        },
        "PATCH" if NOT_PATCHED.contains(&of.name()) => return Err(Refusal::MethodNotAllowed.into()),
        "PATCH" => {
            WriteRequest::Patch { aim: aim(app, caller, &place).await?, patch: patch(entry)?, demand: demand(entry)? }
        }
        "DELETE" => WriteRequest::Delete { aim: aim(app, caller, &place).await?, demand: demand(entry)? },
        _ => return Err(unknown(entry).into()),
    };
    if !matches!(request, WriteRequest::Create { .. }) {
        refuse(entry, &[("ifNoneExist", &entry.if_none_exist)])?;
    }
    Ok(EntryRequest::Write(of, request))
}

/// A URL without our base; one of another server is nothing that is done here.
fn relative<'u>(app: &App, url: &'u str) -> Result<&'u str, Refusal> {
    let base = base(&app.settings.base_url);
    let own = url.strip_prefix(&base).filter(|rest| rest.is_empty() || rest.starts_with('/')).unwrap_or(url);
    let own = own.strip_prefix('/').unwrap_or(own);
    let path = own.split('?').next().unwrap_or_default();
    let is_plain = !path.contains(':') && !own.contains('#') && !path.contains('%');
    match is_plain && path.split('/').all(|part| !matches!(part, "" | "." | "..")) {
        true => Ok(own),
        false => Err(Refusal::Invalid(format!(
            "request.url must be relative to {base}, for example Patient/1 or Patient?name=x, not {}",
            shown(url)
        ))),
    }
}

fn place(url: &str) -> Result<LedgerPosition<'_>, Refusal> {
    let (path, query) = url.split_once('?').map_or((url, None), |(path, query)| (path, Some(query)));
    let mut parts = path.split('/');
    let name = parts.next().unwrap_or_default();
    let of = types::named(name).ok_or_else(|| absence::no_such_type(name))?;
    Ok(LedgerPosition { of, rest: parts.collect(), query })
}

async fn aim(app: &App, caller: &Caller, place: &LedgerPosition<'_>) -> Result<WriteTarget, ApiStop> {
    match (place.rest.as_slice(), place.query) {
        ([id], None) if reference::is_id(id) => Ok(WriteTarget::Id((*id).to_owned())),
        ([_], None) => Err(absence::not_there(place.of).into()),
        ([], query) if !NOT_BY_CRITERIA.contains(&place.of.name()) => {
            criteria::of_text(app, caller, place.of, query.unwrap_or_default()).await.map(WriteTarget::Criteria)
        }
        _ => Err(Refusal::MethodNotAllowed.into()),
    }
}

fn resource(entry: &RequestEntry) -> Result<Arc<str>, Refusal> {
    let missing = || Refusal::Invalid(format!("{} needs a resource in its entry", entry.method));
    entry.resource.clone().ok_or_else(missing)
}

fn patch(entry: &RequestEntry) -> Result<Patch, Refusal> {
    let patch = entry.resource.as_deref().and_then(exchange::patch);
    let words = "PATCH needs a Parameters resource in its entry, or a Binary with a patch and its contentType";
    let (media_type, bytes) = patch.ok_or_else(|| Refusal::Invalid(words.into()))?;
    Patch::read(&media_type, bytes)
}

fn demand(entry: &RequestEntry) -> Result<Demand, Refusal> {
    let Some(tag) = entry.if_match.as_deref() else { return Ok(Demand::Nothing) };
    version_demand::demand(tag)
        .ok_or_else(|| Refusal::Invalid("ifMatch must be an ETag of a version, for example W/\"3\", or *".into()))
}

/// Refuses conditions that such a request does not know, so that nobody takes them for heeded.
fn refuse(entry: &RequestEntry, unknown: &[(&str, &Option<String>)]) -> Result<(), Refusal> {
    match unknown.iter().find(|(_, said)| said.is_some()) {
        Some((name, _)) => {
            Err(Refusal::Invalid(format!("{} is not done on the condition {name}; leave it out", entry.method)))
        }
        None => Ok(()),
    }
}

fn unknown(entry: &RequestEntry) -> Refusal {
    let (method, url) = (shown(&entry.method), shown(&entry.url));
    Refusal::Invalid(format!("{method} {url} is nothing that is done in a Bundle; send it as a request of its own"))
}
