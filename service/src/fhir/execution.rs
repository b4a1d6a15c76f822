//! Making a write while what it rests on holds: its target, whether the caller may make it, and one transaction. Every write of a
//! text comes through here.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::fhir::authority::Company;
use crate::fhir::deed::{self, Deed, Done};
use crate::fhir::target::{self, Target, There};
use crate::fhir::{authority, conditions, submission};
use crate::formats::when;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::limits::WRITE_TRIES;
use rules::reach::Source;
use store::transaction::{self, Act, Course, Effect, Plan};
use store::write::{Demand, NewResource, Stored};

/// Does one thing. Where others change what it rests on meanwhile, it is tried anew on what is there then.
pub(super) async fn one(app: &App, caller: &Caller, of: ResourceType, deed: &Deed) -> Result<Done, ApiStop> {
    for _ in 0..WRITE_TRIES {
        let mut aimed = target::target(app, caller, of, deed).await?;
        let mut company = Company::default();
        let Some(act) = act(app, caller, of, (deed, &aimed, None), None, &mut company).await? else {
            return Ok(without_act(aimed));
        };
        let mut held = app.prepared.claim(caller.taker());
        held.grow(held_bytes(&act))?;
        let premises = aimed.premise.take().into_iter().chain(company.premises).collect();
        let plan = Plan { premises, acts: vec![act] };
        match make(app, caller, plan).await? {
            Course::Done(effects) => {
                return effects
                    .into_iter()
                    .next()
                    .map(|effect| done(aimed, effect))
                    .ok_or_else(|| deed::overtaken().into());
            }
            Course::Moved => {}
            Course::Stopped(_, hindrance) => {
                if let Some(refusal) = deed.refusal(of, hindrance) {
                    return Err(refusal.into());
                }
            }
        }
    }
    Err(deed::overtaken().into())
}

/// Stores what was prepared already, for the source of what is there, or for the caller's own where nothing is.
pub(super) async fn store(
    app: &App,
    caller: &Caller,
    new: NewResource,
    source: Option<Source>,
    demand: Demand,
) -> Result<Stored, ApiStop> {
    let of = new.content.resource_type;
    let act = put(app, caller, new, (source, demand), &mut Company::default()).await?;
    let mut held = app.prepared.claim(caller.taker());
    held.grow(held_bytes(&act))?;
    match make(app, caller, Plan { premises: Vec::new(), acts: vec![act] }).await? {
        Course::Done(effects) => match effects.into_iter().next() {
            Some(Effect::Stored(stored)) => Ok(stored),
            _ => Err(deed::overtaken().into()),
        },
        Course::Moved => Err(deed::overtaken().into()),
        Course::Stopped(_, hindrance) => Err(deed::refusal(of, hindrance).into()),
    }
}

/// About how many bytes of memory something that is to be done takes until it is.
pub(super) fn held_bytes(act: &Act) -> usize {
    match act {
        Act::Put { new, .. } => new.content.held_bytes(),
        Act::Delete { .. } => 0,
    }
}

/// What is done to a target, prepared and permitted; nothing where nothing has to be done. `base` is what the references of its
/// text are relative to, where that is another server. A text that was prepared before is taken as it is.
pub(super) async fn act(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    (deed, target, base): (&Deed, &Target, Option<&str>),
    prepared: Option<NewResource>,
    company: &mut Company,
) -> Result<Option<Act>, ApiStop> {
    let Target { id, is_chosen, there, .. } = target;
    let source = match there {
        There::Own(source) => Some(*source),
        There::Current(current) => Some(current.source),
        There::Nothing => None,
        There::Already(_) | There::Gone => return Ok(None),
    };
    let (text, demand) = match (deed, there) {
        (Deed::Create { text, .. }, _) => (text.clone(), Demand::Nothing),
        (Deed::Update { text, demand, .. }, _) => (text.clone(), *demand),
        (Deed::Patch { patch, demand, .. }, There::Current(current)) => {
            if matches!(demand, Demand::Version(demanded) if *demanded != current.version) {
                return Err(conditions::not_met(current.version).into());
            }
            (patch.applied((app, caller), current.clone()).await?.into(), Demand::Version(current.version))
        }
        (Deed::Delete { demand, .. }, _) => {
            let Some(source) = source else { return Ok(None) };
            return Ok(Some(Act::Delete { resource_type: of, id: id.clone(), source, demand: *demand }));
        }
        (Deed::Patch { .. }, _) => return Ok(None),
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

async fn put(
    app: &App,
    caller: &Caller,
    new: NewResource,
    (source, demand): (Option<Source>, Demand),
    company: &mut Company,
) -> Result<Act, ApiStop> {
    authority::permit(app, caller, &new.content, company).await?;
    let source = match source {
        Some(source) => source,
        None => authority::source(app, caller, &new.content).await?,
    };
    Ok(Act::Put { new: Box::new(new), source, demand })
}

/// Makes a plan in the name of the caller.
pub(super) async fn make(app: &App, caller: &Caller, plan: Plan) -> Result<Course, ApiStop> {
    let (store, updated) = (app.store.by(caller.author()), when::rfc3339(caller.now));
    let made = transaction::make(&store, caller.reach.clone(), plan, caller.now, updated).await;
    Ok(made.during("writing resources")?)
}

/// What was done to a target.
pub(super) fn done(target: Target, effect: Effect) -> Done {
    match effect {
        Effect::Stored(stored) => Done::Stored { id: target.id, stored },
        Effect::Deleted(version) => Done::Deleted(Some(version)),
    }
}

/// What is told of a target to which nothing had to be done.
pub(super) fn without_act(target: Target) -> Done {
    match target.there {
        There::Already(found) => Done::Already(found),
        _ => Done::Deleted(None),
    }
}
