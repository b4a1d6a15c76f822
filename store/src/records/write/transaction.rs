//! Writes that are made together or not at all, and only while what they rest on holds.

use super::attempts::{Attempt, anew_if_taken};
use super::deletion::{self, Deletion};
use super::draft::Drafts;
use super::index_changes::{self, IndexChanges};
use super::label;
use super::left_rows::LeftRows;
use super::moment;
use super::new_resource::NewResource;
use super::outcome::Outcome;
use super::precondition::{self, PreconditionLooks};
use super::predecessor::{self, Demand, StoredIds};
use super::staging::{self, Staging, StagingGuard};
use super::writing::{Replacing, Writing};
use crate::cache::Cache;
use crate::engine::{Rollback, Tx};
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::records::index::own_parameters;
use crate::records::search::compile::Compilation;
use crate::store::Store;
use crate::version_clock::{VersionClock, VersionMoment};
use fhir::preparation::Preparation;
use rules::moment::Moment;
use rules::reach::{Reach, Source};
use std::sync::Arc;

pub use super::plan::{Act, Effect, Hindrance, Plan, PlanOutcome};

/// A plan that is to be made by somebody of this reach.
struct PlanOrder {
    ids: Arc<Ids>,
    versions: Arc<VersionClock>,
    reach: Reach,
    plan: Arc<Plan>,
    /// How its preconditions are looked at again.
    looks: Vec<Compilation>,
    now: Moment,
    updated: Arc<str>,
    cache: Option<Arc<Cache>>,
}

/// Makes a plan of somebody of this reach in one transaction. `updated` is `now` as FHIR writes it. It is made again where
/// somebody else was quicker; the last time, with nothing written ahead.
pub async fn make(store: &Store, reach: Reach, plan: Plan, now: Moment, updated: String) -> Result<PlanOutcome> {
    if plan.acts.iter().any(|act| matches!(act, Act::Put { .. })) {
        store.room()?;
    }
    let looks = precondition::compile(&plan.preconditions, &reach);
    let (ids, versions, cache) = (store.ids.clone(), store.versions.clone(), store.cache.clone());
    let (plan, updated) = (Arc::new(plan), updated.into());
    let order = Arc::new(PlanOrder { ids, versions, reach, plan, looks, now, updated, cache });
    anew_if_taken(|number| attempt(store, &order, number)).await
}

/// What was made ready before a plan's transaction.
struct Readiness {
    drafts: Drafts,
    staging: Option<Staging>,
    changes: IndexChanges,
    replacing: Replacing,
}

/// What a plan came to, and the rows of the index that it left to be taken away.
type Made = (PlanOutcome, Option<(i64, i64)>);

async fn attempt(store: &Store, order: &Arc<PlanOrder>, number: Attempt) -> Result<PlanOutcome> {
    let is_large = index_changes::is_large(&order.plan) || number != Attempt::First;
    let is_foreseen = store.db.has_one_writer() && is_large;
    let mut drafts = Drafts::of(store, &order.plan, &order.updated, is_foreseen).await?;
    let (mut staging, mut changes) = (None, IndexChanges::default());
    if is_foreseen {
        drafts.reserve(store, &order.plan, order.now);
        (drafts, changes) = index_changes::foresee(store, &order.plan, drafts).await?;
        if changes.is_too_large {
            return Ok(PlanOutcome::TooLarge);
        }
        if number != Attempt::Last {
            staging = staging::divide(store, &order.plan, &mut drafts, order.now).await?;
        }
    }
    let is_whole = number == Attempt::Last || !store.db.has_one_writer();
    let replacing = if is_whole { Replacing::Whole } else { Replacing::WholeIfSmall };
    let ready = Arc::new(Readiness { drafts, staging, changes, replacing });
    let staged = match &ready.staging {
        Some(_) => Some(write_ahead(store, order, &ready).await?),
        None => None,
    };
    let (outcome, left) = make_once(store, order.clone(), ready).await?;
    // Taken away once this is dropped.
    drop(left.map(|left| StagingGuard::of(store, left)));
    if let (PlanOutcome::Done(_), Some(mut staged)) = (&outcome, staged) {
        staged.keep();
    }
    Ok(outcome)
}

/// Writes all parts of what was divided, one small transaction after the other.
async fn write_ahead(store: &Store, order: &Arc<PlanOrder>, ready: &Arc<Readiness>) -> Result<StagingGuard> {
    let parts = ready.staging.as_ref().map_or(0, Staging::parts);
    let id = ready.staging.as_ref().map_or(0, Staging::id);
    let mut staged = StagingGuard::of(store, (id, 0));
    for number in 0..parts {
        staged.add();
        let (order, ready) = (order.clone(), ready.clone());
        let part = store.db.run(Rollback::WithItsTransaction, move |tx| {
            Box::pin(async move {
                match &ready.staging {
                    Some(staging) => staging.put(tx, number, &order.plan.acts, &ready.drafts).await,
                    None => Ok(()),
                }
            })
        });
        part.await?;
    }
    Ok(staged)
}

async fn make_once(store: &Store, order: Arc<PlanOrder>, ready: Arc<Readiness>) -> Result<Made> {
    if order.plan.acts.len() > 1 {
        let write =
            store.run(Rollback::WithItsTransaction, move |tx| Box::pin(async move { order.course(tx, &ready).await }));
        return write.await;
    }
    let write = store.repeat(move |tx| {
        let (order, ready) = (order.clone(), ready.clone());
        Box::pin(async move { order.course(tx, &ready).await })
    });
    write.await
}

impl PlanOrder {
    async fn course(&self, tx: &mut Tx<'_>, ready: &Readiness) -> Result<Made> {
        let drafts = &ready.drafts;
        let Plan { preconditions, since, acts } = &*self.plan;
        precondition::take_turn(tx, preconditions, acts.iter().map(|act| act.named().0)).await?;
        own_parameters::take_turn(tx, acts.iter().map(|act| act.named().0)).await?;
        let changes = self.cache.as_ref().map(|cache| &cache.changes);
        let looks = PreconditionLooks { preconditions, compilations: &self.looks, since: *since };
        if !looks.hold(tx, changes, (&self.reach, self.now)).await? {
            return Ok((PlanOutcome::Moved, None));
        }
        let there = match &acts[..] {
            [_] => StoredIds::UNKNOWN,
            many => StoredIds::of(tx, &unstaged(many, drafts)).await?,
        };
        // One act alone is made or not made by itself.
        if acts.len() > 1
            && let Some((at, hindrance)) = hindrance(tx, acts, &there).await?
        {
            return Ok((PlanOutcome::Stopped(at, hindrance), None));
        }
        if let Some(staging) = &ready.staging {
            staging.take(tx).await?;
        }
        ready.changes.must_fit(tx).await?;
        let moment = moment::of(tx, &self.versions, acts.iter().map(|act| act.named().0), self.now).await?;
        let mut left = LeftRows::of(tx, acts.iter().filter(|act| act.content().is_none()).count());
        let outcome = all(tx, &self.ids, acts, (moment, &self.updated), (ready, there), &mut left).await?;
        Ok((outcome, left.note(tx, &self.ids, self.now).await?))
    }
}

/// What is stored and was not written ahead. What was is not there; should somebody else have been quicker, the database says so.
fn unstaged<'a>(acts: &'a [Act], drafts: &Drafts) -> Vec<&'a Preparation> {
    let is_staged = |at: usize| drafts.get(at).is_some_and(|draft| draft.staged.is_some());
    acts.iter().enumerate().filter(|(at, _)| !is_staged(*at)).filter_map(|(_, act)| act.content()).collect()
}

/// The first act that cannot be made, if there is one. What is there is locked in one order for all, so that no two
/// transactions wait for each other.
async fn hindrance(tx: &mut Tx<'_>, acts: &[Act], there: &StoredIds) -> Result<Option<(usize, Hindrance)>> {
    let mut order: Vec<(usize, &Act)> = acts.iter().enumerate().collect();
    order.sort_by_key(|(_, act)| {
        let (resource_type, id) = act.named();
        (resource_type.number(), id)
    });
    let mut first: Option<(usize, Hindrance)> = None;
    for (at, act) in order {
        let found = match act {
            Act::Put { new, source, demand } => hindrance_of_put(tx, (new, there), *source, *demand).await?,
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
    (new, there): (&NewResource, &StoredIds),
    source: Source,
    demand: Demand,
) -> Result<Option<Hindrance>> {
    for attachment in &new.content.attachments {
        let before = predecessor::before(tx, attachment.resource_type.number(), &attachment.id).await?;
        if before.is_some_and(|before| !before.source.is(&source)) {
            return Ok(Some(Hindrance::OtherSource));
        }
    }
    let before = match there.may_hold(&new.content) {
        true => predecessor::before(tx, new.content.resource_type.number(), &new.content.id).await?,
        false => None,
    };
    Ok(match before {
        Some(before) if !before.source.is(&source) => Some(Hindrance::OtherSource),
        Some(before) if !before.meets(demand) => Some(Hindrance::OtherVersion(before.version)),
        Some(before) if before.is_unsaid_by(&new.content) => Some(Hindrance::Sent),
        Some(before) if !label::may_be_set(new.label, Some(&before)) => Some(Hindrance::LabelNotHeld),
        None if !demand.is_met(None) => Some(Hindrance::OtherVersion(0)),
        _ => None,
    })
}

/// What is stored for one source, each with its place among the acts.
type Puts<'a> = Vec<(usize, &'a NewResource, Demand)>;

/// Makes all acts: what is deleted first, then what is stored, source by source.
async fn all(
    tx: &mut Tx<'_>,
    ids: &Ids,
    acts: &[Act],
    (moment, updated): (VersionMoment<'_>, &str),
    (ready, there): (&Readiness, StoredIds),
    left: &mut LeftRows,
) -> Result<PlanOutcome> {
    let (is_alone, drafts) = (acts.len() == 1, &ready.drafts);
    let mut effects: Vec<Option<Effect>> = vec![None; acts.len()];
    let mut by_source: Vec<(Source, Puts<'_>)> = Vec::new();
    for (at, act) in acts.iter().enumerate() {
        match act {
            Act::Delete { resource_type, id, source, demand } => {
                let named = (*resource_type, id.as_str());
                let deleted = deletion::delete_in(tx, ids, named, *source, *demand, (moment, &mut *left)).await?;
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
        let origin = puts.iter().find_map(|(at, ..)| drafts.get(*at)).map(|draft| draft.origin.clone());
        let writing = Writing::of(tx, ids, source, (moment, updated), (origin, drafts, ready.replacing)).await?;
        let mut writing = writing.among(there.clone());
        for (at, new, demand) in puts {
            let stored = writing.put_whole(new, demand, drafts.get(at)).await?;
            match stored.outcome {
                Outcome::Version(_) | Outcome::Unchanged => place(&mut effects, at, Effect::Stored(stored)),
                Outcome::OtherSource => return stopped(is_alone, at, Hindrance::OtherSource),
                Outcome::LabelNotHeld => return stopped(is_alone, at, Hindrance::LabelNotHeld),
                Outcome::OtherVersion => return stopped(is_alone, at, Hindrance::OtherVersion(stored.version)),
                Outcome::Sent => return stopped(is_alone, at, Hindrance::Sent),
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
        Deletion::Sent => Err(Hindrance::Sent),
    }
}
