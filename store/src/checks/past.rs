//! Every past version by its hash, and to the resource that it is a version of.

use super::examination::Examination;
use super::fault::Fault;
use super::span;
use crate::error::Result;
use crate::records::stored::digest::{self, ContentRow};
use crate::records::stored::packing;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use fhir::audience;
use fhir::types::{self, ResourceType};

/// Rows that are looked at together at the most.
const ROWS_AT_A_TIME: i64 = 500;

statements! {
    COUNT = "SELECT count(*) FROM versions";
    SIZES = "SELECT resource_id, version, octet_length(body) FROM versions
        WHERE (resource_id, version) > ($1, $2) ORDER BY resource_id, version LIMIT $3";
    ROWS = "SELECT v.resource_id, v.version, v.updated_at, v.patient_id, v.patients, v.body, v.content_hash, r.type,
            r.fhir_id, r.needs, r.version, v.deleted_at, v.type, v.draft
        FROM versions v LEFT JOIN resources r ON r.id = v.resource_id
        WHERE (v.resource_id, v.version) > ($1, $2) AND (v.resource_id, v.version) <= ($3, $4)
        ORDER BY v.resource_id, v.version";
}

/// A version by its resource's number and its own.
type Key = (i64, i64);

pub(super) async fn examine(examination: &mut Examination<'_>, store: &Store) -> Result<()> {
    examination.all =
        store.db.page(COUNT, &[], |row| row.int(0)).await?.first().map_or(0, |count| count.unsigned_abs());
    let mut after: Key = (i64::MIN, i64::MIN);
    loop {
        let size = |row: &dyn Row| Ok(((row.int(0)?, row.int(1)?), row.int(2)?));
        let sizes = store.db.page(SIZES, args![after.0, after.1, ROWS_AT_A_TIME], size).await?;
        let (rows, Some(until)) = span::fitting(&sizes) else { return Ok(()) };
        for (key, _) in faults(store, after, until).await? {
            // A version that was written while it was read is right at the second look.
            for (_, fault) in faults(store, (key.0, key.1.saturating_sub(1)), key).await? {
                examination.tell(&fault);
            }
        }
        examination.advance(u64::try_from(rows).unwrap_or_default());
        after = until;
    }
}

async fn faults(store: &Store, after: Key, until: Key) -> Result<Vec<(Key, Fault)>> {
    let mut found = Vec::new();
    let keep = |fault: Option<(Key, Fault)>| {
        found.extend(fault);
        Ok(())
    };
    store.db.each(ROWS, &[args![after.0, after.1, until.0, until.1]], fault, keep).await?;
    Ok(found)
}

/// Whether a body says that it is a draft; only two types can.
fn was_draft(type_number: i64, body: &str) -> bool {
    let of = types::numbered(type_number);
    let of = of.filter(|of| matches!(of, ResourceType::Communication | ResourceType::CarePlan));
    of.is_some_and(|of| audience::is_draft(of, body))
}

fn fault(row: &dyn Row) -> Result<Option<(Key, Fault)>> {
    let key @ (resource, version): Key = (row.int(0)?, row.int(1)?);
    let (Some(type_number), Some(fhir_id)) = (row.opt_int(7)?, row.opt_text(8)?) else {
        let at = format!("version {version} of row {resource}");
        return Ok(Some((key, Fault::new(at, "the resource that it is a version of is not there"))));
    };
    let body = packing::unpack(row.text(5)?);
    let content = ContentRow {
        row: row.id(0)?,
        type_number,
        fhir_id: &fhir_id,
        version,
        updated_at: row.int(2)?,
        patient: row.opt_id(3)?,
        patients: row.int(4)?,
        body: &body,
        is_deleted: row.opt_int(11)?.is_some(),
    };
    let problem = if version >= row.int(10)? {
        Some("it is in the past, and not older than the version of now")
    } else if row.opt_int(12)? != Some(type_number) {
        Some("its type is not that of its resource")
    } else if !content.is_deleted && (row.int(13)? == 1) != was_draft(type_number, &body) {
        Some("whether it was a draft is not noted as its body says")
    } else if digest::agrees(row, 6, content.hash(), row.int(9)? < 0)? {
        None
    } else {
        Some("its content is not what was written: body, version, moment or patient, or its resource's type or id")
    };
    let at = || format!("{} version {version}", digest::name(type_number, &fhir_id));
    Ok(problem.map(|problem| (key, Fault::new(at(), problem))))
}
