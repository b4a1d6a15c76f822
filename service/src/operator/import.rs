//! Importing resources: one batch, checked as a whole and stored piece by piece.

use super::refusal::{OperatorRefusal, no_organisation, no_team};
use super::reply::ImportReport;
use super::request::ResourceText;
use crate::app::App;
use crate::formats::when::rfc3339;
use crate::preparation;
use rules::reach::{Reach, Source};
use serde::Deserialize;
use store::Store;
use store::documents::{self, Obstacle};
use store::organisations;
use store::write::{self, NewResource, Outcome};

/// Resources that are stored in one turn at the writer, so that others get theirs.
const PIECE: usize = 50;

#[derive(Deserialize)]
struct IdMember {
    id: Option<String>,
}

/// Stores one batch for an organisation, or tells all that is wrong with it.
pub(super) async fn import(
    app: &App,
    store: &Store,
    organisation: &str,
    team: Option<&str>,
    resources: &[ResourceText],
    check_only: bool,
) -> Result<ImportReport, OperatorRefusal> {
    let source = source(app, organisation, team).await?;
    let base = preparation::base(&app.settings.base_url);
    let mut imported = ImportReport::default();
    let mut prepared = Vec::with_capacity(resources.len());
    for given in resources {
        match prepare(&given.json, &base) {
            Ok(new) => {
                imported.problems.extend(closed_contents(app, source, &new, &given.at).await?);
                prepared.push(new);
            }
            Err(why) => imported.problems.push(format!("{}: {why}", given.at)),
        }
    }
    if check_only || !imported.problems.is_empty() {
        return Ok(imported);
    }
    let types: Vec<String> =
        prepared.iter().map(|new: &NewResource| new.content.resource_type.name().to_owned()).collect();
    let now = app.clock.now();
    let mut stored = Vec::with_capacity(prepared.len());
    let mut left = prepared.into_iter();
    while left.len() > 0 {
        let piece = left.by_ref().take(PIECE).collect();
        stored.extend(write::put(store, piece, source, now, rfc3339(now)).await?);
    }
    for ((given, type_name), stored) in resources.iter().zip(types).zip(stored) {
        match stored.outcome {
            Outcome::Version(_) => *imported.stored.entry(type_name).or_default() += 1,
            Outcome::Unchanged => *imported.unchanged.entry(type_name).or_default() += 1,
            // Nothing was demanded of what is there.
            Outcome::OtherSource | Outcome::OtherVersion => imported.problems.push(format!(
                "{}: this {type_name} is there already from another source, which alone may change it; it stays as it was",
                given.at
            )),
        }
    }
    Ok(imported)
}

/// What is wrong with the Binaries that a document names. One that is yet to come is fine, because feeds arrive in any
/// order; one of another source, which this source cannot see, is refused as it is from a client.
async fn closed_contents(app: &App, source: Source, new: &NewResource, at: &str) -> store::Result<Vec<String>> {
    let reach = match source {
        Source::Team(team, _) => Reach::Viewers { teams: vec![team], organisation: None },
        Source::Organisation(organisation) => Reach::Viewers { teams: Vec::new(), organisation: Some(organisation) },
        Source::Patient(patient) => Reach::Own(patient),
        Source::Person(_) => Reach::Viewers { teams: Vec::new(), organisation: None },
    };
    let mut problems = Vec::new();
    for id in new.content.binaries() {
        if documents::obstacle(&app.store, &reach, id, app.clock.now()).await? == Some(Obstacle::OutOfReach) {
            problems.push(format!("{at}: content refers to Binary/{id}, which is not within reach of this source"));
        }
    }
    Ok(problems)
}

async fn source(app: &App, organisation: &str, team: Option<&str>) -> Result<Source, OperatorRefusal> {
    let home = organisations::find(&app.store, organisation).await?.ok_or_else(|| no_organisation(organisation))?;
    match team {
        None => Ok(Source::Organisation(home.id)),
        Some(public_id) => {
            let team = organisations::find_team(&app.store, public_id).await?.ok_or_else(|| no_team(public_id))?;
            if team.organisation != home.id {
                return Err(OperatorRefusal::because(format!(
                    "the team {public_id} belongs to {}, not to {}; name a team of the organisation",
                    team.organisation_name, home.name
                )));
            }
            Ok(Source::Team(team.id, home.id))
        }
    }
}

fn prepare(json: &str, base: &str) -> Result<NewResource, String> {
    let head: IdMember =
        serde_json::from_str(json).map_err(|error| format!("this is no FHIR resource in JSON: {error}"))?;
    if head.id.is_none() {
        return Err("the resource has no id; ids are kept, so give each resource one (\"id\": \"…\")".into());
    }
    preparation::prepare(json, base).map_err(|fault| fault.to_string())
}
