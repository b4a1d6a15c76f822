//! The query of a search: what its parameters ask of each type, or all that is wrong with them.

use super::context::{self, SearchContext};
use crate::app::App;
use crate::callers::caller::Caller;
use crate::http::encoding::{self, NotText};
use crate::preparation::base;
use fhir::parameters::kind::Kind;
use fhir::search::controls::{self, Controls, SortKey};
use fhir::search::query::{Clause, Query, Test};
use fhir::search::query_fault::QueryFault;
use fhir::search::reading::{self, OwnParameter};
use fhir::search::sieve::is_sifted;
use fhir::subset::Summary;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::{SEARCH_ALTERNATIVES, SEARCH_LINKS, SEARCH_PARAMETERS};
use rules::params::shown;
use rules::smart::permissions::{ItemInteraction, Permissions};
use store::search::multi_type::TypedQuery;

const SEARCH: Permissions = Permissions::of(ItemInteraction::Search);

/// A parameter as it was sent.
pub(crate) type Sent = (String, String);

pub(crate) fn pairs(encoded: &[u8]) -> Result<Vec<Sent>, Refusal> {
    let pairs = encoding::pairs(encoded)
        .map_err(|NotText(name)| Refusal::Invalid(format!("the parameter {} is not UTF-8", shown(&name))))?;
    Ok(pairs.into_iter().map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
}

/// What is looked for of each type, and what is said about the result of all of them.
pub(crate) fn parts(
    app: &App,
    scope: &SearchContext,
    sent: &[Sent],
    caller: &Caller,
) -> Result<(Vec<TypedQuery>, Controls), Refusal> {
    let is_inclusion = |(name, _): &&Sent| matches!(context::code(name), "_include" | "_revinclude");
    let others: Vec<Sent> = sent.iter().filter(|one| !is_inclusion(one)).cloned().collect();
    let (mut parts, mut all) = (Vec::new(), Controls::default());
    let types = searched(scope, caller)?;
    for of in &types {
        let (mut query, controls) = read_with(app, *of, &others, caller, &scope.own)?;
        query.clauses.extend(scope.clause(*of));
        parts.push((query, controls.sort.clone()));
        all = controls;
    }
    // What comes along has to be able to come with one of the types.
    for inclusion in sent.iter().filter(is_inclusion) {
        let one = std::slice::from_ref(inclusion);
        let mut read = types.iter().map(|of| read_with(app, *of, one, caller, &scope.own));
        let first = read.next().ok_or_else(|| Refusal::Invalid("there is no type to search".into()))?;
        let (_, controls) = first.or_else(|fault| read.find_map(Result::ok).ok_or(fault))?;
        controls.inclusions.into_iter().for_each(|inclusion| all.include(inclusion));
    }
    if all.summary == Some(Summary::Text) && !all.inclusions.is_empty() {
        let words = "_summary: text leaves out what _include and _revinclude follow; ask for one or the other";
        return Err(context::fault("_summary", words));
    }
    let is_comparable = |key: &SortKey| matches!(key.parameter.kind, Kind::Date | Kind::Number | Kind::Quantity);
    if parts.len() > 1 && !all.sort.iter().all(is_comparable) {
        let words = "_sort: what is of several types is ordered by dates and numbers only, such as _lastUpdated";
        return Err(context::fault("_sort", words));
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

/// The types that are looked at: those that the scopes of the session permit to search, where the request names none.
fn searched(scope: &SearchContext, caller: &Caller) -> Result<Vec<ResourceType>, Refusal> {
    let is_permitted = |of: &&ResourceType| scope.is_named || caller.must_be_granted(of.name(), SEARCH).is_ok();
    let types: Vec<ResourceType> = scope.types.iter().filter(is_permitted).copied().collect();
    if types.is_empty() { Err(Refusal::OutsideScopes(None)) } else { Ok(types) }
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
    caller.must_be_granted(resource_type.name(), SEARCH)?;
    let base = base(&app.settings.base_url);
    let pairs = sent.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let now = caller.now().0.saturating_mul(1000);
    let query = reading::read_with(own, resource_type, pairs, &base, now).map_err(faults)?;
    let controls = controls::read_with(own, &query).map_err(faults)?;
    must_be_few(query.clauses.iter())?;
    query.clauses.iter().try_for_each(|clause| served(clause, false))?;
    query.clauses.iter().try_for_each(|clause| granted(clause, caller))?;
    Ok((query, controls))
}

/// Refuses to pass through types that the scopes of the session do not permit to search. Where a chain can mean several, one that
/// they permit is enough: the others are not there.
fn granted(clause: &Clause, caller: &Caller) -> Result<(), Refusal> {
    match clause {
        Clause::Own(_) => Ok(()),
        Clause::Chain { links, .. } => {
            let through = |(target, clause): &(ResourceType, Clause)| {
                caller.must_be_granted(target.name(), SEARCH).and_then(|()| granted(clause, caller))
            };
            let mut refused = None;
            for link in links {
                match through(link) {
                    Ok(()) => return Ok(()),
                    Err(refusal) => refused = refused.or(Some(refusal)),
                }
            }
            refused.map_or(Ok(()), Err)
        }
        Clause::Has { resource_type, clause, .. } => {
            caller.must_be_granted(resource_type.name(), SEARCH)?;
            granted(clause, caller)
        }
        Clause::Either(ways) => ways.iter().try_for_each(|clause| granted(clause, caller)),
    }
}

fn faults(faults: Vec<QueryFault>) -> Refusal {
    let told = |fault: QueryFault| {
        let name = shown(&fault.name);
        let words = format!("{name}: {}", fault.words);
        (name, words)
    };
    Refusal::Parameters(faults.into_iter().map(told).collect())
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
            Err(context::fault(parameter.code, reading::not_yet_indexed(parameter.code)))
        }
        Clause::Chain { links, .. } => links.iter().try_for_each(|(_, clause)| served(clause, true)),
        Clause::Has { clause, .. } => served(clause, true),
        Clause::Either(ways) => ways.iter().try_for_each(|clause| served(clause, is_behind_link)),
        Clause::Own(condition) => {
            let code = condition.parameter.code;
            if is_behind_link && !condition.parameter.is_indexed() {
                return Err(context::fault(code, reading::not_yet_indexed(code)));
            }
            if is_behind_link && is_sifted(condition) {
                let words = format!("{code} is not served behind a chain or _has: search for it alone");
                return Err(context::fault(code, words));
            }
            match &condition.test {
                Test::Any(criteria) | Test::None(criteria) if criteria.len() > SEARCH_ALTERNATIVES => {
                    Err(context::fault(code, format!("{code} may have at most {SEARCH_ALTERNATIVES} alternatives")))
                }
                _ => Ok(()),
            }
        }
    }
}
