//! When a write is made: not before what others have written, wherever their clocks stand. And of what is polled for: up to which
//! moment all of it is there.

use crate::engine::Tx;
use crate::error::Result;
use crate::sql::advisory_locks::MOMENTS;
use crate::sql::arg::args;
use crate::sql::statement::list;
use crate::store::{NEWEST, Store};
use crate::version_clock::{VersionClock, VersionMoment};
use fhir::types::ResourceType;
use rules::moment::Moment;
use std::collections::BTreeSet;

/// What is polled for by the moment of storing: all that the custom REST API lists.
const POLLED: [ResourceType; 9] = [
    ResourceType::AllergyIntolerance,
    ResourceType::Appointment,
    ResourceType::CarePlan,
    ResourceType::Communication,
    ResourceType::Condition,
    ResourceType::DocumentReference,
    ResourceType::MedicationRequest,
    ResourceType::MedicationStatement,
    ResourceType::Observation,
];

/// The moment of what a transaction writes of these types. Where other processes write, too, it is asked what they wrote; and of
/// what is polled for it is announced first that some will come, so that nobody believes to have all of a time in which a
/// transaction is still under way.
pub(crate) async fn of<'c>(
    tx: &mut Tx<'_>,
    versions: &'c VersionClock,
    types: impl Iterator<Item = ResourceType>,
    wall: Moment,
) -> Result<VersionMoment<'c>> {
    if tx.is_shared() {
        let mut types: BTreeSet<i64> = types.map(ResourceType::number).collect();
        let polled = POLLED.map(ResourceType::number);
        if polled.iter().any(|of| types.contains(of)) {
            // Whoever polls has one moment for all of these types.
            types.extend(polled);
            tx.take_shared_lock(MOMENTS.saturating_add(versions.moment(wall).at.0)).await?;
        }
        let types = list(types);
        for newest in tx.query(NEWEST, args![&types], |row| row.opt_int(0)).await?.into_iter().flatten() {
            versions.see(Moment(newest));
        }
    }
    Ok(versions.moment(wall))
}

/// The moment up to which all is there that is polled for: what will be committed from now on is of this moment or later. What is
/// read after this has been asked is complete up to it.
///
/// Where one writer writes, that is the moment of the newest. Where several do, one may commit a version of before the newest, but
/// it has announced the moment, unless it has not begun; and then it will not be before what is there now.
pub async fn settled_until(store: &Store) -> Result<Option<Moment>> {
    let types = list(POLLED.map(ResourceType::number));
    let newest = store.db.read(NEWEST, args![&types], |row| row.opt_int(0)).await?;
    // In this order.
    let announced = store.db.oldest_announced().await?;
    Ok(newest.into_iter().flatten().max().map(|newest| Moment(announced.map_or(newest, |oldest| newest.min(oldest)))))
}
