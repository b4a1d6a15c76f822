//! Deleting a resource: one version more, which says so and has no body. Its labels, its source and whose record it is in stay,
//! so that its past shows to the same viewers; nothing finds it any more.

use super::ledger_lines::{self, ResourceVersion};
use super::left_rows::LeftRows;
use super::predecessor::{self, Before, Demand};
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::Event;
use crate::records::index::{index_rows, own_parameters, tokens};
use crate::records::read::reference;
use crate::records::stored::digest::ContentRow;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::version_clock::VersionMoment;
use fhir::types::ResourceType;
use rules::reach::Source;

/// What became of a resource that somebody deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deletion {
    /// Deleted, by this version.
    Version(i64),
    /// Deleted before, by this version.
    Before(i64),
    NotThere,
    /// Another source made it, which alone may delete it.
    OtherSource,
    /// There in this version, and not in the one that was demanded.
    OtherVersion(i64),
    /// A message that was sent, which nobody deletes.
    Sent,
}

statements! {
    DELETE = "UPDATE resources SET version = $2, updated_at = $3, deleted_at = $3, body = '', content_hash = $4
        WHERE id = $1";
    KEEP_COMPARTMENTS = "INSERT INTO compartments (resource_id, version, patient_id)
        SELECT k.resource_id, $3, k.patient_id FROM compartments k WHERE k.resource_id = $1 AND k.version = $2";
}

/// Deletes a resource for this source, if what is demanded is there. `left` has the rows of the index that are taken away later.
pub(crate) async fn delete_in(
    tx: &mut Tx<'_>,
    ids: &Ids,
    (resource_type, fhir_id): (ResourceType, &str),
    source: Source,
    demand: Demand,
    (moment, left): (VersionMoment<'_>, &mut LeftRows),
) -> Result<Deletion> {
    let type_number = resource_type.number();
    let before = predecessor::before(tx, type_number, fhir_id).await?;
    let before = match judge(before, source, demand) {
        Ok(before) => before,
        Err(why) => return Ok(why),
    };
    let (row, version, now) = (before.row, before.version + 1, moment.after(Some(before.updated_at)));
    let patients = predecessor::patients(tx, &before).await?;
    predecessor::keep_version(tx, row).await?;
    let content = ContentRow {
        row,
        type_number,
        fhir_id,
        version,
        updated_at: now.0,
        patient: before.patient,
        patients: before.patients,
        body: "",
        is_deleted: true,
    };
    tx.post(DELETE, args![row, version, now.0, content.hash().as_slice()]).await?;
    // The row itself names the only patient of nearly everything.
    if before.patients > 1 {
        tx.post(KEEP_COMPARTMENTS, args![row, before.version, version]).await?;
    }
    if !left.takes(row, before.body.len()) {
        tokens::forget(tx, row).await?;
        index_rows::forget(tx, row).await?;
    }
    if resource_type == ResourceType::SearchParameter {
        own_parameters::define(tx, row, None).await?;
    }
    tx.touch(|touched| touched.note_resource(type_number, reference(resource_type, fhir_id)));
    let told = if before.needs.is_draft() { &[] } else { &*patients };
    let deleted = ResourceVersion { resource_type, id: fhir_id, version, source: before.source, patients: told };
    ledger_lines::note(tx, ids, Event::Deleted, &deleted, moment.wall);
    Ok(Deletion::Version(version))
}

/// What is there to be deleted, or why nothing is.
pub(crate) fn judge(before: Option<Before>, source: Source, demand: Demand) -> std::result::Result<Before, Deletion> {
    match before {
        None => Err(Deletion::NotThere),
        Some(before) if !before.source.is(&source) => Err(Deletion::OtherSource),
        Some(before) if before.is_deleted => Err(Deletion::Before(before.version)),
        Some(before) if !demand.is_met(before.live()) => Err(Deletion::OtherVersion(before.version)),
        Some(before) if before.was_sent() => Err(Deletion::Sent),
        Some(before) => Ok(before),
    }
}
