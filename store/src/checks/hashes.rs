//! Every resource by its hashes: of its content, and of the labels and the source by which it is seen.

use super::examination::Examination;
use super::fault::Fault;
use super::span::{self, Span};
use crate::error::Result;
use crate::records::stored::digest::{self, ContentRow, StandingRow};
use crate::records::stored::{packing, resource};
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::RowId;

statements! {
    ROWS = "SELECT id, type, fhir_id, version, updated_at, needs, source_organisation_id, source_team_id, source_user_id,
            source_patient_id, patient_id, patients, body, content_hash, standing_hash, deleted_at,
            label_chosen
        FROM resources WHERE id > $1 AND id <= $2 ORDER BY id";
}

pub(super) async fn examine(examination: &mut Examination<'_>, store: &Store) -> Result<()> {
    examination.all = span::count(store).await?;
    let mut after = i64::MIN;
    while let Some((span, rows)) = span::next(store, after).await? {
        for (row, _) in faults(store, span).await? {
            // A row that was written while it was read is right at the second look.
            for (_, fault) in faults(store, Span::of(row.0)).await? {
                examination.tell(&fault);
            }
        }
        examination.advance(rows);
        after = span.until;
    }
    Ok(())
}

async fn faults(store: &Store, span: Span) -> Result<Vec<(RowId, Fault)>> {
    let mut found = Vec::new();
    let keep = |fault: Option<(RowId, Fault)>| {
        found.extend(fault);
        Ok(())
    };
    store.db.each(ROWS, &[args![span.after, span.until]], fault, keep).await?;
    Ok(found)
}

fn fault(row: &dyn Row) -> Result<Option<(RowId, Fault)>> {
    let (id, type_number, fhir_id, body): (RowId, _, _, _) =
        (row.id(0)?, row.int(1)?, row.text(2)?, packing::unpack(row.text(12)?));
    let content = ContentRow {
        row: id,
        type_number,
        fhir_id: &fhir_id,
        version: row.int(3)?,
        updated_at: row.int(4)?,
        patient: row.opt_id(10)?,
        patients: row.int(11)?,
        body: &body,
        is_deleted: row.opt_int(15)?.is_some(),
    };
    let needs = row.int(5)?;
    let problem = if needs < 0 {
        // Read anew at the next start, which gives it its hashes.
        None
    } else if !digest::agrees(row, 13, content.hash(), false)? {
        Some("its content is not what was written: body, type, id, version, moment or patient")
    } else {
        let stands = match resource::source(row, 6) {
            Ok(source) => {
                let standing = StandingRow { row: id, needs, source, is_label_chosen: row.flag(16)? };
                digest::agrees(row, 14, standing.hash(), false)?
            }
            Err(_) => false,
        };
        (!stands).then_some("its labels or its source are not what was written")
    };
    Ok(problem.map(|problem| (id, Fault::new(format!("{} (row {id})", digest::name(type_number, &fhir_id)), problem))))
}
