//! What a write is aimed at: the resource of an id, the one that meets criteria, or a new one; and whether it is the caller's to
//! write.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::absence;
use crate::interactions::inquiries;
use crate::interactions::write::request::{WriteRequest, WriteTarget};
use crate::interactions::write::{authority, criteria, version_demand};
use crate::secrets::dice;
use crate::voices::api::ApiStop;
use fhir::reference;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::reach::{Source, may_act_as};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;
use store::read as records;
use store::stored::resource::Resource;
use store::write::precondition::Precondition;
use store::write::resource_write::Demand;

/// What a write was aimed at.
#[derive(Debug)]
pub(crate) struct Target {
    pub id: String,
    /// Whether what is stored must carry this id: its sender chose it.
    pub is_chosen: bool,
    pub there: There,
    /// The search that led to it.
    pub precondition: Option<Precondition>,
}

/// What is there.
#[derive(Debug)]
pub(crate) enum There {
    /// Nothing yet.
    Nothing,
    /// What this source made, for which the caller writes.
    Own(Source),
    /// The same, to be patched.
    Current(Arc<Resource>),
    /// What was not to be made a second time.
    Already(Arc<Resource>),
    /// Nothing, which is as it should be afterwards.
    Gone,
}

/// Finds what a write is aimed at, and refuses what is not the caller's to write. What the same transaction deletes before, `gone`,
/// meets no criteria.
pub(crate) async fn target(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    deed: &WriteRequest,
    gone: &HashSet<(ResourceType, String)>,
) -> Result<Target, ApiStop> {
    caller.must_be_granted(of.name(), deed.needed())?;
    let caller = &*caller.aimed_at(deed.needed());
    authority::must_not_be_the_ledgers(of)?;
    if !matches!(deed, WriteRequest::Delete { .. }) {
        authority::must_not_promise(of)?;
    }
    let at = |id: &str, there| Target { id: id.to_owned(), is_chosen: true, there, precondition: None };
    match deed {
        WriteRequest::Create { unless: None, .. } => {
            Ok(Target { is_chosen: false, ..at(&dice::resource_id(caller.now())?, There::Nothing) })
        }
        WriteRequest::Update { aim: WriteTarget::Id(id), demand, .. } => {
            let source = authority::of_existing(app, caller, (of, id), *demand).await?;
            Ok(at(id, source.map_or(There::Nothing, There::Own)))
        }
        WriteRequest::Patch { aim: WriteTarget::Id(id), .. } => {
            permit_type((app, caller), of, id)?;
            let current = records::find(&app.store, caller.reach(), of, id, caller.now()).await;
            let current = current.during("reading what is there")?;
            let current = current.ok_or_else(|| absence::unwritten((app, caller), (of, id)))?;
            absence::must_be_there(&current)?;
            must_be_own(app, caller, &current)?;
            Ok(at(id, There::Current(current)))
        }
        WriteRequest::Delete { aim: WriteTarget::Id(id), demand } => {
            permit_type((app, caller), of, id)?;
            if let Some(source) = authority::own_source(app, caller, (of, id)).await? {
                return Ok(at(id, There::Own(source)));
            }
            inquiries::write_refused(app, caller, of, id);
            // What the caller does not see is, to this caller, what was never there: nothing, as it should be afterwards.
            match *demand {
                Demand::Nothing => Ok(at(id, There::Gone)),
                _ => Err(version_demand::not_met(0).into()),
            }
        }
        WriteRequest::Create { unless: Some(query), .. }
        | WriteRequest::Update { aim: WriteTarget::Criteria(query), .. }
        | WriteRequest::Patch { aim: WriteTarget::Criteria(query), .. }
        | WriteRequest::Delete { aim: WriteTarget::Criteria(query), .. } => {
            authority::permit_type(caller, of)
                .inspect_err(|_| inquiries::write_by_criteria_refused(app, caller, query))?;
            let (found, precondition) = criteria::look(app, caller, query, gone).await?;
            let target = match found {
                Some(found) => of_match(app, caller, deed, found)?,
                None => without_match(app, caller, of, deed).await?,
            };
            Ok(Target { precondition: Some(precondition), ..target })
        }
    }
}

fn of_match(app: &App, caller: &Caller, deed: &WriteRequest, found: Arc<Resource>) -> Result<Target, Refusal> {
    let (id, source) = (found.id.clone(), found.source);
    let there = match deed {
        WriteRequest::Create { .. } => There::Already(found),
        WriteRequest::Update { text, .. } => {
            must_be_own(app, caller, &found)?;
            if let Some(sent) = own_id(text).filter(|sent| *sent != id) {
                let sent = rules::params::shown(&sent);
                return Err(Refusal::Invalid(format!(
                    "the resource that meets the criteria has the id {id}, and this one says {sent}; leave the id out"
                )));
            }
            There::Own(source)
        }
        WriteRequest::Patch { .. } => {
            must_be_own(app, caller, &found)?;
            There::Current(found)
        }
        WriteRequest::Delete { .. } => {
            must_be_own(app, caller, &found)?;
            There::Own(source)
        }
    };
    Ok(Target { id, is_chosen: matches!(deed, WriteRequest::Patch { .. }), there, precondition: None })
}

async fn without_match(app: &App, caller: &Caller, of: ResourceType, deed: &WriteRequest) -> Result<Target, ApiStop> {
    let new = |id: String, is_chosen| Target { id, is_chosen, there: There::Nothing, precondition: None };
    match deed {
        WriteRequest::Create { .. } => Ok(new(dice::resource_id(caller.now())?, false)),
        WriteRequest::Update { demand, .. } if *demand != Demand::Nothing => Err(version_demand::not_met(0).into()),
        WriteRequest::Update { text, .. } => match own_id(text) {
            None => Ok(new(dice::resource_id(caller.now())?, false)),
            Some(id) if !reference::is_id(&id) => Ok(new(id, true)),
            Some(id) => match authority::of_existing(app, caller, (of, &id), Demand::Nothing).await? {
                None => Ok(new(id, true)),
                Some(_) => Err(Refusal::Conflict(format!(
                    "{}/{id} is there and does not meet the criteria; leave its id out, or update it by its id",
                    of.name()
                ))
                .into()),
            },
        },
        WriteRequest::Patch { .. } => {
            let name = of.name();
            Err(Refusal::NotFound(format!("there is no {name} that this caller may see and that meets the criteria"))
                .into())
        }
        WriteRequest::Delete { .. } => {
            Ok(Target { id: String::new(), is_chosen: false, there: There::Gone, precondition: None })
        }
    }
}

fn must_be_own(app: &App, caller: &Caller, found: &Resource) -> Result<(), Refusal> {
    if may_act_as(caller.reach(), found.source) {
        return Ok(());
    }
    inquiries::write_refused(app, caller, found.resource_type, &found.id);
    Err(Refusal::OtherSource)
}

/// Refuses a type that is not for the caller to write, which is counted.
fn permit_type((app, caller): (&App, &Caller), of: ResourceType, id: &str) -> Result<(), Refusal> {
    authority::permit_type(caller, of).inspect_err(|_| inquiries::write_refused(app, caller, of, id))
}

/// The id that a resource carries itself. What cannot be read is refused when it is validated.
fn own_id(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Identity {
        id: Option<Value>,
    }
    let identity: Identity = serde_json::from_str(text).ok()?;
    identity.id.map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned))
}
