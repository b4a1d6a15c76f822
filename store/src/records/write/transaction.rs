//! Writes that are made together or not at all, and only while what they rest on holds.

use super::attempts::anew_if_taken;
use super::deletion::{self, Deletion};
use super::draft::Draft;
use super::precondition::{self, Precondition, PreconditionLooks};
use super::predecessor::{self, Demand};
use super::resource_write::{NewResource, Outcome, Stored, Writing};
use crate::cache::{Cache, WriteMark};
use crate::engine::{Rollback, Tx};
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::records::index::own_parameters;
use crate::records::search::compile::Compilation;
use crate::store::Store;
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::reach::{Reach, Source};
use std::sync::Arc;

/// One of the writes.
#[derive(Clone, Debug)]
pub enum Act {
    Put { new: Box<NewResource>, source: Source, demand: Demand },
    Delete { resource_type: ResourceType, id: String, source: Source, demand: Demand },
}

impl Act {
    fn named(&self) -> (ResourceType, &str) {
        match self {
            Self::Put { new, .. } => (new.content.resource_type, &new.content.id),
            Self::Delete { resource_type, id, .. } => (*resource_type, id),
        }
    }
}

/// What is to be made; no resource is named twice.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub preconditions: Vec<Precondition>,
    /// Before the looks were made of which the preconditions tell (`Store::mark`), where that is known.
    pub since: Option<WriteMark>,
    pub acts: Vec<Act>,
}

/// What became of a plan.
#[derive(Clone, Debug)]
pub enum PlanOutcome {
    /// All of it was made; what each act did.
    Done(Vec<Effect>),
    /// Nothing was made: a precondition does not hold any more, or others have changed so much meanwhile that it would take the
    /// writer too long to tell.
    Moved,
    /// Nothing was made: this act cannot be.
    Stopped(usize, Hindrance),
}

/// What an act did.
#[derive(Clone, Debug)]
pub enum Effect {
    Stored(Stored),
    /// Deleted by this version, now or before.
    Deleted(i64),
}

/// Why an act cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
    NotThere,
    /// There from another source, which alone may change it.
    OtherSource,
    /// There in this version, or not at all (0), and not as it was demanded.
    OtherVersion(i64),
}

/// A plan as it is made by somebody of this reach.
struct Making {
    ids: Arc<Ids>,
    reach: Reach,
    plan: Plan,
    /// How its preconditions are looked at again.
    looks: Vec<Compilation>,
    now: Moment,
    updated: String,
    /// Of a plan of one act, what that may store.
    draft: Option<Draft>,
    cache: Option<Arc<Cache>>,
}

/// Makes a plan of somebody of this reach in one transaction. `updated` is `now` as FHIR writes it.
pub async fn make(store: &Store, reach: Reach, plan: Plan, now: Moment, updated: String) -> Result<PlanOutcome> {
    if plan.acts.iter().any(|act| matches!(act, Act::Put { .. })) {
        store.room()?;
    }
    let draft = match plan.acts.as_slice() {
        // What demands a version is none that would be new.
        [Act::Put { new, source, demand: Demand::Nothing }] => {
            Draft::of(store, &new.content, *source, &updated).await?
        }
        _ => None,
    };
    let looks = precondition::compile(&plan.preconditions, &reach);
    let (ids, cache) = (store.ids.clone(), store.cache.clone());
    let making = Arc::new(Making { ids, reach, plan, looks, now, updated, draft, cache });
    anew_if_taken(|| make_once(store, making.clone())).await
}

async fn make_once(store: &Store, making: Arc<Making>) -> Result<PlanOutcome> {
    if making.plan.acts.len() > 1 {
        let write = store.run(Rollback::WithItsTransaction, move |tx| Box::pin(async move { making.course(tx).await }));
        return write.await;
    }
    let write = store.repeat(move |tx| {
        let making = making.clone();
        Box::pin(async move { making.course(tx).await })
    });
    write.await
}

impl Making {
    async fn course(&self, tx: &mut Tx<'_>) -> Result<PlanOutcome> {
        let Plan { preconditions, since, acts } = &self.plan;
        precondition::take_turn(tx, preconditions, acts.iter().map(|act| act.named().0)).await?;
        own_parameters::take_turn(tx, acts.iter().map(|act| act.named().0)).await?;
        let changes = self.cache.as_ref().map(|cache| &cache.changes);
        let looks = PreconditionLooks { preconditions, compilations: &self.looks, since: *since };
        if !looks.hold(tx, changes, (&self.reach, self.now)).await? {
            return Ok(PlanOutcome::Moved);
        }
        // One act alone is made or not made by itself.
        if acts.len() > 1
            && let Some((at, hindrance)) = hindrance(tx, acts).await?
        {
            return Ok(PlanOutcome::Stopped(at, hindrance));
        }
        all(tx, &self.ids, acts, (self.now, &self.updated), self.draft.as_ref()).await
    }
}

/// The first act that cannot be made, if there is one. What is there is locked in one order for all, so that no two
/// transactions wait for each other.
async fn hindrance(tx: &mut Tx<'_>, acts: &[Act]) -> Result<Option<(usize, Hindrance)>> {
    let mut order: Vec<(usize, &Act)> = acts.iter().enumerate().collect();
    order.sort_by_key(|(_, act)| {
        let (resource_type, id) = act.named();
        (resource_type.number(), id)
    });
    let mut first: Option<(usize, Hindrance)> = None;
    for (at, act) in order {
        let found = match act {
            Act::Put { new, source, demand } => hindrance_of_put(tx, new, *source, *demand).await?,
            Act::Delete { resource_type, id, source, demand } => {
                let before = predecessor::before(tx, resource_type.number(), id).await?;
                deletion::judge(before, *source, *demand).err().and_then(|why| effect_of_deletion(why).err())
            }
        };
        if let Some(found) = found.filter(|_| first.is_none_or(|(before, _)| at < before)) {
            first = Some((at, found));
        }
    }
    Ok(first)
}

async fn hindrance_of_put(
    tx: &mut Tx<'_>,
    new: &NewResource,
    source: Source,
    demand: Demand,
) -> Result<Option<Hindrance>> {
    for attachment in &new.content.attachments {
        let before = predecessor::before(tx, attachment.resource_type.number(), &attachment.id).await?;
        if before.is_some_and(|before| !before.source.is(&source)) {
            return Ok(Some(Hindrance::OtherSource));
        }
    }
    let before = predecessor::before(tx, new.content.resource_type.number(), &new.content.id).await?;
    Ok(match before {
        Some(before) if !before.source.is(&source) => Some(Hindrance::OtherSource),
        Some(before) if !before.meets(demand) => Some(Hindrance::OtherVersion(before.version)),
        None if !demand.is_met(None) => Some(Hindrance::OtherVersion(0)),
        _ => None,
    })
}

/// What is stored for one source, each with its place among the acts.
type Puts<'a> = Vec<(usize, &'a NewResource, Demand)>;

/// Makes all acts: what is deleted first, then what is stored, source by source. A draft is of the only one.
async fn all(
    tx: &mut Tx<'_>,
    ids: &Ids,
    acts: &[Act],
    (now, updated): (Moment, &str),
    draft: Option<&Draft>,
) -> Result<PlanOutcome> {
    let is_alone = acts.len() == 1;
    let mut effects: Vec<Option<Effect>> = vec![None; acts.len()];
    let mut by_source: Vec<(Source, Puts<'_>)> = Vec::new();
    for (at, act) in acts.iter().enumerate() {
        match act {
            Act::Delete { resource_type, id, source, demand } => {
                let deleted = deletion::delete_in(tx, ids, (*resource_type, id), *source, *demand, now).await?;
                match effect_of_deletion(deleted) {
                    Ok(effect) => place(&mut effects, at, effect),
                    Err(hindrance) => return stopped(is_alone, at, hindrance),
                }
            }
            Act::Put { new, source, demand } => match by_source.iter_mut().find(|(known, _)| known == source) {
                Some((_, puts)) => puts.push((at, new, *demand)),
                None => by_source.push((*source, vec![(at, new, *demand)])),
            },
        }
    }
    for (source, puts) in by_source {
        let mut writing = Writing::of(tx, ids, source, (now, updated), draft).await?;
        for (at, new, demand) in puts {
            let stored = writing.put_whole(new, demand, draft).await?;
            match stored.outcome {
                Outcome::Version(_) | Outcome::Unchanged => place(&mut effects, at, Effect::Stored(stored)),
                Outcome::OtherSource => return stopped(is_alone, at, Hindrance::OtherSource),
                Outcome::OtherVersion => return stopped(is_alone, at, Hindrance::OtherVersion(stored.version)),
            }
        }
        writing.finish().await?;
    }
    Ok(PlanOutcome::Done(effects.into_iter().flatten().collect()))
}

fn place(effects: &mut [Option<Effect>], at: usize, effect: Effect) {
    if let Some(place) = effects.get_mut(at) {
        *place = Some(effect);
    }
}

/// An act that was not made. Beside others, which may have been made already, it is trouble: all of them were looked at before.
fn stopped(is_alone: bool, at: usize, hindrance: Hindrance) -> Result<PlanOutcome> {
    match is_alone {
        true => Ok(PlanOutcome::Stopped(at, hindrance)),
        false => Err(Error::Impossible(format!("an act that could be made and then could not: {hindrance:?}"))),
    }
}

const fn effect_of_deletion(deletion: Deletion) -> std::result::Result<Effect, Hindrance> {
    match deletion {
        Deletion::Version(version) | Deletion::Before(version) => Ok(Effect::Deleted(version)),
        Deletion::NotThere => Err(Hindrance::NotThere),
        Deletion::OtherSource => Err(Hindrance::OtherSource),
        Deletion::OtherVersion(version) => Err(Hindrance::OtherVersion(version)),
    }
}
