//! A page of what a search finds, with what comes along and how many there are in all; each that is shown is noted.

use super::includes;
use super::own_parameters::NamedParameters;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::inquiries;
use crate::interactions::noted::Noted;
use crate::interactions::record_view;
use crate::voices::api::ApiStop;
use fhir::search::controls::{Controls, Total};
use fhir::subset::Summary;
use rules::limits::{MOST_PAGE_ENTRIES, PAGE_ENTRIES};
use rules::noted::Outcome;
use rules::smart::permissions::{ItemInteraction, Permissions};
use store::search::multi_type::{self, TypedQuery};
use store::search::search_time::SearchTime;
use store::search::sort::Cursor;

/// What is searched for, and from where on.
#[derive(Debug)]
pub(crate) struct PageRequest<'s> {
    pub queries: &'s [TypedQuery],
    pub controls: &'s Controls,
    pub after: Option<Cursor>,
    /// Parameters of users' own that the queries name.
    pub own: &'s NamedParameters,
}

#[derive(Debug)]
pub(crate) struct SearchPage {
    pub matches: Vec<Noted>,
    pub included: Vec<Noted>,
    /// Whether there is more to include than an answer may have.
    pub is_cut: bool,
    pub total: Option<i64>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
}

/// What the caller may not see is left out, not refused.
pub(crate) async fn page(app: &App, caller: &Caller, request: PageRequest<'_>) -> Result<SearchPage, ApiStop> {
    let caller = &*caller.aimed_at(Permissions::of(ItemInteraction::Search));
    let PageRequest { queries, controls, after, own } = request;
    record_view::must_be_of_glass(caller, queries.iter().map(|(query, _)| query))?;
    let time = SearchTime::of(&app.store);
    let count = controls.count.map_or(PAGE_ENTRIES, i64::from).min(MOST_PAGE_ENTRIES);
    let only_count = controls.summary == Some(Summary::Count) || count == 0;
    let (mut matches, mut more) = (Vec::new(), false);
    let page_entries = usize::try_from(count).unwrap_or_default();
    if !only_count {
        // One more than the page holds tells whether there is a next page.
        let place = (after.as_ref(), count + 1);
        let page =
            multi_type::page(&app.store, caller.reach(), queries, place, caller.now()).await.during("searching")?;
        (matches, more) = (page.entries, page.is_full);
    }
    more |= matches.len() > page_entries;
    matches.truncate(page_entries);
    let next = matches.last().filter(|_| more).map(|last| last.place.clone());
    let is_counted = only_count || matches!(controls.total, Some(Total::Accurate | Total::Estimate));
    // Where all of them are on this page they need not be counted.
    let is_whole = after.is_none() && next.is_none() && controls.total != Some(Total::None);
    let total = match is_counted {
        true => Some(multi_type::total(&app.store, caller.reach(), queries, caller.now()).await.during("counting")?),
        false if is_whole => i64::try_from(matches.len()).ok(),
        false => None,
    };
    let matches: Vec<_> = matches.into_iter().map(|found| found.resource).collect();
    let companions = includes::of(app, caller, &controls.inclusions, &matches, time).await?;
    // What the index had when the search began, it had until here.
    own.must_be_as_before(app).await?;
    let found = matches.len();
    let mut shown = Noted::all(app, caller, [matches, companions.included].concat());
    let outcome = if only_count { Outcome::Counted } else { Outcome::Withheld };
    inquiries::searched((app, caller), queries.iter().map(|(query, _)| query), outcome, &shown);
    record_view::of_search(app, caller, queries.iter().map(|(query, _)| query)).await?;
    let included = shown.split_off(found);
    Ok(SearchPage { matches: shown, included, is_cut: companions.is_cut, total, next })
}
