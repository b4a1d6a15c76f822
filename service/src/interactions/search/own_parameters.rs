//! Search parameters that SearchParameters of our users define. They are read from the store by whoever needs them, so that every
//! node knows what was defined as soon as it is stored. Until the index has all of a parameter's values, a search asks the resources
//! themselves, so that no answer is short.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use fhir::custom::definition;
use fhir::parameters::parameter::OWN;
use fhir::preparation::Preparation;
use fhir::search::query::Query;
use fhir::search::reading::{self, OwnParameter};
use fhir::search::unknown_parameters::unknown_parameters;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::{OWN_PARAMETERS, OWN_PARAMETERS_EACH, PAGE_ENTRIES, SEARCH_PARAMETERS};
use rules::moment::Moment;
use rules::reach::{Reach, may_act_as};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use store::index::own_parameters::{self, Filling, OwnDefinition};
use store::search::compile::Search;
use store::search::post_filter;
use store::stored::resource::Resource;
use store::write::precondition::Precondition;

const OF: ResourceType = ResourceType::SearchParameter;

/// Users' own parameters that a search names.
#[derive(Debug, Default)]
pub(crate) struct NamedParameters {
    pub parameters: Vec<OwnParameter>,
}

impl NamedParameters {
    /// Refuses to answer where the index of one of them has been given up since they were named: its values are being removed,
    /// and what was found may be short.
    pub async fn must_be_as_before(&self, app: &App) -> Result<(), ApiStop> {
        let indexed = self.parameters.iter().filter(|(_, own)| own.is_indexed());
        let numbers: BTreeSet<u32> = indexed.map(|(_, own)| own.number).collect();
        match own_parameters::are_whole(&app.store, &numbers).await.during("looking at search parameters again")? {
            true => Ok(()),
            false => Err(Refusal::Unavailable.into()),
        }
    }
}

/// Those that the parameters of a search for these types can mean, where they are none of HL7's. Whoever has an index that is
/// whole is searched by it.
pub(crate) async fn named(
    app: &App,
    caller: &Caller,
    types: &[ResourceType],
    sent: &[(String, String)],
) -> Result<NamedParameters, Trouble> {
    let pairs = sent.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let codes: Vec<&str> = unknown_parameters(types, pairs).into_iter().take(SEARCH_PARAMETERS).collect();
    if codes.is_empty() {
        return Ok(NamedParameters::default());
    }
    let indexes = own_parameters::all(&app.store).await.during("reading search parameters")?;
    let is_meant = |index: &OwnDefinition| index.line.split(' ').next().is_some_and(|code| codes.contains(&code));
    if !indexes.iter().any(is_meant) {
        return Ok(NamedParameters::default());
    }
    let criteria = [("code", codes.join(","))];
    let mut parameters: Vec<OwnParameter> = Vec::new();
    for found in stored(app, caller.reach(), &criteria, caller.now()).await? {
        // Where an import brought two of one name, the one that was there first counts.
        let is_new =
            |one: &OwnParameter| !parameters.iter().any(|known| (known.0, known.1.code) == (one.0, one.1.code));
        let new: Vec<_> = defined(&found, &indexes).into_iter().map(|(one, _)| one).filter(is_new).collect();
        parameters.extend(new);
    }
    Ok(NamedParameters { parameters })
}

/// All that there are, each with how far it is indexed; and what tells them apart from all that there were at another time.
pub(crate) async fn all(app: &App, now: Moment) -> Result<(Vec<(OwnParameter, Filling)>, String), Trouble> {
    let everybody = Reach::of_directories();
    let found = stored(app, &everybody, &[], now).await?;
    let indexes = own_parameters::all(&app.store).await.during("reading search parameters")?;
    let own: Vec<(OwnParameter, Filling)> = found.iter().flat_map(|one| defined(one, &indexes)).collect();
    let versions = found.iter().map(|one| format!("{}/{}", one.id, one.version));
    let fillings = own.iter().map(|(_, filling)| format!("{filling:?}"));
    let mark = versions.chain(fillings).collect::<Vec<_>>().join(" ");
    Ok((own, mark))
}

/// That a SearchParameter defines nothing that another one defines already, and that there are not too many: what has to hold
/// when it is stored, too. None where it defines nothing.
pub(crate) async fn precondition(
    app: &App,
    caller: &Caller,
    new: &Preparation,
    together: &mut HashSet<(ResourceType, String)>,
) -> Result<Option<Precondition>, ApiStop> {
    if new.resource_type != OF {
        return Ok(None);
    }
    let body = serde_json::from_str(&new.body.joined(1, "", "")).unwrap_or_default();
    let Ok(Some(definition)) = definition::read(&body) else { return Ok(None) };
    let (code, bases): (&str, Vec<ResourceType>) = (&definition.code, definition.bases().collect());
    for of in &bases {
        if !together.insert((*of, code.to_owned())) {
            return Err(taken(code, "another resource of this transaction").into());
        }
    }
    let names: Vec<&str> = bases.iter().map(|of| of.name()).collect();
    let criteria = [("code", code.to_owned()), ("base", names.join(","))];
    let found = stored(app, caller.reach(), &criteria, caller.now()).await?;
    if let Some(other) = found.iter().find(|found| found.id != new.id) {
        return Err(taken(code, &format!("SearchParameter/{}", other.id)).into());
    }
    if found.is_empty() {
        must_have_room(app, caller, together.len()).await?;
    }
    let found = found.first().map(|found| found.id.clone());
    Ok(Some(Precondition { query: query(app, &criteria, caller.now())?, found, without: Vec::new() }))
}

/// Refuses more search parameters than there may be, of all and of one organisation, so that none leaves the others without.
async fn must_have_room(app: &App, caller: &Caller, new: usize) -> Result<(), ApiStop> {
    let everybody = Reach::of_directories();
    let (mut all, mut own) = (new, new);
    for found in stored(app, &everybody, &[], caller.now()).await? {
        let defined = definition::of_text(&found.body).map_or(0, |definition| definition.lines().count());
        all += defined;
        own += if may_act_as(caller.reach(), found.source) { defined } else { 0 };
    }
    for (many, most, whose) in [(own, OWN_PARAMETERS_EACH, "of this organisation "), (all, OWN_PARAMETERS, "")] {
        if many > most {
            let words = format!("there would be more than {most} search parameters {whose}beside those of R4");
            return Err(Refusal::Unprocessable(words).into());
        }
    }
    Ok(())
}

fn taken(code: &str, by: &str) -> Refusal {
    Refusal::Unprocessable(format!("{by} defines the search parameter {code:?} of the same type already"))
}

/// What a stored SearchParameter defines: under the number of its index, where that is whole. None where this process has read too
/// many definitions.
fn defined(found: &Resource, indexes: &[OwnDefinition]) -> Vec<(OwnParameter, Filling)> {
    let Some(definition) = definition::of_text(&found.body) else { return Vec::new() };
    let parameter = |(of, line): (ResourceType, &str)| {
        let is_it = |index: &&OwnDefinition| (index.row, index.of, index.line.as_str()) == (found.row, of, line);
        let index = indexes.iter().find(is_it);
        let whole = index.filter(|index| index.filling == Filling::Whole);
        let parameter = whole.and_then(|whole| definition::parameter(whole.number, line));
        let parameter = parameter.or_else(|| definition::parameter(OWN, line))?;
        Some(((of, parameter), index.map_or(Filling::Begun, |index| index.filling)))
    };
    definition.lines().filter_map(parameter).collect()
}

/// The active SearchParameters that meet criteria, the oldest first. Whoever may look at all may look at these.
async fn stored(
    app: &App,
    reach: &Reach,
    criteria: &[(&str, String)],
    now: Moment,
) -> Result<Vec<Arc<Resource>>, Trouble> {
    let query = query(app, criteria, now)?;
    // Few enough to be looked for in place: whoever asks what is served does not wait behind long reads.
    let limit = i64::try_from(OWN_PARAMETERS).unwrap_or(PAGE_ENTRIES) + 1;
    let search = Search { query: &query, sort: &[], after: None, floor: None, limit };
    let page = post_filter::page(&app.store, reach, &search, now).await.during("reading SearchParameters")?;
    Ok(page.entries.into_iter().rev().map(|found| found.resource).collect())
}

fn query(app: &App, criteria: &[(&str, String)], now: Moment) -> Result<Query, Trouble> {
    let pairs = criteria.iter().map(|(name, value)| (*name, value.as_str())).chain([("status", "active")]);
    let query = reading::read(OF, pairs, &base(&app.settings.base_url), now.0.saturating_mul(1000));
    query.map_err(|_| Trouble::new("reading SearchParameters", "they cannot be asked for"))
}
