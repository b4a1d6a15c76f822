//! Searching by every parameter of a type, within the caller's reach: `GET /fhir/{type}` and `POST /fhir/{type}/_search`, the same
//! inside of a compartment (`/fhir/Patient/{id}/Observation`, `…/*`), and over several types at once (`GET /fhir?_type=…`).

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::media;
use crate::fhir::read::{answer, options};
use crate::fhir::search::context::{self, SearchContext};
use crate::fhir::search::includes::{self, Companions};
use crate::fhir::search::searchset::{self, Searchset};
use crate::fhir::search::{own_parameters, page_token};
use crate::http::call::Call;
use crate::http::encoding::{self, NotText};
use crate::http::forms::{self, FormFault};
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::parameters::kind::Kind;
use fhir::search::controls::{self, Controls, SortKey, Total};
use fhir::search::query::{Clause, Query, Test};
use fhir::search::query_fault::QueryFault;
use fhir::search::reading::{self, OwnParameter};
use fhir::search::sieve::is_sifted;
use fhir::subset::{Subset, Summary};
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::{
    FORM_BODY_BYTES, MOST_PAGE_ENTRIES, PAGE_ENTRIES, SEARCH_ALTERNATIVES, SEARCH_LINKS, SEARCH_PARAMETERS,
};
use rules::params::shown;
use store::search::multi_type::{self, TypedQuery};
use store::search::search_time::SearchTime;

const PAGE: &str = "_page";

/// A parameter as it was sent.
pub(crate) type Sent = (String, String);

pub async fn by_query(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let sent = pairs(call.query().unwrap_or_default().as_bytes())?;
    let scope = SearchContext::of_type(answer::resource_type(&call)?);
    find(&caller, call, sent, scope).await
}

/// The same of a type that the path names in full.
pub(crate) async fn of_type(FhirReader(caller): FhirReader, call: Call, of: ResourceType) -> Result<Response, ApiStop> {
    let sent = pairs(call.query().unwrap_or_default().as_bytes())?;
    find(&caller, call, sent, SearchContext::of_type(of)).await
}

/// The same with the parameters in a form; those of the URL count as well.
pub async fn by_form(FhirReader(caller): FhirReader, mut call: Call) -> Result<Response, ApiStop> {
    let sent = form(&mut call).await?;
    let scope = SearchContext::of_type(answer::resource_type(&call)?);
    find(&caller, call, sent, scope).await
}

pub async fn in_compartment(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let sent = pairs(call.query().unwrap_or_default().as_bytes())?;
    let scope = SearchContext::of_compartment(&call)?;
    find(&caller, call, sent, scope).await
}

pub async fn in_compartment_by_form(FhirReader(caller): FhirReader, mut call: Call) -> Result<Response, ApiStop> {
    let sent = form(&mut call).await?;
    let scope = SearchContext::of_compartment(&call)?;
    find(&caller, call, sent, scope).await
}

pub async fn of_all(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let sent = pairs(call.query().unwrap_or_default().as_bytes())?;
    find(&caller, call, sent, SearchContext::of_all()).await
}

pub async fn of_all_by_form(FhirReader(caller): FhirReader, mut call: Call) -> Result<Response, ApiStop> {
    let sent = form(&mut call).await?;
    find(&caller, call, sent, SearchContext::of_all()).await
}

/// The parameters of the URL and those of the form.
async fn form(call: &mut Call) -> Result<Vec<Sent>, Refusal> {
    let mut sent = pairs(call.query().unwrap_or_default().as_bytes())?;
    let body = std::mem::take(&mut call.body);
    sent.extend(pairs(&forms::encoded(&call.head.headers, body).await.map_err(refusal)?)?);
    Ok(sent)
}

/// What the caller may not see is left out, not refused.
async fn find(caller: &Caller, call: Call, mut sent: Vec<Sent>, scope: SearchContext) -> Result<Response, ApiStop> {
    let (app, time) = (&call.app, SearchTime::of(&call.app.store));
    let begins = sent.iter().position(|(name, _)| name == PAGE).map(|at| sent.remove(at).1);
    let is_pretty = options(&call, &sent)?;
    let mut scope = scope.narrow(&sent)?;
    let own = own_parameters::named(app, caller, &scope.types, &sent).await?;
    scope.own.clone_from(&own.parameters);
    let ignored = if media::prefers_lenient(&call.head.headers) { unknown(&scope, &mut sent) } else { vec![] };
    scope.must_know(&sent)?;
    let (parts, controls) = parts(app, &scope, &sent, caller)?;
    let after = page_token::open_place(&app.keys, &scope.path, begins.as_deref(), &controls.sort)?;
    let count = controls.count.map_or(PAGE_ENTRIES, i64::from).min(MOST_PAGE_ENTRIES);
    let only_count = controls.summary == Some(Summary::Count) || count == 0;
    let (mut matches, mut more) = (Vec::new(), false);
    let page_entries = usize::try_from(count).unwrap_or_default();
    if !only_count {
        // One more than the page holds tells whether there is a next page.
        let place = (after.as_ref(), count + 1);
        let page = multi_type::page(&app.store, &caller.reach, &parts, place, caller.now).await.during("searching")?;
        (matches, more) = (page.entries, page.is_full);
    }
    more |= matches.len() > page_entries;
    matches.truncate(page_entries);
    let last = matches.last().filter(|_| more);
    let next = last.and_then(|last| page_token::seal_place(&app.keys, &scope.path, &last.place));
    let total = match controls.total {
        Some(Total::Accurate | Total::Estimate) => true,
        _ => only_count,
    };
    let total = match total {
        true => Some(multi_type::total(&app.store, &caller.reach, &parts, caller.now).await.during("counting")?),
        false => None,
    };
    let matches: Vec<_> = matches.into_iter().map(|found| found.resource).collect();
    let companions = includes::of(app, caller, &controls.inclusions, &matches, time).await?;
    // What the index had when the search began, it had until here.
    own.must_be_as_before(app).await?;
    app.accesses.note_all(&caller.viewer(), matches.iter().chain(&companions.included).map(AsRef::as_ref));
    let remarks = remarks(&ignored, &companions);
    let fhir = base(&app.settings.base_url);
    let url = format!("{fhir}/{}", scope.path);
    let set = Searchset {
        base: &fhir,
        url: url.trim_end_matches('/'),
        matches: &matches,
        included: &companions.included,
        total,
        own: link(&sent, begins.as_deref()),
        next: next.map(|next| link(&sent, Some(&next))),
        remarks: &remarks,
        subset: Subset::of(controls.summary, &controls.elements),
    };
    Ok(answer::json(options::layout(searchset::text(&set).into(), is_pretty)))
}

/// Whether the answer is laid out, if the search leaves room for one.
fn options(call: &Call, sent: &[Sent]) -> Result<bool, Refusal> {
    let first = |code: &str| sent.iter().find(|(name, _)| name == code).map(|(_, value)| value.as_str());
    media::must_take_json(&call.head.headers, first("_format"))?;
    media::must_be_of_version(first("fhirVersion"))?;
    options::is_pretty(first("_pretty"))
}

pub(crate) fn pairs(encoded: &[u8]) -> Result<Vec<Sent>, Refusal> {
    let pairs = encoding::pairs(encoded)
        .map_err(|NotText(name)| Refusal::Invalid(format!("the parameter {} is not UTF-8", shown(&name))))?;
    Ok(pairs.into_iter().map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
}

/// Takes out the parameters that the types do not have, and names them.
fn unknown(scope: &SearchContext, sent: &mut Vec<Sent>) -> Vec<String> {
    let (known, unknown) = std::mem::take(sent).into_iter().partition(|(name, _)| scope.knows(context::code(name)));
    *sent = known;
    let unknown: Vec<Sent> = unknown;
    unknown.into_iter().map(|(name, _)| shown(&name).to_string()).collect()
}

/// What is looked for of each type, and what is said about the result of all of them.
fn parts(
    app: &App,
    scope: &SearchContext,
    sent: &[Sent],
    caller: &Caller,
) -> Result<(Vec<TypedQuery>, Controls), Refusal> {
    let is_inclusion = |(name, _): &&Sent| matches!(context::code(name), "_include" | "_revinclude");
    let others: Vec<Sent> = sent.iter().filter(|one| !is_inclusion(one)).cloned().collect();
    let (mut parts, mut all) = (Vec::new(), Controls::default());
    for of in &scope.types {
        let (mut query, controls) = read_with(app, *of, &others, caller, &scope.own)?;
        query.clauses.extend(scope.clause(*of));
        parts.push((query, controls.sort.clone()));
        all = controls;
    }
    // What comes along has to be able to come with one of the types.
    for inclusion in sent.iter().filter(is_inclusion) {
        let one = std::slice::from_ref(inclusion);
        let mut read = scope.types.iter().map(|of| read_with(app, *of, one, caller, &scope.own));
        let first = read.next().ok_or_else(|| Refusal::Invalid("there is no type to search".into()))?;
        let (_, controls) = first.or_else(|fault| read.find_map(Result::ok).ok_or(fault))?;
        controls.inclusions.into_iter().for_each(|inclusion| all.include(inclusion));
    }
    let is_comparable = |key: &SortKey| matches!(key.parameter.kind, Kind::Date | Kind::Number | Kind::Quantity);
    if parts.len() > 1 && !all.sort.iter().all(is_comparable) {
        let words = "_sort: what is of several types is ordered by dates and numbers only, such as _lastUpdated";
        return Err(Refusal::Invalid(words.into()));
    }
    must_be_few(parts.iter().flat_map(|(query, _)| &query.clauses))?;
    Ok((parts, all))
}

fn must_be_few<'c>(clauses: impl Iterator<Item = &'c Clause>) -> Result<(), Refusal> {
    if clauses.map(links).sum::<usize>() > SEARCH_LINKS {
        let words = "the chains of this search can mean too many types; say which: reference:Type.parameter";
        return Err(Refusal::Invalid(words.into()));
    }
    Ok(())
}

/// The query and what it says about its result, by HL7's parameters and these of users' own, or all that is wrong with them.
pub(crate) fn read_with(
    app: &App,
    resource_type: ResourceType,
    sent: &[Sent],
    caller: &Caller,
    own: &[OwnParameter],
) -> Result<(Query, Controls), Refusal> {
    if sent.len() > SEARCH_PARAMETERS {
        return Err(Refusal::Invalid(format!("a search may have at most {SEARCH_PARAMETERS} parameters")));
    }
    let base = base(&app.settings.base_url);
    let pairs = sent.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let now = caller.now.0.saturating_mul(1000);
    let query = reading::read_with(own, resource_type, pairs, &base, now).map_err(faults)?;
    let controls = controls::read_with(own, &query).map_err(faults)?;
    must_be_few(query.clauses.iter())?;
    query.clauses.iter().try_for_each(|clause| served(clause, false))?;
    Ok((query, controls))
}

fn faults(faults: Vec<QueryFault>) -> Refusal {
    let words: Vec<String> = faults.iter().map(|fault| format!("{}: {}", shown(&fault.name), fault.words)).collect();
    Refusal::Invalid(words.join("; "))
}

/// How many resources of other types a clause passes through.
fn links(clause: &Clause) -> usize {
    match clause {
        Clause::Own(_) => 0,
        Clause::Chain { links: ways, .. } => ways.iter().map(|(_, clause)| 1 + links(clause)).sum(),
        Clause::Has { clause, .. } => 1 + links(clause),
        Clause::Either(ways) => ways.iter().map(links).sum(),
    }
}

/// Refuses what is read but not looked for, and lists that are too long. Words are looked for in what is found, and not in what
/// that refers to or is referred to by.
fn served(clause: &Clause, is_behind_link: bool) -> Result<(), Refusal> {
    match clause {
        Clause::Chain { parameter, .. } | Clause::Has { parameter, .. } if !parameter.is_indexed() => {
            Err(Refusal::Invalid(reading::not_yet_indexed(parameter.code)))
        }
        Clause::Chain { links, .. } => links.iter().try_for_each(|(_, clause)| served(clause, true)),
        Clause::Has { clause, .. } => served(clause, true),
        Clause::Either(ways) => ways.iter().try_for_each(|clause| served(clause, is_behind_link)),
        Clause::Own(condition) => {
            let code = condition.parameter.code;
            if is_behind_link && !condition.parameter.is_indexed() {
                return Err(Refusal::Invalid(reading::not_yet_indexed(code)));
            }
            if is_behind_link && is_sifted(condition) {
                return Err(Refusal::Invalid(format!(
                    "{code} is not served behind a chain or _has: search for it alone"
                )));
            }
            match &condition.test {
                Test::Any(criteria) | Test::None(criteria) if criteria.len() > SEARCH_ALTERNATIVES => {
                    Err(Refusal::Invalid(format!("{code} may have at most {SEARCH_ALTERNATIVES} alternatives")))
                }
                _ => Ok(()),
            }
        }
    }
}

/// What a caller has to know of an answer that is not all that was asked for.
fn remarks(ignored: &[String], companions: &Companions) -> Vec<String> {
    let ignored = ignored.iter().map(|name| format!("the parameter {name} is not known and was ignored"));
    let cut = companions.is_cut.then(|| "there is more to include than one answer may have".to_owned());
    ignored.chain(cut).collect()
}

/// The query again, for a link: as it was answered, but for its page.
pub(crate) fn link(sent: &[Sent], page: Option<&str>) -> String {
    let kept = sent.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    form_urlencoded::Serializer::new(String::new()).extend_pairs(kept.chain(page.map(|page| (PAGE, page)))).finish()
}

fn refusal(fault: FormFault) -> Refusal {
    match fault {
        FormFault::NotAForm => {
            Refusal::UnsupportedMediaType("send the parameters with Content-Type: application/x-www-form-urlencoded")
        }
        FormFault::TooLarge => Refusal::TooLarge { most_bytes: FORM_BODY_BYTES },
        FormFault::Broken => Refusal::Invalid("the form broke off".into()),
        FormFault::Unreadable(_) => Refusal::Invalid("the form cannot be read".into()),
    }
}
