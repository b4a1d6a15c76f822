//! Making a write while what it rests on holds: its target, whether the caller may make it, and one transaction. Every write of a
//! text comes through here.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::must_write;
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::interactions::consents::fhir_consent;
use crate::interactions::inquiries;
use crate::interactions::lens;
use crate::interactions::noted::Noted;
use crate::interactions::write::authority::BundleContext;
use crate::interactions::write::request::{self, WriteOutcome, WriteRequest};
use crate::interactions::write::target::{self, Target, There};
use crate::interactions::write::{addition, authority, labeller, submission, version_demand};
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::consent::delay;
use rules::limits::{HIDDEN_DAYS, WRITE_TRIES};
use rules::reach::Source;
use std::collections::HashSet;
use store::write::resource_write::{Demand, NewResource, Stored};
use store::write::transaction::{self, Act, Effect, Hindrance, Plan, PlanOutcome};

/// Does one thing. Where others change what it rests on meanwhile, it is tried anew on what is there then.
pub(crate) async fn one(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    request: &WriteRequest,
) -> Result<WriteOutcome, ApiStop> {
    caller.must_be_granted(of.name(), request.needed())?;
    let caller = &*caller.aimed_at(request.needed());
    if of == ResourceType::Consent
        && let Some(done) = fhir_consent::write(app, caller, request).await?
    {
        return Ok(done);
    }
    must_write(caller)?;
    for _ in 0..WRITE_TRIES {
        let since = app.store.mark();
        let mut aimed = target::target(app, caller, of, request, &HashSet::new()).await?;
        let mut company = BundleContext::default();
        let Some(act) = act(app, caller, of, (request, &aimed, None), None, &mut company).await? else {
            return Ok(without_act(app, caller, aimed));
        };
        let mut held = app.prepared.claim(caller.taker());
        held.grow(act.held_bytes())?;
        let preconditions = aimed.precondition.take().into_iter().chain(company.preconditions).collect();
        let plan = Plan { preconditions, since, acts: vec![act] };
        match make(app, caller, plan).await? {
            PlanOutcome::Done(effects) => {
                return effects
                    .into_iter()
                    .next()
                    .map(|effect| done(aimed, effect))
                    .ok_or_else(|| request::overtaken().into());
            }
            PlanOutcome::Moved => {}
            PlanOutcome::TooLarge => return Err(request::too_large().into()),
            PlanOutcome::Stopped(_, hindrance) => {
                if let Some(refusal) = request.refusal(of, hindrance) {
                    return Err(refusal.into());
                }
            }
        }
    }
    Err(request::overtaken().into())
}

/// Stores what was prepared already, for the source of what is there, or for the caller's own where nothing is.
pub(crate) async fn store(
    app: &App,
    caller: &Caller,
    new: NewResource,
    source: Option<Source>,
    demand: Demand,
) -> Result<Stored, ApiStop> {
    let of = new.content.resource_type;
    let act = put(app, caller, new, (source, demand), &mut BundleContext::default()).await?;
    let mut held = app.prepared.claim(caller.taker());
    held.grow(act.held_bytes())?;
    match make(app, caller, Plan { acts: vec![act], ..Plan::default() }).await? {
        PlanOutcome::Done(effects) => match effects.into_iter().next() {
            Some(Effect::Stored(stored)) => Ok(stored),
            _ => Err(request::overtaken().into()),
        },
        PlanOutcome::Moved => Err(request::overtaken().into()),
        PlanOutcome::TooLarge => Err(request::too_large().into()),
        PlanOutcome::Stopped(_, hindrance) => Err(request::refusal(of, hindrance).into()),
    }
}

/// What is done to a target, prepared and permitted; nothing where nothing has to be done. `base` is what the references of its
/// text are relative to, where that is another server. A text that was prepared before is taken as it is.
pub(crate) async fn act(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    (request, target, base): (&WriteRequest, &Target, Option<&str>),
    prepared: Option<NewResource>,
    company: &mut BundleContext,
) -> Result<Option<Act>, ApiStop> {
    let caller = &*caller.aimed_at(request.needed());
    let Target { id, is_chosen, there, .. } = target;
    let source = match there {
        There::Own(source) => Some(*source),
        There::Current(current) => Some(current.source),
        There::Nothing => None,
        There::Already(_) | There::Gone => return Ok(None),
    };
    if of == ResourceType::Consent {
        fhir_consent::must_not_share(app, request, id).await?;
    }
    let (text, demand) = match (request, there) {
        (WriteRequest::Create { text, .. }, _) => (text.clone(), Demand::Nothing),
        (WriteRequest::Update { text, demand, .. }, _) => (text.clone(), *demand),
        (WriteRequest::Patch { patch, demand, .. }, There::Current(current)) => {
            if matches!(demand, Demand::Version(demanded) if *demanded != current.version) {
                return Err(version_demand::not_met(current.version).into());
            }
            (patch.applied((app, caller), current.clone()).await?.into(), Demand::Version(current.version))
        }
        (WriteRequest::Delete { demand, .. }, _) => {
            let Some(source) = source else { return Ok(None) };
            return Ok(Some(Act::Delete { resource_type: of, id: id.clone(), source, demand: *demand }));
        }
        (WriteRequest::Patch { .. }, _) => return Ok(None),
    };
    let new = match (prepared, &company.links) {
        (Some(prepared), _) => prepared,
        (None, Some(links)) => {
            let text = links.replaced(&text, base).map_err(ApiStop::Issues)?.into();
            submission::prepare((app, caller), text, of, (id, *is_chosen)).await?
        }
        (None, None) => submission::prepare((app, caller), text, of, (id, *is_chosen)).await?,
    };
    put(app, caller, new, (source, demand), company).await.map(Some)
}

/// Something that is to be stored, permitted, for the source of what is there or for the caller's own.
pub(crate) async fn put(
    app: &App,
    caller: &Caller,
    new: NewResource,
    (source, demand): (Option<Source>, Demand),
    company: &mut BundleContext,
) -> Result<Act, ApiStop> {
    authority::permit(app, caller, &new.content, company).await?;
    let is_new = source.is_none();
    lens::must_open(caller, &new.content, is_new)?;
    let source = match source {
        Some(source) => source,
        None => {
            addition::must_be_open(app, caller, &new.content, company).await?;
            authority::source(app, caller).await?
        }
    };
    if let Some(days) = new.content.audience.hidden_days {
        let name = new.content.resource_type.name();
        delay::wanted(name, &source, days, HIDDEN_DAYS, caller.now()).map_err(Refusal::Denied)?;
    }
    let new = labeller::labelled(app, caller, new, (source, is_new), company).await?;
    Ok(Act::Put { new: Box::new(new), source, demand })
}

/// Makes a plan in the name of the caller.
pub(crate) async fn make(app: &App, caller: &Caller, plan: Plan) -> Result<PlanOutcome, ApiStop> {
    let (store, updated) = (app.store.by(caller.author()), when::rfc3339(caller.now()));
    let named: Vec<(ResourceType, String)> = plan.acts.iter().map(named).collect();
    let made = transaction::make(&store, caller.reach().clone(), plan, caller.now(), updated).await;
    let made = made.during("writing resources")?;
    if let PlanOutcome::Stopped(act, Hindrance::NotThere | Hindrance::OtherSource) = made
        && let Some((of, id)) = named.get(act)
    {
        inquiries::write_refused(app, caller, *of, id);
    }
    Ok(made)
}

/// What something is to be done to.
fn named(act: &Act) -> (ResourceType, String) {
    match act {
        Act::Put { new, .. } => (new.content.resource_type, new.content.id.clone()),
        Act::Delete { resource_type, id, .. } => (*resource_type, id.clone()),
    }
}

/// What was done to a target.
pub(crate) fn done(target: Target, effect: Effect) -> WriteOutcome {
    match effect {
        Effect::Stored(stored) => WriteOutcome::Stored { id: target.id, stored },
        Effect::Deleted(version) => WriteOutcome::Deleted(Some(version)),
    }
}

/// What is told of a target to which nothing had to be done.
pub(crate) fn without_act(app: &App, caller: &Caller, target: Target) -> WriteOutcome {
    match target.there {
        There::Already(found) => WriteOutcome::Already(Noted::one(app, caller, found)),
        _ => WriteOutcome::Deleted(None),
    }
}
