//! A page of a chain that ends at one resource, as that of the reference which it comes to: of `patient.identifier=…` as of
//! `patient=…`. What refers to one resource is walked in the order of a page; what refers to any at which a chain may end is looked up
//! as a whole.

use super::cached_page;
use super::compile::{self, MOST_OF_PAGE};
use super::request::{Match, Search};
use crate::error::Result;
use crate::store::Store;
use fhir::search::belonging::is_followed_inside;
use fhir::search::criterion::{Criterion, TargetTest};
use fhir::search::query::{Clause, Condition, Query, Test};
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::reach::Reach;

/// The page, if it is one of such chains, and nothing changed between the question where they end and that for what refers there. On a
/// database of its own it is none: to ask where a chain ends would be a journey.
pub(crate) async fn page(store: &Store, reach: &Reach, search: &Search<'_>, now: Moment) -> Result<Option<Vec<Match>>> {
    let is_chain = |clause: &Clause| matches!(clause, Clause::Chain { .. });
    let is_page_of_chains = search.limit <= MOST_OF_PAGE && search.query.clauses.iter().any(is_chain);
    let Some(cache) = store.cache.as_ref().filter(|_| is_page_of_chains) else { return Ok(None) };
    let Some(epoch) = cache.rows.epoch() else { return Ok(None) };
    let Some(query) = straightened(store, reach, search.query, now).await? else { return Ok(None) };
    let search = Search { query: &query, after: search.after.clone(), ..*search };
    let found = all(store, reach, &search, now).await?;
    Ok(Some(found).filter(|_| cache.rows.holds(epoch)))
}

/// The query with references instead of chains that end at one resource; `None` where it has none.
async fn straightened(store: &Store, reach: &Reach, query: &Query, now: Moment) -> Result<Option<Query>> {
    let mut straight = None;
    for (at, clause) in query.clauses.iter().enumerate() {
        let Clause::Chain { parameter, links } = clause else { continue };
        let [(of, last)] = &links[..] else { continue };
        // Where a chain may also end inside of what it begins at, no reference says the same.
        let may_be_inside = is_followed_inside(query.resource_type, *of);
        if may_be_inside && cached_page::is_inside_another(&store.db, *of, last)? != Some(false) {
            continue;
        }
        let Some(id) = only_end(store, reach, (*of, last), query, now).await? else { continue };
        let to = Criterion::Reference { target: TargetTest::Id(vec![*of], id), version: None };
        let reference = Clause::Own(Condition { parameter, test: Test::Any(vec![to]) });
        straight.get_or_insert_with(|| query.clone()).clauses.splice(at..=at, [reference]);
    }
    Ok(straight)
}

/// The id of the one resource in reach at which a chain ends; `None` where there are several, or none.
async fn only_end(
    store: &Store,
    reach: &Reach,
    (of, last): (ResourceType, &Clause),
    query: &Query,
    now: Moment,
) -> Result<Option<String>> {
    let ends = Query { resource_type: of, clauses: vec![last.clone()], base: query.base.clone(), controls: Vec::new() };
    let search = Search { query: &ends, sort: &[], after: None, floor: None, limit: 2 };
    let found = all(store, reach, &search, now).await?;
    let [end] = &found[..] else { return Ok(None) };
    Ok(Some(end.resource.id.clone()))
}

async fn all(store: &Store, reach: &Reach, search: &Search<'_>, now: Moment) -> Result<Vec<Match>> {
    let mut found = Vec::new();
    let each = |one| {
        found.push(one);
        Ok(())
    };
    compile::find(store, reach, search, now, |one| one, each).await?;
    Ok(found)
}
