//! Writing resources: the resource, its past, its index rows and what follows for who sees it, in one transaction.

use super::digest::{self, ContentRow, StandingRow};
use super::read::reference;
use super::write_lines::{self, ResourceVersion};
use super::{contents, index, index_rows, origin, resource, sight};
use crate::access::patients;
use crate::engine::Tx;
use crate::error::Result;
use crate::ids::Ids;
use crate::ledger::Event;
use crate::sql::arg::args;
use crate::sql::row::Row;
use crate::sql::statement::{Statement, statements};
use crate::store::Store;
use fhir::pieces;
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use rules::ids::{PatientId, RowId};
use rules::labels::{self, Needs};
use rules::moment::Moment;
use rules::reach::Source;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// A resource to store. Its body is cut where `versionId`, `lastUpdated` and `source` go, because only the transaction
/// knows them.
#[derive(Clone, Debug)]
pub struct NewResource {
    pub content: Preparation,
    /// The labels that it takes to see it.
    pub needs: Needs,
}

/// What became of one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Stored as this version.
    Version(i64),
    /// The same content was there already.
    Unchanged,
    /// There already, from another source: only the same source may change it.
    OtherSource,
}

/// A stored version, as the answer to a create tells of it.
#[derive(Clone, Debug)]
pub struct Stored {
    pub outcome: Outcome,
    /// That of a Binary is without its content.
    pub body: String,
}

statements! {
    BEFORE = "SELECT r.id, r.version, r.body, r.source_organisation_id, r.source_team_id, r.source_user_id,
            r.source_patient_id
        FROM resources r WHERE r.type = $1 AND r.fhir_id = $2";
    /// What is about to be replaced goes into the past, with its hash: one that was damaged stays known as such.
    KEEP_VERSION = "INSERT INTO versions (resource_id, version, updated_at, patient_id, patients, body, content_hash)
        SELECT r.id, r.version, r.updated_at, r.patient_id, r.patients, r.body, r.content_hash
        FROM resources r WHERE r.id = $1";
    PUT = "INSERT INTO resources (id, type, fhir_id, version, updated_at, needs, source_organisation_id,
            source_team_id, source_user_id, source_patient_id, patient_id, patients, body, content_hash, standing_hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        ON CONFLICT (id) DO UPDATE SET version = $4, updated_at = $5, needs = $6, patient_id = $11, patients = $12,
            body = $13, content_hash = $14, standing_hash = $15";
    PUT_COMPARTMENT = "INSERT INTO compartments (resource_id, version, patient_id) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING";
}

/// Those of them that load a row in order to decide about it.
pub(crate) const LOCKING: &[Statement<'static>] = &[BEFORE];

/// Stores resources in one transaction, each new or as the next version of what its source stored before.
/// `updated` is `now` as FHIR writes it.
pub async fn put(
    store: &Store,
    resources: Vec<NewResource>,
    source: Source,
    now: Moment,
    updated: String,
) -> Result<Vec<Stored>> {
    let ids = store.ids.clone();
    store.room()?;
    let write = store.write(move |tx| {
        Box::pin(async move {
            let origin = origin::uri(tx, source).await?;
            let mut writer =
                Writing { tx, ids, source, origin, now, updated, about: BTreeSet::new(), numbers: HashMap::new() };
            let mut stored = Vec::with_capacity(resources.len());
            for mut resource in resources {
                let attachments = std::mem::take(&mut resource.content.attachments);
                stored.push(match writer.put_attachments(attachments).await? {
                    Some(obstacle) => obstacle,
                    None => writer.put(&resource).await?,
                });
            }
            writer.associate().await?;
            Ok(stored)
        })
    });
    write.await
}

/// The resources of one source on their way into the database.
struct Writing<'t, 'e> {
    tx: &'t mut Tx<'e>,
    ids: Arc<Ids>,
    source: Source,
    /// The source, as `meta.source` says it.
    origin: String,
    now: Moment,
    updated: String,
    /// The patients about whom something was stored.
    about: BTreeSet<PatientId>,
    /// The numbers of those who were named before: most resources that come together are about one patient.
    numbers: HashMap<String, PatientId>,
}

impl Writing<'_, '_> {
    /// Stores the Binaries that a document was sent with. One that another source has already stands in its way.
    async fn put_attachments(&mut self, attachments: Vec<Preparation>) -> Result<Option<Stored>> {
        for content in attachments {
            let needs = labels::needs(content.resource_type.name(), std::iter::empty()).unwrap_or(Needs::ALL);
            let stored = self.put(&NewResource { content, needs }).await?;
            if stored.outcome == Outcome::OtherSource {
                return Ok(Some(stored));
            }
        }
        Ok(None)
    }

    async fn put(&mut self, new: &NewResource) -> Result<Stored> {
        let content = &new.content;
        let type_number = content.resource_type.number();
        let before = |row: &dyn Row| Ok((row.id(0)?, row.int(1)?, row.text(2)?, resource::source(row, 3)?));
        let before = self.tx.lock_one(BEFORE, args![type_number, &content.id], before).await?;
        // A row keeps the source that it came from: a team may belong to another organisation by now.
        let (id, version, source): (RowId, i64, Source) = match before {
            None => (RowId(self.ids.next(self.now)), 1, self.source),
            Some((_, _, body, source)) if !source.is(&self.source) => {
                return Ok(Stored { outcome: Outcome::OtherSource, body: shown(content, body) });
            }
            Some((_, _, body, _)) if content.body.is_of(&body) => {
                return Ok(Stored { outcome: Outcome::Unchanged, body: shown(content, body) });
            }
            Some((id, version, _, source)) => {
                self.tx.post(KEEP_VERSION, args![id]).await?;
                index_rows::forget(self.tx, id).await?;
                (id, version + 1, source)
            }
        };
        let body = content.body.joined(version, &self.updated, &self.origin);
        let mut patients = Vec::with_capacity(content.patients.len());
        for patient in &content.patients {
            patients.push(self.number(patient).await?);
        }
        self.store((id, source), version, new, &patients, &body).await?;
        if let Some(bytes) = &content.content {
            contents::put(self.tx, &self.ids, (id, version), bytes, self.now).await?;
        }
        self.tx.touch(|touched| touched.resources.push(reference(content.resource_type, &content.id)));
        put_in_place(self.tx, id, version, content, &patients, &self.origin).await?;
        let (resource_type, id) = (content.resource_type, content.id.as_str());
        let written = ResourceVersion { resource_type, id, version, source, patients: &patients };
        let event = if version == 1 { Event::Created } else { Event::Updated };
        write_lines::note(self.tx, &self.ids, event, &written, self.now);
        self.about.extend(patients);
        Ok(Stored { outcome: Outcome::Version(version), body: shown(content, body) })
    }

    async fn number(&mut self, patient: &str) -> Result<PatientId> {
        if let Some(number) = self.numbers.get(patient) {
            return Ok(*number);
        }
        let number = patients::number(self.tx, &self.ids, patient, self.now).await?;
        self.numbers.insert(patient.to_owned(), number);
        Ok(number)
    }

    /// Notes whom the source has to do with now. In one order for all writers: in the order of each one's own, two that
    /// write about the same patients would wait for each other.
    async fn associate(self) -> Result<()> {
        for patient in self.about {
            sight::made(self.tx, patient, self.source.makers()).await?;
        }
        Ok(())
    }

    async fn store(
        &mut self,
        (id, source): (RowId, Source),
        version: i64,
        new: &NewResource,
        patients: &[PatientId],
        body: &str,
    ) -> Result<()> {
        let (organisation, team, user, patient) = digest::source_columns(source);
        let content = ContentRow {
            row: id,
            type_number: new.content.resource_type.number(),
            fhir_id: &new.content.id,
            version,
            updated_at: self.now.0,
            patient: patients.first().copied(),
            patients: count(patients),
            body,
        };
        let standing = StandingRow { row: id, needs: new.needs.0, source };
        let (content_hash, standing_hash) = (content.hash(), standing.hash());
        let row = args![
            id,
            content.type_number,
            content.fhir_id,
            version,
            content.updated_at,
            standing.needs,
            organisation,
            team,
            user,
            patient,
            content.patient,
            content.patients,
            body,
            content_hash.as_slice(),
            standing_hash.as_slice(),
        ];
        self.tx.post(PUT, row).await
    }
}

/// A stored body as an answer tells it.
fn shown(content: &Preparation, body: String) -> String {
    match content.resource_type {
        ResourceType::Binary => pieces::apart(&body).0,
        _ => body,
    }
}

/// Writes what makes a resource found and seen: its compartments and its index rows, of which it has none any more.
pub(crate) async fn put_in_place(
    tx: &mut Tx<'_>,
    id: RowId,
    version: i64,
    content: &Preparation,
    patients: &[PatientId],
    origin: &str,
) -> Result<()> {
    // The row itself names the only patient of nearly everything.
    if patients.len() > 1 {
        for patient in patients {
            tx.post(PUT_COMPARTMENT, args![id, version, *patient]).await?;
        }
    }
    if let (ResourceType::Patient, [patient]) = (content.resource_type, patients) {
        patients::set_deceased(tx, *patient, content.deceased).await?;
    }
    index::put(tx, id, content.resource_type, &content.tokens).await?;
    index_rows::put(tx, id, content, origin).await
}

pub(crate) fn count(patients: &[PatientId]) -> i64 {
    i64::try_from(patients.len()).unwrap_or(i64::MAX)
}
