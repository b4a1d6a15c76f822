//! Writing resources of one source in one transaction, each new or as its next version.

use super::attempts::anew_if_taken;
use super::draft::Drafts;
use super::moment;
use super::predecessor::StoredIds;
use super::writing::{Replacing, Writing};
use crate::engine::{Rollback, Tx};
use crate::error::Result;
use crate::ids::Ids;
use crate::records::index::own_parameters;
use crate::store::Store;
use crate::version_clock::VersionClock;
use fhir::preparation::Preparation;
use rules::moment::Moment;
use rules::reach::Source;
use std::sync::Arc;

pub use super::new_resource::{LabelWish, NewResource};
pub use super::outcome::{Outcome, Stored};
pub use super::predecessor::Demand;

/// Stores resources in one transaction, each new or as the next version of what its source stored before.
/// `updated` is `now` as FHIR writes it.
pub async fn put(
    store: &Store,
    resources: Vec<NewResource>,
    source: Source,
    now: Moment,
    updated: String,
) -> Result<Vec<Stored>> {
    let resources = resources.into_iter().map(|new| (new, Demand::Nothing)).collect();
    put_if(store, resources, source, now, updated).await
}

/// Stores resources as `put` does, each if what it demands is there.
pub async fn put_if(
    store: &Store,
    resources: Vec<(NewResource, Demand)>,
    source: Source,
    now: Moment,
    updated: String,
) -> Result<Vec<Stored>> {
    store.room()?;
    let making = (store.ids.clone(), store.versions.clone());
    let all = Arc::new((resources, updated));
    anew_if_taken(|_| {
        let (making, all) = (making.clone(), all.clone());
        async move {
            if all.0.len() > 1 {
                let write = store.run(Rollback::WithItsTransaction, move |tx| {
                    Box::pin(async move { put_in(tx, (&making.0, &making.1), &all.0, source, (now, &all.1)).await })
                });
                return write.await;
            }
            let write = store.repeat(move |tx| {
                let (making, all) = (making.clone(), all.clone());
                Box::pin(async move { put_in(tx, (&making.0, &making.1), &all.0, source, (now, &all.1)).await })
            });
            write.await
        }
    })
    .await
}

async fn put_in(
    tx: &mut Tx<'_>,
    (ids, versions): (&Ids, &VersionClock),
    resources: &[(NewResource, Demand)],
    source: Source,
    (now, updated): (Moment, &str),
) -> Result<Vec<Stored>> {
    own_parameters::take_turn(tx, resources.iter().map(|(new, _)| new.content.resource_type)).await?;
    let contents: Vec<&Preparation> = resources.iter().map(|(new, _)| &new.content).collect();
    let there = match &contents[..] {
        [_] => StoredIds::UNKNOWN,
        many => StoredIds::of(tx, many).await?,
    };
    let types = contents.iter().map(|content| content.resource_type);
    let at = (moment::of(tx, versions, types, now).await?, updated);
    let none = Drafts::none();
    let mut writer = Writing::of(tx, ids, source, at, (None, &none, Replacing::Whole)).await?.among(there);
    let mut stored = Vec::with_capacity(resources.len());
    for (resource, demand) in resources {
        stored.push(writer.put_whole(resource, *demand, None).await?);
    }
    writer.finish().await?;
    Ok(stored)
}
