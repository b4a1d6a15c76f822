//! Every question asked of the store and of the plain meaning, with every reach.

use crate::bodies::{BASE, KINDS};
use crate::named;
use crate::questions::Question;
use crate::stage::{NOW, Stage};
use fhir::parameters::membership::COMPARTMENTS;
use fhir::search::belonging::belonging;
use fhir::search::controls::SortKey;
use fhir::search::evaluation::{Record, evaluate};
use fhir::search::query::Query;
use fhir::search::{controls, reading};
use fhir::types::{self, ResourceType};
use rules::reach::Reach;
use serde_json::Value;
use store::read;
use store::search::compile::Search;
use store::search::multi_type::{self, TypedQuery};
use store::search::post_filter;
use store::search::sort::{Cursor, CursorKey};

/// Tells how much was found.
pub async fn hold(stage: &Stage<'_>, questions: &[Question]) -> Result<usize, String> {
    let mut found = 0;
    for reach in stage.reaches() {
        let seen = seen(stage, &reach).await;
        let records: Vec<Record<'_>> =
            seen.iter().map(|(kind, id, body)| Record::new(types::named(kind).unwrap(), id, body, BASE)).collect();
        for question in questions {
            found += ask(stage, &reach, &records, question).await?;
        }
        found += belong(stage, &reach, &records).await?;
    }
    Ok(found)
}

/// What the caller can read, the newest first.
async fn seen(stage: &Stage<'_>, reach: &Reach) -> Vec<(&'static str, String, Value)> {
    let mut seen = Vec::new();
    for (kind, id) in stage.newest_first() {
        let found = read::read(stage.store, reach, types::named(kind).unwrap(), &id, NOW).await.unwrap();
        if let Some(found) = found {
            seen.push((kind, id, serde_json::from_str(&found.body).unwrap()));
        }
    }
    seen
}

async fn ask(stage: &Stage<'_>, reach: &Reach, records: &[Record<'_>], question: &Question) -> Result<usize, String> {
    let resource_type = types::named(question.kind).unwrap();
    let world = stage.world.to_string();
    let of_world = |text: &str| text.replace("WORLD", &world);
    let parameters: Vec<(&str, String)> =
        question.parameters.iter().map(|(name, value)| (*name, of_world(value))).collect();
    let sort = question.sort.map(|sort| ("_sort", sort.to_owned()));
    let pairs: Vec<(&str, String)> = parameters.into_iter().chain(sort).collect();
    let pairs = pairs.iter().map(|(name, value)| (*name, value.as_str()));
    let query = reading::read(resource_type, pairs, BASE, NOW.0 * 1000)
        .map_err(|faults| format!("{question:?}: {faults:?}"))?;
    let controls = controls::read(&query).map_err(|faults| format!("{question:?}: {faults:?}"))?;
    let meant = named::in_reach(&query, stage, reach);
    let mut expected: Vec<&str> = evaluate(&meant, records).into_iter().map(|record| record.id).collect();
    let mut found: Vec<String> = Vec::new();
    let mut before: Option<Cursor> = None;
    let mut search = Search { query: &query, sort: &controls.sort, after: None, floor: None, limit: 2 };
    loop {
        let page = post_filter::page(stage.store, reach, &search, NOW).await;
        let page = page.map_err(|error| format!("{question:?}: {error:?}"))?.entries;
        let Some(last) = page.last() else { break };
        for found in &page {
            let place = found.place.clone();
            if before.replace(place.clone()).is_some_and(|before| !is_behind(&place, &before, &controls.sort)) {
                return Err(format!("{question:?} is not in order at {place:?}"));
            }
        }
        search.after = Some(last.place.clone());
        // Worlds share a database, in which everybody sees the directory.
        let ids = page.iter().map(|found| found.resource.id.clone());
        found.extend(ids.filter(|id| id.ends_with(&format!("-of-{world}"))));
    }
    let alone = [(query.clone(), vec![])];
    let total = multi_type::total(stage.store, reach, &alone, NOW).await.map_err(|error| format!("{error:?}"))?;
    let count = expected.len();
    if question.sort.is_some() {
        expected.sort_unstable();
        found.sort_unstable();
    }
    let is_counted = resource_type.is_public() || total == i64::try_from(count).unwrap();
    if found != expected || !is_counted {
        let bodies: Vec<_> = records.iter().map(|record| record.id).collect();
        return Err(format!(
            "{question:?} finds {found:?} ({total}) instead of {expected:?} for {reach:?} of {bodies:?}"
        ));
    }
    Ok(count)
}

/// What is in the compartment of each record that has one, of every type at once: the newest first, page by page and counted.
async fn belong(stage: &Stage<'_>, reach: &Reach, records: &[Record<'_>]) -> Result<usize, String> {
    let mut count = 0;
    for of in records.iter().filter(|record| COMPARTMENTS.contains(&record.resource_type)) {
        let query = |kind: ResourceType| {
            let clause = belonging(of.resource_type, of.id, kind)?;
            Some((Query { resource_type: kind, clauses: vec![clause], base: BASE.into(), controls: vec![] }, vec![]))
        };
        let kinds = KINDS.iter().map(|kind| types::named(kind).unwrap());
        let parts: Vec<TypedQuery> = kinds.filter_map(query).collect();
        let finds = |record: &&Record<'_>| {
            let meant = parts.iter().map(|(query, _)| named::in_reach(query, stage, reach));
            let mut found =
                meant.flat_map(|query| evaluate(&query, records).iter().map(|found| found.id).collect::<Vec<_>>());
            found.any(|found| found == record.id)
        };
        let expected: Vec<&str> = records.iter().filter(finds).map(|record| record.id).collect();
        let (mut found, mut after): (Vec<String>, Option<Cursor>) = (Vec::new(), None);
        loop {
            let page = multi_type::page(stage.store, reach, &parts, (after.as_ref(), 2), NOW).await;
            let page = page.map_err(|error| format!("{error:?}"))?.entries;
            let Some(last) = page.last() else { break };
            after = Some(last.place.clone());
            found.extend(page.iter().map(|found| found.resource.id.clone()));
        }
        let total = multi_type::total(stage.store, reach, &parts, NOW).await.map_err(|error| format!("{error:?}"))?;
        if found != expected || total != i64::try_from(expected.len()).unwrap() {
            let (kind, id) = (of.resource_type.name(), of.id);
            return Err(format!("{kind}/{id} has {found:?} ({total}) instead of {expected:?} for {reach:?}"));
        }
        count += expected.len();
    }
    Ok(count)
}

/// Whether a place comes behind another: by its first key that differs, what has none last, and then the older.
fn is_behind(place: &Cursor, before: &Cursor, sort: &[SortKey]) -> bool {
    let order = |key: &SortKey, one: &Option<CursorKey>, other: &Option<CursorKey>| match (one, other) {
        (Some(CursorKey::Number(one)), Some(CursorKey::Number(other))) if key.descending => other.cmp(one),
        (Some(CursorKey::Number(one)), Some(CursorKey::Number(other))) => one.cmp(other),
        (Some(CursorKey::Text(one)), Some(CursorKey::Text(other))) if key.descending => other.cmp(one),
        (Some(CursorKey::Text(one)), Some(CursorKey::Text(other))) => one.cmp(other),
        (one, other) => one.is_none().cmp(&other.is_none()),
    };
    let keys = sort.iter().zip(place.keys.iter().zip(&before.keys));
    let first = keys.map(|(key, (one, other))| order(key, one, other)).find(|order| order.is_ne());
    first.unwrap_or_else(|| before.row.cmp(&place.row)).is_gt()
}
