//! Importing resources: one batch, of which each resource is stored or rejected by itself.

use super::refusal::{OperatorRefusal, no_organisation, no_team};
use super::reply::ImportReport;
use super::request::{ImportMode, ResourceText};
use crate::app::App;
use crate::formats::when::rfc3339;
use crate::preparation;
use crate::sharing::default_label;
use fhir::identifiers::{self, Identifier};
use fhir::types::{self, ResourceType};
use rules::answers::{Refusal, answer};
use rules::consent::delay;
use rules::labels;
use rules::limits::{HIDDEN_DAYS, RESOURCE_INDEX_ROWS};
use rules::reach::{Reach, Source};
use rules::rest_errors::MESSAGE_WAS_SENT;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashMap;
use store::documents::receipts::{self, DocumentObstacle};
use store::organisations;
use store::write::resource_write::{self, NewResource, Outcome};
use store::{Store, presence, read as records};
use tokio::task::{JoinHandle, spawn_blocking};

/// Resources that are stored in one turn at the writer, so that others get theirs.
const PIECE: usize = 250;

/// What a resource says it is.
#[derive(Deserialize)]
struct ImportHead<'a> {
    #[serde(rename = "resourceType", borrow, default)]
    resource_type: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
}

/// Where a resource stands, and what it was prepared to, or why not.
type Prepared = (String, Result<NewResource, String>);

/// Imports one batch for an organisation or one of its teams. What is wrong is told and left out; the rest is stored.
pub(super) async fn import(
    app: &App,
    store: &Store,
    (organisation, team): (&str, Option<&str>),
    mut resources: Vec<ResourceText>,
    mode: ImportMode,
) -> Result<ImportReport, OperatorRefusal> {
    let source = source(app, organisation, team).await?;
    let mut report = ImportReport::default();
    if mode == ImportMode::OnlyNew {
        leave_out(app, source, &mut resources, &mut report).await?;
    }
    let base = preparation::base(&app.settings.base_url);
    let mut left = resources.into_iter();
    let mut ahead = prepare_ahead(&mut left, &base);
    // While one piece is written, the next is read: the writer and the reader are not the same thread.
    while let Some(reading) = ahead.take() {
        let prepared = reading.await?;
        ahead = prepare_ahead(&mut left, &base);
        let sound = sound(app, source, prepared, &mut report).await?;
        if mode != ImportMode::CheckOnly {
            for short in short_pieces(sound) {
                put(app, store, source, short, &mut report).await?;
            }
        }
    }
    report.rejected = report.problems.len() as u64;
    Ok(report)
}

/// Leaves out what this source has stored before.
async fn leave_out(
    app: &App,
    source: Source,
    resources: &mut Vec<ResourceText>,
    report: &mut ImportReport,
) -> store::Result<()> {
    let name = |given: &ResourceText| -> Option<(ResourceType, String)> {
        let head: ImportHead<'_> = serde_json::from_str(&given.json).ok()?;
        Some((types::named(&head.resource_type?)?, head.id?.into_owned()))
    };
    let names: Vec<Option<(ResourceType, String)>> = resources.iter().map(name).collect();
    let mut by_type: HashMap<ResourceType, Vec<&str>> = HashMap::new();
    for (resource_type, id) in names.iter().flatten() {
        by_type.entry(*resource_type).or_default().push(id);
    }
    let mut there = HashMap::new();
    for (resource_type, ids) in by_type {
        there.insert(resource_type, presence::of(&app.store, resource_type, &ids, source).await?);
    }
    let mut names = names.iter();
    resources.retain(|_| {
        let Some(Some((resource_type, id))) = names.next() else { return true };
        let is_there = there.get(resource_type).is_some_and(|ids| ids.contains(id));
        if is_there {
            *report.there.entry(resource_type.name().to_owned()).or_default() += 1;
        }
        !is_there
    });
    Ok(())
}

/// Begins to prepare the next piece, if there is one.
fn prepare_ahead(left: &mut impl Iterator<Item = ResourceText>, base: &str) -> Option<JoinHandle<Vec<Prepared>>> {
    let piece: Vec<ResourceText> = left.take(PIECE).collect();
    if piece.is_empty() {
        return None;
    }
    let base = base.to_owned();
    Some(spawn_blocking(move || piece.into_iter().map(|given| (given.at, prepare(&given.json, &base))).collect()))
}

/// Those that can be stored; what is wrong with the others is noted.
async fn sound(
    app: &App,
    source: Source,
    prepared: Vec<Prepared>,
    report: &mut ImportReport,
) -> store::Result<Vec<(String, NewResource)>> {
    let mut sound = Vec::with_capacity(prepared.len());
    let (reach, by) = (reach(source), default_label::labeller(&app.store, source).await?);
    let patients = prepared.iter().filter_map(|(_, new)| new.as_ref().ok().map(|new| &new.content));
    let patients = patients.filter(|content| content.resource_type == ResourceType::Patient);
    let mut identities: HashMap<String, Option<Vec<Identifier>>> =
        patients.map(|patient| (patient.id.clone(), Some(patient.identifiers.clone()))).collect();
    for (at, prepared) in prepared {
        let why = match &prepared {
            Ok(new) => match closed_content(app, &reach, new).await? {
                None => foreign_identifier(app, &reach, new, &mut identities).await?,
                why => why,
            },
            Err(why) => Some(why.clone()),
        };
        let prepared = prepared.and_then(|new| {
            let days = new.content.audience.hidden_days;
            let type_name = new.content.resource_type.name();
            let wanted = days.map(|days| delay::wanted(type_name, &source, days, HIDDEN_DAYS, app.clock.now()));
            let labelled = wanted.transpose().and_then(|_| new.labelled_by(by, true));
            labelled.map_err(|denial| denial.message().into_owned())
        });
        let why = why.or_else(|| prepared.as_ref().err().cloned());
        match (prepared, why) {
            (Ok(new), None) => sound.push((at, new)),
            (_, why) => report.problems.push(format!("{at}: {}", why.unwrap_or_default())),
        }
    }
    Ok(sound)
}

/// The same in pieces, none of which keeps the writer longer than one resource may.
fn short_pieces(sound: Vec<(String, NewResource)>) -> Vec<Vec<(String, NewResource)>> {
    let (mut pieces, mut rows) = (Vec::new(), usize::MAX);
    for (at, new) in sound {
        let own = preparation::index_rows(&new.content);
        rows = rows.saturating_add(own);
        if rows > RESOURCE_INDEX_ROWS {
            rows = own;
            pieces.push(Vec::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push((at, new));
        }
    }
    pieces
}

/// What is wrong with the identifiers beside references to Patients: each must be one of that Patient's. A Patient that is yet to
/// come is fine.
async fn foreign_identifier(
    app: &App,
    reach: &Reach,
    new: &NewResource,
    identities: &mut HashMap<String, Option<Vec<Identifier>>>,
) -> store::Result<Option<String>> {
    for beside in &new.content.identified {
        if !identities.contains_key(&beside.patient) {
            let now = app.clock.now();
            let found = records::read(&app.store, reach, ResourceType::Patient, &beside.patient, now).await?;
            let own = found.map(|found| identifiers::own_of_text(&found.body));
            identities.insert(beside.patient.clone(), own);
        }
        let own = identities.get(&beside.patient).and_then(Option::as_deref);
        if let Some(issue) = own.and_then(|own| preparation::foreign_identifier(beside, own)) {
            return Ok(Some(preparation::words(&issue)));
        }
    }
    Ok(None)
}

/// What a source sees of the records.
fn reach(source: Source) -> Reach {
    match source {
        Source::Team(team, _) => Reach::of_teams(vec![team]),
        Source::Organisation(organisation) => Reach::of_organisation(organisation),
        Source::Patient(patient) => Reach::of_patient(patient),
        Source::Person(_) => Reach::of_directories(),
    }
}

/// Stores one piece.
async fn put(
    app: &App,
    store: &Store,
    source: Source,
    piece: Vec<(String, NewResource)>,
    report: &mut ImportReport,
) -> store::Result<()> {
    let now = app.clock.now();
    let named: Vec<(String, &str)> =
        piece.iter().map(|(at, new)| (at.clone(), new.content.resource_type.name())).collect();
    let news = piece.into_iter().map(|(_, new)| new).collect();
    let stored = resource_write::put(store, news, source, now, rfc3339(now)).await?;
    for ((at, type_name), stored) in named.into_iter().zip(stored) {
        match stored.outcome {
            Outcome::Version(_) => *report.stored.entry(type_name.to_owned()).or_default() += 1,
            Outcome::Unchanged => *report.unchanged.entry(type_name.to_owned()).or_default() += 1,
            Outcome::Sent => report.problems.push(format!("{at}: {MESSAGE_WAS_SENT}; it stays as it was")),
            // Nothing was demanded of what is there.
            Outcome::OtherSource | Outcome::OtherVersion | Outcome::LabelNotHeld => report.problems.push(format!(
                "{at}: this {type_name} is there already from another source, which alone may change it; it stays as it was"
            )),
        }
    }
    Ok(())
}

/// What is wrong with the Binaries that a document names. One that is yet to come is fine, because feeds arrive in any
/// order; one of another source, which this source cannot see, is refused as it is from a client.
async fn closed_content(app: &App, reach: &Reach, new: &NewResource) -> store::Result<Option<String>> {
    for id in new.content.binaries() {
        if receipts::obstacle(&app.store, reach, id, app.clock.now()).await? == Some(DocumentObstacle::OutOfReach) {
            return Ok(Some(format!("content refers to Binary/{id}, which is not within reach of this source")));
        }
    }
    Ok(None)
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

/// A resource that is valid and ready to be stored, or all that is wrong with it.
fn prepare(json: &str, base: &str) -> Result<NewResource, String> {
    if serde_json::from_str(json).is_ok_and(|head: ImportHead<'_>| head.id.is_none()) {
        return Err("the resource has no id; ids are kept, so give each resource one (\"id\": \"…\")".into());
    }
    let new = preparation::prepare(json, base).map_err(|flaw| flaw.to_string())?;
    let mut systems = new.content.identifiers.iter().filter_map(|identifier| identifier.system.as_deref());
    match new.content.resource_type == ResourceType::AuditEvent || systems.any(labels::is_kept) {
        true => Err(answer(&Refusal::LedgerOnly).message.into_owned()),
        false => Ok(new),
    }
}
