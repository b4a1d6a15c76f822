//! Patients by their identifiers, for operations that tell something of them without showing a resource. That they were asked
//! about is noted under the name of what is told.

use super::inquiries;
use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use fhir::identifier_systems::NATIONAL;
use fhir::types::ResourceType;
use rules::ids::{OrganisationId, PatientId, ViewerId};
use rules::moment::Moment;
use rules::reach::{Reach, Right};
use std::collections::{BTreeSet, HashMap};
use store::identities::{self, Identity};
use store::patients;
use store::read as records;
use store::search::compartment;

/// A system and a value.
pub(crate) type Identifier = (String, String);

/// Those whom an organisation knows, whatever the team that asks for it may see; noted as `part`, seen by `viewer`.
pub(crate) async fn of_organisation(
    app: &App,
    caller: &Caller,
    (organisation, viewer): (OrganisationId, ViewerId),
    identifiers: &[Identifier],
    part: &'static str,
) -> Result<Vec<Identity>, ApiStop> {
    let reach = Reach::of_organisation(organisation);
    let found = identities::find(&app.store, &reach, identifiers, caller.now()).await.during("looking patients up")?;
    for identity in &found {
        app.accesses.note_one(&caller.viewer(), identity.patient, part, identity.right, Some(viewer));
    }
    Ok(found)
}

/// The FHIR id of the patient of an organisation who has this national number, if it is one patient's alone. Nothing is told of them.
pub(crate) async fn of_number(
    app: &App,
    organisation: OrganisationId,
    number: &str,
    now: Moment,
) -> Result<Option<String>, Trouble> {
    let number: String = number.split_whitespace().collect();
    if number.is_empty() {
        return Ok(None);
    }
    let asked: Vec<Identifier> = NATIONAL.iter().map(|system| (system.uri.to_owned(), number.clone())).collect();
    let found = identities::find(&app.store, &Reach::of_organisation(organisation), &asked, now).await;
    let patients: BTreeSet<PatientId> = found.during("looking a number up")?.iter().map(|one| one.patient).collect();
    match patients.first() {
        Some(only) if patients.len() == 1 => patients::fhir_id(&app.store, *only).await.during("looking a patient up"),
        _ => Ok(None),
    }
}

/// A patient whom the caller may see, by which right and through whom.
type Seen = (PatientId, Right, Option<ViewerId>);

/// When something was last written into the record of each who is known, as far as the caller may see it, but for what is of
/// the types `without`. `own` are the systems whose values are ids of ours. Each is noted as `part`.
pub(crate) async fn last_changes(
    app: &App,
    caller: &Caller,
    identifiers: &[Identifier],
    (own, without): (&[&str], &[ResourceType]),
    part: &'static str,
) -> Result<Vec<(Identifier, Option<Moment>)>, ApiStop> {
    let seen = seen(app, caller, identifiers, own).await?;
    let (mut changes, mut unseen) = (Vec::new(), Vec::new());
    for asked in identifiers {
        let Some((patient, right, viewer)) = seen.get(asked) else {
            unseen.push(asked.clone());
            continue;
        };
        let newest = compartment::newest(&app.store, caller.reach(), *patient, without, caller.now()).await;
        let newest = newest.during("looking for the newest of a record")?;
        app.accesses.note_one(&caller.viewer(), *patient, part, *right, *viewer);
        changes.push((asked.clone(), newest));
    }
    let (by_id, by_number): (Vec<_>, Vec<_>) =
        unseen.into_iter().partition(|(system, _)| own.contains(&system.as_str()));
    by_id.iter().for_each(|(_, id)| inquiries::read_refused(app, caller, ResourceType::Patient, id));
    inquiries::identified((app, caller), by_number, BTreeSet::new());
    Ok(changes)
}

async fn seen(
    app: &App,
    caller: &Caller,
    identifiers: &[Identifier],
    own: &[&str],
) -> Result<HashMap<Identifier, Seen>, ApiStop> {
    let (own, national): (Vec<_>, Vec<_>) =
        identifiers.iter().cloned().partition(|(system, _)| own.contains(&system.as_str()));
    let found = identities::find(&app.store, caller.reach(), &national, caller.now()).await;
    let found = found.during("looking patients up")?.into_iter();
    let mut seen: HashMap<Identifier, Seen> =
        found.map(|one| (one.identifier, (one.patient, one.right, one.viewer))).collect();
    for identifier in own {
        let found = records::read(&app.store, caller.reach(), ResourceType::Patient, &identifier.1, caller.now()).await;
        if let Some(found) = found.during("reading a Patient")?
            && let Some(patient) = found.patient
        {
            seen.insert(identifier, (patient, found.right, found.viewer));
        }
    }
    Ok(seen)
}
