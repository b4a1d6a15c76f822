//! What comes with the matches of a search: `_include` and `_revinclude`, and what those bring along where they iterate.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use fhir::search::controls::Inclusion;
use rules::limits::{INCLUDED_ENTRIES, PAGE_BYTES};
use std::collections::HashSet;
use std::sync::Arc;
use store::search::includes;
use store::search::search_time::SearchTime;
use store::stored::resource::Resource;

/// Resources beside the matches, each once and none of the matches.
#[derive(Debug, Default)]
pub(crate) struct Companions {
    pub included: Vec<Arc<Resource>>,
    /// Whether there are more than an answer may have.
    pub is_cut: bool,
}

/// What the inclusions of a search bring for its matches, all rounds within the time of that search.
pub(crate) async fn of(
    app: &App,
    caller: &Caller,
    inclusions: &[Inclusion],
    matches: &[Arc<Resource>],
    time: SearchTime,
) -> Result<Companions, Trouble> {
    let mut companions = Companions::default();
    let mut known: HashSet<i64> = matches.iter().map(|found| found.row.0).collect();
    let mut reached = matches.to_vec();
    let (mut is_first, mut bytes) = (true, 0);
    while !reached.is_empty() {
        let mut next = Vec::new();
        for inclusion in inclusions.iter().filter(|inclusion| is_first || inclusion.iterate) {
            let limit = INCLUDED_ENTRIES + 1;
            let of = (reached.as_slice(), limit);
            let found = includes::include(&app.store, caller.reach(), inclusion, of, time, caller.now()).await;
            let found = found.during("including")?;
            companions.is_cut |= found.is_full || i64::try_from(found.entries.len()).unwrap_or(i64::MAX) >= limit;
            for found in found.entries.into_iter().filter(|found| known.insert(found.row.0)) {
                bytes += found.body.len();
                next.push(found);
            }
            if bytes > PAGE_BYTES {
                companions.is_cut = true;
                break;
            }
        }
        companions.included.extend(next.iter().cloned());
        let most = usize::try_from(INCLUDED_ENTRIES).unwrap_or_default();
        if companions.included.len() > most || bytes > PAGE_BYTES {
            companions.included.truncate(most);
            companions.is_cut = true;
            break;
        }
        (reached, is_first) = (next, false);
    }
    Ok(companions)
}
