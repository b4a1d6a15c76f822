//! Searching as callers ask for it: what the index finds is sifted by what the resources themselves say, where a query asks for
//! what is in no index. Candidates are read in their order, a piece at a time, and all pieces together take no longer than one
//! search may.

use super::chain_end;
use super::compile::{self, Match, Search};
use super::page_builder::{Page, PageBuilder};
use super::search_time::SearchTime;
use super::sort::Cursor;
use crate::error::Result;
use crate::records::stored::resource::Resource;
use crate::store::Store;
use fhir::search::query::Query;
use fhir::search::sieve::Sieve;
use rules::moment::Moment;
use rules::reach::Reach;
use std::sync::Arc;

/// Candidates of the first piece. Each piece is twice as large as the one before, so that what many have is found soon, and
/// what few have without asking often.
const FIRST_PIECE: i64 = 128;
const LARGEST_PIECE: i64 = 8192;

/// A page of what is in reach.
pub async fn page(store: &Store, reach: &Reach, search: &Search<'_>, now: Moment) -> Result<Page<Match>> {
    let is_sorted = !search.sort.is_empty();
    let (mut builder, mut number) = (PageBuilder::of(search.limit), 0);
    let each = |one: Match| {
        number += 1;
        // The newest first, whichever of the values that were walked for led to it; or the order in which they come.
        let key = if is_sorted { number } else { -one.place.row };
        builder.add(key, one.resource.body.len(), one);
        Ok(())
    };
    find(store, reach, search, now, each).await?;
    Ok(builder.page())
}

/// How many there are in reach.
pub(crate) async fn total(store: &Store, reach: &Reach, query: &Query, now: Moment) -> Result<i64> {
    if Sieve::of(query).is_none() {
        return compile::total(store, reach, query, now).await;
    }
    let mut total = 0;
    let search = Search { query, sort: &[], after: None, floor: None, limit: i64::MAX };
    let each = |_| {
        total += 1;
        Ok(())
    };
    find(store, reach, &search, now, each).await?;
    Ok(total)
}

/// Gives what is found to `each`, as it comes.
pub(crate) async fn find(
    store: &Store,
    reach: &Reach,
    search: &Search<'_>,
    now: Moment,
    mut each: impl FnMut(Match) -> Result<()> + Send,
) -> Result<()> {
    let Some(sieve) = Sieve::of(search.query) else {
        if let Some(page) = chain_end::page(store, reach, search, now).await? {
            return page.into_iter().try_for_each(each);
        }
        return compile::find(store, reach, search, now, |one| one, each).await;
    };
    let (sieve, time) = (Arc::new(sieve), SearchTime::of(store));
    let (mut after, mut wanted, mut piece) = (search.after.clone(), search.limit, FIRST_PIECE);
    while wanted > 0 {
        let part = Search { query: &sieve.rest, sort: search.sort, after: after.take(), limit: piece, ..*search };
        let candidates = candidates(store, reach, &part, &sieve, now).await?;
        let is_last = !candidates.is_full && i64::try_from(candidates.entries.len()).is_ok_and(|read| read < piece);
        after = candidates.entries.last().map(|(place, _)| place.clone());
        for (place, resource) in candidates.entries {
            if let Some(resource) = resource.filter(|_| wanted > 0) {
                wanted -= 1;
                each(Match { resource, place })?;
            }
        }
        if is_last {
            break;
        }
        time.must_be_left()?;
        piece = (piece * 2).min(LARGEST_PIECE);
    }
    Ok(())
}

/// Where a candidate is in the order, and itself if it is as the query says.
type Candidate = (Cursor, Option<Arc<Resource>>);

/// One piece of the candidates, in their order. Those that are not as the query says are let go where they are read.
async fn candidates(
    store: &Store,
    reach: &Reach,
    part: &Search<'_>,
    sieve: &Arc<Sieve>,
    now: Moment,
) -> Result<Page<Candidate>> {
    let sieve = sieve.clone();
    let sift = move |one: Match| {
        let is_meant = sieve.lets_pass(&one.resource.body);
        (one.place, is_meant.then_some(one.resource))
    };
    let is_sorted = !part.sort.is_empty();
    let (mut builder, mut number) = (PageBuilder::of(part.limit), 0);
    let each = |(place, resource): Candidate| {
        number += 1;
        let key = if is_sorted { number } else { -place.row };
        let bytes = resource.as_ref().map_or(0, |resource| resource.body.len());
        builder.add(key, bytes, (place, resource));
        Ok(())
    };
    compile::find(store, reach, part, now, sift, each).await?;
    Ok(builder.page())
}
