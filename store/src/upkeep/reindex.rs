//! Reading resources anew that a release wrote which knew less of them: their labels, all their compartments, how they
//! are found, whose they say they are, and their hashes. Done once, before a store is served; until then nobody sees them by consent.

use crate::access::patients;
use crate::engine::{Rollback, Tx};
use crate::error::Result;
use crate::ids::Ids;
use crate::records::index::index_rows::IndexSheet;
use crate::records::index::{index_rows, own_parameters, placement, tokens};
use crate::records::reach::sight;
use crate::records::read::reference;
use crate::records::stored::digest::{self, ContentRow, StandingRow};
use crate::records::stored::{origin, packing, resource};
use crate::records::write::{audience, resource_write};
use crate::sql::advisory_locks::READING_ANEW;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use fhir::cut;
use fhir::types::{self, ResourceType};
use rules::consent::delay::{Delay, Hides};
use rules::ids::{PatientId, RowId};
use rules::labels::Needs;
use rules::moment::Moment;
use rules::reach::Source;
use std::time::Duration;

statements! {
    NEXT = "SELECT r.id, r.type, r.fhir_id, r.version, r.updated_at, r.patient_id, r.patients, r.source_organisation_id,
            r.source_team_id, r.source_user_id, r.source_patient_id, r.body, r.content_hash, r.deleted_at, r.label_chosen
        FROM resources r WHERE r.needs < 0 ORDER BY r.id LIMIT $1";
    ANY = "SELECT id FROM resources WHERE needs < 0 LIMIT 1";
    PUT = "UPDATE resources SET needs = $2, patient_id = $3, patients = $4, content_hash = $5, standing_hash = $6,
            body = $7 WHERE id = $1";
    CLOSE = "UPDATE resources SET needs = $2, standing_hash = $3 WHERE id = $1";
    HELD_UNTIL = "SELECT until FROM delays WHERE resource_id = $1";
    PAST = "SELECT version, updated_at, patient_id, patients, body, content_hash, deleted_at FROM versions WHERE resource_id = $1";
    PUT_PAST = "UPDATE versions SET body = $3, content_hash = $4 WHERE resource_id = $1 AND version = $2";
}

/// Resources of one transaction.
const BATCH: i64 = 200;

/// Between two looks at what another node is about.
const BETWEEN: Duration = Duration::from_millis(100);

/// What a body says now; `None` where it can no longer be read.
pub type Reader = std::sync::Arc<dyn Fn(&str) -> Option<resource_write::NewResource> + Send + Sync>;

/// A resource as it was written, or a past version of it.
struct OldResource {
    id: RowId,
    type_number: i64,
    fhir_id: String,
    version: i64,
    updated_at: i64,
    patient: Option<PatientId>,
    patients: i64,
    source: Source,
    body: String,
    is_deleted: bool,
    is_label_chosen: bool,
    hash: Option<Vec<u8>>,
}

impl OldResource {
    const fn content(&self) -> ContentRow<'_> {
        ContentRow {
            row: self.id,
            type_number: self.type_number,
            fhir_id: self.fhir_id.as_str(),
            version: self.version,
            updated_at: self.updated_at,
            patient: self.patient,
            patients: self.patients,
            body: self.body.as_str(),
            is_deleted: self.is_deleted,
        }
    }

    const fn standing(&self, needs: Needs) -> StandingRow {
        let Self { id: row, source, is_label_chosen, .. } = *self;
        StandingRow { row, needs: needs.0, source, is_label_chosen }
    }

    /// Whether it has a hash and is not what was written. Then it gets no other: that would make it whole again.
    fn is_damaged(&self) -> bool {
        self.hash.as_ref().is_some_and(|hash| *hash != self.content().hash())
    }
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
        let batch = store.db.run(Rollback::WithItsTransaction, move |tx| {
            Box::pin(async move {
                // Another node that is about it holds a lock; whoever has none looks again in a moment.
                if !tx.is_alone(READING_ANEW).await? {
                    return Ok(0);
                }
                let waiting = tx.query(NEXT, args![BATCH], written).await?;
                let count = waiting.len();
                let types = waiting.iter().filter_map(|old| types::numbered(old.type_number));
                own_parameters::take_turn(tx, types).await?;
                let mut index = IndexSheet::of(tx).await?;
                for resource in waiting {
                    read_anew(tx, (&ids, &reader), resource, &mut index, now).await?;
                }
                index.put(tx).await?;
                Ok(count)
            })
        });
        match batch.await? {
            0 => tokio::time::sleep(BETWEEN).await,
            some => done += u64::try_from(some).unwrap_or_default(),
        }
    }
}

async fn read_anew(
    tx: &mut Tx<'_>,
    (ids, reader): (&Ids, &Reader),
    mut old: OldResource,
    index: &mut IndexSheet,
    now: Moment,
) -> Result<()> {
    tx.touch(|touched| {
        touched.rows.push(old.id);
        touched.finding = true;
        if let Some(of) = types::numbered(old.type_number) {
            touched.resources.push(reference(of, &old.fhir_id));
        }
    });
    let source = origin::uri(tx, old.source).await?;
    read_past_anew(tx, &old, &source).await?;
    if old.is_damaged() || old.is_deleted {
        if old.is_damaged() {
            let error = digest::damaged(old.type_number, &old.fhir_id, old.version);
            tracing::error!(%error, "a stored resource cannot be read anew");
        }
        let standing = old.standing(Needs::ALL).hash();
        tx.execute(CLOSE, args![old.id, Needs::ALL.0, standing.as_slice()]).await?;
        return Ok(());
    }
    if let Some(body) = cut::with_source(&old.body, old.version, &source) {
        old.body = body;
    }
    let new = reader(&old.body);
    let mut patients = Vec::new();
    for patient in new.iter().flat_map(|new| &new.content.patients) {
        patients.push(patients::number(tx, ids, patient, now).await?);
    }
    (old.patient, old.patients) = (patients.first().copied(), placement::count(&patients));
    // What can no longer be read stays with its source, and with nobody else.
    let needs = new.as_ref().map_or(Needs::ALL, |new| new.needs);
    let needs = needs.of_held_back(is_held_back(tx, &old).await?);
    let standing = old.standing(needs);
    let (content, standing) = (old.content().hash(), standing.hash());
    let body = packing::pack(&old.body);
    let row = args![old.id, needs.0, old.patient, old.patients, content.as_slice(), standing.as_slice(), &*body];
    tx.execute(PUT, row).await?;
    let Some(new) = new else {
        tracing::warn!(row = old.id.0, "a stored resource can no longer be read; only its source sees it");
        return Ok(());
    };
    index_rows::forget(tx, old.id).await?;
    tokens::forget(tx, old.id).await?;
    placement::put(tx, old.id, old.version, &new.content, &patients).await?;
    audience::message(tx, old.id, &new.content, true).await?;
    tokens::put(tx, old.id, new.content.resource_type, &new.content.tokens).await?;
    if new.content.resource_type == ResourceType::SearchParameter {
        own_parameters::define(tx, old.id, Some(&old.body)).await?;
        index.know_anew(tx).await?;
    }
    index.add(old.id, (&new.content, &old.body), &patients, &source);
    for patient in patients {
        sight::made(tx, patient, old.source.makers()).await?;
    }
    Ok(())
}

/// Whether all of it is held back from patient and carers.
async fn is_held_back(tx: &mut Tx<'_>, old: &OldResource) -> Result<bool> {
    let until = tx.query_one(HELD_UNTIL, args![old.id], |row| row.int(0)).await?;
    let delay = |until| types::numbered(old.type_number).map(|of| Delay::of(of.name(), Moment(until)));
    Ok(until.and_then(delay).is_some_and(|delay| delay.hides == Hides::Item))
}

/// Has every past version say the source that we know, whatever its sender said, and carry a hash.
async fn read_past_anew(tx: &mut Tx<'_>, of: &OldResource, source: &str) -> Result<()> {
    let past = |row: &dyn Row| {
        Ok(OldResource {
            version: row.int(0)?,
            updated_at: row.int(1)?,
            patient: row.opt_id(2)?,
            patients: row.int(3)?,
            body: packing::unpack(row.text(4)?),
            hash: row.opt_bytes(5)?,
            is_deleted: row.opt_int(6)?.is_some(),
            fhir_id: of.fhir_id.clone(),
            ..*of
        })
    };
    for mut version in tx.query(PAST, args![of.id], past).await? {
        if version.is_damaged() {
            let error = digest::damaged(version.type_number, &version.fhir_id, version.version);
            tracing::error!(%error, "a stored resource cannot be read anew");
            continue;
        }
        if let Some(body) = cut::with_source(&version.body, version.version, source) {
            version.body = body;
        }
        let hash = version.content().hash();
        if version.hash.as_deref() != Some(hash.as_slice()) {
            tx.execute(PUT_PAST, args![of.id, version.version, &*packing::pack(&version.body), hash.as_slice()])
                .await?;
        }
    }
    Ok(())
}

fn written(row: &dyn Row) -> Result<OldResource> {
    Ok(OldResource {
        id: row.id(0)?,
        type_number: row.int(1)?,
        fhir_id: row.text(2)?,
        version: row.int(3)?,
        updated_at: row.int(4)?,
        patient: row.opt_id(5)?,
        patients: row.int(6)?,
        source: resource::source(row, 7)?,
        body: packing::unpack(row.text(11)?),
        hash: row.opt_bytes(12)?,
        is_deleted: row.opt_int(13)?.is_some(),
        is_label_chosen: row.flag(14)?,
    })
}
