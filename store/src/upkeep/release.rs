//! Releasing what is held back from patients and carers: each is written as a new version when its time has come, so that whoever asks
//! for what is new is given it. Of several nodes one does.

use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::records::write::draft::Drafts;
use crate::records::write::moment;
use crate::records::write::predecessor::{self, Demand};
use crate::records::write::writing::{Replacing, Writing};
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use crate::upkeep::reindex::Reader;
use crate::version_clock::VersionClock;
use fhir::types;
use rules::ids::RowId;
use rules::moment::Moment;

/// As many as one step releases: others wait for each of them no longer than for a write of their own.
const BATCH: i64 = 100;

statements! {
    DUE = "SELECT d.resource_id, r.type, r.fhir_id FROM delays d JOIN resources r ON r.id = d.resource_id
        WHERE d.until <= $1 ORDER BY d.until, d.resource_id LIMIT $2";
    TAKE = "DELETE FROM delays WHERE resource_id = $1 AND until <= $2";
}

/// One that is due.
#[derive(Clone, Debug)]
struct DueItem {
    row: RowId,
    type_number: i64,
    fhir_id: String,
}

/// Releases some of what is due; tells how many there were. `updated` is `now` as FHIR writes it.
pub async fn step(store: &Store, reader: Reader, now: Moment, updated: &str) -> Result<u64> {
    let due = |row: &dyn Row| Ok(DueItem { row: row.id(0)?, type_number: row.int(1)?, fhir_id: row.text(2)? });
    let due = store.db.page(DUE, args![now.0, BATCH], due).await?;
    let mut released = 0;
    for item in due {
        let (making, reader, updated) =
            ((store.ids.clone(), store.versions.clone()), reader.clone(), updated.to_owned());
        let write = store.repeat(move |tx| {
            let (making, reader, item, updated) = (making.clone(), reader.clone(), item.clone(), updated.clone());
            Box::pin(async move { release(tx, (&making.0, &making.1), &reader, &item, (now, &updated)).await })
        });
        released += u64::from(write.await?);
    }
    Ok(released)
}

/// Releases one, unless another node has; tells whether it did.
async fn release(
    tx: &mut Tx<'_>,
    (ids, versions): (&Ids, &VersionClock),
    reader: &Reader,
    item: &DueItem,
    (now, updated): (Moment, &str),
) -> Result<bool> {
    let before = predecessor::before(tx, item.type_number, &item.fhir_id).await?;
    if tx.execute(TAKE, args![item.row, now.0]).await? == 0 {
        return Ok(false);
    }
    // What was deleted meanwhile stays as it was seen last.
    let Some(before) = before.filter(|before| !before.is_deleted) else { return Ok(false) };
    let unreadable = || Error::Impossible(format!("{} cannot be read to be released", item.fhir_id));
    let new = reader(&before.body).ok_or_else(unreadable)?.released();
    let moment = moment::of(tx, versions, types::numbered(item.type_number).into_iter(), now).await?;
    let none = Drafts::none();
    let mut writer = Writing::of(tx, ids, before.source, (moment, updated), (None, &none, Replacing::Whole)).await?;
    writer.put_whole(&new, Demand::Nothing, None).await?;
    writer.finish().await?;
    Ok(true)
}
