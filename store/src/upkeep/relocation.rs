//! Taking the content of Binaries out of their bodies, where an older release left it. Done once, before a store is served, one
//! version in one transaction: a content may be large, and there may be many.

use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::records::documents::contents;
use crate::records::stored::digest::{self, ContentRow};
use crate::records::stored::packing;
use crate::sql::advisory_locks::RELOCATING;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use fhir::cut;
use rules::ids::{PatientId, RowId};
use rules::moment::Moment;
use std::time::Duration;

statements! {
    ANY = "SELECT 1 FROM contents_inside LIMIT 1";
    NEXT = "SELECT resource_id, version FROM contents_inside ORDER BY resource_id, version LIMIT 1";
    DONE = "DELETE FROM contents_inside WHERE resource_id = $1 AND version = $2";
    NOW = "SELECT r.type, r.fhir_id, r.updated_at, r.patient_id, r.patients, r.body, r.content_hash
        FROM resources r WHERE r.id = $1 AND r.version = $2";
    PAST = "SELECT r.type, r.fhir_id, v.updated_at, v.patient_id, v.patients, v.body, v.content_hash
        FROM versions v JOIN resources r ON r.id = v.resource_id WHERE v.resource_id = $1 AND v.version = $2";
    PUT_NOW = "UPDATE resources SET body = $3, content_hash = $4 WHERE id = $1 AND version = $2";
    PUT_PAST = "UPDATE versions SET body = $3, content_hash = $4 WHERE resource_id = $1 AND version = $2";
}

/// Between two looks at what another node is about.
const BETWEEN: Duration = Duration::from_millis(100);

/// A version as it was written.
struct OldVersion {
    type_number: i64,
    fhir_id: String,
    updated_at: i64,
    patient: Option<PatientId>,
    patients: i64,
    body: String,
    hash: Option<Vec<u8>>,
}

/// Takes out what is still inside; tells how many versions there were. `progress` hears before each how many are done.
pub async fn run(store: &Store, now: Moment, mut progress: impl FnMut(u64)) -> Result<u64> {
    let mut done = 0;
    while store.db.read_one(ANY, &[], |row| row.int(0)).await?.is_some() {
        progress(done);
        let ids = store.ids.clone();
        let write = store.db.write(move |tx| {
            Box::pin(async move {
                // Another node that is about it holds a lock; whoever has none looks again in a moment.
                if !tx.is_alone(RELOCATING).await? {
                    return Ok(false);
                }
                let next = tx.query_one(NEXT, &[], |row| Ok((row.id(0)?, row.int(1)?))).await?;
                if let Some((resource, version)) = next {
                    relocate(tx, &ids, resource, version, now).await?;
                    tx.execute(DONE, args![resource, version]).await?;
                }
                Ok(true)
            })
        });
        match write.await? {
            true => done += 1,
            false => tokio::time::sleep(BETWEEN).await,
        }
    }
    Ok(done)
}

/// One that is not what was written stays as it is: with a new hash it would seem whole.
async fn relocate(tx: &mut Tx<'_>, ids: &Ids, resource: RowId, version: i64, now: Moment) -> Result<()> {
    tx.touch(|touched| {
        touched.rows.push(resource);
        touched.finding = true;
    });
    let args = args![resource, version];
    let (old, put) = match tx.query_one(NOW, args, old_version).await? {
        Some(old) => (Some(old), PUT_NOW),
        None => (tx.query_one(PAST, args, old_version).await?, PUT_PAST),
    };
    let Some(old) = old else { return Ok(()) };
    if old.hash.as_deref() != Some(old.content(resource, version, &old.body).hash().as_slice()) {
        let error = digest::damaged(old.type_number, &old.fhir_id, version);
        tracing::error!(%error, "the content of a Binary cannot be taken out of it");
        return Ok(());
    }
    let Some((body, bytes)) = cut::without_data(&old.body, version) else { return Ok(()) };
    let hash = old.content(resource, version, &body).hash();
    if !bytes.is_empty() {
        contents::put(tx, ids, (resource, version), &bytes, now).await?;
    }
    tx.execute(put, args![resource, version, &*packing::pack(&body), hash.as_slice()]).await?;
    Ok(())
}

impl OldVersion {
    const fn content<'a>(&'a self, row: RowId, version: i64, body: &'a str) -> ContentRow<'a> {
        let (type_number, fhir_id, updated_at) = (self.type_number, self.fhir_id.as_str(), self.updated_at);
        ContentRow {
            row,
            type_number,
            fhir_id,
            version,
            updated_at,
            patient: self.patient,
            patients: self.patients,
            body,
            is_deleted: false,
        }
    }
}

fn old_version(row: &dyn Row) -> Result<OldVersion> {
    Ok(OldVersion {
        type_number: row.int(0)?,
        fhir_id: row.text(1)?,
        updated_at: row.int(2)?,
        patient: row.opt_id(3)?,
        patients: row.int(4)?,
        body: packing::unpack(row.text(5)?),
        hash: row.opt_bytes(6)?,
    })
}
