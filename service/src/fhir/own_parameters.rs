//! Search parameters that SearchParameters of our users define. They are read from the store by whoever needs them, so that every
//! node knows what was defined as soon as it is stored; and a search asks the resources themselves, so that nothing has to be
//! indexed first and no answer is short.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use fhir::custom::definition::{self, Definition};
use fhir::parameters::table;
use fhir::preparation::Preparation;
use fhir::search::query::Query;
use fhir::search::reading::{self, OwnParameter};
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::limits::{MOST_PAGE_ENTRIES, OWN_PARAMETERS, SEARCH_PARAMETERS};
use rules::moment::Moment;
use rules::reach::Reach;
use std::collections::HashSet;
use std::sync::Arc;
use store::finding::Search;
use store::premise::Premise;
use store::resource::Resource;
use store::sifting;

const OF: ResourceType = ResourceType::SearchParameter;

/// Those of these types that the names of a search can mean, where they are none of HL7's.
pub(super) async fn named<'n>(
    app: &App,
    caller: &Caller,
    types: &[ResourceType],
    names: impl Iterator<Item = &'n str>,
) -> Result<Vec<OwnParameter>, Trouble> {
    let is_strange = |code: &&str| {
        definition::is_code(code)
            && !reading::is_control(code)
            && types.iter().any(|of| table::find(*of, code).is_none())
    };
    let codes: HashSet<&str> = names.filter(is_strange).take(SEARCH_PARAMETERS).collect();
    if codes.is_empty() {
        return Ok(Vec::new());
    }
    let codes: Vec<&str> = codes.into_iter().collect();
    let criteria = [("code", codes.join(","))];
    let mut own: Vec<OwnParameter> = Vec::new();
    for found in stored(app, &caller.reach, &criteria, caller.now).await? {
        let Some(parameters) = defined(&found).and_then(|definition| definition.parameters()) else { continue };
        // Where an import brought two of one name, the one that was there first counts.
        let is_new = |one: &OwnParameter| !own.iter().any(|known| known.0 == one.0 && known.1.code == one.1.code);
        own.extend(parameters.into_iter().filter(|one| types.contains(&one.0)).filter(is_new).collect::<Vec<_>>());
    }
    Ok(own)
}

/// All that there are, and what tells them apart from all that there were at another time.
pub(super) async fn all(app: &App, now: Moment) -> Result<(Vec<OwnParameter>, String), Trouble> {
    let everybody = Reach::Viewers { teams: Vec::new(), organisation: None };
    let found = stored(app, &everybody, &[], now).await?;
    let versions: Vec<String> = found.iter().map(|one| format!("{}/{}", one.id, one.version)).collect();
    let own = found.iter().filter_map(|one| defined(one)?.parameters()).flatten().collect();
    Ok((own, versions.join(" ")))
}

/// That a SearchParameter defines nothing that another one defines already, and that there are not too many: what has to hold
/// when it is stored, too. None where it defines nothing.
pub(super) async fn premise(
    app: &App,
    caller: &Caller,
    new: &Preparation,
    together: &mut HashSet<(ResourceType, String)>,
) -> Result<Option<Premise>, ApiStop> {
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
    let found = stored(app, &caller.reach, &criteria, caller.now).await?;
    if let Some(other) = found.iter().find(|found| found.id != new.id) {
        return Err(taken(code, &format!("SearchParameter/{}", other.id)).into());
    }
    if found.is_empty() && all(app, caller.now).await?.0.len() + bases.len() > OWN_PARAMETERS {
        let words = format!("there would be more than {OWN_PARAMETERS} search parameters beside those of R4");
        return Err(Refusal::Unprocessable(words).into());
    }
    let found = found.first().map(|found| found.id.clone());
    Ok(Some(Premise { query: query(app, &criteria, caller.now)?, found }))
}

fn taken(code: &str, by: &str) -> Refusal {
    Refusal::Unprocessable(format!("{by} defines the search parameter {code:?} of the same type already"))
}

/// What a stored SearchParameter defines.
fn defined(found: &Resource) -> Option<Definition> {
    let body = serde_json::from_str(&found.body).ok()?;
    definition::read(&body).ok().flatten()
}

/// The active SearchParameters that meet criteria, the oldest first. Whoever may look at all may look at these.
async fn stored(
    app: &App,
    reach: &Reach,
    criteria: &[(&str, String)],
    now: Moment,
) -> Result<Vec<Arc<Resource>>, Trouble> {
    let query = query(app, criteria, now)?;
    let search = Search { query: &query, sort: &[], after: None, floor: None, limit: MOST_PAGE_ENTRIES };
    let page = sifting::page(&app.store, reach, &search, now).await.during("reading SearchParameters")?;
    Ok(page.entries.into_iter().rev().map(|found| found.resource).collect())
}

fn query(app: &App, criteria: &[(&str, String)], now: Moment) -> Result<Query, Trouble> {
    let pairs = criteria.iter().map(|(name, value)| (*name, value.as_str())).chain([("status", "active")]);
    let query = reading::read(OF, pairs, &base(&app.settings.base_url), now.0.saturating_mul(1000));
    query.map_err(|_| Trouble::new("reading SearchParameters", "they cannot be asked for"))
}
