//! Reading resources anew that a release wrote which knew less of them: their labels, all their compartments, how they
//! are found, and whose they say they are. Done once, before a store is served; until then nobody sees them by consent.

use crate::access::patients;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::records::{origin, resource, sight, write};
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use fhir::cut;
use rules::ids::{PatientId, RowId};
use rules::moment::Moment;
use rules::reach::Source;
use std::time::Duration;

statements! {
    NEXT = "SELECT r.id, r.version, r.source_organisation_id, r.source_team_id, r.source_user_id, r.source_patient_id,
            r.body
        FROM resources r WHERE r.needs < 0 ORDER BY r.id LIMIT $1";
    ANY = "SELECT id FROM resources WHERE needs < 0 LIMIT 1";
    PUT = "UPDATE resources SET needs = $2, patient_id = $3, patients = $4 WHERE id = $1";
    PUT_BODY = "UPDATE resources SET body = $2 WHERE id = $1";
    PAST = "SELECT version, body FROM versions WHERE resource_id = $1";
    PUT_PAST = "UPDATE versions SET body = $3 WHERE resource_id = $1 AND version = $2";
}

/// Resources of one transaction.
const BATCH: i64 = 200;

/// Between two looks at what another node is about.
const BETWEEN: Duration = Duration::from_millis(100);

/// Tells nodes apart that start at the same time; any number that nobody else uses will do.
const READING_ANEW: i64 = 7_234_017_283_807_667_303;

/// What a body says now; `None` where it can no longer be read.
pub type Reader = std::sync::Arc<dyn Fn(&str) -> Option<write::NewResource> + Send + Sync>;

/// A resource as it was written.
struct OldResource {
    id: RowId,
    version: i64,
    source: Source,
    body: String,
}

/// Reads all resources anew that wait for it; tells how many there were. `progress` hears before each batch how many are done.
pub async fn run(store: &Store, reader: Reader, now: Moment, mut progress: impl FnMut(u64)) -> Result<u64> {
    let mut done = 0;
    loop {
        if store.db.read_one(ANY, &[], |row| row.int(0)).await?.is_none() {
            return Ok(done);
        }
        progress(done);
        let (reader, ids) = (reader.clone(), store.ids.clone());
        let batch = store.db.write(move |tx| {
            Box::pin(async move {
                // Another node that is about it holds a lock; whoever has none looks again in a moment.
                if !tx.is_alone(READING_ANEW).await? {
                    return Ok(0);
                }
                let waiting = tx.query(NEXT, args![BATCH], written).await?;
                for resource in &waiting {
                    read_anew(tx, &ids, &reader, resource, now).await?;
                }
                Ok(waiting.len())
            })
        });
        match batch.await? {
            0 => tokio::time::sleep(BETWEEN).await,
            some => done += u64::try_from(some).unwrap_or_default(),
        }
    }
}

async fn read_anew(tx: &mut Tx<'_>, ids: &Ids, reader: &Reader, old: &OldResource, now: Moment) -> Result<()> {
    say_source(tx, old).await?;
    let Some(new) = reader(&old.body) else {
        // It stays with its source, and with nobody else.
        tracing::warn!(row = old.id.0, "a stored resource can no longer be read; only its source sees it");
        tx.execute(PUT, args![old.id, rules::labels::Needs::ALL.0, None::<PatientId>, 0]).await?;
        return Ok(());
    };
    let mut patients = Vec::new();
    for patient in &new.content.patients {
        patients.push(patients::number(tx, ids, patient, now).await?);
    }
    let count = write::count(&patients);
    tx.execute(PUT, args![old.id, new.needs.0, patients.first().copied(), count]).await?;
    write::put_in_place(tx, old.id, old.version, &new.content, &patients).await?;
    for patient in patients {
        sight::made(tx, patient, old.source.makers()).await?;
    }
    Ok(())
}

/// Has every version say the source that we know, whatever its sender said.
async fn say_source(tx: &mut Tx<'_>, old: &OldResource) -> Result<()> {
    let source = origin::uri(tx, old.source).await?;
    if let Some(body) = cut::with_source(&old.body, old.version, &source) {
        tx.execute(PUT_BODY, args![old.id, &body]).await?;
    }
    let past = tx.query(PAST, args![old.id], |row| Ok((row.int(0)?, row.text(1)?))).await?;
    for (version, body) in past {
        if let Some(body) = cut::with_source(&body, version, &source) {
            tx.execute(PUT_PAST, args![old.id, version, &body]).await?;
        }
    }
    Ok(())
}

fn written(row: &dyn Row) -> Result<OldResource> {
    Ok(OldResource { id: row.id(0)?, version: row.int(1)?, source: resource::source(row, 2)?, body: row.text(6)? })
}
