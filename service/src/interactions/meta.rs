//! The metadata of resources: of one, or all profiles, tags and security labels that those of a type have. The latter names no
//! resource and nobody's record, so that it is no look at any.

use super::read;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use fhir::search::query::Query;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::META_RESOURCES;
use rules::smart::permissions::{ItemInteraction, Permissions};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use store::search::compile::Search;
use store::search::post_filter;

/// What is gathered of a type.
const GATHERED: [&str; 3] = ["profile", "security", "tag"];
/// Resources that are looked at in one read.
const AT_ONCE: i64 = 500;

pub(crate) async fn of_resource(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    id: &str,
) -> Result<Map<String, Value>, ApiStop> {
    Ok(of_body(&read::resource(app, caller, of, id).await?.body))
}

pub(crate) async fn of_type(
    app: &App,
    caller: &Caller,
    resource_type: ResourceType,
) -> Result<Map<String, Value>, ApiStop> {
    let needed = Permissions::of(ItemInteraction::Search);
    caller.must_be_granted(resource_type.name(), needed)?;
    let caller = &*caller.aimed_at(needed);
    let query = Query { resource_type, clauses: Vec::new(), base: String::new(), controls: Vec::new() };
    let (mut all, mut known, mut after, mut looked_at) = (Map::new(), HashSet::new(), None, 0);
    loop {
        let search = Search { query: &query, sort: &[], after: after.take(), floor: None, limit: AT_ONCE };
        let page =
            post_filter::page(&app.store, caller.reach(), &search, caller.now()).await.during("looking at a type")?;
        let found = page.entries.len();
        looked_at += found;
        page.entries.iter().for_each(|one| gather(&mut all, &mut known, &of_body(&one.resource.body)));
        if looked_at > META_RESOURCES || known.len() > META_RESOURCES {
            let name = resource_type.name();
            let words = format!(
                "there are more than {META_RESOURCES} {name}, or labels of them, to look at; ask for $meta of one of them"
            );
            return Err(Refusal::Unprocessable(words).into());
        }
        after = page.entries.into_iter().last().map(|last| last.place);
        if !page.is_full && i64::try_from(found).unwrap_or(i64::MAX) < AT_ONCE {
            return Ok(all);
        }
    }
}

/// Adds what is not there yet.
fn gather(all: &mut Map<String, Value>, known: &mut HashSet<String>, meta: &Map<String, Value>) {
    for name in GATHERED {
        for item in meta.get(name).and_then(Value::as_array).into_iter().flatten() {
            if !known.insert(format!("{name}{item}")) {
                continue;
            }
            if let Some(list) = all.entry(name).or_insert_with(|| json!([])).as_array_mut() {
                list.push(item.clone());
            }
        }
    }
}

/// That of a body.
pub(crate) fn of_body(body: &str) -> Map<String, Value> {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    body.get("meta").and_then(Value::as_object).cloned().unwrap_or_default()
}
