//! When a write is made: not before what others have written, wherever their clocks stand.

use crate::engine::Tx;
use crate::error::Result;
use crate::sql::arg::args;
use crate::sql::statement::list;
use crate::store::NEWEST;
use crate::version_clock::{VersionClock, VersionMoment};
use fhir::types::ResourceType;
use rules::moment::Moment;
use std::collections::BTreeSet;

/// The moment of what a transaction writes of these types. Where other processes write, too, it is asked what they wrote.
pub(crate) async fn of<'c>(
    tx: &mut Tx<'_>,
    versions: &'c VersionClock,
    types: impl Iterator<Item = ResourceType>,
    wall: Moment,
) -> Result<VersionMoment<'c>> {
    if tx.is_shared() {
        let types: BTreeSet<i64> = types.map(ResourceType::number).collect();
        let types = list(types);
        for newest in tx.query(NEWEST, args![&types], |row| row.opt_int(0)).await?.into_iter().flatten() {
            versions.see(Moment(newest));
        }
    }
    Ok(versions.moment(wall))
}
