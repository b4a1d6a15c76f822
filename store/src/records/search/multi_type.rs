//! Searching over several types: each by itself, merged in one order. All together take no longer than one search may.

use super::compile::{Match, Search};
use super::page_builder::{Page, PageBuilder};
use super::post_filter;
use super::search_time::SearchTime;
use super::sort::{Cursor, CursorKey};
use crate::error::Result;
use crate::store::Store;
use fhir::search::controls::SortKey;
use fhir::search::query::Query;
use rules::moment::Moment;
use rules::reach::Reach;

/// What is looked for of one type, and the keys of the order as this type has them; where there are several types, all of them
/// numbers or dates.
pub type TypedQuery = (Query, Vec<SortKey>);

/// Where a match stands among those of all types: what has no value for a key is last, and among equals the newest is first.
type MatchOrder = (Vec<(bool, i64)>, i64);

fn order(place: &Cursor, sort: &[SortKey]) -> MatchOrder {
    let key = |(value, sort): (&Option<CursorKey>, &SortKey)| match value {
        Some(CursorKey::Number(number)) if sort.descending => (false, !*number),
        Some(CursorKey::Number(number)) => (false, *number),
        Some(CursorKey::Text(_)) | None => (true, 0),
    };
    (place.keys.iter().zip(sort).map(key).collect(), -place.row)
}

/// A page of what is in reach.
pub async fn page(
    store: &Store,
    reach: &Reach,
    parts: &[TypedQuery],
    (after, limit): (Option<&Cursor>, i64),
    now: Moment,
) -> Result<Page<Match>> {
    if let [(query, sort)] = parts {
        let search = Search { query, sort, after: after.cloned(), floor: None, limit };
        return post_filter::page(store, reach, &search, now).await;
    }
    let time = SearchTime::of(store);
    let mut builder: PageBuilder<MatchOrder, Match> = PageBuilder::of(limit);
    for (query, sort) in parts {
        // Only what is newer than the last of a full page can still have a place on it.
        let floor = builder.end().map(|(_, row)| -row).filter(|_| sort.is_empty());
        let search = Search { query, sort, after: after.cloned(), floor, limit };
        let each = |one: Match| {
            builder.add(order(&one.place, sort), one.resource.body.len(), one);
            Ok(())
        };
        post_filter::find(store, reach, &search, now, each).await?;
        time.must_be_left()?;
    }
    Ok(builder.page())
}

/// How many there are in reach.
pub async fn total(store: &Store, reach: &Reach, parts: &[TypedQuery], now: Moment) -> Result<i64> {
    let (time, mut total) = (SearchTime::of(store), 0);
    for (query, _) in parts {
        total += post_filter::total(store, reach, query, now).await?;
        time.must_be_left()?;
    }
    Ok(total)
}
