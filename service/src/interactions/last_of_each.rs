//! Of each kind of observation the newest ones, by when they were made.

use super::inquiries;
use super::noted::Noted;
use super::record_view;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use fhir::parameters::table;
use fhir::search::controls::SortKey;
use fhir::search::query::Query;
use fhir::types::ResourceType;
use rules::limits::{LASTN_ENTRIES, LASTN_OBSERVATIONS, PAGE_BYTES};
use rules::noted::Outcome;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use store::search::compile::Search;
use store::search::post_filter;
use store::stored::resource::Resource;

const TYPE: ResourceType = ResourceType::Observation;
/// Observations that are looked at in one read.
const AT_ONCE: i64 = 1000;

/// The newest of each kind, in the order in which the kinds were met.
struct Newest {
    kinds: Vec<Vec<Arc<Resource>>>,
    /// Which kind a code is of.
    of_code: HashMap<String, usize>,
    most: usize,
    entries: usize,
    bytes: usize,
}

/// The newest of each kind that a query finds, `most` of each; and whether there is more to look at than one answer may have.
pub(crate) async fn find(
    app: &App,
    caller: &Caller,
    query: &Query,
    most: usize,
) -> Result<(Vec<Noted>, bool), ApiStop> {
    record_view::must_be_of_glass(caller, std::iter::once(query))?;
    let by_date = table::find(TYPE, "date").map(|parameter| SortKey { parameter, descending: true });
    let sort: Vec<SortKey> = by_date.into_iter().collect();
    let mut newest = Newest { kinds: Vec::new(), of_code: HashMap::new(), most, entries: 0, bytes: 0 };
    let (mut after, mut looked_at) = (None, 0);
    let is_cut = loop {
        let search = Search { query, sort: &sort, after: after.take(), floor: None, limit: AT_ONCE };
        let page = post_filter::page(&app.store, caller.reach(), &search, caller.now()).await.during("searching")?;
        looked_at += page.entries.len();
        let is_last = !page.is_full && i64::try_from(page.entries.len()).unwrap_or(i64::MAX) < AT_ONCE;
        after = page.entries.last().map(|last| last.place.clone());
        page.entries.into_iter().for_each(|found| newest.add(found.resource));
        if newest.is_full() {
            break true;
        }
        if is_last || looked_at >= LASTN_OBSERVATIONS {
            break !is_last;
        }
    };
    let shown = Noted::all(app, caller, newest.kinds.into_iter().flatten().collect());
    inquiries::searched((app, caller), std::iter::once(query), Outcome::Withheld, &shown);
    record_view::of_search(app, caller, std::iter::once(query)).await?;
    Ok((shown, is_cut))
}

impl Newest {
    /// Keeps an observation, if fewer of its kind are kept; they come newest first.
    fn add(&mut self, found: Arc<Resource>) {
        if self.is_full() {
            return;
        }
        let codes = codes(&found.body);
        let known = codes.iter().find_map(|code| self.of_code.get(code).copied());
        let at = known.unwrap_or(self.kinds.len());
        if known.is_none() {
            self.kinds.push(Vec::new());
        }
        let Some(kind) = self.kinds.get_mut(at).filter(|kind| kind.len() < self.most) else { return };
        self.entries += 1;
        self.bytes += found.body.len();
        kind.push(found);
        for code in codes {
            self.of_code.entry(code).or_insert(at);
        }
    }

    const fn is_full(&self) -> bool {
        self.entries >= LASTN_ENTRIES || self.bytes >= PAGE_BYTES
    }
}

/// The codes by which an observation is known: its codings, or else its words.
fn codes(body: &str) -> Vec<String> {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let code = body.get("code").cloned().unwrap_or_default();
    let codings = code.get("coding").and_then(Value::as_array).into_iter().flatten();
    let codes: Vec<String> =
        codings.map(|coding| format!("{}|{}", text(coding, "system"), text(coding, "code"))).collect();
    if codes.is_empty() { vec![text(&code, "text")] } else { codes }
}
