//! For whom a caller writes and about whom: what may be written at all, and who becomes its source.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::absence;
use crate::interactions::inquiries;
use crate::interactions::search::own_parameters;
use crate::interactions::write::patient_identities::{self, Identities};
use crate::interactions::write::request::{NOT_STORED, NOT_WRITTEN};
use crate::interactions::write::version_demand;
use crate::preparation;
use crate::voices::api::ApiStop;
use fhir::citations;
use fhir::issue::{Issue, IssueCode};
use fhir::links::Links;
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::clients::ClientIds;
use rules::consent::caller::writing_team;
use rules::consent::label_right::Labeller;
use rules::ids::{OrganisationId, TeamId};
use rules::labels;
use rules::limits::ISSUES;
use rules::reach::{Area, Source, may_act_as, may_write_in};
use std::collections::HashSet;
use std::sync::Arc;
use store::documents::receipts;
use store::reach::{circle, registrations};
use store::write::precondition::Precondition;
use store::write::resource_write::Demand;
use store::{organisations, read as records};

const NO_NOTIFICATIONS: &str = "Subscriptions are not taken: this service sends no notifications yet; ask for what is new with \
    _lastUpdated=ge…, or GET _history with _since";

/// What is written together with something, all of it or nothing.
#[derive(Debug, Default)]
pub(crate) struct BundleContext {
    /// What is new, and what will be gone.
    pub made: HashSet<(ResourceType, String)>,
    pub gone: HashSet<(ResourceType, String)>,
    /// Patients that were found to be the caller's to write about: most that is written together is about few.
    known: HashSet<String>,
    /// What they call each other.
    pub links: Option<Arc<Links>>,
    /// What must hold when it is stored.
    pub preconditions: Vec<Precondition>,
    /// The search parameters that it defines, each with its type.
    defined: HashSet<(ResourceType, String)>,
    /// The identifiers of the Patients that it names.
    pub identities: Identities,
    /// Who sets the labels of what a source sends.
    pub labellers: Vec<(Source, Labeller)>,
}

/// Who becomes the source of what is new.
pub(crate) async fn source(app: &App, caller: &Caller) -> Result<Source, ApiStop> {
    let reach = caller.reach();
    match (reach.own(), reach.organisation(), reach.person()) {
        (Some(own), ..) => Ok(Source::Patient(own)),
        (None, Some(organisation), _) => Ok(Source::Organisation(organisation)),
        (None, None, Some(person)) => Ok(Source::Person(person)),
        (None, None, None) => team(app, writing_team(reach.teams()).map_err(Refusal::Denied)?).await,
    }
}

/// Refuses what the caller may not write: a type that is not for it, something about a patient who is not its own, a document
/// that would open what it cannot see.
pub(crate) async fn permit(
    app: &App,
    caller: &Caller,
    new: &Preparation,
    company: &mut BundleContext,
) -> Result<(), ApiStop> {
    permit_type(caller, new.resource_type)?;
    if new.identifiers.iter().filter_map(|identifier| identifier.system.as_deref()).any(labels::is_kept) {
        return Err(Refusal::LedgerOnly.into());
    }
    about_own_patients(app, caller, new, company).await?;
    let precondition = own_parameters::precondition(app, caller, new, &mut company.defined).await?;
    company.preconditions.extend(precondition);
    contents_in_reach(app, caller, new, company).await
}

/// Refuses a type that is not for the caller to write.
pub(crate) fn permit_type(caller: &Caller, resource_type: ResourceType) -> Result<(), Refusal> {
    must_not_be_the_ledgers(resource_type)?;
    match may_write_in(caller.scope(), area(resource_type)) {
        true => Ok(()),
        false => Err(Refusal::SystemClientsOnly),
    }
}

/// Refuses what the service alone writes, whoever asks.
pub(crate) fn must_not_be_the_ledgers(resource_type: ResourceType) -> Result<(), Refusal> {
    if NOT_WRITTEN.contains(&resource_type.name()) { Err(Refusal::LedgerOnly) } else { Ok(()) }
}

/// Refuses what would promise what is not done.
pub(crate) fn must_not_promise(resource_type: ResourceType) -> Result<(), Refusal> {
    match NOT_STORED.contains(&resource_type.name()) {
        true => Err(Refusal::Unprocessable(NO_NOTIFICATIONS.into())),
        false => Ok(()),
    }
}

/// The source of what is there, if the caller writes for it: only the same source changes what it made. `None` where nothing is
/// there that the caller may see.
pub(crate) async fn own_source(
    app: &App,
    caller: &Caller,
    (resource_type, id): (ResourceType, &str),
) -> Result<Option<Source>, ApiStop> {
    let there = records::find(&app.store, caller.reach(), resource_type, id, caller.now()).await;
    match there.during("reading what is there")? {
        Some(there) if may_act_as(caller.reach(), there.source) => Ok(Some(there.source)),
        Some(_) => {
            inquiries::write_refused(app, caller, resource_type, id);
            Err(Refusal::OtherSource.into())
        }
        None => Ok(None),
    }
}

/// The same of what is to be stored: `None` only where the caller may choose the id of something new. What demands a version is
/// refused in the same words whether the id is free or another source has it.
pub(crate) async fn of_existing(
    app: &App,
    caller: &Caller,
    (resource_type, id): (ResourceType, &str),
    demand: Demand,
) -> Result<Option<Source>, ApiStop> {
    match own_source(app, caller, (resource_type, id)).await? {
        Some(source) => Ok(Some(source)),
        None if caller.client_ids().is_some() && chooses(caller, id).is_none() => {
            inquiries::write_refused(app, caller, resource_type, id);
            Err(Refusal::IdNotChosen(resource_type.name()).into())
        }
        None if chooses(caller, id).is_some() && demand != Demand::Nothing => {
            inquiries::write_refused(app, caller, resource_type, id);
            Err(version_demand::not_met(0).into())
        }
        None if may_choose(app, caller, (resource_type, id)).await? => Ok(None),
        None => Err(absence::unwritten((app, caller), (resource_type, id)).into()),
    }
}

/// Only a System Client chooses ids, for this organisation, and only such that nobody else comes upon: a guess at somebody's must
/// not become theirs. Where the operator lets it move in with the ids that it has, that is the operator's to answer for.
fn chooses(caller: &Caller, id: &str) -> Option<OrganisationId> {
    let may = match caller.client_ids()? {
        ClientIds::Uuid => is_uuid(id),
        ClientIds::Any => true,
    };
    caller.reach().organisation().filter(|_| may)
}

/// A patient who is registered elsewhere is known already, though there is no Patient yet.
async fn may_choose(app: &App, caller: &Caller, (resource_type, id): (ResourceType, &str)) -> Result<bool, ApiStop> {
    let Some(own) = chooses(caller, id) else { return Ok(false) };
    if resource_type != ResourceType::Patient {
        return Ok(true);
    }
    let teams = registrations::teams(&app.store, id).await.during("listing the teams of a patient")?;
    Ok(teams.is_empty() || teams.iter().any(|team| team.organisation == own))
}

/// As `uuidgen` writes it, in small letters: FHIR's ids are compared letter for letter.
fn is_uuid(id: &str) -> bool {
    id.len() == 36 && uuid::Uuid::try_parse(id).is_ok_and(|uuid| uuid.hyphenated().to_string() == id)
}

const fn area(resource_type: ResourceType) -> Area {
    match resource_type {
        ResourceType::Patient => Area::Patient,
        _ if resource_type.is_public() => Area::Directory,
        _ => Area::Record,
    }
}

/// The patient of every compartment that the resource would be in must be one that the caller may write about. A Patient is
/// in its own, whoever it is.
async fn about_own_patients(
    app: &App,
    caller: &Caller,
    new: &Preparation,
    company: &mut BundleContext,
) -> Result<(), ApiStop> {
    let mut issues = Vec::new();
    let others = new.patients.iter().filter(|_| new.resource_type != ResourceType::Patient);
    for patient in others {
        caller.must_be_of_glass(patient)?;
        if !is_own_patient(app, caller, patient, company).await? {
            inquiries::write_about_refused(app, caller, new.resource_type, patient);
            issues.extend(foreign(app, caller, new, patient));
            issues.truncate(ISSUES);
        }
    }
    if caller.reach().record().is_some() {
        issues.extend(new.unlinked.iter().map(|unlinked| patient_identities::not_oneself(caller, unlinked)));
    }
    issues.extend(patient_identities::foreign_identifiers(app, caller, new, &mut company.identities).await?);
    issues.truncate(ISSUES);
    if !issues.is_empty() {
        return Err(ApiStop::Issues(issues));
    }
    match (caller.reach().record(), new.patients.as_slice()) {
        (Some(_), []) if new.resource_type != ResourceType::Binary => Err(Refusal::Unprocessable(format!(
            "a patient writes in their own record: this {} must refer to its patient{}",
            new.resource_type.name(),
            caller.patient().as_ref().map(|own| format!(", Patient/{own}")).unwrap_or_default()
        ))
        .into()),
        _ => Ok(()),
    }
}

/// Whether a patient is one that the caller may write about: in reach, and there when this is written.
async fn is_own_patient(
    app: &App,
    caller: &Caller,
    patient: &str,
    company: &mut BundleContext,
) -> Result<bool, ApiStop> {
    let named = (ResourceType::Patient, patient.to_owned());
    if company.made.contains(&named) || company.known.contains(patient) {
        return Ok(true);
    }
    if company.gone.contains(&named) {
        return Ok(false);
    }
    let is_known = match caller.reach().lens() {
        None => {
            let known = records::read(&app.store, caller.reach(), ResourceType::Patient, patient, caller.now()).await;
            known.during("reading the patient of a resource")?.is_some()
        }
        // Whoever writes an item need not have been granted to read the Patient.
        Some(_) => {
            let known = circle::in_reach(&app.store, caller.reach(), patient, caller.now()).await;
            known.during("looking for the patient of a resource")?.is_some()
        }
    };
    if is_known {
        company.known.insert(patient.to_owned());
    }
    Ok(is_known)
}

/// Says of each element that names a patient of somebody else that it does.
fn foreign(app: &App, caller: &Caller, new: &Preparation, patient: &str) -> Vec<Issue> {
    let (text, base) = (new.body.joined(1, "", ""), preparation::base(&app.settings.base_url));
    let mut places = citations::places(&text, (ResourceType::Patient, patient), &base, ISSUES);
    if places.is_empty() {
        places.push(new.resource_type.name().to_owned());
    }
    let why = format!("Patient/{patient} is not {}", whose(caller));
    places.into_iter().map(|place| Issue::rule(IssueCode::Processing, place, why.clone())).collect()
}

/// Whom the caller may write about, as a refusal says it.
fn whose(caller: &Caller) -> String {
    let reach = caller.reach();
    match (reach.own(), reach.organisation(), caller.patient()) {
        (Some(_), _, Some(own)) => format!("this patient; write about yourself, Patient/{own}"),
        (Some(_), _, None) => "this patient".into(),
        (None, Some(_), _) => "a patient of this organisation".into(),
        (None, None, _) => "a patient of this team".into(),
    }
}

/// The one team of a session.
async fn team(app: &App, team: TeamId) -> Result<Source, ApiStop> {
    let only = organisations::team(&app.store, team).await.during("looking a team up")?;
    let only = only.ok_or_else(|| Refusal::Unprocessable("the team of this session is gone".into()))?;
    Ok(Source::Team(only.id, only.organisation))
}

/// A document opens the Binaries of its own source to all who may see the document. So nobody may make one around a
/// Binary that they cannot see themselves, nor around one that is yet to come.
async fn contents_in_reach(
    app: &App,
    caller: &Caller,
    document: &Preparation,
    company: &BundleContext,
) -> Result<(), ApiStop> {
    for id in document.foreign_binaries() {
        let named = (ResourceType::Binary, id.to_owned());
        if company.made.contains(&named) {
            continue;
        }
        let obstacle = receipts::obstacle(&app.store, caller.reach(), id, caller.now()).await;
        if obstacle.during("reading a Binary")?.is_some() || company.gone.contains(&named) {
            let why = format!("content refers to Binary/{id}, which is not there or not within this caller's reach");
            return Err(Refusal::Unprocessable(why).into());
        }
    }
    Ok(())
}
