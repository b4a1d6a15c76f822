//! `GET /fhir/Patient`, and `GET /fhir/Patient/{id}`, which is what most calls are.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::fhir::answer;
use crate::fhir::bundle::{self, Page};
use crate::fhir::media;
use crate::fhir::page;
use crate::fhir::query::{PAGE, Parameter, Query};
use crate::fhir::versions;
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::reference::is_id;
use fhir::tokens::IDENTIFIER;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use store::read as records;
use store::search::{self, Query as Search};

const TYPE: ResourceType = ResourceType::Patient;

/// What a Patient can be searched by.
pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter { name: "_id", kind: "token", documentation: "The id of the resource; alternatives after commas" },
    Parameter {
        name: IDENTIFIER,
        kind: "token",
        documentation: "system|value, value or |value; alternatives after commas",
    },
];

pub async fn read(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let id = answer::id_to_read(TYPE, &call)?;
    let found = records::find(&app.store, &caller.reach, TYPE, &id, caller.now).await.during("reading a Patient")?;
    let found = answer::present(TYPE, found)?;
    app.accesses.note(&caller.viewer(), &found);
    versions::must_be_there(&found)?;
    if answer::is_held(&call.head.headers, found.version) {
        return Ok(answer::not_modified(&found));
    }
    Ok(answer::whole(found))
}

/// What the caller may not see is left out, not refused.
pub async fn search(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let query = Query::of_search(call.query(), PARAMETERS)?;
    media::must_take_json(&call.head.headers, query.format())?;
    let search = search_of(app, &query, caller.patient.as_deref())?;
    let found = search::search(&app.store, &caller.reach, &search, caller.now).await;
    let mut matches = found.during("searching for Patients")?;
    let page_entries = usize::try_from(query.count()?).unwrap_or_default();
    let more = matches.len() > page_entries;
    matches.truncate(page_entries);
    for found in &matches {
        app.accesses.note(&caller.viewer(), found);
    }
    let last = matches.last().filter(|_| more);
    let next = last.and_then(|last| page::seal(&app.keys, TYPE.name(), last.row.0));
    let page = Page {
        url: &format!("{}/fhir/{}", app.settings.base_url, TYPE.name()),
        matches: &matches,
        own: query.link(query.get(PAGE)),
        next: next.map(|next| query.link(Some(&next))),
    };
    Ok(answer::json(bundle::searchset(&page)))
}

/// A patient who asks for nothing in particular asks for their own record. Everyone else has to say whom they look
/// for: a walk through all that an organisation or a team may see is no search.
fn search_of(app: &App, query: &Query, own: Option<&str>) -> Result<Search, Refusal> {
    let (ids, identifiers) = match (query.values("_id")?, query.tokens(IDENTIFIER)?, own) {
        (None, None, Some(own)) => (Some(vec![own.to_owned()]), None),
        (None, None, _) => {
            return Err(Refusal::Invalid("say whom you look for: identifier=system|value or _id=id".into()));
        }
        // What is no id is nobody's.
        (ids, identifiers, _) => (ids.map(|ids| ids.into_iter().filter(|id| is_id(id)).collect()), identifiers),
    };
    // One more than the page holds tells whether there is a next page.
    let limit = query.count()? + 1;
    let after = page::open(&app.keys, TYPE.name(), query.get(PAGE))?;
    let tokens = identifiers.map(|identifiers| (IDENTIFIER, identifiers));
    Ok(Search { resource_type: TYPE, ids, tokens, after, limit })
}
