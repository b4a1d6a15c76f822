//! `Observation/$lastn`: of each kind of observation the newest ones, by when they were made.

use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::fhir::media;
use crate::fhir::read::answer;
use crate::fhir::search::endpoint;
use crate::fhir::search::searchset::{self, Searchset};
use crate::http::call::Call;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::parameters::table;
use fhir::search::controls::SortKey;
use fhir::subset::Subset;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::{LASTN_ENTRIES, LASTN_OBSERVATIONS, PAGE_BYTES};
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

pub async fn find(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let mut sent = endpoint::pairs(call.query().unwrap_or_default().as_bytes())?;
    let format = sent.iter().find(|(name, _)| name == "_format").map(|(_, value)| value.as_str());
    media::must_take_json(&call.head.headers, format)?;
    let own = endpoint::link(&sent, None);
    let most = max(&mut sent)?;
    asks_enough(&sent)?;
    let (query, _) = endpoint::read_with(app, TYPE, &sent, &caller, &[])?;
    if let Some((name, _)) = query.controls.iter().find(|(name, _)| name != "_format") {
        return Err(Refusal::Invalid(format!("$lastn takes no {name}: it has an order and a size of its own")).into());
    }
    let by_date = table::find(TYPE, "date").map(|parameter| SortKey { parameter, descending: true });
    let sort: Vec<SortKey> = by_date.into_iter().collect();
    let mut newest = Newest { kinds: Vec::new(), of_code: HashMap::new(), most, entries: 0, bytes: 0 };
    let (mut after, mut looked_at) = (None, 0);
    let is_cut = loop {
        let search = Search { query: &query, sort: &sort, after: after.take(), floor: None, limit: AT_ONCE };
        let page = post_filter::page(&app.store, &caller.reach, &search, caller.now).await.during("searching")?;
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
    let found: Vec<Arc<Resource>> = newest.kinds.into_iter().flatten().collect();
    for found in &found {
        app.accesses.note(&caller.viewer(), found);
    }
    let cut = "there is more to look at than one answer may have; name a code or a category";
    let remarks: Vec<String> = is_cut.then(|| cut.to_owned()).into_iter().collect();
    let fhir = base(&app.settings.base_url);
    let set = Searchset {
        base: &fhir,
        url: &format!("{fhir}/Observation/$lastn"),
        matches: &found,
        included: &[],
        total: None,
        own,
        next: None,
        remarks: &remarks,
        subset: Subset::Whole,
    };
    Ok(answer::json(searchset::text(&set)))
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

/// Takes out how many of each are wanted: one, unless it is said.
fn max(sent: &mut Vec<endpoint::Sent>) -> Result<usize, Refusal> {
    let Some(at) = sent.iter().position(|(name, _)| name == "max") else { return Ok(1) };
    let (_, text) = sent.remove(at);
    let max = text.parse::<u32>().ok().filter(|max| *max > 0).and_then(|max| usize::try_from(max).ok());
    max.ok_or_else(|| Refusal::Invalid("max must be a number, 1 or more".into()))
}

/// As HL7 has it: of one subject, and of a category or a code.
fn asks_enough(sent: &[endpoint::Sent]) -> Result<(), Refusal> {
    let has = |codes: &[&str]| {
        sent.iter().any(|(name, _)| codes.contains(&name.split([':', '.']).next().unwrap_or_default()))
    };
    if has(&["patient", "subject"]) && has(&["category", "code"]) {
        return Ok(());
    }
    Err(Refusal::Invalid("$lastn needs a patient or a subject, and a category or a code".into()))
}
